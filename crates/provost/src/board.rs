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
        let complete = board.tasks.values().filter(|task| task.has_ended()).count();
        let head =
            format!("── {complete} of {} complete, {} ──", board.tasks.len(), wording::course(&board.course));
        let mut open: Vec<(&String, &Task)> =
            board.tasks.iter().filter(|(_, task)| !task.has_ended()).collect();
        // Those that somebody works on first, then by place in the plan.
        open.sort_by_key(|(_, task)| (task.agent.is_none(), task.status == Status::Blocked, task.order));
        let rest = open.len().saturating_sub(TASKS_MAX);
        let shown = open.into_iter().take(TASKS_MAX).map(|(id, task)| self.task_line(board, (id, task), now));
        let more = (rest > 0).then(|| format!("   and {rest} more"));
        std::iter::once(String::new())
            .chain([head])
            .chain(shown)
            .chain(more)
            .map(|line| clipped(&line))
            .collect()
    }

    fn task_line(&self, board: &Board, (id, task): (&String, &Task), now: Timestamp) -> String {
        let elapsed = self.since.get(id).map(|since| now.since_ms(*since) / 1_000).unwrap_or_default();
        let elapsed = format!("{}:{:02}", elapsed / 60, elapsed % 60);
        let agent = task.agent.as_ref().map(|agent| format!("{} ({})", agent.name, agent.role.name()));
        format!("   {id:<20} {:<28} {elapsed:>7}  {}", board.label_of(task), agent.unwrap_or_default())
    }
}

/// A line that does not wrap, because what wraps cannot be redrawn.
fn clipped(line: &str) -> String {
    let width = rustix::termios::tcgetwinsize(io::stdout()).map_or(80, |size| usize::from(size.ws_col));
    line.chars().take(width.max(20) - 1).collect()
}
