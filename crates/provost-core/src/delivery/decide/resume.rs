//! Going on with deliveries, and with a task of one that was halted.

use super::super::board::{Board, Course};
use super::super::event::{Event, Question, What};
use super::super::task::Task;
use super::super::{Deliveries, Status};
use super::Decision;
use crate::decider::Moment;
use crate::diagnostic::{self, Diagnostic, quoted};

/// The answer that lets a halted task start again.
const RETRY: &str = "retry";

impl Deliveries {
    pub(super) fn decide_resume(
        &self,
        delivery: Option<&str>,
        task: Option<&str>,
        moment: Moment,
    ) -> Result<Vec<Event>, Diagnostic> {
        let chosen: Vec<&str> = match delivery {
            Some(id) => {
                self.going_on(id)?;
                vec![id]
            }
            None => self.open.iter().map(String::as_str).collect(),
        };
        let mut events = Vec::new();
        if let Some(task) = task {
            let of = delivery.or_else(|| self.newest().map(String::as_str)).unwrap_or_default();
            let question = self.halted(of, task)?;
            let mut decision = Decision::new(moment, of);
            decision.guided(task, question, RETRY);
            events = decision.events;
        }
        let stands = |id: &&str| {
            let course = self.boards.get(*id).map(|board| &board.course);
            matches!(course, Some(Course::Paused | Course::Resting { .. }))
        };
        let resume = |id: &str| Event { delivery: id.to_owned(), task: None, what: What::SessionResumed {} };
        events.extend(chosen.into_iter().filter(stands).map(resume));
        Ok(events)
    }

    fn going_on(&self, id: &str) -> Result<&Board, Diagnostic> {
        let board = self.board(id)?;
        if board.has_ended() {
            let message = format!("delivery {id} has ended");
            return Err(Diagnostic::error(diagnostic::DELIVERY_ENDED, message));
        }
        Ok(board)
    }

    /// The question that a halted task waits for; a task that is not halted is refused with what it waits for instead.
    pub fn halted(&self, delivery: &str, task: &str) -> Result<&Question, Diagnostic> {
        let board = self.going_on(delivery)?;
        let Some(found) = board.tasks.get(task) else {
            let message = format!("the delivery {} has no task {}", quoted(delivery), quoted(task));
            let known = board.tasks.keys().map(String::as_str);
            return Err(Diagnostic::error(diagnostic::TASK_UNKNOWN, message).meaning(task, known));
        };
        let question = found.question.as_ref().and_then(|id| board.questions.get(id));
        match question {
            Some((question, _)) if found.status == Status::Halted => Ok(question),
            _ => {
                let message = format!("task {task} is not halted: it is {}", board.label_of(found));
                let help = instead(delivery, board, task, found);
                Err(Diagnostic::error(diagnostic::TASK_NOT_HALTED, message).with_help(help))
            }
        }
    }
}

/// What helps a task that is not halted.
fn instead(delivery: &str, board: &Board, id: &str, task: &Task) -> String {
    let reply = |question: &Question| {
        let example = question.options.first().map_or("\"ANSWER\"", String::as_str);
        format!("it waits for your answer: `provost reply {} {example}`", question.id)
    };
    let own = task.question.as_ref().and_then(|question| board.questions.get(question));
    let of_all = board.questions.values().find(|(_, task)| task.is_none());
    match task.status {
        Status::Complete | Status::Removed => {
            format!("nothing is left to do for it; `provost show {delivery}/{id}` shows what was done")
        }
        Status::Blocked if !task.blockers.is_empty() => {
            let by: Vec<&str> = task.blockers.iter().map(String::as_str).collect();
            format!("it waits for {}; `provost why {delivery}/{id}` follows that to its cause", by.join(", "))
        }
        _ => match own.or(of_all) {
            Some((question, _)) => reply(question),
            None => format!("it goes on with its delivery: `provost resume {delivery}`"),
        },
    }
}
