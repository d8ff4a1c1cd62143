//! A turn that was lost or stopped counts for nothing, and what it left in its worktree is taken over, not used again.

use provost_core::delivery::What;
use provost_core::role::Role;

use super::{Step, check, task_of};

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    for (event, id, before) in step.task_events() {
        let What::TaskRestartedOnResume { role } = event.what else { continue };
        let Some(after) = task_of(step.after, &event.delivery, id) else { continue };
        check(before.counts == after.counts, || format!("{id}: a lost turn was counted"))?;
        check(before.status == after.status, || format!("{id}: a lost turn led to {:?}", after.status))?;
        let (Some(was), Some(is)) = (&before.worktree, &after.worktree) else { continue };
        let taken_over =
            is.generation == was.generation + 1 && is.salvage_of == was.salvage_of.or(Some(was.generation));
        check(role != Role::Developer || taken_over, || format!("{id} goes on in a lost turn's worktree"))?;
    }
    Ok(())
}
