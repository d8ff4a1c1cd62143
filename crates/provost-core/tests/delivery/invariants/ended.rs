//! Nothing happens to a delivery that has ended, and nothing is left being done for it.

use provost_core::decider::Decider as _;
use provost_core::delivery::What;

use super::{check, delivery_events};
use crate::explorer::Step;

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    if step.before.board().has_ended() {
        let late = delivery_events(step.events).all(|event| matches!(event.what, What::LateReport { .. }));
        check(late, || format!("after the end: {:?}", step.events))?;
    }
    let left = step.after.state.due().len();
    check(!step.after.board().has_ended() || left == 0, || format!("{left} effects outlive the delivery"))
}
