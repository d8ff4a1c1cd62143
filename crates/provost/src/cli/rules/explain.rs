//! Why rules decided as they did, from what was frozen with a plan: what the registry says today does not matter.
//! What they would say to an act is asked of today's.

use clap::Args;
use provost_core::diagnostic::{self, Diagnostic, Exit, quoted, visible};
use provost_core::planning::account::{Decisions, Fired, Subject};
use provost_core::role::Role;
use provost_core::rules::Ranges;
use serde::Serialize;

use super::{Context, Done, act};
use crate::planned::Found;
use crate::screen::Screen;

/// Say why rules decided as they did.
///
/// Example: `provost rules explain coord_run_17f0 cmd_migrate_table`
///
/// Example: `provost rules explain --act '{"tool":"Bash","command":"cargo test; rm -rf ~"}' --role critic`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The run, by the beginning of its id, or the folder of one.
    #[arg(value_name = "RUN|DIR", required_unless_present = "act", conflicts_with = "act")]
    run: Option<String>,

    /// A command or a workflow of the plan.
    #[arg(value_name = "COMMAND", required_unless_present = "act", conflicts_with = "act")]
    subject: Option<String>,

    /// What an agent would ask to do, as JSON, judged by the registry as it is today; nothing is done.
    ///
    /// Keys: tool, and command, address or deed and paths.
    #[arg(long, value_name = "JSON")]
    act: Option<String>,

    /// Who would ask: developer, critic or auditor.
    #[arg(long, value_name = "ROLE", requires = "act", default_value = "developer", value_parser = role)]
    role: Role,
}

fn role(typed: &str) -> Result<Role, &'static str> {
    typed.parse().map_err(|_| "it is none of developer, critic, auditor")
}

#[derive(Serialize)]
struct Explained<'a> {
    run_id: &'a str,
    subjects: Vec<Judged<'a>>,
}

#[derive(Serialize)]
struct Judged<'a> {
    #[serde(flatten)]
    subject: &'a Subject,
    counts: Counts,
}

/// How many rules did what.
#[derive(Serialize)]
struct Counts {
    rules: usize,
    fired: usize,
    undecided: usize,
    not_met: u64,
    not_in_scope: u64,
    unknown_noted: u64,
    not_applicable: u64,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    match arguments {
        Arguments { act: Some(act), role, .. } => act::run(act, *role, context),
        Arguments { run: Some(run), subject: Some(subject), .. } => of_plan(run, subject, context),
        // Who typed neither was told so before.
        _ => Ok(Exit::Usage),
    }
}

fn of_plan(run: &str, subject: &str, context: &mut Context) -> Done {
    let found = Found::by_name(run, context)?;
    let unknown = |why: String| Diagnostic::error(diagnostic::PLANNING_UNKNOWN_COMMAND, why);
    let Some(decisions) = &found.account.decisions else {
        return Err(unknown(format!("{} ended before rules judged it", quoted(&found.run_id))).into());
    };
    let subjects: Vec<&Subject> = decisions.subjects.iter().filter(|it| it.id == subject).collect();
    if subjects.is_empty() {
        return Err(unknown(format!("the plan has no {}", quoted(subject))).into());
    }
    let screen = &mut context.screen;
    if screen.is_json() {
        let judged =
            subjects.into_iter().map(|subject| Judged { subject, counts: counts(subject, decisions) });
        screen.document(&Explained { run_id: &found.run_id, subjects: judged.collect() })?;
        return Ok(Exit::Done);
    }
    for subject in subjects {
        print(subject, decisions, screen)?;
    }
    Ok(Exit::Done)
}

fn counts(subject: &Subject, decisions: &Decisions) -> Counts {
    let len = |ranges: &Option<Ranges>| ranges.as_ref().map_or(0, Ranges::len);
    Counts {
        rules: decisions.rules.len(),
        fired: subject.fired.len(),
        undecided: subject.undecided.len(),
        not_met: len(&subject.not_met),
        not_in_scope: len(&subject.not_in_scope),
        unknown_noted: subject.unknown_noted.len(),
        not_applicable: decisions.not_applicable.len(),
    }
}

fn print(subject: &Subject, decisions: &Decisions, screen: &mut Screen) -> std::io::Result<()> {
    let place = subject.index.map(|index| format!(" {}", index + 1)).unwrap_or_default();
    let effects: Vec<String> = subject.effects.iter().map(ToString::to_string).collect();
    screen.line(format!(
        "{}{place} {}: {} ({}), risk {}, effects {}",
        visible(&subject.subject),
        visible(&subject.id),
        subject.decision,
        visible(&subject.reason),
        subject.risk_level,
        effects.join(", ")
    ))?;
    if subject.deferred {
        screen.line("  the denial is put off until somebody has answered")?;
    }
    for fired in &subject.fired {
        print_fired(fired, screen)?;
    }
    for undecided in &subject.undecided {
        let unknown = visible(&undecided.unknown.join(", ")).to_string();
        screen.line(format!("undecided {}: unknown is {unknown}", visible(&undecided.rule_id)))?;
    }
    let Counts { rules, not_met, not_in_scope, unknown_noted, not_applicable, .. } =
        counts(subject, decisions);
    screen.line(format!(
        "of {rules} rules the condition of {not_met} does not hold, {not_in_scope} are about something else, \
         {unknown_noted} lack a fact and could not stop it, {not_applicable} judge other content"
    ))
}

fn print_fired(fired: &Fired, screen: &mut Screen) -> std::io::Result<()> {
    screen.line(format!("fired {} ({}): {}", visible(&fired.rule_id), fired.severity, fired.decision))?;
    for because in &fired.because {
        screen.line(format!("  because {}", visible(because)))?;
    }
    screen.line(format!("  reason: {}", visible(&fired.reason)))?;
    for change in &fired.required_changes {
        screen.line(format!("  required: {}", visible(change)))?;
    }
    for absent in &fired.absent {
        screen.line(format!("  not on record: {}", visible(absent)))?;
    }
    Ok(())
}
