//! `provost approve`: a person's word that a frozen plan may be delivered.

use clap::Args;
use provost_core::diagnostic::{self, Diagnostic, Exit, visible};
use provost_core::planning::runs::{Approval, Command};
use provost_core::state;
use provost_runtime::acting::{Actor, person};
use serde::Serialize;

use super::{Context, Done};
use crate::performing;

/// Approve a frozen plan, or one gate of it.
///
/// The approval is of the documents as they are frozen, and on the record with who gave it and why.
///
/// Example: `provost approve coord_run_17f0 --reason "looked at the migration with Bob"`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The run, by the beginning of its id.
    run: String,

    /// Only this gate, as `provost show RUN` lists it.
    #[arg(long, value_name = "CATEGORY")]
    gate: Option<String>,

    /// Who approves, if not you.
    #[arg(long, value_name = "NAME")]
    by: Option<String>,

    /// Why.
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

#[derive(Serialize)]
struct Approved<'a> {
    run_id: &'a str,
    gate: Option<&'a str>,
    by: &'a str,
    unapproved: Vec<&'a str>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let run_id = performing::state(&home)?.plans.find(&arguments.run)?.0.to_owned();
    let by = arguments.by.clone().unwrap_or_else(person);
    let approval = Approval {
        run_id: run_id.clone(),
        gate: arguments.gate.clone(),
        by: by.clone(),
        reason: arguments.reason.clone(),
    };
    let mut actor = Actor::new(home.clone(), person(), "provost approve");
    let answers = actor.submit(vec![state::Command::Planning(Command::Approve(approval))]);
    answers.into_iter().collect::<Result<Vec<_>, _>>()?;
    drop(actor);
    let state = performing::state(&home)?;
    let missing = || Diagnostic::error(diagnostic::PROVOST_BUG, "the run is no longer on the record");
    let run = state.plans.runs.get(&run_id).ok_or_else(missing)?;
    let unapproved: Vec<&str> = run.unapproved().collect();
    let screen = &mut context.screen;
    if screen.is_json() {
        screen.document(&Approved {
            run_id: &run_id,
            gate: arguments.gate.as_deref(),
            by: &by,
            unapproved,
        })?;
        return Ok(Exit::Done);
    }
    let what = arguments.gate.as_deref().unwrap_or("all gates");
    screen.line(format!("{} approved {} of {run_id}", visible(&by), visible(what)))?;
    if unapproved.is_empty() {
        screen.line(format!("next: provost run {run_id}"))?;
    } else {
        screen.line(format!("not approved yet: {}", visible(&unapproved.join(", "))))?;
    }
    Ok(Exit::Done)
}
