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
