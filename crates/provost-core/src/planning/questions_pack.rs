//! The questions of one planning run as the document that people are handed, version 0.9.2; apart from finding them,
//! because answers are judged by what the document asks and by nothing else.

mod shape;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use crate::vocabulary::{Mode, QuestionPolicy};

pub(super) use shape::{PACK_ID, QUESTION_ID};
pub use shape::{SCHEMA, VERSION};

/// The questions of a run, the most pressing first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionPack {
    /// Its id.
    pub pack_id: String,
    /// Always [`VERSION`].
    pub schema_version: String,
    /// The run that asks.
    pub coordinator_run_id: String,
    /// The intent that is planned.
    pub intent_id: String,
    /// The questions.
    pub questions: Vec<Question>,
    /// How much may be asked.
    pub policy_constraints: PolicyConstraints,
    /// When the intent was written.
    pub created_at: String,
    /// When defaults take the place of answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// Where it came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Its id, such as `q_0001`.
    pub question_id: String,
    /// What kind it is.
    #[serde(rename = "type")]
    pub kind: QuestionType,
    /// How much depends on it.
    pub blocking_level: BlockingLevel,
    /// The question.
    pub question_text: String,
    /// What one has to know to answer it.
    pub context: String,
    /// What made it a question.
    pub evidence_refs: Vec<String>,
    /// What the answer changes.
    pub impact: Impact,
    /// What happens without an answer.
    pub default_strategy: DefaultStrategy,
    /// Answers to choose from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggested_answers: Vec<SuggestedAnswer>,
}

/// What kind of question it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum QuestionType {
    /// What is wanted.
    Clarification,
    /// That without which there is no plan.
    Blocker,
    /// How it could be done better.
    Optimization,
    /// What is done about a risk.
    RiskMitigation,
}

/// How much depends on an answer; the greater the more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum BlockingLevel {
    /// Little.
    Low,
    /// Something.
    Medium,
    /// Much.
    High,
    /// A person has to answer.
    Critical,
}

/// What an answer changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Impact {
    /// How much of the plan.
    pub scope: ImpactScope,
    /// In what way.
    pub description: String,
    /// The nodes of the draft that depend on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub affected_nodes: Vec<String>,
}

/// How much of a plan an answer changes; the greater the more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ImpactScope {
    /// Nothing that has to be.
    OptimizationOnly,
    /// One action.
    SingleAction,
    /// One phase.
    SinglePhase,
    /// All of it.
    EntirePlan,
}

/// What happens without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefaultStrategy {
    /// What is done.
    pub kind: DefaultKind,
    /// The same in words.
    pub text: String,
}

/// What is done without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DefaultKind {
    /// The plan goes on in the way that changes least.
    ProceedConservative,
    /// The action is left out.
    DropAction,
    /// A person looks at it before work begins.
    RequireReview,
    /// There is no plan.
    Block,
}

/// An answer to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuggestedAnswer {
    /// The answer.
    pub answer_text: String,
    /// What speaks for it.
    pub rationale: String,
    /// What it does to the risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk_change: Option<RiskChange>,
}

/// What an answer does to the risk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RiskChange {
    /// More of it.
    Increase,
    /// Less of it.
    Decrease,
    /// Neither.
    NoChange,
}

/// How much may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyConstraints {
    /// The mode in force.
    pub execution_mode: Mode,
    /// How many questions the run may ask.
    pub question_budget: u32,
    /// Which.
    pub question_policy: QuestionPolicy,
    /// How many it has asked, with these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_consumed: Option<u32>,
    /// How many are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_remaining: Option<u32>,
}

/// Where a pack came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// The state that asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emitted_from_state: Option<String>,
    /// How many questions there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_questions: Option<u32>,
}

impl QuestionPack {
    /// The question of an id.
    pub fn question(&self, id: &str) -> Option<&Question> {
        self.questions.iter().find(|question| question.question_id == id)
    }
}
