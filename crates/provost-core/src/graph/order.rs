//! In what order a graph can be done, apart because it asks only for nodes and edges, whoever made them. Everything
//! takes time in proportion to nodes and edges, and the order of the edges never shows.

mod circles;

use std::collections::BTreeMap;

use super::{Graph, Node, NodeKind};
use crate::diagnostic::visible;

/// Nodes that wait for each other in a circle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nodes wait for each other: {}", visible(&.path.join(" → ")))]
pub struct Cycle {
    /// The nodes along the edges; the first is also the last.
    pub path: Vec<String>,
}

/// The edges of a graph as numbers of nodes; those with an end that does not exist are left out.
#[derive(Debug)]
pub(super) struct Links<'g> {
    nodes: Vec<Linked<'g>>,
    number: BTreeMap<&'g str, usize>,
}

/// A node and what is next to it.
#[derive(Debug)]
struct Linked<'g> {
    node: &'g Node,
    next: Vec<usize>,
    before: Vec<usize>,
}

impl<'g> Links<'g> {
    /// Numbers the nodes; of two with one id the first is meant.
    pub(super) fn of(graph: &'g Graph) -> Self {
        let linked = |node| Linked { node, next: Vec::new(), before: Vec::new() };
        let mut nodes: Vec<Linked<'g>> = graph.nodes.iter().map(linked).collect();
        let mut number = BTreeMap::new();
        for (at, node) in graph.nodes.iter().enumerate() {
            number.entry(&*node.node_id).or_insert(at);
        }
        for edge in &graph.edges {
            let ends = number.get(&*edge.from_node).zip(number.get(&*edge.to_node));
            let Some((&from, &to)) = ends else { continue };
            if let Some(linked) = nodes.get_mut(from) {
                linked.next.push(to);
            }
            if let Some(linked) = nodes.get_mut(to) {
                linked.before.push(from);
            }
        }
        Self { nodes, number }
    }

    fn next(&self, at: usize) -> &[usize] {
        self.nodes.get(at).map_or(&[], |linked| &linked.next)
    }

    fn before(&self, at: usize) -> &[usize] {
        self.nodes.get(at).map_or(&[], |linked| &linked.before)
    }

    fn node(&self, at: usize) -> Option<&'g Node> {
        self.nodes.get(at).map(|linked| linked.node)
    }

    /// The nodes that nothing comes before.
    fn entries(&self) -> impl Iterator<Item = usize> {
        self.nodes.iter().enumerate().filter(|(_, linked)| linked.before.is_empty()).map(|(at, _)| at)
    }

    /// All that can be reached from some nodes, themselves included, as a flag for each node.
    fn reached(&self, from: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        let mut open: Vec<usize> = from.collect();
        while let Some(at) = open.pop() {
            if let Some(seen) = reached.get_mut(at)
                && !std::mem::replace(seen, true)
            {
                open.extend(self.next(at));
            }
        }
        reached
    }

    /// The nodes that no entry leads to.
    pub(super) fn unreachable(&self) -> impl Iterator<Item = &'g Node> {
        let reached = self.reached(self.entries());
        self.nodes.iter().zip(reached).filter(|(_, reached)| !reached).map(|(linked, _)| linked.node)
    }

    /// Removes nodes that nothing comes before, again and again: in which turn each was removed, none for those that
    /// stay because they are on a circle or behind one.
    fn turns(&self) -> Vec<Option<usize>> {
        let mut missing: Vec<usize> = self.nodes.iter().map(|linked| linked.before.len()).collect();
        let mut turns = vec![None; self.nodes.len()];
        let mut open: Vec<usize> = self.entries().collect();
        let mut turn = 0;
        while !open.is_empty() {
            let mut freed = Vec::new();
            for at in open {
                if let Some(mine) = turns.get_mut(at) {
                    *mine = Some(turn);
                }
                for &to in self.next(at) {
                    if let Some(missing) = missing.get_mut(to) {
                        *missing -= 1;
                        if *missing == 0 {
                            freed.push(to);
                        }
                    }
                }
            }
            open = freed;
            turn += 1;
        }
        turns
    }

    /// The numbers of the nodes, turn by turn, each turn in the order of the graph.
    fn levels(&self) -> Result<Vec<Vec<usize>>, Cycle> {
        let mut levels: Vec<Vec<usize>> = Vec::new();
        for (at, turn) in self.turns().into_iter().enumerate() {
            let Some(turn) = turn else { continue };
            if levels.len() <= turn {
                levels.resize(turn + 1, Vec::new());
            }
            if let Some(level) = levels.get_mut(turn) {
                level.push(at);
            }
        }
        match self.cycles().into_iter().next() {
            Some(cycle) => Err(cycle),
            None => Ok(levels),
        }
    }

    fn of_numbers(&self, numbers: impl IntoIterator<Item = usize>) -> Vec<&'g Node> {
        numbers.into_iter().filter_map(|at| self.node(at)).collect()
    }
}

/// The nodes in sets, each of which can begin when those before it are done; within a set in the order of the graph.
pub fn parallel_sets(graph: &Graph) -> Result<Vec<Vec<&Node>>, Cycle> {
    let links = Links::of(graph);
    let levels = links.levels()?;
    Ok(levels.into_iter().map(|level| links.of_numbers(level)).collect())
}

/// The nodes so that every edge leads forward: the parallel sets, one after the other.
pub fn topological_order(graph: &Graph) -> Result<Vec<&Node>, Cycle> {
    Ok(parallel_sets(graph)?.into_iter().flatten().collect())
}

/// The way with the most actions, and among those the one with the most nodes: what the plan takes at least, however
/// much is done side by side. Of equal ways it is the one that comes first in the graph.
pub fn critical_path(graph: &Graph) -> Result<Vec<&Node>, Cycle> {
    let links = Links::of(graph);
    // How long the longest way to a node is, and the node before it on that way.
    let mut longest = vec![((0_usize, 0_usize), None); links.nodes.len()];
    for at in links.levels()?.into_iter().flatten() {
        let mut best: ((usize, usize), Option<usize>) = ((0, 0), None);
        for &before in links.before(at) {
            let way = longest.get(before).map_or((0, 0), |(way, _)| *way);
            if way > best.0 || (way == best.0 && best.1.is_none_or(|chosen| before < chosen)) {
                best = (way, Some(before));
            }
        }
        let acts = links.node(at).is_some_and(|node| node.node_type == NodeKind::ActionProposal);
        let (actions, nodes) = best.0;
        if let Some(mine) = longest.get_mut(at) {
            *mine = ((actions + usize::from(acts), nodes + 1), best.1);
        }
    }
    let end = longest.iter().enumerate().rev().max_by_key(|(_, (way, _))| *way).map(|(at, _)| at);
    let before = |at: &usize| longest.get(*at).and_then(|(_, before)| *before);
    let mut path: Vec<usize> = std::iter::successors(end, before).collect();
    path.reverse();
    Ok(links.of_numbers(path))
}

/// All that comes after a node, in the order of the graph: what waits for it.
pub fn affected<'g>(graph: &'g Graph, node_id: &str) -> Vec<&'g Node> {
    let links = Links::of(graph);
    let Some(&start) = links.number.get(node_id) else { return Vec::new() };
    let reached = links.reached(links.next(start).iter().copied());
    links.of_numbers(reached.into_iter().enumerate().filter(|(_, reached)| *reached).map(|(at, _)| at))
}
