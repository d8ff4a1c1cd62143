//! `provost status`: how deliveries stand.

use clap::Args;
use provost_core::delivery::{Board, Task};
use provost_core::diagnostic::Exit;
use serde::Serialize;

use super::{Context, Done};
use crate::performing;
use crate::screen::Screen;
use crate::wording;

/// Show how deliveries stand.
///
/// Example: `provost status`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only this delivery.
    delivery: Option<String>,
}

#[derive(Serialize)]
struct Shown {
    deliveries: Vec<Delivery>,
}

#[derive(Serialize)]
struct Delivery {
    id: String,
    title: String,
    course: &'static str,
    branch: String,
    tip: String,
    tasks: Vec<Line>,
    questions: Vec<String>,
}

#[derive(Serialize)]
struct Line {
    id: String,
    title: String,
    status: &'static str,
    agent: Option<String>,
    commit: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let state = performing::state(&context.home()?)?;
    let wanted = |id: &String| arguments.delivery.as_ref().is_none_or(|only| only == id);
    let mut boards: Vec<(&String, &Board)> =
        state.deliveries.boards.iter().filter(|(id, _)| wanted(id)).collect();
    // The newest last, where eyes are; as text, d-10 comes before d-9.
    boards.sort_by_key(|(id, _)| (id.len(), id.as_str()));
    let screen = &mut context.screen;
    if screen.is_json() {
        screen.document(&Shown { deliveries: boards.into_iter().map(delivery).collect() })?;
        return Ok(Exit::Done);
    }
    if boards.is_empty() {
        screen.line("nothing is being delivered; `provost run PLAN.md` delivers a plan")?;
    }
    for (id, board) in boards {
        print(id, board, screen)?;
    }
    Ok(Exit::Done)
}

fn print(id: &str, board: &Board, screen: &mut Screen) -> std::io::Result<()> {
    screen.line(format!(
        "{id}  {}  ({}, branch {})",
        wording::one_line(&board.title),
        wording::course(&board.course),
        board.branch
    ))?;
    let mut tasks: Vec<(&String, &Task)> = board.tasks.iter().collect();
    tasks.sort_by_key(|(_, task)| task.order);
    for (name, task) in tasks {
        let agent = task.agent.as_ref().map(|agent| format!("  [{} {}]", agent.role.name(), agent.name));
        let title = wording::one_line(&task.title);
        screen.line(format!(
            "  {name:<20} {:<28} {title}{}",
            task.status.label(),
            agent.unwrap_or_default()
        ))?;
    }
    for (question, _) in board.questions.values() {
        screen.line(format!("  {}: {}", question.id, wording::one_line(&question.text)))?;
    }
    Ok(())
}

fn delivery((id, board): (&String, &Board)) -> Delivery {
    let line = |(id, task): (&String, &Task)| Line {
        id: id.clone(),
        title: task.title.clone(),
        status: task.status.into(),
        agent: task.agent.as_ref().map(|agent| agent.name.clone()),
        commit: task.landed.clone(),
    };
    Delivery {
        id: id.clone(),
        title: board.title.clone(),
        course: wording::course(&board.course),
        branch: board.branch.clone(),
        tip: board.tip.clone(),
        tasks: board.tasks.iter().map(line).collect(),
        questions: board.questions.keys().cloned().collect(),
    }
}
