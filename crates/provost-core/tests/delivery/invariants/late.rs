//! A report of an effect that is over is recorded and changes nothing.

use provost_core::decider::Decider as _;
use provost_core::delivery::What;

use super::{Step, check};

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    let late = step.delivery_events().any(|event| matches!(event.what, What::LateReport { .. }));
    let over = step.reporter.is_some_and(|effect| step.before.due().get(effect).is_none());
    check(!(late || over) || step.before == step.after, || {
        format!("a late report was obeyed: {:?}", step.events)
    })
}
