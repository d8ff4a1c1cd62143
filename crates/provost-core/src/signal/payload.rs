//! What each signal carries, apart because these types stand on the record and outlive every encoding.
//!
//! The keys are those of the JSON encoding, so that a signal looks the same where it is sent and where it is kept.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantNames};

use super::Name;

/// A signal with its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "signal", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Signal {
    /// The work is done as far as the developer can tell.
    ReadyForReview(Ready),
    /// The developer cannot finish.
    TaskIncomplete(Incomplete),
    /// A tool, a service or the environment is broken.
    InfraBlocked(InfraBlocked),
    /// The critic has no objection.
    ReviewPassed(ReviewPassed),
    /// The critic objects.
    ReviewFailed(ReviewFailed),
    /// Every criterion is met.
    AuditPassed(AuditPassed),
    /// A criterion is not met.
    AuditFailed(AuditFailed),
    /// The criteria cannot be judged because something was broken before.
    AuditBlocked(AuditBlocked),
    /// A person has to decide something.
    SeekingDivineClarification(Question),
    /// The turn goes on; this is how far it is.
    Checkpoint(Checkpoint),
}

impl Signal {
    /// The signal without its content.
    pub const fn name(&self) -> Name {
        match self {
            Self::ReadyForReview(_) => Name::ReadyForReview,
            Self::TaskIncomplete(_) => Name::TaskIncomplete,
            Self::InfraBlocked(_) => Name::InfraBlocked,
            Self::ReviewPassed(_) => Name::ReviewPassed,
            Self::ReviewFailed(_) => Name::ReviewFailed,
            Self::AuditPassed(_) => Name::AuditPassed,
            Self::AuditFailed(_) => Name::AuditFailed,
            Self::AuditBlocked(_) => Name::AuditBlocked,
            Self::SeekingDivineClarification(_) => Name::SeekingDivineClarification,
            Self::Checkpoint(_) => Name::Checkpoint,
        }
    }

    /// Tells whether some of its content was too long and was left out.
    pub const fn is_cut(&self) -> bool {
        match self {
            Self::ReadyForReview(it) => it.cut,
            Self::TaskIncomplete(it) => it.cut,
            Self::InfraBlocked(it) => it.cut,
            Self::ReviewPassed(it) => it.cut,
            Self::ReviewFailed(it) => it.cut,
            Self::AuditPassed(it) => it.cut,
            Self::AuditFailed(it) => it.cut,
            Self::AuditBlocked(it) => it.cut,
            Self::SeekingDivineClarification(it) => it.cut,
            Self::Checkpoint(it) => it.cut,
        }
    }
}

/// What a developer says of finished work; all of it is a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ready {
    /// Files that were changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Tests that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    /// Results of checks as the developer saw them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub matrix: Vec<Claim>,
    /// The change in a few words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Whether something was left out here for its length.
    #[serde(skip_serializing_if = "is_false")]
    pub cut: bool,
}

/// One row of a verification matrix, as an agent filled it in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The check's name.
    pub check: String,
    /// The environment; empty where the agent named none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub environment: String,
    /// The exit code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The result.
    pub result: Claimed,
}

/// The result that an agent claims for a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "UPPERCASE")]
pub enum Claimed {
    /// It passed.
    Pass,
    /// It failed.
    Fail,
    /// Neither was said.
    Unclear,
}

/// Why a developer cannot finish.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incomplete {
    /// The kind of obstacle, which decides who is asked.
    pub category: Category,
    /// The task that has to come first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocker_task: Option<String>,
    /// The obstacle.
    pub blocker: String,
    /// What was tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempted: Vec<String>,
    /// What would clear the way.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub needed: String,
    /// Whether something was left out here for its length.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut: bool,
}

/// The kind of obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Category {
    /// The task does not say something that it has to say.
    MissingInfo,
    /// Another task has to be done first.
    BlockedByDependency,
    /// A tool, a service or the environment is broken.
    Infrastructure,
    /// The work is more or other than the task allows.
    OutOfScope,
}

/// What is broken around the work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InfraBlocked {
    /// What is broken.
    pub issue: String,
    /// The command that shows it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// What the command printed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// Where it was run.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub environment: String,
    /// Whether something was left out here for its length.
    #[serde(skip_serializing_if = "is_false")]
    pub cut: bool,
}

/// A critic without objections.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewPassed {
    /// Files that were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Judgements, one for each point of view.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assessment: Vec<String>,
    /// The verdict in a few words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Whether something was left out here for its length.
    #[serde(skip_serializing_if = "is_false")]
    pub cut: bool,
}

/// A critic's objections.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewFailed {
    /// What is wrong, and where.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<Issue>,
    /// What has to be done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<String>,
    /// How much it weighs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Files that were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Whether something was left out here for its length.
    #[serde(skip_serializing_if = "is_false")]
    pub cut: bool,
}

/// How much an objection weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, EnumString, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Priority {
    /// It must not land like this.
    High,
    /// It should not land like this.
    Medium,
    /// It would be better otherwise.
    Low,
}

/// One thing that is wrong; written `file:line: text`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// The file, when one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What is wrong.
    pub text: String,
}

/// An auditor's pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditPassed {
    /// Each criterion with the evidence that it is met; a criterion that is not here stays unproven.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<Proof>,
    /// Results of checks as the auditor saw them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub matrix: Vec<Claim>,
    /// The verdict in a few words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Whether something was left out here for its length.
    #[serde(skip_serializing_if = "is_false")]
    pub cut: bool,
}

/// A criterion that an auditor found to be met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The criterion.
    pub criterion: String,
    /// Why it counts as met.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
}

/// An auditor's refusal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditFailed {
    /// Criteria that are not met.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
    /// What is wrong, and where.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<Issue>,
    /// What has to be done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<String>,
    /// Criteria that are met.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passing: Vec<String>,
    /// Whether something was left out here for its length.
    #[serde(skip_serializing_if = "is_false")]
    pub cut: bool,
}

/// What keeps an auditor from judging.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditBlocked {
    /// What failed before the work began.
    pub failures: Vec<String>,
    /// The situation in a few words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Whether something was left out here for its length.
    #[serde(skip_serializing_if = "is_false")]
    pub cut: bool,
}

/// What a person is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Question {
    /// The question.
    pub question: String,
    /// What one has to know to answer.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// Answers that were considered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What was tried before asking.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<String>,
    /// What kind of answer would help.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub would_help: String,
    /// Whether something was left out here for its length.
    #[serde(skip_serializing_if = "is_false")]
    pub cut: bool,
}

/// How far an agent says it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Checkpoint {
    /// What it is doing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub status: String,
    /// What is done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub completed: Vec<String>,
    /// What is left.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remaining: Vec<String>,
    /// Files that were changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// How much is done, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<u8>,
    /// Whether something was left out here for its length.
    #[serde(skip_serializing_if = "is_false")]
    pub cut: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
const fn is_false(value: &bool) -> bool {
    !*value
}
