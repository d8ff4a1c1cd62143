//! What a prompt speaks of, gathered from the plan, the state and the worktree.

use std::path::Path;

use provost_core::delivery::{self, CheckResult, Turn, Verdict};
use provost_core::plan::Plan;
use provost_core::prompt::{self, Context, Finding};
use provost_core::signal::{AuditFailed, ReviewFailed};

use super::{Work, oid};
use crate::regular;
use crate::worktree::Worktree;

/// How much of a difference a critic is shown.
const DIFF_MAX: usize = 200 * 1024;

/// How much of a project's own page for agents is passed on.
const GUIDE_MAX: u64 = 32 * 1024;

impl Work {
    pub(super) fn context(
        &self,
        turn: &Turn,
        plan: &Plan,
        worktree: &Worktree,
        results: &[CheckResult],
    ) -> Context {
        let task = plan.tasks.iter().find(|task| task.id.as_str() == turn.task);
        let mut context = Context {
            project: plan.title.clone(),
            attempt: turn.attempt,
            worktree: prompt::Worktree {
                base: turn.worktree.base.clone(),
                commit: turn.commit.clone(),
                absent: Vec::new(),
            },
            answers: turn
                .answers
                .iter()
                .map(|it| prompt::Answer {
                    question: it.question.clone(),
                    answer: it.answer.clone(),
                    by: "a person".to_owned(),
                })
                .collect(),
            resume: turn.left.as_ref().map(|left| prompt::Resume {
                ended: left.ended.to_owned(),
                checkpoint: left.checkpoint.clone(),
                summary: None,
            }),
            feedback: turn.feedback.iter().map(|it| feedback(turn, it)).collect(),
            guides: guides(&worktree.path),
            measured: turn.results.iter().chain(results).map(measured).collect(),
            ..Context::default()
        };
        if let Some(task) = task {
            context.task = prompt::Task {
                id: turn.task.clone(),
                title: task.title.clone(),
                work: task.work.clone(),
                criteria: task.criteria.iter().map(|criterion| criterion.text.clone()).collect(),
                priority: task.priority.to_string(),
                risk: task.risk.to_string(),
                phase: task.phase.map(|phase| phase.to_string()),
                files: task.files.iter().chain(&turn.allowed).cloned().collect(),
            };
            context.must_read = task
                .reading
                .iter()
                .map(|reading| prompt::Reading {
                    path: reading.pattern.clone(),
                    note: reading.note.clone().unwrap_or_default(),
                    exists: worktree.path.join(&reading.pattern).exists(),
                })
                .collect();
            context.checks = task
                .verify
                .iter()
                .map(|verify| prompt::Check {
                    name: verify.name.clone(),
                    argv: verify.argv.clone(),
                    environment: verify.environment.clone().unwrap_or_default(),
                    expect_exit: verify.expect_exit,
                    required: true,
                })
                .collect();
        }
        self.add_change(turn, &mut context);
        context
    }

    /// What is judged, for those who judge.
    fn add_change(&self, turn: &Turn, context: &mut Context) {
        let Some(commit) = &turn.commit else { return };
        let (Ok(base), Ok(commit)) = (oid(&turn.worktree.base), oid(commit)) else { return };
        let repository = &self.tools.repository;
        if let Ok((diff, _)) = repository.diff(&base, &commit, DIFF_MAX) {
            context.diff = Some(diff);
        }
        if let Ok(changed) = repository.changed(&base, &commit) {
            context.changed = changed.iter().map(|it| it.path.display().to_string()).collect();
        }
    }
}

fn measured(result: &CheckResult) -> prompt::Measured {
    prompt::Measured {
        check: result.check.clone(),
        expect_exit: result.expected,
        exit_code: result.exit,
        result: result.verdict.as_ref().to_owned(),
        passed: result.verdict == Verdict::Passed,
        output_tail: result.tail.clone(),
        ..prompt::Measured::default()
    }
}

/// Why the task came back, in the form that the page has for it.
fn feedback(turn: &Turn, feedback: &delivery::Feedback) -> prompt::Feedback {
    let all = |results: &[CheckResult]| results.iter().map(measured).collect();
    let finding = match feedback {
        delivery::Feedback::Critic(text) => {
            Finding::Critic(ReviewFailed { fixes: vec![text.clone()], ..ReviewFailed::default() })
        }
        delivery::Feedback::Auditor(text) => {
            Finding::Auditor(AuditFailed { fixes: vec![text.clone()], ..AuditFailed::default() })
        }
        delivery::Feedback::Checks(results) => Finding::Checks { measured: all(results) },
        delivery::Feedback::Outside(files) => Finding::Outside { files: files.clone() },
        delivery::Feedback::Conflict(files) => Finding::Conflict { files: files.clone() },
        delivery::Feedback::Joined(results) => Finding::Joined { measured: all(results) },
        delivery::Feedback::Refused(why) => Finding::Signal { why: why.clone() },
    };
    prompt::Feedback { attempt: turn.attempt.saturating_sub(1), finding }
}

/// The project's own pages for agents, handed on as what somebody wrote.
fn guides(worktree: &Path) -> Vec<prompt::Guide> {
    let read = |name: &str| {
        let text = beginning(&worktree.join(name))?;
        Some(prompt::Guide { path: name.to_owned(), text })
    };
    ["AGENTS.md"].into_iter().filter_map(read).collect()
}

/// The beginning of a page that an agent may have put there, as far as it is handed on.
fn beginning(path: &Path) -> Option<String> {
    let bytes = regular::beginning(path, GUIDE_MAX).ok()?;
    // A character that the limit cut in two is left out.
    let whole = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(bytes.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    Some(whole.to_owned())
}
