//! What each criterion rests on: a command that was measured, somebody's word, or nothing.

use serde::Serialize;

use super::{Measured, Proof};
use crate::delivery::{CheckResult, Review, Task, Verdict};
use crate::plan::{self, CriterionKind, shown};
use crate::record::Sequence;

/// How far a criterion can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// Its command was run and ended as it should.
    Proven,
    /// An auditor says so.
    Judged,
    /// Nothing shows it.
    Unproven,
}

impl Judgement {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Proven => "proven",
            Judgement::Judged => "judged",
            Judgement::Unproven => "unproven",
        }
    }
}

/// A criterion and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown<'a> {
    /// The person's words.
    pub text: &'a str,
    /// How far it can be relied on.
    pub judgement: Judgement,
    /// What it rests on.
    pub ground: Ground<'a>,
}

/// What a criterion rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ground<'a> {
    /// A command, run on a commit.
    Measured {
        /// The command.
        command: String,
        /// What it gave.
        result: &'a CheckResult,
        /// On what.
        commit: Option<&'a str>,
        /// The record.
        sequence: Sequence,
    },
    /// A command that was not run on what is there now.
    Unmeasured {
        /// The command.
        command: String,
    },
    /// An auditor's word.
    Word(&'a super::Word),
    /// No word either.
    Nothing,
}

/// What each criterion of a task rests on, in the order of the plan.
pub fn criteria<'a>(planned: &'a plan::Task, task: &Task, proof: &'a Proof) -> Vec<Shown<'a>> {
    let one = |criterion: &'a plan::Criterion| {
        let (judgement, ground) = match criterion.kind {
            CriterionKind::Provable { verify } => measured(planned, task, proof, verify),
            CriterionKind::Judged | CriterionKind::Vague { .. } | CriterionKind::Unclear => {
                // Who confirms the whole has not spoken of a criterion that it does not name.
                match proof.audit.as_ref().filter(|word| word.names(&criterion.text)) {
                    Some(word) => (Judgement::Judged, Ground::Word(word)),
                    None => (Judgement::Unproven, Ground::Nothing),
                }
            }
        };
        Shown { text: &criterion.text, judgement, ground }
    };
    planned.criteria.iter().map(one).collect()
}

fn measured<'a>(
    planned: &'a plan::Task,
    task: &Task,
    proof: &'a Proof,
    verify: usize,
) -> (Judgement, Ground<'a>) {
    let Some(check) = planned.verify.get(verify) else { return (Judgement::Unproven, Ground::Nothing) };
    let command = shown(&check.argv);
    // A task's own checks are measured after the project's, in the order of the plan.
    let own = |results: &'a [CheckResult]| {
        let first = results.len().checked_sub(task.checks.len())?;
        results.get(first + verify).filter(|result| result.check == check.name)
    };
    let (results, commit, sequence) = proof.latest();
    match own(results) {
        Some(result) => {
            let passed = result.verdict == Verdict::Passed;
            let judgement = if passed { Judgement::Proven } else { Judgement::Unproven };
            (judgement, Ground::Measured { command, result, commit, sequence })
        }
        None => (Judgement::Unproven, Ground::Unmeasured { command }),
    }
}

impl Proof {
    /// What the checks gave last on work that holds, on which commit, and the record of it.
    pub fn latest(&self) -> (&[CheckResult], Option<&str>, Sequence) {
        match (&self.landed, &self.measured) {
            (Some(landed), _) if !landed.results.is_empty() => {
                (&landed.results, landed.commit.as_deref(), landed.sequence)
            }
            (_, Some(Measured { sequence, commit, results, is_void: false, .. })) => {
                (results, Some(commit), *sequence)
            }
            _ => (&[], None, 0),
        }
    }

    /// Whether it landed, or will, without a review.
    pub fn lacks_review(&self, task: &Task) -> bool {
        self.bypassed.is_some() && task.review != Review::Due
    }
}

/// A check and what it gave, in words.
pub fn outcome(result: &CheckResult) -> String {
    let name = &result.check;
    match (result.verdict, result.exit) {
        (Verdict::Passed, exit) => format!("{name}: passed, exit {}", exit.unwrap_or(result.expected)),
        (verdict, Some(exit)) => {
            let expected = result.expected;
            format!("{name}: {}, exit {exit}, expected {expected}", verdict_name(verdict))
        }
        (verdict, None) => format!("{name}: {}", verdict_name(verdict)),
    }
}

/// A verdict in words.
const fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::TimedOut => "ran out of time",
        Verdict::Blocked => "could not be started",
        Verdict::Missing => "its program does not exist",
        Verdict::Empty => "ran and tested nothing",
        Verdict::Interrupted => "was stopped",
    }
}
