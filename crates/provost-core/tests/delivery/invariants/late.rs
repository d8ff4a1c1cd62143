//! A report of an effect that is over is recorded and changes nothing.

use provost_core::decider::Decider as _;
use provost_core::delivery::What;

use super::{Step, check};

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    let is_late = |what: &What| matches!(what, What::LateReport { .. });
    let late = step.delivery_events().any(|event| is_late(&event.what));
    let over = step.reporter.is_some_and(|effect| step.before.due().get(effect).is_none());
    let obeyed = step.delivery_events().find(|event| over && !is_late(&event.what));
    check(obeyed.is_none(), || format!("a late report was obeyed: {obeyed:?}"))?;
    check(!(late || over) || step.before == step.after, || "a late report changed something".to_owned())
}
