//! The fields of every signal as data, apart because both readers, the writer, the prompts and the page for authors of
//! agents have to agree on keys and labels.

use strum::VariantNames as _;

use super::{Category, Name, Priority};

/// A field of a signal: its key in JSON, its label in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key in JSON.
    pub key: &'static str,
    /// The label in text, before the colon.
    pub label: &'static str,
    /// Other labels that are understood.
    pub also: &'static [&'static str],
    /// What it holds.
    pub shape: Shape,
    /// Whether the signal is rejected without it.
    pub required: bool,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
pub enum Shape {
    /// Text of one or more lines.
    #[strum(serialize = "text")]
    Text,
    /// Pieces of text, one a bullet.
    #[strum(serialize = "list")]
    List,
    /// Paths, one a bullet, or on the label's line with commas between.
    #[strum(serialize = "list of paths")]
    Paths,
    /// Bullets of the form `file:line: text`.
    #[strum(serialize = "list of issues")]
    Issues,
    /// Bullets of the form `criterion: VERIFIED - evidence`.
    #[strum(serialize = "list of criteria")]
    Proofs,
    /// A table of checks.
    #[strum(serialize = "table")]
    Claims,
    /// One of a few words.
    #[strum(serialize = "word")]
    Word,
    /// A number from 0 to 100.
    #[strum(serialize = "number")]
    Percent,
}

impl Field {
    /// The words that it may hold, where it holds one of a few.
    pub fn words(&self) -> &'static [&'static str] {
        match (self.shape, self.key) {
            (Shape::Word, "category") => Category::VARIANTS,
            (Shape::Word, "priority") => Priority::VARIANTS,
            _ => &[],
        }
    }
}

/// Labels that agents are used to writing and that carry nothing here; known so that they end the field before.
pub(super) const IGNORED: &[&str] = &[
    "Agent",
    "All Required Environments",
    "Environments Tested",
    "Environments Verified",
    "Expert Consultation",
    "Progress",
    "Quality Verification",
];

/// The label of the task in the body of a question, and its key in JSON.
pub(super) const TASK: Field =
    Field { key: "task", label: "Task", also: &[], shape: Shape::Text, required: true };

const fn field(key: &'static str, label: &'static str, shape: Shape) -> Field {
    Field { key, label, also: &[], shape, required: false }
}

const fn required(field: Field) -> Field {
    Field { required: true, ..field }
}

const fn also(field: Field, also: &'static [&'static str]) -> Field {
    Field { also, ..field }
}

const SUMMARY: Field = field("summary", "Summary", Shape::Text);
const ISSUES: Field = also(field("issues", "Issues Found", Shape::Issues), &["Issues"]);
const FIXES: Field = also(field("fixes", "Required Fixes", Shape::List), &["Fixes"]);
const MODIFIED: Field = also(field("files", "Files Modified", Shape::Paths), &["Files"]);
const REVIEWED: Field = also(field("files", "Files Reviewed", Shape::Paths), &["Files"]);
const MATRIX: Field = also(
    field("matrix", "Environment Verification Matrix", Shape::Claims),
    &["Verification Matrix", "Matrix", "Checks"],
);

const READY: &[Field] = &[MODIFIED, field("tests", "Tests Written", Shape::List), MATRIX, SUMMARY];
const INCOMPLETE: &[Field] = &[
    required(field("category", "Category", Shape::Word)),
    also(field("blocker_task", "Blocker Task", Shape::Text), &["Blocked By"]),
    required(field("blocker", "Blocker", Shape::Text)),
    field("attempted", "Attempted", Shape::List),
    field("needed", "Needed", Shape::Text),
];
const INFRA_BLOCKED: &[Field] = &[
    required(field("issue", "Issue", Shape::Text)),
    field("command", "Command", Shape::Text),
    field("output", "Output", Shape::Text),
    field("environment", "Environment", Shape::Text),
];
const REVIEW_PASSED: &[Field] = &[REVIEWED, field("assessment", "Quality Assessment", Shape::List), SUMMARY];
const REVIEW_FAILED: &[Field] = &[REVIEWED, ISSUES, FIXES, field("priority", "Priority", Shape::Word)];
const AUDIT_PASSED: &[Field] = &[
    also(field("criteria", "Requirements Verification", Shape::Proofs), &["Criteria", "Acceptance Criteria"]),
    MATRIX,
    SUMMARY,
];
const AUDIT_FAILED: &[Field] = &[
    field("failed", "Failed Criteria", Shape::List),
    ISSUES,
    FIXES,
    field("passing", "Passing Criteria", Shape::List),
];
const AUDIT_BLOCKED: &[Field] = &[required(field("failures", "Pre-existing Failures", Shape::List)), SUMMARY];
const QUESTION: &[Field] = &[
    required(field("question", "Question", Shape::Text)),
    field("context", "Context", Shape::Text),
    also(field("options", "Options Considered", Shape::List), &["Options"]),
    also(field("attempts", "Attempts Made", Shape::List), &["Attempts"]),
    field("would_help", "What Would Help", Shape::Text),
];
const CHECKPOINT: &[Field] = &[
    field("status", "Status", Shape::Text),
    field("completed", "Completed", Shape::List),
    field("remaining", "Remaining", Shape::List),
    MODIFIED,
    also(field("percent", "Estimated Progress", Shape::Percent), &["Progress"]),
];

impl Name {
    /// The fields, in the order in which they are written.
    pub const fn fields(self) -> &'static [Field] {
        match self {
            Self::ReadyForReview => READY,
            Self::TaskIncomplete => INCOMPLETE,
            Self::InfraBlocked => INFRA_BLOCKED,
            Self::ReviewPassed => REVIEW_PASSED,
            Self::ReviewFailed => REVIEW_FAILED,
            Self::AuditPassed => AUDIT_PASSED,
            Self::AuditFailed => AUDIT_FAILED,
            Self::AuditBlocked => AUDIT_BLOCKED,
            Self::SeekingDivineClarification => QUESTION,
            Self::Checkpoint => CHECKPOINT,
        }
    }
}
