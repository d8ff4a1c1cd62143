//! All six machines in one list, for whatever prints, compares or completes over every one of them.

use crate::agent::Agent;
use crate::delivery::Delivery;
use crate::infrastructure::Infrastructure;
use crate::lifecycle::Lifecycle;
use crate::machine::Sheet;
use crate::planning::Planning;
use crate::round::Round;

/// The sheets of all machines: the four that people start, then the two that serve delivery.
pub fn sheets() -> Vec<Sheet> {
    vec![
        Sheet::of::<Planning>(),
        Sheet::of::<Delivery>(),
        Sheet::of::<Round>(),
        Sheet::of::<Lifecycle>(),
        Sheet::of::<Agent>(),
        Sheet::of::<Infrastructure>(),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn machines_whose_events_have_no_prefix_share_no_trigger() {
        let mut seen = BTreeSet::new();
        for sheet in sheets() {
            if ["delivery", "agent", "infrastructure"].contains(&sheet.name) {
                assert!(sheet.triggers.iter().all(|&trigger| seen.insert(trigger)), "{}", sheet.name);
            }
        }
    }
}
