//! `provost resume`: deliveries go on where they were.

use clap::Args;
use provost_core::delivery;
use provost_core::diagnostic::{self, Diagnostic};
use provost_core::project::{self, Preparation};
use provost_core::state;
use provost_runtime::acting::{Actor, person};
use provost_runtime::config;
use provost_runtime::home::Home;

use super::watch::{self, Watched};
use super::{Context, Done};
use crate::failure::Failure;
use crate::performing;
use crate::subject::Known;

/// Go on with a delivery where it was.
///
/// After a crash, a kill, a power cut or an answer. What was running is looked for, done again or given to a fresh
/// agent, each as it has to be; nothing lands twice.
///
/// With `--task`, a task that reached a limit and was halted is tried again: its question is answered with `retry` in
/// your name, its counts begin anew, and its worktree is kept.
///
/// Example: `provost resume d-4`, `provost resume --task login-form`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The delivery; the newest that has not ended where none is named.
    delivery: Option<String>,

    /// A halted task to try again, as TASK or DELIVERY/TASK; without a delivery the newest that has the task.
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let config = config::read(&home.config(), ".provost/provost.toml")?;
    let (delivery, task) = chosen(arguments, &home)?;
    let (project_id, tools) = performing::tools(&home, &config)?;
    let since = watch::head(&home)?;
    let mut actor = Actor::new(home.clone(), person(), "provost resume").performing(tools);
    let preparation = Preparation { project_id, settings: config.settings };
    let resume = delivery::Command::Resume { delivery: Some(delivery.clone()), task };
    let commands =
        [state::Command::Project(project::Command::Prepare(preparation)), state::Command::Delivery(resume)];
    watch::asked(&commands, &mut actor, context)?;
    watch::until_rest(&Watched { home: &home, delivery: &delivery, since }, &mut actor, context)
}

/// The delivery that is meant, and its halted task if one is; refused before anything is started for it.
fn chosen(arguments: &Arguments, home: &Home) -> Result<(String, Option<String>), Failure> {
    let known = Known::read(home)?;
    let deliveries = &known.state.deliveries;
    let Some(task) = &arguments.task else {
        let nothing = || {
            let nothing = Diagnostic::error(diagnostic::DELIVERY_UNKNOWN, "no delivery is under way");
            nothing.with_help(
                "begin one with `provost run PLAN.md`; `provost status` lists those that have ended",
            )
        };
        let newest = || deliveries.newest().cloned();
        return Ok((arguments.delivery.clone().or_else(newest).ok_or_else(nothing)?, None));
    };
    let name = match &arguments.delivery {
        Some(delivery) => format!("{delivery}/{task}"),
        None => task.clone(),
    };
    let found = known.task(&name)?;
    deliveries.halted(found.of.id, found.id)?;
    Ok((found.of.id.to_owned(), Some(found.id.to_owned())))
}
