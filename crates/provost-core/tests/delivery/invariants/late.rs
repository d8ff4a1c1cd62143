//! A report of an effect that is over is recorded and changes nothing but what was spent.

use provost_core::decider::Decider as _;
use provost_core::delivery::What;
use provost_core::state::State;

use super::{Step, check};

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    let is_late = |what: &What| matches!(what, What::LateReport { .. });
    let late = step.delivery_events().any(|event| is_late(&event.what));
    let over = step.reporter.is_some_and(|effect| step.before.due().get(effect).is_none());
    let obeyed = step.delivery_events().find(|event| over && !is_late(&event.what));
    check(obeyed.is_none(), || format!("a late report was obeyed: {obeyed:?}"))?;
    let costs = |what: &What| matches!(what, What::LateReport { spent: Some(_), .. });
    if step.delivery_events().any(|event| costs(&event.what)) {
        let stands = |state: &State| -> Vec<String> {
            let tasks = state.deliveries.boards.values().flat_map(|board| &board.tasks);
            tasks.map(|(id, task)| format!("{id} {:?} {:?}", task.status, task.effect)).collect()
        };
        return check(stands(step.before) == stands(step.after), || "a late report moved a task".to_owned());
    }
    check(!(late || over) || step.before == step.after, || "a late report changed something".to_owned())
}
