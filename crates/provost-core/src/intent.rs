//! What a person wants planned, version 0.9.1 of the document: read strictly, and then plain data.
//!
//! Apart from planning because an intent is a document that people and other tools write, seal and pass on; what is
//! wrong with one can be said without planning anything.

pub mod draft;
mod read;
mod seal;
mod shape;

use serde::{Deserialize, Serialize};

use crate::vocabulary::{Effect, Mode, QuestionPolicy, ReviewCategory, Risk, Stage};

pub use crate::gate::PROSE;
pub use read::{Examined, is_one, read};
pub use seal::{NotSealed, seal};
pub(crate) use shape::{COMMAND_ID, INTENT_ID as ID, REFERENCE};
pub use shape::{SCHEMA, UNSEALED};

/// An intent that satisfies its schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// Its id.
    pub id: String,
    /// Always `execution_intent`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is called.
    pub title: String,
    /// What it is about, at length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Which version of this intent it is.
    pub version: String,
    /// Whether it may be planned.
    pub status: Status,
    /// When it was written, as spelled; the time that frozen documents carry.
    pub created_at: String,
    /// What it came from.
    pub lineage: Lineage,
    /// What it is about.
    pub scope: Scope,
    /// What it is for.
    pub objective: Objective,
    /// The workflows that its work follows.
    pub selected_workflows: Vec<SelectedWorkflow>,
    /// Who does it.
    pub selected_agents: Vec<SelectedAgent>,
    /// What is to be done, in order.
    pub planned_commands: Vec<PlannedCommand>,
    /// How much may be asked.
    pub interaction: Interaction,
    /// What is at stake.
    pub risk: DeclaredRisk,
    /// How much it may take.
    pub budgets: Budgets,
    /// What it rests on.
    pub evidence_refs: Vec<String>,
    /// What holds for every intent, said aloud.
    pub constraints: Constraints,
    /// Who wrote it, and its seal.
    pub audit: Audit,
}

/// Whether an intent may be planned.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantNames
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Status {
    /// Still being written; planned all the same, and said.
    Draft,
    /// Ready.
    Proposed,
    /// Ready, and somebody agreed.
    Approved,
    /// Somebody did not agree.
    Rejected,
    /// Another one stands in its place.
    Superseded,
}

/// What an intent came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lineage {
    /// The version that introduced it.
    pub introduced_in: String,
    /// Intents that it was made from.
    pub derived_from: Vec<String>,
    /// Intents that it replaces.
    pub supersedes: Vec<String>,
}

/// What an intent is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// The project.
    pub project_id: String,
    /// Where the project is, for people.
    pub repo_root: String,
    /// Which parts of it.
    pub targets: Targets,
}

/// Parts of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Targets {
    /// Files.
    pub files: Vec<String>,
    /// Modules.
    pub modules: Vec<String>,
    /// Areas.
    pub areas: Vec<String>,
}

/// What an intent is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Objective {
    /// What shall be the case.
    pub goal: String,
    /// How somebody can tell.
    pub success_criteria: Vec<String>,
    /// What shall not happen.
    pub non_goals: Vec<String>,
}

/// A workflow and the stages of it that are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectedWorkflow {
    /// The workflow.
    pub workflow_id: String,
    /// The stages, in order.
    pub phases: Vec<Stage>,
    /// Why this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Somebody who takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectedAgent {
    /// The agent.
    pub agent_id: String,
    /// As what.
    pub role: String,
    /// What for.
    pub responsibilities: Vec<String>,
}

/// One thing to be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedCommand {
    /// The command; the same one may be planned twice.
    pub command_id: String,
    /// What it is to achieve here.
    pub intent: String,
    /// What it does to the world, as declared.
    pub effects: Vec<Effect>,
    /// What is at stake, as declared.
    pub risk_level: Risk,
    /// What it rests on.
    pub evidence_refs: Vec<String>,
}

/// How much may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interaction {
    /// Whether anything may.
    pub mode: Mode,
    /// How many questions.
    pub question_budget: u32,
    /// Which.
    pub question_policy: QuestionPolicy,
}

/// What is at stake, as declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclaredRisk {
    /// In all.
    pub overall: Risk,
    /// Why.
    pub drivers: Vec<String>,
    /// What somebody has to look at.
    pub requires_review: Vec<ReviewCategory>,
}

/// How much a change may take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Budgets {
    /// Files that change.
    pub max_files: u32,
    /// Commits.
    pub max_commits: u32,
    /// Tokens.
    pub max_tokens: u64,
    /// Money.
    pub max_cost_usd: f64,
}

/// What holds for every intent, said aloud.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constraints {
    /// Always `forbidden`: an intent is planned, never run.
    pub execution: String,
    /// Always true.
    pub no_fabrication: bool,
    /// Always true.
    pub registry_only: bool,
    /// What may be written.
    pub lock_scope: LockScope,
}

/// What may be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockScope {
    /// How it is said.
    pub mode: LockMode,
    /// The paths.
    pub paths: Vec<String>,
}

/// How it is said what may be written.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantNames
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum LockMode {
    /// Not at all.
    None,
    /// By whole tasks.
    Task,
    /// By paths.
    Files,
}

/// Who wrote an intent, and its seal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audit {
    /// Who.
    pub created_by: String,
    /// By what means.
    pub source: String,
    /// The digest of the rest, in one of the accepted profiles.
    pub checksum: String,
}
