//! A graph for people: Mermaid, DOT and a tree of lines, apart because every word of it comes from outside and no word
//! may become part of the drawing's own language.

mod tree;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Edge, EdgeKind, Graph, Node, NodeKind};
use crate::diagnostic::visible;

pub use tree::tree;

/// Draws a graph as a Mermaid flowchart with a box for each lane.
pub fn mermaid(graph: &Graph) -> String {
    let drawing = Drawing::of(graph);
    let mut out = String::from("flowchart TD\n");
    for (lane, nodes) in &drawing.lanes {
        let _ = writeln!(out, "    subgraph l{}[\"{}\"]", lane.number, entities(&lane.title));
        for (number, node) in nodes {
            let (open, close) = match node.node_type {
                NodeKind::Phase => ("([", "])"),
                NodeKind::ActionProposal => ("[", "]"),
                NodeKind::DecisionPoint => ("{", "}"),
                NodeKind::Question => ("[/", "/]"),
                NodeKind::ReviewGate => ("{{", "}}"),
            };
            let _ = writeln!(out, "        n{number}{open}\"{}\"{close}", entities(&titled(node)));
        }
        out.push_str("    end\n");
    }
    for (from, to, edge) in &drawing.edges {
        let arrow = match edge.edge_type {
            EdgeKind::Sequential | EdgeKind::Conditional => "-->",
            EdgeKind::Parallel => "==>",
            EdgeKind::Fallback => "-.->",
        };
        let label = edge.label.as_ref().map(|label| format!("|\"{}\"|", entities(label))).unwrap_or_default();
        let _ = writeln!(out, "    n{from} {arrow}{label} n{to}");
    }
    out
}

/// Draws a graph in the language of Graphviz with a cluster for each lane.
pub fn dot(graph: &Graph) -> String {
    let drawing = Drawing::of(graph);
    let mut out = format!("digraph {} {{\n    rankdir=TB;\n", string(&graph.graph_id));
    for (lane, nodes) in &drawing.lanes {
        let _ =
            writeln!(out, "    subgraph cluster_{} {{\n        label={};", lane.number, string(&lane.title));
        for (number, node) in nodes {
            let shape = match node.node_type {
                NodeKind::Phase => "ellipse",
                NodeKind::ActionProposal => "box",
                NodeKind::DecisionPoint => "diamond",
                NodeKind::Question => "parallelogram",
                NodeKind::ReviewGate => "hexagon",
            };
            let _ = writeln!(out, "        n{number} [shape={shape}, label={}];", string(&titled(node)));
        }
        out.push_str("    }\n");
    }
    for (from, to, edge) in &drawing.edges {
        let style = match edge.edge_type {
            EdgeKind::Sequential | EdgeKind::Conditional => "solid",
            EdgeKind::Parallel => "bold",
            EdgeKind::Fallback => "dashed",
        };
        let label = edge.label.as_ref().map(|label| format!(", label={}", string(label))).unwrap_or_default();
        let _ = writeln!(out, "    n{from} -> n{to} [style={style}{label}];");
    }
    out.push_str("}\n");
    out
}

/// A graph with numbers for names: an id from outside never names anything in a drawing.
struct Drawing<'g> {
    lanes: Vec<(Lane, Vec<(usize, &'g Node)>)>,
    edges: Vec<(usize, usize, &'g Edge)>,
}

struct Lane {
    number: usize,
    title: String,
}

impl<'g> Drawing<'g> {
    fn of(graph: &'g Graph) -> Self {
        let numbers: BTreeMap<&str, (usize, &Node)> =
            (1..).zip(&graph.nodes).map(|(number, node)| (&*node.node_id, (number, node))).collect();
        let number = |node: &str| numbers.get(node).map(|(number, _)| *number);
        let lanes = (1..).zip(&graph.swimlanes).map(|(number, lane)| {
            let title = format!("{} ({})", lane.agent_id, lane.role);
            let nodes = lane.node_refs.iter().filter_map(|node| numbers.get(&**node).copied());
            (Lane { number, title }, nodes.collect())
        });
        let edges = graph.edges.iter();
        let edges = edges.filter_map(|edge| Some((number(&edge.from_node)?, number(&edge.to_node)?, edge)));
        Self { lanes: lanes.collect(), edges: edges.collect() }
    }
}

/// The label of a node, with the risk of what is done.
fn titled(node: &Node) -> String {
    match node.risk_level.filter(|_| node.node_type == NodeKind::ActionProposal) {
        Some(risk) => format!("{} ({risk})", node.label),
        None => node.label.clone(),
    }
}

/// Text within a quoted label of Mermaid: whatever is not plainly a letter, a digit or a harmless mark is written as
/// its number, so that no quote, bracket, backtick, arrow, tag or comment can begin. So is a first character that is
/// no letter, because a label that begins like an item of a list is taken for one.
fn entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in visible(text).to_string().chars() {
        let begins = !out.is_empty() || character.is_alphabetic();
        if begins && (character.is_alphanumeric() || " .,:_-/()".contains(character)) {
            out.push(character);
        } else {
            let _ = write!(out, "#{};", u32::from(character));
        }
    }
    out
}

/// A quoted string of DOT, on one line; a backslash is doubled, because Graphviz reads what follows a single one.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for character in visible(text).to_string().chars() {
        if matches!(character, '"' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out.push('"');
    out
}
