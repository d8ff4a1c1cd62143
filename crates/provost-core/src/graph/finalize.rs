//! A draft becoming final: the places of its questions close, apart because nothing else about the graph may change.

use std::collections::{BTreeMap, BTreeSet};

use super::build::edge_id;
use super::{Cycle, Edge, Form, Graph, NodeKind, checksum, topological_order};
use crate::canonical::NotCanonical;
use crate::diagnostic::quoted;

/// A draft that cannot become final.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfinished {
    /// Questions that have neither an answer nor a default.
    #[error("questions are open: {}; answer them or take their defaults", listed(.0))]
    Open(Vec<String>),
    /// The draft does not come to an end.
    #[error(transparent)]
    Cycle(#[from] Cycle),
    /// What is left has no canonical form.
    #[error(transparent)]
    NotCanonical(#[from] NotCanonical),
}

fn listed(questions: &[String]) -> String {
    questions.iter().map(|question| quoted(question).to_string()).collect::<Vec<_>>().join(", ")
}

/// Takes the questions out of a draft and ties what was before each to what waited for it. `settled` names the
/// questions that were answered or whose default was taken. An answer that changes a command, its decision or its
/// risk is not applied here: it makes another outline, and so another draft.
pub fn finalize(draft: &Graph, settled: &BTreeSet<&str>) -> Result<Graph, Unfinished> {
    let is_open = |question: &&str| !settled.contains(question);
    let questions = draft.nodes.iter().filter(|node| node.node_type == NodeKind::Question);
    let refs = questions.map(|node| node.question_ref.as_deref().unwrap_or(&node.node_id));
    let open: Vec<String> = refs.filter(is_open).map(str::to_owned).collect();
    if !open.is_empty() {
        return Err(Unfinished::Open(open));
    }
    let waiting = waiting(draft)?;
    let mut edges: Vec<Edge> = Vec::with_capacity(draft.edges.len());
    let mut tied = BTreeSet::new();
    for edge in draft.edges.iter().filter(|edge| !waiting.contains_key(&*edge.from_node)) {
        let itself = [&*edge.to_node];
        let ends = waiting.get(&*edge.to_node).map_or(itself.as_slice(), Vec::as_slice);
        for &to in ends.iter().filter(|to| tied.insert((&*edge.from_node, **to))) {
            edges.push(Edge { edge_id: edge_id(edges.len() + 1), to_node: to.to_owned(), ..edge.clone() });
        }
    }
    let mut done = draft.clone();
    done.nodes.retain(|node| node.node_type != NodeKind::Question);
    for lane in &mut done.swimlanes {
        lane.node_refs.retain(|node| !waiting.contains_key(&**node));
    }
    done.edges = edges;
    done.metadata.form = Form::Final;
    done.checksum = checksum(&done.nodes, &done.edges, &done.swimlanes)?;
    Ok(done)
}

/// For each question the nodes that wait for it, through questions that do so themselves.
fn waiting(draft: &Graph) -> Result<BTreeMap<&str, Vec<&str>>, Cycle> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for edge in &draft.edges {
        next.entry(&edge.from_node).or_default().push(&edge.to_node);
    }
    let mut waiting: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for node in
        topological_order(draft)?.into_iter().rev().filter(|node| node.node_type == NodeKind::Question)
    {
        let mut behind = Vec::new();
        for &to in next.get(&*node.node_id).into_iter().flatten() {
            match waiting.get(to) {
                Some(further) => behind.extend_from_slice(further),
                None => behind.push(to),
            }
        }
        waiting.insert(&node.node_id, behind);
    }
    Ok(waiting)
}
