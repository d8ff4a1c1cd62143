//! The nodes of a graph, apart because one closed shape holds five kinds and says which field belongs to which.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray, VariantNames};

use crate::vocabulary::{Decision, Effect, ReviewCategory, Risk, Stage};

/// A place in the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// `node_phase_0001` and on; actions and decision points carry the place of their command in the plan.
    pub node_id: String,
    /// What it is.
    pub node_type: NodeKind,
    /// One line.
    pub label: String,
    /// More than one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The workflow and stage that it stands in, as `workflow/stage`; absent from questions about the whole plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase_ref: Option<String>,
    /// The registry command; actions and decision points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_ref: Option<String>,
    /// What it does to the world; actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effects: Option<BTreeSet<Effect>>,
    /// How much is at stake; actions and decision points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk_level: Option<Risk>,
    /// What it rests on; actions, and never empty in a graph without defects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_refs: Option<Vec<String>>,
    /// The rules that fired; decision points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_refs: Option<Vec<String>>,
    /// The question that it holds a place for; questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_ref: Option<String>,
    /// What is looked at; review gates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_criteria: Option<Vec<String>>,
    /// How it came to be where it is.
    #[serde(default, skip_serializing_if = "NodeMetadata::is_empty")]
    pub metadata: NodeMetadata,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum NodeKind {
    /// A stage of a workflow begins.
    Phase,
    /// Something may be done.
    ActionProposal,
    /// A person looks at one action before it is done.
    DecisionPoint,
    /// Something has to be known first; drafts only.
    Question,
    /// A person looks at what several actions amount to.
    ReviewGate,
}

/// How a node came to be where it is; what does not apply is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeMetadata {
    /// The place of the command in the plan, from one: ids of commands may repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u32>,
    /// What the rules say about the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Why the action stands in its phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// Why the action is in its lane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignment: Option<Assignment>,
    /// What a gate is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<ReviewCategory>,
    /// The actions that a gate is for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub concerns: Vec<String>,
    /// The files that the action is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The questions that were asked about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<String>,
}

impl NodeMetadata {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Why an action stands in its phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// What decided.
    pub basis: Basis,
    /// The effect that was asked, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// How many phases would have done as well, this one among them.
    pub candidates: u32,
}

/// What decided in which phase an action stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Basis {
    /// The registry links the command to a selected workflow and stage.
    Link,
    /// The strongest effect belongs to a stage that is there.
    Effect,
    /// Neither; it stands in the last stage before review.
    BeforeReview,
}

/// What decided in which lane an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Assignment {
    /// A recommended role is the id or role of a selected agent.
    Role,
    /// An agent's responsibilities name the stage.
    Responsibility,
    /// Neither; it is the first selected agent.
    First,
}

/// What phases, and all that stands in them, are called by.
pub(super) fn phase_ref(workflow: &str, stage: Stage) -> String {
    format!("{workflow}/{stage}")
}
