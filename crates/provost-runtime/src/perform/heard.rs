//! From what an agent said to what its turn came to.

use provost_core::delivery::{Category, Incomplete, Outcome};
use provost_core::role::Role;
use provost_core::signal::{self, Checkpoint, Expected, Signal};

use crate::process::{Ended, EndedBy};

/// What a turn came to, and how far its agent said it was before.
pub(super) fn turn(role: Role, task: &str, ended: &Ended, said: &str) -> (Outcome, Vec<Checkpoint>) {
    let heard = signal::read(&Expected { role, task_id: task }, said, ended.cut_bytes > 0);
    (outcome(task, ended, heard.outcome), heard.checkpoints)
}

/// How the program ended comes first, and only then what it said.
fn outcome(task: &str, ended: &Ended, heard: signal::Outcome) -> Outcome {
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
