//! What the end of a turn leads to, for each role.

use super::super::board::Board;
use super::super::command::{Bypassed, Category, Incomplete, Outcome, TurnEnd};
use super::super::event::{About, What};
use super::super::task::{Review, Task};
use super::super::terms::Resting;
use super::super::{Status, green};
use super::Decision;
use crate::limits::Limit;
use crate::project::Settings;
use crate::role::Role;

const SILENT: &str = "it ended without a signal";

impl Decision<'_> {
    pub(super) fn turn(
        &mut self,
        id: &str,
        task: &Task,
        board: &Board,
        end: &TurnEnd,
        settings: &Settings,
        resting: &Resting,
    ) {
        let Some(working) = &task.agent else { return };
        let role = working.role;
        self.spent(id, board, working, end);
        for checkpoint in &end.checkpoints {
            self.of(id, What::AgentCheckpoint { checkpoint: checkpoint.clone() });
        }
        self.of(id, how_it_ended(end));
        match &end.outcome {
            Outcome::Ready { summary } => self.of(id, What::ReadyClaimed { summary: summary.clone() }),
            Outcome::Incomplete(incomplete) => self.incomplete(id, task, board, incomplete, settings),
            Outcome::Passed { summary } if role == Role::Critic => {
                self.of(id, What::CriticPass { summary: summary.clone() });
            }
            Outcome::Passed { summary } => self.audited(id, task, board, end, summary, settings),
            Outcome::Failed { feedback } if role == Role::Critic => {
                self.of(id, What::CriticFail { feedback: feedback.clone() });
                let reached = task.counts.critic_failures + 1 >= settings.limit(Limit::CriticFailures);
                self.halt_if(reached, id, "its critic keeps asking for changes");
            }
            Outcome::Failed { feedback } => self.audit_failed(id, task, feedback, settings),
            Outcome::Infrastructure { issue } => {
                let what = if role == Role::Auditor {
                    What::AuditorBlocked { issue: issue.clone() }
                } else {
                    What::DeveloperBlocked { issue: issue.clone() }
                };
                self.broken(id, board, what, issue);
            }
            Outcome::Asks { question, options } => {
                let options: Vec<&str> = options.iter().map(String::as_str).collect();
                let question = self.question(About::Task, question.clone(), &options);
                self.of(id, What::AgentSeeksGuidance { question });
            }
            Outcome::Rejected { reason } => self.rejected(id, task, reason, settings),
            Outcome::TimedOut if role == Role::Critic => self.critic_timed_out(id, task, settings),
            Outcome::Silent => self.failed(id, task, role, SILENT, settings),
            Outcome::TimedOut => self.failed(id, task, role, &out_of_time(end, role, settings), settings),
            Outcome::Troubled(trouble) => {
                self.troubled(id, task, board, trouble, settings, resting);
            }
            Outcome::Crashed { error } => self.failed(id, task, role, error, settings),
            Outcome::Stopped => self.of(id, What::TaskRestartedOnResume { role }),
            Outcome::Unavailable { issue } => {
                self.broken(id, board, What::EnvironmentUnavailable { issue: issue.clone() }, issue);
            }
        }
    }

    /// A turn that was running when the coordinator ended: it counts for nothing, and somebody else goes on.
    pub(in super::super) fn lost(&mut self, id: &str, task: &Task) {
        if let Some(agent) = &task.agent {
            self.of(id, What::AgentLost {});
            // One that still rests has not begun: its worktree is as it was, and its conversation can be gone on with.
            if agent.rests_until.is_none_or(|until| until <= self.moment.now) {
                self.of(id, What::TaskRestartedOnResume { role: agent.role });
            }
        }
    }

    fn incomplete(&mut self, id: &str, task: &Task, board: &Board, why: &Incomplete, settings: &Settings) {
        let (category, blocker) = (why.category, why.blocker.clone());
        self.of(id, What::DeveloperIncomplete { category, blocker: blocker.clone() });
        if category == Category::Infrastructure {
            self.broken(id, board, What::DeveloperBlocked { issue: blocker.clone() }, &blocker);
            return;
        }
        let other = why.blocker_task.as_deref().and_then(|other| Some((other, board.tasks.get(other)?)));
        let too_often = task.counts.incomplete + 1 >= settings.limit(Limit::Incomplete);
        match other {
            Some((_, other))
                if category == Category::BlockedByDependency
                    && !too_often
                    && other.status == Status::Complete =>
            {
                self.of(id, What::TaskRetried {});
            }
            Some((name, other))
                if category == Category::BlockedByDependency
                    && !too_often
                    && !other.has_ended()
                    && name != id
                    && !waits_for(board, name, id) =>
            {
                self.of(id, What::TaskBlocked { by: name.to_owned() });
            }
            _ => {
                let text = format!("task {id} cannot be finished: {blocker}");
                let question = self.question(About::Task, text, &[]);
                self.of(id, What::CoordinatorSeeksGuidance { question });
            }
        }
    }

    /// An auditor's word passes only together with every required check.
    fn audited(
        &mut self,
        id: &str,
        task: &Task,
        board: &Board,
        end: &TurnEnd,
        summary: &str,
        settings: &Settings,
    ) {
        let results = if task.only_verifies() { &end.results } else { &task.results };
        if !green(results) {
            let text = format!(
                "the auditor confirms, but required checks do not pass:\n{}",
                super::super::failures(results)
            );
            self.audit_failed(id, task, &text, settings);
        } else if task.only_verifies() {
            let (commit, results, summary) = (None, results.clone(), summary.to_owned());
            self.of(id, What::TaskComplete { commit, results, summary });
            self.unblock_dependents(id, task, board);
        } else {
            self.of(id, What::AuditorPass { summary: summary.to_owned() });
            if task.review == Review::Bypassed && board.bypassed == Bypassed::Ask {
                let text = format!(
                    "task {id} was not reviewed, because its critics ran out of time; land it all the same?"
                );
                let question = self.question(About::Bypass, text, &["land", "review"]);
                self.of(id, What::CoordinatorSeeksGuidance { question });
            }
        }
    }

    fn audit_failed(&mut self, id: &str, task: &Task, feedback: &str, settings: &Settings) {
        self.of(id, What::AuditorFail { feedback: feedback.to_owned() });
        let reached = task.counts.audit_failures + 1 >= settings.limit(Limit::AuditFailures);
        self.halt_if(reached, id, "its auditor keeps rejecting it");
    }

    fn critic_timed_out(&mut self, id: &str, task: &Task, settings: &Settings) {
        self.of(id, What::CriticTimeout {});
        if task.counts.critic_timeouts + 1 >= settings.limit(Limit::CriticTimeouts) {
            self.of(id, What::CriticBypassed { reason: "timeout_limit_exceeded".to_owned() });
        }
    }

    pub(super) fn failed(&mut self, id: &str, task: &Task, role: Role, why: &str, settings: &Settings) {
        self.of(id, What::AgentFailure { role, why: why.to_owned() });
        let before = task.counts.agent_failures.get(&role).copied().unwrap_or(0);
        let reached = before + 1 >= settings.limit(Limit::AgentFailures);
        self.halt_if(reached, id, "its agents keep failing");
    }
}

/// Which limit a turn reached: one that was silent for too long has not had all of its time.
fn out_of_time(end: &TurnEnd, role: Role, settings: &Settings) -> String {
    let limit = Limit::of_turn(role);
    let limit_s = settings.limit(limit);
    if end.duration_ms >= u64::from(limit_s) * 1_000 {
        format!("it ran out of time: {limit_s} s (`{}`)", <&str>::from(limit))
    } else {
        let idle: &str = Limit::IdleS.into();
        format!("it ran out of time: {} s without a word (`{idle}`)", settings.limit(Limit::IdleS))
    }
}

fn how_it_ended(end: &TurnEnd) -> What {
    let (duration_ms, output) = (end.duration_ms, end.output);
    match &end.outcome {
        Outcome::TimedOut => What::AgentTimeout { duration_ms, output },
        Outcome::Crashed { error } | Outcome::Unavailable { issue: error } => {
            What::AgentCrashed { error: error.clone(), output }
        }
        Outcome::Troubled(trouble) => {
            What::AgentCrashed { error: format!("{}: {}", trouble.class, trouble.said), output }
        }
        Outcome::Silent => What::AgentCrashed { error: SILENT.to_owned(), output },
        Outcome::Stopped => What::AgentStopped {},
        _ => What::AgentComplete { exit: end.exit, duration_ms, output },
    }
}

/// Whether `from` waits for `to`, directly or not.
fn waits_for(board: &Board, from: &str, to: &str) -> bool {
    let mut seen = std::collections::BTreeSet::new();
    let mut next = vec![from];
    while let Some(id) = next.pop() {
        if id == to {
            return true;
        }
        if seen.insert(id)
            && let Some(task) = board.tasks.get(id)
        {
            next.extend(task.blockers.iter().map(String::as_str));
        }
    }
    false
}
