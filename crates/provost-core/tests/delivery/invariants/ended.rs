//! Nothing happens to a delivery that has ended, and nothing is left being done for it, nor for a task that has ended.

use provost_core::decider::Decider as _;

use super::{Step, check, owner};

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    for (id, before, after) in step.boards() {
        let more = step.delivery_events().find(|event| before.has_ended() && event.delivery == *id);
        check(more.is_none(), || format!("after the end of {id}: {more:?}"))?;
        for (effect, due) in step.after.due().iter() {
            let (delivery, task) = owner(due);
            if delivery == id {
                check(!after.has_ended(), || format!("{effect} outlives the delivery"))?;
                let task = task.and_then(|task| after.tasks.get(task));
                check(task.is_none_or(|task| !task.has_ended()), || format!("{effect} outlives its task"))?;
            }
        }
    }
    Ok(())
}
