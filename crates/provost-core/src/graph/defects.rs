//! What is wrong with a graph, all of it at once, apart from the builder so that a graph is never proven by the code
//! that made it.

use std::collections::{BTreeMap, BTreeSet};

use super::node::phase_ref;
use super::order::Links;
use super::{
    Cycle, Edge, EdgeKind, Form, Graph, NODES_MAX, Node, NodeKind, Outline, SCHEMA_VERSION, checksum,
};
use crate::diagnostic::quoted;
use crate::vocabulary::Decision;

/// Something that no graph may be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// Another form of document.
    #[error("the schema version is {} and not `{SCHEMA_VERSION}`", quoted(.0))]
    Version(String),
    /// None, or too many.
    #[error("the graph has {0} nodes; it needs one and may have {NODES_MAX}")]
    NodeCount(usize),
    /// Two nodes, edges or lanes have one id.
    #[error("the id {} is used twice", quoted(.0))]
    DuplicateId(String),
    /// Two edges join the same nodes in the same direction.
    #[error("{} repeats the edge from {} to {}", quoted(.edge), quoted(.from), quoted(.to))]
    DuplicateEdge {
        /// The second of them.
        edge: String,
        /// Where it begins.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// An edge begins or ends at nothing.
    #[error("{} names the node {}, which does not exist", quoted(.edge), quoted(.node))]
    Dangling {
        /// The edge.
        edge: String,
        /// What it names.
        node: String,
    },
    /// An edge begins where it ends.
    #[error("{} leads from {} to itself", quoted(.edge), quoted(.node))]
    SelfLoop {
        /// The edge.
        edge: String,
        /// The node.
        node: String,
    },
    /// An edge is conditional or a fallback and does not say on what.
    #[error("{} is taken on a condition that it does not state", quoted(.0))]
    NoCondition(String),
    /// A fallback begins where nobody says no.
    #[error("{} is a fallback from {}, which is neither a decision point nor a review gate", quoted(.edge), quoted(.node))]
    FallbackFrom {
        /// The edge.
        edge: String,
        /// Where it begins.
        node: String,
    },
    /// Nodes wait for each other.
    #[error(transparent)]
    Cycle(Cycle),
    /// No way leads to a node.
    #[error("no way leads to {} from a node that can begin", quoted(.0))]
    Unreachable(String),
    /// Nobody does it.
    #[error("{} is in no lane", quoted(.0))]
    NoLane(String),
    /// More than one is to do it.
    #[error("{} is in {lanes} lanes", quoted(.node))]
    ManyLanes {
        /// The node.
        node: String,
        /// How often lanes name it.
        lanes: usize,
    },
    /// A lane names nothing.
    #[error("{} names the node {}, which does not exist", quoted(.lane), quoted(.node))]
    LaneDangling {
        /// The lane.
        lane: String,
        /// What it names.
        node: String,
    },
    /// An action rests on nothing.
    #[error("the action {} has no evidence", quoted(.0))]
    NoEvidence(String),
    /// A node lacks what its kind needs.
    #[error("{} has no {field}, which every node of kind {kind} needs", quoted(.node))]
    Incomplete {
        /// The node.
        node: String,
        /// Its kind.
        kind: NodeKind,
        /// What it lacks.
        field: &'static str,
    },
    /// A question still holds a place.
    #[error("the question {} still holds a place in a final graph", quoted(.0))]
    PlaceholderLeft(String),
    /// The checksum is that of something else.
    #[error("the checksum does not match the nodes, edges and lanes")]
    Checksum,
    /// A selected phase has no node.
    #[error("the phase {} has no node", quoted(.0))]
    PhaseUnmapped(String),
    /// A planned command that is not denied has no action.
    #[error("the planned command {} at place {position} has no action", quoted(.command))]
    CommandUnmapped {
        /// Its id.
        command: String,
        /// Its place in the plan, from one.
        position: usize,
    },
    /// A selected agent has no lane.
    #[error("the agent {} has no lane", quoted(.0))]
    AgentUnmapped(String),
    /// A category of review has no gate.
    #[error("the {0} review has no gate")]
    ReviewUnmapped(String),
}

/// Everything that is wrong with a graph by itself.
pub fn defects(graph: &Graph) -> Vec<Defect> {
    let mut found = Vec::new();
    if graph.schema_version != SCHEMA_VERSION {
        found.push(Defect::Version(graph.schema_version.clone()));
    }
    if graph.nodes.is_empty() || graph.nodes.len() > NODES_MAX {
        found.push(Defect::NodeCount(graph.nodes.len()));
    }
    ids(graph, &mut found);
    edges(graph, &mut found);
    let links = Links::of(graph);
    found.extend(links.cycles().into_iter().map(Defect::Cycle));
    found.extend(links.unreachable().map(|node| Defect::Unreachable(node.node_id.clone())));
    lanes(graph, &mut found);
    for node in &graph.nodes {
        completeness(node, graph.metadata.form, &mut found);
    }
    if checksum(&graph.nodes, &graph.edges, &graph.swimlanes) != Ok(graph.checksum) {
        found.push(Defect::Checksum);
    }
    found
}

/// Everything of an outline that a graph does not show: phases, commands, agents, reviews.
pub fn unmapped(outline: &Outline<'_>, graph: &Graph) -> Vec<Defect> {
    let of_kind = |kind: NodeKind| graph.nodes.iter().filter(move |node| node.node_type == kind);
    let phases: BTreeSet<&str> =
        of_kind(NodeKind::Phase).filter_map(|node| node.phase_ref.as_deref()).collect();
    let actions: BTreeSet<(usize, &str)> = of_kind(NodeKind::ActionProposal)
        .filter_map(|node| Some((place(node)?, node.command_ref.as_deref()?)))
        .collect();
    let agents: BTreeSet<&str> = graph.swimlanes.iter().map(|lane| &*lane.agent_id).collect();
    let gates: BTreeSet<_> =
        of_kind(NodeKind::ReviewGate).filter_map(|node| node.metadata.category).collect();

    let mut found = Vec::new();
    for workflow in &outline.workflows {
        let wanted = workflow.stages.iter().map(|stage| phase_ref(workflow.id, *stage));
        found.extend(wanted.filter(|phase| !phases.contains(&**phase)).map(Defect::PhaseUnmapped));
    }
    for (command, position) in outline.commands.iter().zip(1..) {
        if command.decision != Decision::Deny && !actions.contains(&(position, command.id)) {
            found.push(Defect::CommandUnmapped { command: command.id.to_owned(), position });
        }
    }
    let without_lane = outline.agents.iter().filter(|agent| !agents.contains(agent.id));
    found.extend(without_lane.map(|agent| Defect::AgentUnmapped(agent.id.to_owned())));
    let reviews: BTreeSet<_> = outline.reviews.iter().collect();
    let without_gate = reviews.into_iter().filter(|category| !gates.contains(category));
    found.extend(without_gate.map(|category| Defect::ReviewUnmapped(category.to_string())));
    found
}

fn place(node: &Node) -> Option<usize> {
    usize::try_from(node.metadata.position?).ok()
}

fn ids(graph: &Graph, found: &mut Vec<Defect>) {
    let nodes = graph.nodes.iter().map(|node| &*node.node_id);
    let edges = graph.edges.iter().map(|edge| &*edge.edge_id);
    let lanes = graph.swimlanes.iter().map(|lane| &*lane.swimlane_id);
    let mut seen = BTreeSet::new();
    let repeated = nodes.chain(edges).chain(lanes).filter(|id| !seen.insert(*id));
    found.extend(repeated.map(|id| Defect::DuplicateId(id.to_owned())));
}

fn edges(graph: &Graph, found: &mut Vec<Defect>) {
    let kinds: BTreeMap<&str, NodeKind> =
        graph.nodes.iter().map(|node| (&*node.node_id, node.node_type)).collect();
    let mut seen = BTreeSet::new();
    for Edge { edge_id, from_node: from, to_node: to, edge_type, condition, .. } in &graph.edges {
        let edge = || edge_id.clone();
        for node in [from, to].into_iter().filter(|node| !kinds.contains_key(&***node)) {
            found.push(Defect::Dangling { edge: edge(), node: node.clone() });
        }
        if from == to {
            found.push(Defect::SelfLoop { edge: edge(), node: from.clone() });
        }
        if !seen.insert((from, to)) {
            found.push(Defect::DuplicateEdge { edge: edge(), from: from.clone(), to: to.clone() });
        }
        let conditional = matches!(edge_type, EdgeKind::Conditional | EdgeKind::Fallback);
        if conditional && condition.as_ref().is_none_or(String::is_empty) {
            found.push(Defect::NoCondition(edge()));
        }
        let says_no =
            matches!(kinds.get(&**from), Some(NodeKind::DecisionPoint | NodeKind::ReviewGate) | None);
        if *edge_type == EdgeKind::Fallback && !says_no {
            found.push(Defect::FallbackFrom { edge: edge(), node: from.clone() });
        }
    }
}

fn lanes(graph: &Graph, found: &mut Vec<Defect>) {
    let mut named: BTreeMap<&str, usize> = graph.nodes.iter().map(|node| (&*node.node_id, 0)).collect();
    for lane in &graph.swimlanes {
        for node in &lane.node_refs {
            match named.get_mut(&**node) {
                Some(lanes) => *lanes += 1,
                None => {
                    found.push(Defect::LaneDangling { lane: lane.swimlane_id.clone(), node: node.clone() });
                }
            }
        }
    }
    for node in &graph.nodes {
        let node = node.node_id.clone();
        match named.get(&*node) {
            Some(0) => found.push(Defect::NoLane(node)),
            Some(&lanes) if lanes > 1 => found.push(Defect::ManyLanes { node, lanes }),
            _ => {}
        }
    }
}

fn completeness(node: &Node, form: Form, found: &mut Vec<Defect>) {
    let id = || node.node_id.clone();
    let needs: &[(&'static str, bool)] = match node.node_type {
        NodeKind::Phase => &[("phase_ref", node.phase_ref.is_some())],
        NodeKind::ActionProposal => &[
            ("phase_ref", node.phase_ref.is_some()),
            ("command_ref", node.command_ref.is_some()),
            ("effects", node.effects.as_ref().is_some_and(|effects| !effects.is_empty())),
            ("risk_level", node.risk_level.is_some()),
            ("position", node.metadata.position.is_some()),
        ],
        NodeKind::DecisionPoint => &[("rule_refs", node.rule_refs.is_some())],
        NodeKind::Question => &[("question_ref", node.question_ref.is_some())],
        NodeKind::ReviewGate => {
            &[("review_criteria", node.review_criteria.as_ref().is_some_and(|criteria| !criteria.is_empty()))]
        }
    };
    let lacking = needs.iter().filter(|(_, there)| !there);
    found.extend(lacking.map(|&(field, _)| Defect::Incomplete { node: id(), kind: node.node_type, field }));
    let rests = node.evidence_refs.as_ref().is_some_and(|refs| refs.iter().any(|it| !it.trim().is_empty()));
    if node.node_type == NodeKind::ActionProposal && !rests {
        found.push(Defect::NoEvidence(id()));
    }
    if node.node_type == NodeKind::Question && form == Form::Final {
        found.push(Defect::PlaceholderLeft(id()));
    }
}
