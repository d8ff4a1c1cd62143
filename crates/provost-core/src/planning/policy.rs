//! What an organisation permits, and what is in force once an intent meets it; apart because every later step asks
//! only what is in force, never who said it.

mod effective;
mod shape;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use crate::canonical::{self, NotCanonical};
use crate::digest::Digest;
use crate::document::{Document, Unreadable};
use crate::vocabulary::{Mode, QuestionPolicy, Sensitivity};

pub use effective::Effective;
pub use shape::{SCHEMA, VERSION};

/// A policy that satisfies its schema; what it leaves open is decided by its mode and profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// Always [`VERSION`].
    pub schema_version: String,
    /// How much runs may ask.
    pub mode: Mode,
    /// How many questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question_budget: Option<u32>,
    /// Which questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question_policy: Option<QuestionPolicy>,
    /// How bold a plan may be.
    #[serde(default)]
    pub risk_profile: RiskProfile,
    /// Whether a default may stand in for an answer that has to be given.
    #[serde(default)]
    pub auto_fallback: bool,
    /// Whether every change has to be verified.
    #[serde(default = "yes")]
    pub require_verification: bool,
    /// How often something is tried again.
    #[serde(default = "retries")]
    pub max_retries: u32,
    /// How long answers are waited for; without it, for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u32>,
    /// Bounds that replace those of the profile.
    #[serde(default)]
    pub constraints: PolicyBounds,
    /// What a question has to be.
    #[serde(default)]
    pub question_rules: QuestionRules,
    /// How much a run may take.
    #[serde(default)]
    pub budgets: PolicyBudgets,
    /// Whether models of others may be used.
    #[serde(default = "yes")]
    pub allow_cloud: bool,
    /// How public what is worked on may become.
    #[serde(default)]
    pub data_sensitivity: Sensitivity,
    /// The fewest memories that a run needs.
    #[serde(default)]
    pub min_memories: u32,
    /// Whether registry content has to be pinned.
    #[serde(default)]
    pub pins: Pins,
    /// Notes for people.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
}

const fn yes() -> bool {
    true
}

const fn retries() -> u32 {
    3
}

/// How bold a plan may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RiskProfile {
    /// Small steps that can be undone.
    #[default]
    Safe,
    /// Larger steps that can be undone.
    AggressiveSafe,
    /// Large steps.
    Aggressive,
}

/// Whether registry content has to be pinned to a version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Pins {
    /// What is not pinned is noted.
    #[default]
    Optional,
    /// What is not pinned blocks.
    Required,
}

/// Bounds that a policy sets itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyBounds {
    /// The most files of one commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_files_per_commit: Option<u32>,
    /// Effects and commands that no plan may have.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub forbidden_operations: BTreeSet<String>,
    /// Whether something may be taken away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_destructive: Option<bool>,
    /// Whether many files may change at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_bulk_changes: Option<bool>,
}

/// What a question has to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct QuestionRules {
    /// Which kinds; without it, all that the mode allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_types: Option<BTreeSet<AllowedType>>,
    /// Whether evidence has to be named.
    pub require_evidence: bool,
    /// How much of it.
    pub min_evidence_count: u32,
}

impl Default for QuestionRules {
    fn default() -> Self {
        Self { allowed_types: None, require_evidence: true, min_evidence_count: 1 }
    }
}

/// A kind of question as policies name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AllowedType {
    /// What is wanted.
    Clarification,
    /// That without which there is no plan.
    Blocker,
    /// How it could be done better.
    Optimization,
    /// What is done about a risk.
    RiskMitigation,
    /// What only a person can decide: clarifications, and what is done about a risk.
    DecisionNeeded,
}

/// How much a run may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PolicyBudgets {
    /// Money, in dollars; without it, what the intent says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost_usd: Option<f64>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            schema_version: VERSION.to_owned(),
            mode: Mode::Interactive,
            question_budget: None,
            question_policy: None,
            risk_profile: RiskProfile::Safe,
            auto_fallback: false,
            require_verification: true,
            max_retries: retries(),
            timeout_seconds: None,
            constraints: PolicyBounds::default(),
            question_rules: QuestionRules::default(),
            budgets: PolicyBudgets::default(),
            allow_cloud: true,
            data_sensitivity: Sensitivity::default(),
            min_memories: 0,
            pins: Pins::Optional,
            metadata: BTreeMap::new(),
        }
    }
}

impl Policy {
    /// Reads a policy, or says everything that is wrong with it.
    pub fn read(document: &Document) -> Result<Self, Unreadable> {
        SCHEMA.read(document)
    }

    /// The digest of what it says, however it was spelled.
    pub fn digest(&self) -> Result<Digest, NotCanonical> {
        canonical::digest(self)
    }
}
