//! What every machine has to show about its table, written once so that no machine's tests leave a part out.

use std::collections::BTreeSet;

use serde::Serialize;
use serde::de::DeserializeOwned;
use strum::VariantArray;

use super::{IllegalIn, Machine, Symbol, defects, leaving, matrix, next, targets};

/// Asserts that the table has no defect, that each pair of state and trigger is exactly one row or refused, and
/// that `legal` pairs are rows; which rows is what the generated page shows.
pub(crate) fn sound<M: Machine>(legal: usize) {
    assert_eq!(defects::<M>(), Vec::<String>::new());
    let mut taken = 0;
    for (state, trigger, row) in matrix::<M>() {
        let rows = leaving::<M>(state).filter(|row| row.on == trigger).count();
        if let Some(row) = row {
            assert_eq!(rows, 1);
            assert!(!targets::<M>(row, state).is_empty());
            taken += 1;
        } else {
            assert_eq!(rows, 0);
            assert_eq!(next::<M>(state, trigger).err(), Some(IllegalIn::<M> { state, trigger }));
        }
    }
    assert_eq!(taken, legal, "legal pairs");
    let labels: BTreeSet<&str> = M::State::VARIANTS.iter().map(|&state| M::label(state)).collect();
    assert_eq!(labels.len(), M::State::VARIANTS.len(), "two states of one machine read the same");
}

/// Asserts that a state or trigger has one name: the one that is drawn is the one that is stored and read back.
pub(crate) fn one_name<S: Symbol + Serialize + DeserializeOwned>() {
    for &symbol in S::VARIANTS {
        let name: &'static str = symbol.into();
        assert_eq!(serde_json::to_value(symbol).unwrap(), name);
        assert_eq!(serde_json::from_value::<S>(name.into()).unwrap(), symbol);
    }
}
