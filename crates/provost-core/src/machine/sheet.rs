//! A machine with its types taken off, for whatever only prints or compares it.

use std::collections::BTreeMap;

use serde::Serialize;
use strum::VariantArray;

use super::{Machine, RowOf, Source, Target, leaving, targets, terminal};

/// One machine as plain names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sheet {
    /// The machine's name.
    pub name: &'static str,
    /// What one run of it is.
    pub what: &'static str,
    /// Where a run begins.
    pub start: &'static str,
    /// All states in declared order.
    pub states: Vec<&'static str>,
    /// What people read for each state.
    pub labels: BTreeMap<&'static str, &'static str>,
    /// The states that only rows which reopen leave.
    pub terminal: Vec<&'static str>,
    /// The states in which a run may stay for good although rows leave them.
    pub resting: Vec<&'static str>,
    /// All triggers in declared order.
    pub triggers: Vec<&'static str>,
    /// The rows as written; `from` is `*` for rows from anywhere.
    pub rows: Vec<SheetRow>,
    /// The same rows with `*` and remembered targets written out.
    pub edges: Vec<SheetRow>,
}

/// One row of a sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SheetRow {
    /// The state left, or `*`.
    pub from: &'static str,
    /// The trigger.
    pub on: &'static str,
    /// The state entered, or `(where it was)`.
    pub to: &'static str,
    /// `forward`, `back`, `stay` or `aside`.
    pub direction: &'static str,
    /// The setting that bounds the row.
    pub limit: Option<&'static str>,
    /// Whether the row leaves a finished run on purpose.
    pub reopen: bool,
}

/// How a remembered target is written.
const REMEMBERED: &str = "(where it was)";

impl Sheet {
    /// Takes the types off a machine.
    pub fn of<M: Machine>() -> Sheet {
        let states = M::State::VARIANTS;
        Sheet {
            name: M::NAME,
            what: M::WHAT,
            start: M::START.into(),
            states: states.iter().map(|&state| state.into()).collect(),
            labels: states.iter().map(|&state| (state.into(), M::label(state))).collect(),
            resting: M::RESTING.iter().map(|&state| state.into()).collect(),
            terminal: states.iter().copied().filter(|&state| terminal::<M>(state)).map(Into::into).collect(),
            triggers: M::Trigger::VARIANTS.iter().map(|&trigger| trigger.into()).collect(),
            rows: M::TABLE.iter().map(as_written::<M>).collect(),
            edges: states.iter().copied().flat_map(edges_from::<M>).collect(),
        }
    }
}

fn as_written<M: Machine>(row: &RowOf<M>) -> SheetRow {
    SheetRow {
        from: match row.from {
            Source::At(state) => state.into(),
            Source::Anywhere => "*",
        },
        on: row.on.into(),
        to: match row.to {
            Target::To(state) => state.into(),
            Target::Remembered => REMEMBERED,
        },
        direction: row.direction.into(),
        limit: row.limit.map(Into::into),
        reopen: row.reopen,
    }
}

fn edges_from<M: Machine>(state: M::State) -> Vec<SheetRow> {
    leaving::<M>(state)
        .flat_map(|row| {
            let edge =
                move |to: M::State| SheetRow { from: state.into(), to: to.into(), ..as_written::<M>(row) };
            targets::<M>(row, state).into_iter().map(edge)
        })
        .collect()
}
