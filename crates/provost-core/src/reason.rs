//! Why a task is not complete: one reason for each task, followed from task to task to the first cause.

use std::collections::BTreeSet;

use crate::delivery::{Board, Course, Question, Status, Task};
use crate::evidence::{Asked, Proof, Trail, Turn};
use crate::record::Sequence;
use crate::time::Timestamp;

/// What a task waits for, or how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason<'a> {
    /// It is complete.
    Complete {
        /// What landed, if there was something to land.
        commit: Option<&'a str>,
    },
    /// It is no longer part of the plan.
    Removed,
    /// Its delivery was ended.
    Cancelled,
    /// Its delivery has not begun to give out work.
    Preparing,
    /// Nothing is given out until somebody resumes the delivery.
    Paused,
    /// Tasks have to be complete first.
    Blocked {
        /// Which.
        by: Vec<&'a str>,
    },
    /// It can start as soon as a slot is free.
    Ready,
    /// It can start as soon as a question is answered that is not its own.
    Held {
        /// What was asked.
        question: &'a Question,
    },
    /// A person was asked.
    Asked {
        /// What.
        question: &'a Question,
    },
    /// A limit was reached, and a person was asked.
    Halted {
        /// Which limit.
        reason: &'a str,
        /// What was asked.
        question: &'a Question,
    },
    /// Something around the work is broken.
    Infrastructure {
        /// What.
        issue: &'a str,
        /// What was asked about it.
        question: Option<&'a Question>,
    },
    /// An agent works on it.
    Working {
        /// Its turn.
        turn: &'a Turn,
    },
    /// An agent will work on it, and rests.
    Resting {
        /// Its turn.
        turn: &'a Turn,
        /// Until when.
        until: Timestamp,
    },
    /// What its developer claims is measured.
    Measuring,
    /// It is being joined with what has landed.
    Landing,
    /// It waits for its turn to land.
    Queued,
    /// It is in the middle of work and waits for a slot or for whoever performs.
    Between,
}

/// A task, why it is as it is, and the record that made it so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link<'a> {
    /// The task.
    pub task: &'a str,
    /// How it stands.
    pub status: Status,
    /// Why.
    pub reason: Reason<'a>,
    /// The record that shows it.
    pub sequence: Sequence,
}

/// Why a task is not complete, then why what it waits for is not, to a task that waits for no other.
pub fn chain<'a>(board: &'a Board, trail: &'a Trail, task: &'a str) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    let mut seen = BTreeSet::new();
    let mut next = Some(task);
    while let Some(id) = next.take() {
        let (Some((id, task)), Some(proof)) = (board.tasks.get_key_value(id), trail.tasks.get(id)) else {
            break;
        };
        if !seen.insert(id) {
            break;
        }
        let link = link(board, trail, proof, (id, task));
        if let Reason::Blocked { by } = &link.reason {
            next = first_cause(board, by);
        }
        links.push(link);
    }
    links
}

/// The blocker to look at first: one that needs a person, else one that nobody works on, else the first of the plan.
fn first_cause<'a>(board: &Board, by: &[&'a str]) -> Option<&'a str> {
    let urgency = |id: &&&str| {
        let task = board.tasks.get(**id);
        let rank = task.map(|task| match task.status {
            Status::Halted | Status::AwaitingDivineGuidance | Status::AwaitingInfrastructure => 0,
            Status::Blocked => 2,
            _ => 1,
        });
        (rank, task.map(|task| task.order))
    };
    by.iter().min_by_key(urgency).copied()
}

fn link<'a>(board: &'a Board, trail: &'a Trail, proof: &'a Proof, named: (&'a String, &'a Task)) -> Link<'a> {
    let (id, task) = named;
    let (reason, sequence) = reason(board, trail, proof, named);
    Link { task: id, status: task.status, reason, sequence: sequence.unwrap_or(task.since) }
}

fn reason<'a>(
    board: &'a Board,
    trail: &'a Trail,
    proof: &'a Proof,
    (id, task): (&'a String, &'a Task),
) -> (Reason<'a>, Option<Sequence>) {
    let asked = trail.questions_of(id).filter(|asked| asked.answer.is_none()).last();
    let setback = proof.setbacks.last();
    match task.status {
        Status::Complete => {
            let landed = proof.landed.as_ref();
            let commit = landed.and_then(|landed| landed.commit.as_deref());
            (Reason::Complete { commit }, landed.map(|landed| landed.sequence))
        }
        Status::Removed => (Reason::Removed, None),
        _ if board.course == Course::Cancelled => (Reason::Cancelled, Some(trail.last)),
        Status::Halted | Status::AwaitingDivineGuidance if asked.is_some() => {
            let Some(asked) = asked else { return (Reason::Between, None) };
            let question = &asked.question;
            let halted = setback.and_then(|setback| setback.text.strip_prefix("halted: "));
            let reason = match halted.filter(|_| task.status == Status::Halted) {
                Some(reason) => Reason::Halted { reason, question },
                None => Reason::Asked { question },
            };
            (reason, Some(asked.sequence))
        }
        Status::AwaitingInfrastructure => {
            let is_open = |asked: &&Asked| asked.answer.is_none() && asked.task.is_none();
            let about = trail.questions.iter().rfind(is_open);
            let issue = setback.map_or("", |setback| setback.text.as_str());
            let question = about.map(|asked| &asked.question);
            (Reason::Infrastructure { issue, question }, setback.map(|setback| setback.sequence))
        }
        Status::Blocked if !task.blockers.is_empty() => {
            let mut by: Vec<&str> = task.blockers.iter().map(String::as_str).collect();
            by.sort_by_key(|id| board.tasks.get(*id).map(|task| task.order));
            (Reason::Blocked { by }, None)
        }
        _ => (at_work(board, proof, task), at_work_since(proof, task)),
    }
}

/// Why a task that needs nobody is not complete.
fn at_work<'a>(board: &'a Board, proof: &'a Proof, task: &Task) -> Reason<'a> {
    match (&task.agent, &proof.turn) {
        (Some(working), Some(turn)) => {
            return match working.rests_until {
                Some(until) => Reason::Resting { turn, until },
                None => Reason::Working { turn },
            };
        }
        _ if board.course == Course::Preparing => return Reason::Preparing,
        _ if board.course == Course::Paused => return Reason::Paused,
        _ => {}
    }
    match task.status {
        Status::Blocked | Status::Available => match board.holding() {
            Some(question) if task.attempts.is_empty() => Reason::Held { question },
            _ => Reason::Ready,
        },
        Status::Landing if task.effect.is_some() => Reason::Landing,
        Status::Landing => Reason::Queued,
        Status::Implementing if task.effect.is_some() => Reason::Measuring,
        _ => Reason::Between,
    }
}

fn at_work_since(proof: &Proof, task: &Task) -> Option<Sequence> {
    let working = task.agent.as_ref().and(proof.turn.as_ref());
    working.map(|turn| turn.sequence).or_else(|| task.effect.map(|effect| effect.0))
}
