//! Conditions as clauses: a rule fires when all literals of one of its clauses hold. Apart because this is where the
//! language ends and bits begin.
//!
//! With three values, too, and distributes over or and not goes inwards, so the clauses say what the rule says; only
//! `a and not a` is left as it is, for it is unknown where `a` is.

use super::book::AtomId;
use super::language::{Condition, Node};

/// How many clauses a rule may become; above, it is evaluated as it is written.
pub(super) const CLAUSES_MAX: u64 = 64;

/// A condition or its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
// INVARIANT: the number of the condition, doubled, and one more for its opposite; thousands are walked for a subject.
pub(super) struct Literal(u32);

impl Literal {
    pub(super) const fn new(atom: AtomId, negated: bool) -> Self {
        Self((atom.0 << 1) | negated as u32)
    }

    pub(super) const fn atom(self) -> AtomId {
        AtomId(self.0 >> 1)
    }

    pub(super) const fn negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A condition in which only single conditions are negated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    All(Vec<Tree>),
    Any(Vec<Tree>),
    Is(Literal),
}

impl Tree {
    /// Moves every not inwards.
    pub(super) fn new(node: &Node, negated: bool, atom: &mut impl FnMut(&Condition) -> AtomId) -> Self {
        let mut trees = |nodes: &[Node]| nodes.iter().map(|node| Self::new(node, negated, atom)).collect();
        match (node, negated) {
            (Node::All(nodes), false) | (Node::Any(nodes), true) => Self::All(trees(nodes)),
            (Node::Any(nodes), false) | (Node::All(nodes), true) => Self::Any(trees(nodes)),
            (Node::Not(node), _) => Self::new(node, !negated, atom),
            (Node::Is(condition), _) => Self::Is(Literal::new(atom(condition), negated)),
        }
    }

    /// The clauses, in the order in which the rule is written; nothing where they are too many.
    pub(super) fn clauses(&self) -> Option<Vec<Vec<Literal>>> {
        (self.count() <= CLAUSES_MAX).then(|| self.expand())
    }

    fn count(&self) -> u64 {
        match self {
            Self::All(trees) => trees.iter().map(Self::count).fold(1, u64::saturating_mul),
            Self::Any(trees) => trees.iter().map(Self::count).fold(0, u64::saturating_add),
            Self::Is(_) => 1,
        }
    }

    fn expand(&self) -> Vec<Vec<Literal>> {
        match self {
            Self::Is(literal) => vec![vec![*literal]],
            Self::Any(trees) => trees.iter().flat_map(Self::expand).collect(),
            Self::All(trees) => trees.iter().fold(vec![Vec::new()], |clauses, tree| match tree {
                Self::Is(literal) => {
                    clauses.into_iter().map(|clause| joined(clause, std::slice::from_ref(literal))).collect()
                }
                _ => product(&clauses, &tree.expand()),
            }),
        }
    }
}

fn product(ones: &[Vec<Literal>], others: &[Vec<Literal>]) -> Vec<Vec<Literal>> {
    ones.iter().flat_map(|one| others.iter().map(|other| joined(one.clone(), other))).collect()
}

/// A clause with more literals, each once.
fn joined(mut clause: Vec<Literal>, more: &[Literal]) -> Vec<Literal> {
    for literal in more {
        if !clause.contains(literal) {
            clause.push(*literal);
        }
    }
    clause
}
