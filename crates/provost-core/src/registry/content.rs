//! What the registry holds, kind by kind, as plain data; apart from finding it, because other modules read only these.

use serde::{Deserialize, Deserializer, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use crate::vocabulary::{Effect, Risk, Sensitivity, Stage};

/// A kind of content; the folder that it lies in is its plural.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Kind {
    /// The order in which work is done.
    Workflow,
    /// Who takes part, as an organisation names them.
    Agent,
    /// What can be planned.
    Command,
    /// What governs it.
    Rule,
    /// Whom agents can be asked to consult.
    Expert,
    /// What agents can be started with.
    Model,
}

impl Kind {
    /// The folder of a registry that holds it.
    pub const fn folder(self) -> &'static str {
        match self {
            Kind::Workflow => "workflows",
            Kind::Agent => "agents",
            Kind::Command => "commands",
            Kind::Rule => "rules",
            Kind::Expert => "experts",
            Kind::Model => "models",
        }
    }
}

/// Whether content may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Status {
    /// Not yet.
    Draft,
    /// Yes; so is content that does not say.
    #[default]
    Active,
    /// No longer.
    Deprecated,
    /// Yes, and it will not change.
    Frozen,
}

impl Status {
    /// Whether it may be used.
    pub const fn is_usable(self) -> bool {
        matches!(self, Status::Active | Status::Frozen)
    }
}

/// What every kind says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Header {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Whether it may be used.
    #[serde(default)]
    pub status: Status,
    /// Where it came from.
    #[serde(default)]
    pub lineage: Lineage,
}

/// Where content came from; what it leaves out is for a rule to mind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Lineage {
    /// The version that introduced it.
    pub introduced_in: Option<String>,
    /// What it was made from.
    #[serde(default, rename = "derived_from")]
    pub parent: Parent,
    /// What it replaces.
    pub supersedes: Option<Vec<String>>,
    /// Why it differs from its parent.
    pub change_reason: Option<String>,
}

/// What content was made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Parent {
    /// It does not say.
    #[default]
    Unsaid,
    /// It says: from nothing.
    Nothing,
    /// This.
    Content(String),
}

impl<'de> Deserialize<'de> for Parent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Nothing, Self::Content))
    }
}

impl Lineage {
    /// What is missing, in the order in which it is looked for; nothing where the way back is whole.
    ///
    /// A root needs no more than to say that it is one. What has a parent says what it replaces or why it differs.
    pub const fn missing(&self) -> Option<&'static str> {
        match self {
            Self { introduced_in: None, .. } => Some("introduced_in"),
            Self { parent: Parent::Unsaid, .. } => Some("derived_from"),
            Self { parent: Parent::Content(_), supersedes: None, change_reason: None, .. } => {
                Some("change_reason")
            }
            _ => None,
        }
    }
}

/// The order in which work is done.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Workflow {
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// Its own parts, which need not be the stages of an intent.
    #[serde(default)]
    pub phases: Vec<WorkflowPhase>,
}

/// One part of a workflow.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct WorkflowPhase {
    /// Its name.
    pub id: String,
}

/// Who takes part.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Agent {
    /// What they do.
    #[serde(default)]
    pub responsibilities: Vec<String>,
}

/// What can be planned.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Command {
    /// What it is called.
    #[serde(default)]
    pub title: String,
    /// What it does.
    #[serde(default)]
    pub description: String,
    /// Who should do it.
    #[serde(default)]
    pub recommended_roles: Vec<String>,
    /// Where it belongs.
    #[serde(default)]
    pub workflow_links: Vec<WorkflowLink>,
    /// What it needs.
    #[serde(default)]
    pub inputs: Vec<Slot>,
    /// What it leaves.
    #[serde(default)]
    pub outputs: Vec<Slot>,
    /// How somebody can tell that it is done; without it, its outputs say.
    #[serde(default)]
    pub acceptance: Vec<String>,
    /// What it does to the world.
    #[serde(default)]
    pub effects: Vec<CommandEffect>,
    /// What is at stake.
    #[serde(default)]
    pub risk_level: Option<Risk>,
}

/// A workflow that a command belongs to, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct WorkflowLink {
    /// The workflow.
    pub workflow: String,
    /// Its parts.
    #[serde(default)]
    pub phases: Vec<String>,
}

/// Something that a command needs or leaves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Slot {
    /// Its name.
    pub name: String,
    /// What it is.
    #[serde(default)]
    pub description: Option<String>,
}

/// What a command does to the world, and where.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CommandEffect {
    /// Where.
    pub scope: String,
    /// What.
    pub kind: Effect,
}

/// Whom agents can be asked to consult.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Expert {
    /// What they are for.
    #[serde(default)]
    pub description: String,
    /// The one field that they advise in.
    pub domain: String,
    /// What they can say.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// Words in a task that call for them.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Tasks that they are recommended for.
    #[serde(default)]
    pub tasks: Vec<String>,
}

/// What agents can be started with.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Model {
    /// Where it runs.
    pub location: Location,
    /// The most sensitive work that it may see.
    #[serde(default)]
    pub max_sensitivity: Sensitivity,
    /// What a thousand tokens cost.
    #[serde(default)]
    pub cost_per_1k_tokens_usd: f64,
    /// The roles that it serves; none means all.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The configured agents that run it.
    #[serde(default)]
    pub agents: Vec<String>,
}

/// Where a model runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Location {
    /// On this side.
    Local,
    /// Elsewhere.
    Cloud,
}

impl Command {
    /// What it does beyond its own report: a command that writes only documentation about itself changes nothing.
    pub fn changes(&self) -> impl Iterator<Item = Effect> {
        self.effects.iter().filter(|effect| effect.scope != "docs").map(|effect| effect.kind)
    }

    /// The stages of a workflow that it is linked to; names that are not stages match nothing.
    pub fn stages_in<'c>(&'c self, workflow: &'c str) -> impl Iterator<Item = Stage> + 'c {
        let links = self.workflow_links.iter().filter(move |link| link.workflow == workflow);
        links.flat_map(|link| &link.phases).filter_map(|phase| phase.parse().ok())
    }
}
