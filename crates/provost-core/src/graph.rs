//! What is planned as a graph: phases, the actions in them, what has to be decided, asked and reviewed on the way, and
//! who does it.
//!
//! Apart from intents, registries and rules: it is built from plain data, an [`Outline`], so that whoever plans binds
//! it, and it is proven by functions that know nothing of how it was built.

mod arrange;
mod build;
mod defects;
mod draw;
mod finalize;
mod gates;
mod lanes;
mod node;
mod order;
mod outline;
mod place;
mod shape;

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray, VariantNames};

use crate::canonical::{self, NotCanonical};
use crate::digest::Digest;
use crate::registry::Kind;
use crate::vocabulary::Mode;

pub use build::{Refused, build};
pub use defects::{Defect, defects, unmapped};
pub use draw::{dot, mermaid, tree};
pub use finalize::{Unfinished, finalize};
pub use gates::{concerns, criteria};
pub use node::{Assignment, Basis, Node, NodeKind, NodeMetadata, Placement};
pub use order::{Cycle, affected, critical_path, parallel_sets, topological_order};
pub use outline::{Agent, Command, Outline, Placeholder, Workflow};
pub use place::placements;
pub use shape::SCHEMA;

/// What the document calls its form.
pub const SCHEMA_VERSION: &str = "0.9.2";

/// How many nodes a graph may have, placeholders among them.
pub const NODES_MAX: usize = 200;

/// A plan as a graph, with what it is derived from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    /// Which graph it is.
    pub graph_id: String,
    /// Always [`SCHEMA_VERSION`] in what is built here.
    pub schema_version: String,
    /// The intent that it plans.
    pub intent_id: String,
    /// The time of the intent, in its own spelling: a plan has no other time.
    pub created_at: String,
    /// Workflow by workflow, each phase before what is done in it.
    pub nodes: Vec<Node>,
    /// What comes after what.
    pub edges: Vec<Edge>,
    /// One for each selected agent, in the order of selection.
    pub swimlanes: Vec<Swimlane>,
    /// What it is derived from.
    pub lineage: Lineage,
    /// What a reader should know beside the graph.
    pub metadata: GraphMetadata,
    /// Covers nodes, edges and swimlanes.
    pub checksum: Digest,
}

/// That one node comes after another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// `edge_0001` and on.
    pub edge_id: String,
    /// The node that comes first.
    pub from_node: String,
    /// The node that comes after it.
    pub to_node: String,
    /// How it comes after.
    pub edge_type: EdgeKind,
    /// When this way is taken; never absent from a conditional or a fallback edge that is built here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// The condition in a word or two, for drawings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// How one node comes after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum EdgeKind {
    /// When the first is done.
    Sequential,
    /// When the first is done, beside others that begin then too.
    Parallel,
    /// When the first is done and the condition holds.
    Conditional,
    /// When a decision or a gate said no.
    Fallback,
}

/// The nodes of one agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swimlane {
    /// `swimlane_0001` and on.
    pub swimlane_id: String,
    /// The agent.
    pub agent_id: String,
    /// What it is selected as.
    pub role: String,
    /// Its nodes in the order of the graph; empty where nothing fell to it.
    pub node_refs: Vec<String>,
}

/// What a graph is derived from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lineage {
    /// The intent.
    pub derived_from_intent: String,
    /// The intent's checksum.
    pub intent_checksum: Digest,
    /// The registry content that it names. A list, because an id from outside is never a key in what we produce.
    pub registry_versions: Vec<RegistryVersion>,
    /// The version of the planner.
    pub coordinator_version: String,
}

/// One item of the registry, as it was when the plan was made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegistryVersion {
    /// What it is.
    pub kind: Kind,
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The digest of its content.
    pub checksum: Digest,
}

/// What a reader should know beside the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphMetadata {
    /// Whether questions may still stand in it.
    pub form: Form,
    /// Which draft of the run it is, from one.
    pub revision: u32,
    /// How much the run may ask.
    pub execution_policy: Mode,
    /// The questions about the plan as a whole; those about an action are with that action.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<String>,
    /// The planned commands that have no action because they were denied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denied: Vec<Denied>,
}

/// Whether questions may still stand in a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, IntoStaticStr, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Form {
    /// They may.
    Draft,
    /// They may not.
    Final,
}

/// A planned command that may not be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Denied {
    /// Its place in the plan, from one.
    pub position: u32,
    /// Its id.
    pub command_ref: String,
    /// Who said so.
    pub rule_refs: Vec<String>,
    /// Why.
    pub reason: String,
}

#[derive(Serialize)]
struct Covered<'g> {
    nodes: &'g [Node],
    edges: &'g [Edge],
    swimlanes: &'g [Swimlane],
}

/// The checksum of a graph: the digest of the canonical bytes of its nodes, edges and swimlanes.
pub fn checksum(nodes: &[Node], edges: &[Edge], swimlanes: &[Swimlane]) -> Result<Digest, NotCanonical> {
    canonical::digest(&Covered { nodes, edges, swimlanes })
}

impl Graph {
    /// The node of an id; a scan, for those who look up one.
    pub fn node(&self, node_id: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.node_id == node_id)
    }

    /// The agents that were selected and have nothing to do.
    pub fn idle(&self) -> impl Iterator<Item = &Swimlane> {
        self.swimlanes.iter().filter(|lane| lane.node_refs.is_empty())
    }
}
