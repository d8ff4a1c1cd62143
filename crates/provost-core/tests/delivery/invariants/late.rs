//! A report of an effect that is over is recorded and changes nothing.

use provost_core::delivery::What;

use super::{check, delivery_events};
use crate::explorer::Step;

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    let late = delivery_events(step.events).any(|event| matches!(event.what, What::LateReport { .. }));
    check(!late || step.before.state == step.after.state, || "a late report was obeyed".to_owned())
}
