//! A task that waited goes on in the stage that it left.

use provost_core::delivery::{Status, What};

use super::{Step, check, task_of};

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    for (event, id, before) in step.task_events() {
        let waited = matches!(before.status, Status::AwaitingDivineGuidance | Status::AwaitingInfrastructure);
        let returns =
            matches!(event.what, What::DivineResponseReceived { .. } | What::InfrastructureRestored {});
        if waited && returns {
            let left = step.ghosts.of(&event.delivery, id).left;
            let now = task_of(step.after, &event.delivery, id).map(|task| task.status);
            check(left == now, || format!("{id} waited in {left:?} and goes on in {now:?}"))?;
        }
    }
    Ok(())
}
