//! Watching a delivery from its record until it rests: the same whether this process performs it or another does.

use std::io;
use std::time::Duration;

use provost_core::decider::Event as _;
use provost_core::delivery::{Board, Course};
use provost_core::diagnostic::Exit;
use provost_core::record::Record;
use provost_core::state::{Event, State};
use provost_runtime::home::Home;
use provost_runtime::journal::{Follower, fold, walk_along};
use serde::Serialize;

use super::{Context, Done};
use crate::failure::Failure;
use crate::screen::Screen;
use crate::wording;

/// How often the record is looked at.
const PAUSE: Duration = Duration::from_millis(25);

/// A delivery to watch.
pub(crate) struct Watched<'a> {
    pub(crate) home: &'a Home,
    pub(crate) delivery: &'a str,
    /// Records up to here were there before.
    pub(crate) since: u64,
}

#[derive(Serialize)]
struct Rested<'a> {
    delivery: &'a str,
    course: &'static str,
    branch: &'a str,
    tasks: usize,
    complete: usize,
    questions: Vec<&'a str>,
}

/// Where the record ends now.
pub(crate) fn head(home: &Home) -> Result<u64, Failure> {
    Ok(walk_along(&home.reading(), &mut |_| Ok(()))?.chain.head.sequence)
}

/// Prints what happens until nothing more does, and gives the status that belongs to how it stands then.
pub(crate) fn until_rest(watched: &Watched<'_>, context: &mut Context) -> Done {
    let mut follower = Follower::new(&watched.home.state);
    let mut state = State::default();
    loop {
        let screen = &mut context.screen;
        follower.poll(&mut |record| {
            fold(&mut state, record)?;
            Ok(print(record, watched, screen)?)
        })?;
        screen.flush()?;
        if let Some(board) = state.deliveries.boards.get(watched.delivery)
            && rests(board)
        {
            return conclude(watched, board, screen);
        }
        std::thread::sleep(PAUSE);
    }
}

fn rests(board: &Board) -> bool {
    let asked_first = board.course == Course::Preparing && !board.questions.is_empty();
    let stands = !matches!(board.course, Course::Preparing | Course::Running);
    (asked_first || stands) && !board.is_busy()
}

fn print(record: &Record<'_>, watched: &Watched<'_>, screen: &mut Screen) -> io::Result<()> {
    if record.sequence <= watched.since || screen.is_json() {
        return Ok(());
    }
    match Event::read(record) {
        Ok(Event::Delivery(event)) if event.delivery == watched.delivery => match wording::progress(&event) {
            Some(text) => screen.line(format!("{:>6}  {text}", record.sequence)),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

fn conclude(watched: &Watched<'_>, board: &Board, screen: &mut Screen) -> Done {
    let complete = board.tasks.values().filter(|task| task.landed.is_some() || task.has_ended()).count();
    let exit = match board.course {
        Course::Complete => Exit::Done,
        _ if !board.questions.is_empty() => Exit::Waiting,
        _ => Exit::Incomplete,
    };
    if screen.is_json() {
        screen.document(&Rested {
            delivery: watched.delivery,
            course: wording::course(&board.course),
            branch: &board.branch,
            tasks: board.tasks.len(),
            complete,
            questions: board.questions.keys().map(String::as_str).collect(),
        })?;
        return Ok(exit);
    }
    screen.line(format!(
        "\n{} {}: {complete} of {} tasks complete",
        watched.delivery,
        wording::course(&board.course),
        board.tasks.len()
    ))?;
    for (question, task) in board.questions.values() {
        let about = task.as_ref().map(|task| format!(" (task {task})")).unwrap_or_default();
        screen.line(format!("\n{}{about}: {}", question.id, wording::one_line(&question.text)))?;
        let example = question.options.first().map_or("\"ANSWER\"", String::as_str);
        if !question.options.is_empty() {
            screen.line(format!("  options: {}", question.options.join(", ")))?;
        }
        screen.line(format!(
            "  answer:  provost reply {} {example}, then provost resume {}",
            question.id, watched.delivery
        ))?;
    }
    if complete > 0 {
        screen.line(format!(
            "\nverified work is on the branch {}; to take it over: git merge {}",
            board.branch, board.branch
        ))?;
    }
    Ok(exit)
}
