//! `provost rebuild`: every view, written anew from the record.

use clap::Args;
use provost_core::diagnostic::{self, Diagnostic, Exit};
use provost_core::evidence::Evidence;
use provost_core::state::State;
use provost_runtime::acting::folder_trouble;
use provost_runtime::journal::{fold, walk_along};
use provost_runtime::views;
use serde::Serialize;

use super::{Context, Done};

/// Write every view anew from the record.
///
/// Views are files that show the state: state.json, a report for each delivery and the documents of each plan, in the
/// repository's folder .git/provost. They can be deleted at any time.
///
/// Example: `provost rebuild`
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

#[derive(Serialize)]
struct Rebuilt {
    sequence: u64,
    views: Vec<String>,
}

pub(crate) fn run(_: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let mut state = State::default();
    let mut evidence = Evidence::default();
    let walked = walk_along(&home.reading(), &mut |record| {
        views::observe(&mut evidence, record);
        fold(&mut state, record).map(drop)
    })?;
    if !home.exists() {
        return Err(
            Diagnostic::error(diagnostic::PROJECT_MISSING, "this repository has no project yet").into()
        );
    }
    let mut written =
        views::write(&home.state, &state, &walked.chain).map_err(|error| folder_trouble(&error))?;
    let reports = views::write_reports(&home.state, &state, &evidence, |_| true);
    written.extend(reports.map_err(|error| folder_trouble(&error))?);
    written.extend(views::write_plans(&home.state, &state).map_err(|error| folder_trouble(&error))?);
    let views: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    let sequence = walked.chain.head.sequence;
    if context.screen.is_json() {
        context.screen.document(&Rebuilt { sequence, views })?;
        return Ok(Exit::Done);
    }
    for view in &views {
        context.screen.line(format!("wrote {view}, as of record {sequence}"))?;
    }
    context.screen.flush()?;
    Ok(Exit::Done)
}
