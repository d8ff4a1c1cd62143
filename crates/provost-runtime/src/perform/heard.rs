//! From what an agent said to what its turn came to.

use provost_core::adapter::{self, Account, Class, Trouble};
use provost_core::delivery::{Category, Incomplete, Outcome};
use provost_core::signal::{self, Calls, Checkpoint, Expected, Signal};

use crate::process::{Ended, EndedBy};

/// What a turn came to, and how far its agent said it was before.
pub(super) fn turn(
    expected: &Expected<'_>,
    ended: &Ended,
    said: &str,
    calls: Calls,
    talked: Option<Talked<'_>>,
) -> (Outcome, Vec<Checkpoint>) {
    let heard = calls.with(signal::read(expected, said, ended.said_cut_bytes > 0));
    let trouble = talked.and_then(|talked| talked.trouble(ended, &heard.outcome));
    (outcome(expected.task_id, ended, heard.outcome, trouble, talked.is_some()), heard.checkpoints)
}

/// What a conversation came to.
#[derive(Clone, Copy)]
pub(super) struct Talked<'a> {
    pub(super) account: &'a Account,
    /// What the agent printed beside its stream.
    pub(super) complaint: &'a str,
}

impl Talked<'_> {
    /// Why the turn came to nothing, if it did. An agent that ended by itself and said the right thing is believed to
    /// have finished; how its process exited says nothing.
    fn trouble(&self, ended: &Ended, heard: &signal::Outcome) -> Option<Trouble> {
        let account = self.account;
        match (&ended.ended_by, heard) {
            // It waited for something that it told about, and would have waited for ever.
            (EndedBy::Idle, _) => account.trouble.clone().filter(|trouble| trouble.class.is_passing()),
            (EndedBy::Exited, signal::Outcome::Silent) if account.finished && account.denied > 0 => {
                let said = format!("it was refused {} times and gave no signal", account.denied);
                Some(Trouble::new(Class::RefusedPermission, &said))
            }
            (EndedBy::Exited, _) if account.finished => None,
            (EndedBy::Exited, _) => {
                let told = account.trouble.clone().or_else(|| adapter::explained(self.complaint));
                Some(told.unwrap_or_else(|| broken_off(ended, self.complaint)))
            }
            _ => None,
        }
    }
}

/// A stream that does not say how it ended.
fn broken_off(ended: &Ended, complaint: &str) -> Trouble {
    let last = complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("nothing was said about it");
    match (ended.exit, ended.signal) {
        (Some(0), _) => Trouble::new(Class::Protocol, "the stream ended without its last event"),
        (Some(exit), _) => Trouble::new(Class::Crashed, &format!("exit status {exit}: {last}")),
        (None, signal) => {
            Trouble::new(Class::Crashed, &format!("signal {} ended it", signal.unwrap_or_default()))
        }
    }
}

/// How the program ended comes first, and only then what it said.
fn outcome(
    task: &str,
    ended: &Ended,
    heard: signal::Outcome,
    trouble: Option<Trouble>,
    talked: bool,
) -> Outcome {
    if let Some(trouble) = trouble {
        return Outcome::Troubled(trouble);
    }
    match &ended.ended_by {
        EndedBy::Wall | EndedBy::Idle => return Outcome::TimedOut,
        EndedBy::Stopped => return Outcome::Stopped,
        EndedBy::NotStarted { why, .. } => {
            return Outcome::Unavailable { issue: format!("the agent cannot be started: {why}") };
        }
        EndedBy::Exited => {}
    }
    match (ended.exit, ended.signal) {
        (Some(0), _) => {}
        // Its stream came to its end, which says more.
        _ if talked => {}
        (Some(exit), _) => return Outcome::Crashed { error: format!("it ended with exit status {exit}") },
        (None, signal) => {
            let error = format!("signal {} ended it", signal.unwrap_or_default());
            return Outcome::Crashed { error };
        }
    }
    match heard {
        signal::Outcome::Signal(signal) => of_signal(&signal),
        signal::Outcome::Rejected(rejection) => Outcome::Rejected { reason: rejection.message(task) },
        signal::Outcome::Silent => Outcome::Silent,
    }
}

fn of_signal(signal: &Signal) -> Outcome {
    // Without its first line, which only names the signal.
    let text = signal::to_text(signal, "").lines().skip(1).collect::<Vec<_>>().join("\n");
    match signal {
        Signal::ReadyForReview(ready) => Outcome::Ready { summary: ready.summary.clone() },
        Signal::TaskIncomplete(why) => Outcome::Incomplete(Incomplete {
            category: category(why.category),
            blocker: why.blocker.clone(),
            blocker_task: why.blocker_task.clone(),
        }),
        Signal::InfraBlocked(why) => Outcome::Infrastructure { issue: why.issue.clone() },
        Signal::ReviewPassed(_) | Signal::AuditPassed(_) => Outcome::Passed { summary: text },
        Signal::ReviewFailed(_) | Signal::AuditFailed(_) => Outcome::Failed { feedback: text },
        Signal::AuditBlocked(_) => Outcome::Infrastructure { issue: text },
        Signal::SeekingDivineClarification(question) => {
            Outcome::Asks { question: question.question.clone(), options: question.options.clone() }
        }
        Signal::Checkpoint(_) => Outcome::Silent,
    }
}

fn category(category: signal::Category) -> Category {
    match category {
        signal::Category::MissingInfo => Category::MissingInfo,
        signal::Category::BlockedByDependency => Category::BlockedByDependency,
        signal::Category::Infrastructure => Category::Infrastructure,
        signal::Category::OutOfScope => Category::OutOfScope,
    }
}
