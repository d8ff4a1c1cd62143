//! A graph as lines for a terminal: workflow, phase, and in each what is asked, decided, done and reviewed, with who
//! does it. Apart from the drawings because it follows phases where they follow lanes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::diagnostic::visible;
use crate::graph::{EdgeKind, Form, Graph, Node, NodeKind};

/// Draws a graph as a tree of lines.
pub fn tree(graph: &Graph) -> String {
    let lanes: BTreeMap<&str, &str> = graph
        .swimlanes
        .iter()
        .flat_map(|lane| lane.node_refs.iter().map(move |node| (&**node, &*lane.agent_id)))
        .collect();
    let beside: BTreeSet<&str> = graph
        .edges
        .iter()
        .filter(|edge| edge.edge_type == EdgeKind::Parallel)
        .map(|edge| &*edge.to_node)
        .collect();
    let words = |node: &Node| words(node, &lanes, &beside);
    let mut out = head(graph);
    for node in graph.nodes.iter().filter(|node| node.phase_ref.is_none()) {
        let _ = writeln!(out, "{}", words(node));
    }
    for (workflow, phases) in workflows(graph) {
        let _ = writeln!(out, "{}", visible(workflow));
        for (last, phase) in marked_last(&phases) {
            let (branch, trunk) = if last { ("└─", "   ") } else { ("├─", "│  ") };
            let _ = writeln!(out, "{branch} {}", words(phase.node));
            for (last, node) in marked_last(&phase.inside) {
                let branch = if last { "└─" } else { "├─" };
                let _ = writeln!(out, "{trunk}{branch} {}", words(node));
            }
        }
    }
    for denied in &graph.metadata.denied {
        let _ = writeln!(out, "denied: {}, {}", visible(&denied.command_ref), visible(&denied.reason));
    }
    for lane in graph.idle() {
        let _ = writeln!(out, "idle: {}", visible(&lane.agent_id));
    }
    out
}

fn head(graph: &Graph) -> String {
    let form = match graph.metadata.form {
        Form::Draft => "draft",
        Form::Final => "final",
    };
    let actions = graph.nodes.iter().filter(|node| node.node_type == NodeKind::ActionProposal).count();
    let noun = if actions == 1 { "action" } else { "actions" };
    let (name, revision) = (visible(&graph.graph_id), graph.metadata.revision);
    format!("{name}, {form} {revision}, {actions} {noun} for {}\n", visible(&graph.intent_id))
}

/// A phase and what stands in it.
struct Phase<'g> {
    node: &'g Node,
    inside: Vec<&'g Node>,
}

/// The phases by workflow, both in the order of the graph.
fn workflows(graph: &Graph) -> Vec<(&str, Vec<Phase<'_>>)> {
    let mut inside: BTreeMap<&str, Vec<&Node>> = BTreeMap::new();
    for node in graph.nodes.iter().filter(|node| node.node_type != NodeKind::Phase) {
        inside.entry(node.phase_ref.as_deref().unwrap_or_default()).or_default().push(node);
    }
    let mut workflows: Vec<(&str, Vec<Phase<'_>>)> = Vec::new();
    for node in graph.nodes.iter().filter(|node| node.node_type == NodeKind::Phase) {
        let place = node.phase_ref.as_deref().unwrap_or_default();
        let workflow = place.rsplit_once('/').map_or(place, |(workflow, _)| workflow);
        let phase = Phase { node, inside: inside.remove(place).unwrap_or_default() };
        match workflows.last_mut() {
            Some((same, phases)) if *same == workflow => phases.push(phase),
            _ => workflows.push((workflow, vec![phase])),
        }
    }
    workflows
}

fn marked_last<T>(all: &[T]) -> impl Iterator<Item = (bool, &T)> {
    all.iter().enumerate().map(|(at, one)| (at + 1 == all.len(), one))
}

fn words(node: &Node, lanes: &BTreeMap<&str, &str>, beside: &BTreeSet<&str>) -> String {
    let label = visible(&node.label);
    let mut out = match node.node_type {
        NodeKind::Phase => {
            let place = node.phase_ref.as_deref().unwrap_or_default();
            visible(place.rsplit_once('/').map_or(place, |(_, stage)| stage)).to_string()
        }
        NodeKind::ActionProposal => label.to_string(),
        NodeKind::DecisionPoint => format!("decide: {label}"),
        NodeKind::Question => {
            format!("asked {}: {label}", visible(node.question_ref.as_deref().unwrap_or_default()))
        }
        NodeKind::ReviewGate => format!("gate: {label}"),
    };
    if node.node_type == NodeKind::ActionProposal {
        let effects = node.effects.iter().flatten().map(ToString::to_string).collect::<Vec<_>>().join("+");
        let risk = node.risk_level.map(|risk| risk.to_string()).unwrap_or_default();
        let _ = write!(out, " · {effects} · {risk}");
    }
    if let Some(rules) = node.rule_refs.as_ref().filter(|rules| !rules.is_empty()) {
        let _ = write!(out, " · {}", visible(&rules.join(", ")));
    }
    if let Some(agent) = lanes.get(&*node.node_id) {
        let _ = write!(out, " · {}", visible(agent));
    }
    if beside.contains(&*node.node_id) {
        out.push_str(" · parallel");
    }
    out
}
