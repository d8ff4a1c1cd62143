//! A state machine as data: one table that the code runs, the tests check and the documents print.
//!
//! States and triggers are fieldless and enumerable; whatever they carry lives beside them. A guard is
//! evaluated once, before the table is asked, and its verdict is part of the trigger's name, so the table stays
//! a partial function from state and trigger to state, and replay evaluates nothing.

mod defects;
mod draw;
#[cfg(test)]
pub(crate) mod proof;
mod sheet;

use std::fmt::Debug;

use strum::VariantArray;

use crate::limits::Limit;

pub use defects::defects;
pub use draw::{markdown, mermaid};
pub use sheet::{Sheet, SheetRow};

/// What states and triggers have in common: they can be listed, compared and named as on the wire.
pub trait Symbol: Copy + Ord + Debug + Into<&'static str> + VariantArray + 'static {}

impl<T: Copy + Ord + Debug + Into<&'static str> + VariantArray + 'static> Symbol for T {}

/// A finite machine. `TABLE` is the whole behaviour; everything else here is derived from it.
pub trait Machine {
    /// Where one run of the machine can be, declared in the order in which a run without setbacks visits them.
    type State: Symbol;
    /// What can happen to it.
    type Trigger: Symbol;

    /// The machine's name in commands and documents.
    const NAME: &'static str;
    /// What one run of the machine is, in one sentence.
    const WHAT: &'static str;
    /// Where every run begins.
    const START: Self::State;
    /// States in which a run may stay for good although rows leave them. Only a machine that serves others for as
    /// long as they live, and so has no end of its own, names any.
    const RESTING: &'static [Self::State] = &[];
    /// The rows.
    const TABLE: &'static [Row<Self::State, Self::Trigger>];

    /// What people read for a state.
    fn label(state: Self::State) -> &'static str;
}

/// One line of a transition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<S, T> {
    /// The state or states that the row leaves.
    pub from: Source<S>,
    /// What has to happen.
    pub on: T,
    /// Where it leads.
    pub to: Target<S>,
    /// Which way it runs, as its author meant it; a row that runs another way is a defect.
    pub direction: Direction,
    /// The setting that bounds how often one run may take the row. Which rows are counted together, and what starts
    /// a count anew, is kept beside the table.
    pub limit: Option<Limit>,
    /// Whether the row leaves a finished run on purpose.
    pub reopen: bool,
}

/// A row of this machine.
pub type RowOf<M> = Row<<M as Machine>::State, <M as Machine>::Trigger>;

/// A pair of state and trigger that this machine refuses.
pub type IllegalIn<M> = Illegal<<M as Machine>::State, <M as Machine>::Trigger>;

/// What a row leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<S> {
    /// This state.
    At(S),
    /// Every state that is not terminal, except the row's own target: the `*` of a specification.
    Anywhere,
}

/// Where a row leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<S> {
    /// To this state.
    To(S),
    /// Back to the state that a row into this one was taken from. A state with such a row is a waiting one; whoever
    /// moves from one waiting state to another still returns to where the waiting began.
    Remembered,
}

/// Which way a row runs along the declared order of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Direction {
    /// To a later state.
    Forward,
    /// To an earlier state.
    Back,
    /// To the same state: something is counted or asked again.
    Stay,
    /// To a state that ends the ordinary course, or out of one: order says nothing about it.
    Aside,
}

/// A row to a later state.
pub const fn go<S, T>(from: S, on: T, to: S) -> Row<S, T> {
    row(Source::At(from), on, Target::To(to), Direction::Forward)
}

/// A row to an earlier state.
pub const fn back<S, T>(from: S, on: T, to: S) -> Row<S, T> {
    row(Source::At(from), on, Target::To(to), Direction::Back)
}

/// A row that stays where it is.
pub const fn stay<S: Copy, T>(at: S, on: T) -> Row<S, T> {
    row(Source::At(at), on, Target::To(at), Direction::Stay)
}

/// A row into or out of a state beside the ordinary course.
pub const fn aside<S, T>(from: S, on: T, to: S) -> Row<S, T> {
    row(Source::At(from), on, Target::To(to), Direction::Aside)
}

/// A row beside the ordinary course from every state that is not terminal.
pub const fn aside_anywhere<S, T>(on: T, to: S) -> Row<S, T> {
    row(Source::Anywhere, on, Target::To(to), Direction::Aside)
}

/// A row that returns to wherever the run was before it came here.
pub const fn resume<S, T>(from: S, on: T) -> Row<S, T> {
    row(Source::At(from), on, Target::Remembered, Direction::Aside)
}

const fn row<S, T>(from: Source<S>, on: T, to: Target<S>, direction: Direction) -> Row<S, T> {
    Row { from, on, to, direction, limit: None, reopen: false }
}

impl<S: Copy, T: Copy> Row<S, T> {
    /// Bounds the row by a setting.
    #[must_use]
    pub const fn at_most(self, limit: Limit) -> Self {
        Row { limit: Some(limit), ..self }
    }

    /// Marks the row as one that leaves a finished run on purpose.
    #[must_use]
    pub const fn reopens(self) -> Self {
        Row { reopen: true, ..self }
    }
}

/// The trigger has no row that leaves this state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not possible in `{}`", Into::<&'static str>::into(*.trigger), Into::<&'static str>::into(*.state))]
pub struct Illegal<S: Symbol, T: Symbol> {
    /// Where the run is.
    pub state: S,
    /// What was tried.
    pub trigger: T,
}

/// Looks up the row that leaves `state` on `trigger`. There is no other transition function.
pub fn next<M: Machine>(state: M::State, trigger: M::Trigger) -> Result<&'static RowOf<M>, IllegalIn<M>> {
    M::TABLE.iter().find(|row| row.on == trigger && leaves::<M>(row, state)).ok_or(Illegal { state, trigger })
}

/// Tells whether a row can be taken in this state.
fn leaves<M: Machine>(row: &RowOf<M>, state: M::State) -> bool {
    match row.from {
        Source::At(from) => from == state,
        Source::Anywhere => !terminal::<M>(state) && row.to != Target::To(state),
    }
}

/// A state is terminal when only rows that reopen leave it.
pub fn terminal<M: Machine>(state: M::State) -> bool {
    M::TABLE.iter().all(|row| row.from != Source::At(state) || row.reopen)
}

/// The rows that leave a state: what can happen now.
pub fn leaving<M: Machine>(state: M::State) -> impl Iterator<Item = &'static RowOf<M>> {
    M::TABLE.iter().filter(move |row| leaves::<M>(row, state))
}

/// Tells whether a state is one that a run waits in and returns from.
pub fn waiting<M: Machine>(state: M::State) -> bool {
    M::TABLE.iter().any(|row| row.from == Source::At(state) && row.to == Target::Remembered)
}

/// The states that a row leads to when it is taken in `at`; several only where it returns to a remembered one.
pub fn targets<M: Machine>(row: &RowOf<M>, at: M::State) -> Vec<M::State> {
    match row.to {
        Target::To(state) => vec![state],
        Target::Remembered => remembered::<M>(at),
    }
}

/// The states that a run which waits in `at` can have come from, in declared order.
pub fn remembered<M: Machine>(at: M::State) -> Vec<M::State> {
    let mut rooms = vec![at];
    let mut next = 0;
    let mut origins = Vec::new();
    while let Some(&room) = rooms.get(next) {
        for &from in M::State::VARIANTS {
            let enters = leaving::<M>(from).any(|row| row.to == Target::To(room));
            let known = if waiting::<M>(from) { &mut rooms } else { &mut origins };
            if enters && !known.contains(&from) {
                known.push(from);
            }
        }
        next += 1;
    }
    origins.sort_unstable();
    origins
}

/// Every state that some sequence of triggers leads to, `from` included, in declared order.
pub fn reachable<M: Machine>(from: M::State) -> Vec<M::State> {
    let mut seen = vec![from];
    let mut next = 0;
    while let Some(&state) = seen.get(next) {
        for row in leaving::<M>(state) {
            for target in targets::<M>(row, state) {
                if !seen.contains(&target) {
                    seen.push(target);
                }
            }
        }
        next += 1;
    }
    seen.sort_unstable();
    seen
}

/// The legality matrix: each pair of state and trigger with the row it takes, or none where it is refused.
pub fn matrix<M: Machine>() -> impl Iterator<Item = (M::State, M::Trigger, Option<&'static RowOf<M>>)> {
    M::State::VARIANTS.iter().flat_map(|&state| {
        M::Trigger::VARIANTS.iter().map(move |&trigger| (state, trigger, next::<M>(state, trigger).ok()))
    })
}
