//! Nodes that wait for each other, apart because finding every knot of them takes more than finding that there is one.

use std::collections::VecDeque;

use super::{Cycle, Links};

impl Links<'_> {
    /// One shortest circle through the first node of every knot: a set of nodes each of which leads to all others.
    pub(in crate::graph) fn cycles(&self) -> Vec<Cycle> {
        let knots = self.knots();
        let mut looked_at = vec![false; self.nodes.len()];
        // Shared by all knots, which have no node in common, so that many knots cost no more than one.
        let mut came_from = vec![None; self.nodes.len()];
        let firsts =
            knots.iter().enumerate().filter_map(|(at, knot)| mark(&mut looked_at, *knot).then_some(at));
        firsts.filter_map(|first| self.circle(first, &knots, &mut came_from)).collect()
    }

    /// The knot of each node, as a number below the number of nodes.
    fn knots(&self) -> Vec<usize> {
        let mut knots = vec![0; self.nodes.len()];
        let mut seen = vec![false; self.nodes.len()];
        let mut knot = 0;
        // Whatever leads to the last node that was left, and has not been taken, is led to by it as well.
        for start in self.left().into_iter().rev() {
            if !mark(&mut seen, start) {
                continue;
            }
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                if let Some(mine) = knots.get_mut(at) {
                    *mine = knot;
                }
                open.extend(self.before(at).iter().copied().filter(|before| mark(&mut seen, *before)));
            }
            knot += 1;
        }
        knots
    }

    /// The nodes in the order in which a walk along the edges leaves them for good.
    fn left(&self) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let mut left = Vec::with_capacity(self.nodes.len());
        for start in 0..self.nodes.len() {
            let mut way = if mark(&mut seen, start) { vec![(start, 0)] } else { Vec::new() };
            while let Some((at, taken)) = way.last_mut() {
                if let Some(&to) = self.next(*at).get(*taken) {
                    *taken += 1;
                    if mark(&mut seen, to) {
                        way.push((to, 0));
                    }
                } else {
                    left.push(*at);
                    way.pop();
                }
            }
        }
        left
    }

    /// A shortest way from a node back to itself within its knot.
    fn circle(&self, first: usize, knots: &[usize], came_from: &mut [Option<usize>]) -> Option<Cycle> {
        let mut open = VecDeque::from([first]);
        while let Some(at) = open.pop_front() {
            for &to in self.next(at).iter().filter(|to| knots.get(**to) == knots.get(first)) {
                if to == first {
                    let mut path: Vec<usize> =
                        std::iter::successors(Some(at), |at| came_from.get(*at).copied().flatten()).collect();
                    path.reverse();
                    path.push(first);
                    let ids = self.of_numbers(path).into_iter().map(|node| node.node_id.clone());
                    return Some(Cycle { path: ids.collect() });
                }
                if let Some(from @ None) = came_from.get_mut(to) {
                    *from = Some(at);
                    open.push_back(to);
                }
            }
        }
        None
    }
}

/// Marks a node; false where it was marked before.
fn mark(marks: &mut [bool], at: usize) -> bool {
    marks.get_mut(at).is_some_and(|mark| !std::mem::replace(mark, true))
}
