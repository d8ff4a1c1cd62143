//! From fields to a signal: what each needs before it counts, apart because this is where a signal is refused for what
//! it says and not for how it is written.

use super::payload::{
    AuditBlocked, AuditFailed, AuditPassed, Category, Checkpoint, Incomplete, InfraBlocked, Question, Ready,
    ReviewFailed, ReviewPassed, Signal,
};
use super::source::{Reader, Source};
use super::{Name, Reason, Rejection};
use crate::diagnostic::quoted;

/// What is wrong with a signal.
#[derive(Clone, Debug)]
pub(super) struct Defect {
    pub(super) reason: Reason,
    pub(super) detail: String,
    instead: Option<Box<Signal>>,
}

impl Defect {
    pub(super) const fn new(reason: Reason, detail: String) -> Self {
        Self { reason, detail, instead: None }
    }

    pub(super) fn into_rejection(self) -> Rejection {
        Rejection { reason: self.reason, detail: self.detail, instead: self.instead }
    }
}

/// Makes a signal of its fields, or says what is wrong with them.
pub(super) fn signal(name: Name, source: Source<'_>) -> Result<Signal, Defect> {
    let mut reader = Reader::new(source);
    let signal = match name {
        Name::ReadyForReview => Signal::ReadyForReview(ready(&mut reader)),
        Name::TaskIncomplete => return incomplete(&mut reader),
        Name::InfraBlocked => Signal::InfraBlocked(infra_blocked(&mut reader)),
        Name::ReviewPassed => Signal::ReviewPassed(review_passed(&mut reader)),
        Name::ReviewFailed => Signal::ReviewFailed(review_failed(&mut reader)),
        Name::AuditPassed => Signal::AuditPassed(audit_passed(&mut reader)),
        Name::AuditFailed => Signal::AuditFailed(audit_failed(&mut reader)),
        Name::AuditBlocked => Signal::AuditBlocked(audit_blocked(&mut reader)),
        Name::SeekingDivineClarification => Signal::SeekingDivineClarification(question(&mut reader)),
        Name::Checkpoint => Signal::Checkpoint(checkpoint(&mut reader)),
    };
    reader.defect().map_or(Ok(signal), Err)
}

fn ready(reader: &mut Reader<'_>) -> Ready {
    let summary = reader.text("summary");
    let matrix = reader.claims("matrix");
    let files = reader.paths("files");
    let tests = reader.list("tests");
    Ready { files, tests, matrix, summary, cut: reader.is_cut() }
}

/// An obstacle without a usable category is refused, with what it will count as when it comes like that again.
fn incomplete(reader: &mut Reader<'_>) -> Result<Signal, Defect> {
    let category = reader.word::<Category>("category");
    let blocker = reader.text("blocker");
    let blocker_task = Some(reader.short("blocker_task")).filter(|task| !task.is_empty());
    let needed = reader.text("needed");
    let attempted = reader.list("attempted");
    let as_a = |category| {
        let (blocker, blocker_task, needed) = (blocker.clone(), blocker_task.clone(), needed.clone());
        let attempted = attempted.clone();
        Incomplete { category, blocker_task, blocker, attempted, needed, cut: reader.is_cut() }
    };
    let missing_info = as_a(Category::MissingInfo);
    let known = category.as_ref().and_then(|it| it.as_ref().ok()).copied();
    let signal = Signal::TaskIncomplete(as_a(known.unwrap_or(Category::MissingInfo)));
    match category {
        None => reader.require("category", false),
        Some(Err(word)) => {
            reader.fault(Reason::InvalidField, format!("`category` is {}, which is none", quoted(&word)));
        }
        Some(Ok(Category::BlockedByDependency)) => reader.require("blocker_task", blocker_task.is_some()),
        Some(Ok(_)) => {}
    }
    reader.require("blocker", !blocker.is_empty());
    match reader.defect() {
        None => Ok(signal),
        Some(defect) => {
            Err(Defect { instead: Some(Box::new(Signal::TaskIncomplete(missing_info))), ..defect })
        }
    }
}

fn infra_blocked(reader: &mut Reader<'_>) -> InfraBlocked {
    let issue = reader.text("issue");
    reader.require("issue", !issue.is_empty());
    let command = reader.short("command");
    let environment = reader.short("environment");
    let output = reader.text("output");
    InfraBlocked { issue, command, output, environment, cut: reader.is_cut() }
}

fn review_passed(reader: &mut Reader<'_>) -> ReviewPassed {
    let summary = reader.text("summary");
    let assessment = reader.list("assessment");
    let files = reader.paths("files");
    ReviewPassed { files, assessment, summary, cut: reader.is_cut() }
}

fn review_failed(reader: &mut Reader<'_>) -> ReviewFailed {
    let issues = reader.issues("issues");
    let fixes = reader.list("fixes");
    reader.require("issues", !(issues.is_empty() && fixes.is_empty()));
    let priority = reader.word("priority").and_then(Result::ok);
    ReviewFailed { issues, fixes, priority, files: reader.paths("files"), cut: reader.is_cut() }
}

fn audit_passed(reader: &mut Reader<'_>) -> AuditPassed {
    let criteria = reader.proofs("criteria");
    let summary = reader.text("summary");
    let matrix = reader.claims("matrix");
    AuditPassed { criteria, matrix, summary, cut: reader.is_cut() }
}

fn audit_failed(reader: &mut Reader<'_>) -> AuditFailed {
    let failed = reader.list("failed");
    let issues = reader.issues("issues");
    reader.require("failed", !(failed.is_empty() && issues.is_empty()));
    let fixes = reader.list("fixes");
    let passing = reader.list("passing");
    AuditFailed { failed, issues, fixes, passing, cut: reader.is_cut() }
}

fn audit_blocked(reader: &mut Reader<'_>) -> AuditBlocked {
    let failures = reader.list("failures");
    reader.require("failures", !failures.is_empty());
    let summary = reader.text("summary");
    AuditBlocked { failures, summary, cut: reader.is_cut() }
}

fn question(reader: &mut Reader<'_>) -> Question {
    let question = reader.text("question");
    reader.require("question", !question.is_empty());
    let options = reader.list("options");
    let would_help = reader.text("would_help");
    let context = reader.text("context");
    let attempts = reader.list("attempts");
    Question { question, context, options, attempts, would_help, cut: reader.is_cut() }
}

fn checkpoint(reader: &mut Reader<'_>) -> Checkpoint {
    let status = reader.short("status");
    let percent = reader.percent("percent");
    let remaining = reader.list("remaining");
    let completed = reader.list("completed");
    let files = reader.paths("files");
    Checkpoint { status, completed, remaining, files, percent, cut: reader.is_cut() }
}
