//! `provost show`: everything about one task, the report of a delivery, or a run of planning.

mod page;
mod plan;

use std::io::{self, IsTerminal as _};

use clap::Args;
use provost_core::diagnostic::{self, Diagnostic, Exit, quoted, visible};
use provost_core::digest::Digest;
use provost_core::record::Sequence;
use provost_runtime::acting::{folder_trouble, new_id};
use provost_runtime::artifacts::{ARTIFACT_MAX, Artifacts as _, FileArtifacts};
use provost_runtime::git::Oid;
use provost_runtime::home::Home;
use provost_runtime::repository::Repository;
use provost_runtime::views;
use serde::Serialize;

use super::{Context, Done};
use crate::failure::Failure;
use crate::planned::{self, Found};
use crate::screen::Screen;
use crate::subject::{Known, OneDelivery, OneTask, Subject};
use crate::wording;

/// Show everything about a task, the report of a delivery, or a plan.
///
/// Each statement about a task or a delivery names the record that shows it; `provost log` prints those. A plan is shown
/// as a tree, with what rules decided, what is asked and what has to be approved.
///
/// Example: `provost show login-form --diff`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A task, as TASK or DELIVERY/TASK, or a delivery; without a delivery the newest that has the task. Or a run of
    /// planning, by the beginning of its id, or the folder of one.
    #[arg(value_name = "TASK|DELIVERY|RUN|DIR")]
    pub(super) name: String,

    /// Only its change: what landed, else what was measured last.
    #[arg(long, group = "part")]
    pub(super) diff: bool,

    /// Only what its last agent printed.
    #[arg(long, group = "part")]
    pub(super) output: bool,

    /// Only what its last agent was told.
    #[arg(long, group = "part")]
    pub(super) prompt: bool,

    /// Only the graph of a plan, as a drawing or as data.
    #[arg(long, group = "part", value_name = "FORM")]
    pub(super) graph: Option<plan::Drawing>,
}

#[derive(Serialize)]
struct Whole<'a> {
    delivery: &'a str,
    course: &'static str,
    branch: &'a str,
    base: &'a str,
    tip: &'a str,
    report: String,
}

#[derive(Serialize)]
struct Piece<'a> {
    delivery: &'a str,
    task: &'a str,
    part: &'static str,
    commit: Option<&'a str>,
    record: Option<Sequence>,
    is_cut: bool,
    text: String,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    if planned::is_run(&arguments.name) {
        return plan::show(&Found::by_name(&arguments.name, context)?, arguments.graph, context);
    }
    let home = context.home()?;
    let known = Known::read(&home)?;
    // Names of deliveries and tasks come first; the beginning of a run's id may stand without what all begin with.
    let is_other = known.find(&arguments.name).is_ok() || known.state.plans.find(&arguments.name).is_err();
    if arguments.graph.is_some() || !is_other {
        let found = Found::on_record(home, &known.state, &arguments.name)?;
        return plan::show(&found, arguments.graph, context);
    }
    let wants_part = arguments.diff || arguments.output || arguments.prompt;
    let subject =
        if wants_part { Subject::Task(known.task(&arguments.name)?) } else { known.find(&arguments.name)? };
    let screen = &mut context.screen;
    match subject {
        Subject::Delivery(delivery) => report(&home, delivery, screen)?,
        Subject::Task(task) if arguments.diff => diff(&home, task, screen)?,
        Subject::Task(task) if arguments.output => {
            artifact(&home, task, ("output", "printed"), task.proof.output, screen)?;
        }
        Subject::Task(task) if arguments.prompt => {
            artifact(&home, task, ("prompt", "was told"), task.proof.prompt, screen)?;
        }
        Subject::Task(task) => {
            let plan = views::plan(&home.state, task.of.board);
            page::print(task, plan.as_ref(), screen)?;
        }
    }
    Ok(Exit::Done)
}

fn report(home: &Home, delivery: OneDelivery<'_>, screen: &mut Screen) -> io::Result<()> {
    let OneDelivery { id, board, trail } = delivery;
    let report = views::report(&home.state, id, board, trail);
    if !screen.is_json() {
        return screen.text(&report);
    }
    screen.document(&Whole {
        delivery: id,
        course: wording::course(&board.course),
        branch: &board.branch,
        base: &board.base,
        tip: &board.tip,
        report,
    })
}

fn diff(home: &Home, task: OneTask<'_>, screen: &mut Screen) -> Result<(), Failure> {
    let commit = task.task.landed.as_deref().or(task.task.commit.as_deref());
    let commit = commit.ok_or_else(|| nothing(task, "nothing of it was committed"))?;
    let oid = Oid::parse(commit).ok_or_else(|| nothing(task, "its commit cannot be read"))?;
    let repository = Repository::open(home).map_err(|fault| fault.diagnostic())?;
    let base = repository.parent_of(&oid).map_err(|fault| fault.diagnostic())?;
    let (text, is_cut) = repository.diff(&base, &oid, ARTIFACT_MAX).map_err(|fault| fault.diagnostic())?;
    let measured = task.proof.measured.as_ref().map(|measured| measured.sequence);
    let piece = Piece {
        delivery: task.of.id,
        task: task.id,
        part: "diff",
        commit: Some(commit),
        record: task.proof.landed.as_ref().map(|landed| landed.sequence).or(measured),
        is_cut,
        text,
    };
    Ok(print(&piece, screen)?)
}

fn artifact(
    home: &Home,
    task: OneTask<'_>,
    (part, did): (&'static str, &str),
    named: Option<(Sequence, Digest)>,
    screen: &mut Screen,
) -> Result<(), Failure> {
    let (record, digest) = named.ok_or_else(|| nothing(task, &format!("no agent {did} anything yet")))?;
    let bytes =
        FileArtifacts::new(home.reading(), new_id()).get(digest).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::InvalidData => {
                let message = format!("the artifact {digest} of record {record} is missing or changed");
                Diagnostic::error(diagnostic::JOURNAL_ARTIFACT, message)
            }
            _ => folder_trouble(&error),
        })?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (delivery, task, record) = (task.of.id, task.id, Some(record));
    Ok(print(&Piece { delivery, task, part, commit: None, record, is_cut: false, text }, screen)?)
}

fn nothing(task: OneTask<'_>, why: &str) -> Diagnostic {
    let message = format!("there is nothing of task {} to show: {why}", quoted(task.id));
    Diagnostic::error(diagnostic::TASK_NOTHING, message)
}

fn print(piece: &Piece<'_>, screen: &mut Screen) -> io::Result<()> {
    if screen.is_json() {
        return screen.document(piece);
    }
    if io::stdout().is_terminal() {
        // A terminal obeys what an agent prints; a file or a program gets it as it is.
        for line in piece.text.lines() {
            let shown: Vec<String> = line.split('\t').map(|piece| visible(piece).to_string()).collect();
            screen.line(shown.join("\t"))?;
        }
    } else {
        screen.text(&piece.text)?;
    }
    if piece.is_cut { screen.line(format!("… cut after {ARTIFACT_MAX} bytes")) } else { Ok(()) }
}
