//! The live board: what happens scrolls by above, and how every unfinished task stands is redrawn below. Only on a
//! terminal; elsewhere there are plain lines.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};

use provost_core::delivery::{Board, Status, Task};
use provost_core::time::Timestamp;

use crate::screen::Screen;
use crate::wording;

/// The most tasks that are shown; the others are counted.
const TASKS_MAX: usize = 12;

/// The part of the screen that is redrawn.
#[derive(Debug, Default)]
pub(crate) struct Live {
    drawn: usize,
    last: Vec<String>,
    /// Since when each task is in its status.
    pub(crate) since: BTreeMap<String, Timestamp>,
}

impl Live {
    /// A board for standard output, if it is a terminal that a person looks at.
    pub(crate) fn for_terminal(screen: &Screen) -> Option<Live> {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let watched = io::stdout().is_terminal() && !dumb && std::env::var_os("CI").is_none();
        (watched && !screen.is_json()).then(Live::default)
    }

    /// Takes the board off the screen, so that lines can be printed where it was.
    pub(crate) fn lift(&mut self, screen: &mut Screen) -> io::Result<()> {
        if self.drawn > 0 {
            // Up to its first line, then clear to the end of the screen.
            screen.text(&format!("\u{1b}[{}F\u{1b}[J", self.drawn))?;
            self.drawn = 0;
            self.last.clear();
        }
        Ok(())
    }

    /// Draws the board as it stands, if it has changed.
    pub(crate) fn draw(&mut self, board: &Board, now: Timestamp, screen: &mut Screen) -> io::Result<()> {
        let lines = self.lines(board, now);
        if lines == self.last {
            return Ok(());
        }
        self.lift(screen)?;
        for line in &lines {
            screen.line(line)?;
        }
        self.drawn = lines.len();
        self.last = lines;
        screen.flush()
    }

    fn lines(&self, board: &Board, now: Timestamp) -> Vec<String> {
        let (complete, course) = (board.count(Status::Complete), wording::course(&board.course));
        let head = format!("── {complete} of {} complete, {course} ──", board.tasks.len());
        let mut open: Vec<(&String, &Task)> =
            board.tasks.iter().filter(|(_, task)| !task.has_ended()).collect();
        // Those that somebody works on first, then by place in the plan.
        open.sort_by_key(|(_, task)| (task.agent.is_none(), task.status == Status::Blocked, task.order));
        let rest = open.len().saturating_sub(TASKS_MAX);
        let shown = open.into_iter().take(TASKS_MAX).map(|(id, task)| self.task_line(board, (id, task), now));
        let more = (rest > 0).then(|| format!("   and {rest} more"));
        let lines = std::iter::once(String::new()).chain([head]).chain(shown).chain(more);
        fitting(lines.collect(), size())
    }

    fn task_line(&self, board: &Board, (id, task): (&String, &Task), now: Timestamp) -> String {
        let elapsed = self.since.get(id).map(|since| now.since_ms(*since) / 1_000).unwrap_or_default();
        let elapsed = format!("{}:{:02}", elapsed / 60, elapsed % 60);
        let agent = task.agent.as_ref().map(|agent| {
            let rests = if agent.rests_until.is_some() { ", rests" } else { "" };
            format!("{} ({}{rests})", agent.name, agent.role.name())
        });
        format!("   {id:<20} {:<28} {elapsed:>7}  {}", board.label_of(task), agent.unwrap_or_default())
    }
}

/// The columns and rows of the terminal.
fn size() -> (usize, usize) {
    let told = rustix::termios::tcgetwinsize(io::stdout()).map_or((0, 0), |it| (it.ws_col, it.ws_row));
    usable(told.0, told.1)
}

/// What a terminal says of its size; one that nobody told how large it is says nothing of use.
fn usable(columns: u16, rows: u16) -> (usize, usize) {
    let or = |told: u16, otherwise: usize| if told == 0 { otherwise } else { usize::from(told) };
    (or(columns, 80), or(rows, 24))
}

/// A board that can be redrawn: no line of it wraps, and all of it fits on the screen.
fn fitting(mut lines: Vec<String>, (columns, rows): (usize, usize)) -> Vec<String> {
    lines.truncate(rows.saturating_sub(1));
    lines.iter().map(|line| line.chars().take(columns.saturating_sub(1)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_without_a_size_is_taken_for_an_ordinary_one() {
        assert_eq!((usable(0, 0), usable(132, 0), usable(10, 5)), ((80, 24), (132, 24), (10, 5)));
    }

    #[test]
    fn what_is_drawn_can_be_taken_off_again() {
        let lines = vec!["─".repeat(100); 30];
        let shape = |size| {
            let fitting = fitting(lines.clone(), size);
            (fitting.first().map(|line| line.chars().count()), fitting.len())
        };
        assert_eq!(shape((80, 24)), (Some(79), 23));
        assert_eq!(shape((1, 2)), (Some(0), 1));
        assert_eq!(shape((10, 1)), (None, 0));
    }
}
