//! What the world should be doing: work that an event asked for and that has not reported its end.
//!
//! Effects are plain data. A process that performs them can die at any point; what happens to each afterwards is
//! a property of its kind, stated here and acted on by the driver.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::record::Sequence;

/// The sequence of the event that made an effect due: unique, and the same after a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EffectId(pub Sequence);

impl fmt::Display for EffectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "effect-{}", self.0)
    }
}

/// A kind of work.
pub trait Effect: Clone {
    /// What to do about one that was open when its performer ended.
    fn after_crash(&self) -> AfterCrash;
}

/// What happens to an open effect when a new process takes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterCrash {
    /// It is done again: doing it twice is the same as doing it once.
    Redo,
    /// Its trace is looked for and adopted; only without a trace is it done.
    Probe,
    /// It cannot be repeated unseen: it may have begun, so it is reported as lost, and the rules decide what follows.
    Lose,
}

/// Whether a report still counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The effect is open.
    Open,
    /// The effect has ended or was given up: the report is recorded and changes nothing.
    Late,
}

/// The index of open effects that `apply` keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects<E> {
    open: BTreeMap<EffectId, E>,
}

impl<E> Default for Effects<E> {
    fn default() -> Self {
        Effects { open: BTreeMap::new() }
    }
}

impl<E> Effects<E> {
    /// Makes an effect due.
    pub fn begin(&mut self, id: EffectId, effect: E) {
        self.open.insert(id, effect);
    }

    /// Takes an effect off: it ended, or nobody wants it any more.
    pub fn end(&mut self, id: EffectId) -> Option<E> {
        self.open.remove(&id)
    }

    /// Says whether a report of this effect still counts.
    pub fn standing(&self, id: EffectId) -> Standing {
        if self.open.contains_key(&id) { Standing::Open } else { Standing::Late }
    }

    /// One open effect.
    pub fn get(&self, id: EffectId) -> Option<&E> {
        self.open.get(&id)
    }

    /// All open effects, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (EffectId, &E)> {
        self.open.iter().map(|(id, effect)| (*id, effect))
    }

    /// How many are open.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether none is open.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }
}
