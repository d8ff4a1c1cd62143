//! No task is worked on before everything that it waits for is complete.

use provost_core::delivery::Status;

use super::{Step, check};

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    for tasks in step.boards().map(|(_, _, board)| &board.tasks) {
        for (id, task) in tasks {
            let begun = task.status != Status::Blocked && task.status != Status::Removed;
            for (other, blocker) in tasks.iter().filter(|(_, it)| it.dependents.contains(id)) {
                let complete = blocker.status == Status::Complete;
                check(!begun || complete, || {
                    format!("{id} is {:?} before {other} is complete", task.status)
                })?;
                check(!complete || !task.blockers.contains(other), || {
                    format!("{id} waits for {other}, which is complete")
                })?;
            }
        }
    }
    Ok(())
}
