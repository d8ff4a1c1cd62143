//! No more tasks hold slots than there are, only those that are worked on, and nothing is done for a task without one.

use provost_core::delivery::Status;
use provost_core::limits::Limit;

use super::{Step, check};

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    let limit = step.after.project.settings.limit(Limit::Agents) as usize;
    let mut held = 0;
    for (id, task) in step.boards().flat_map(|(_, _, board)| &board.tasks) {
        let works = matches!(
            task.status,
            Status::Implementing | Status::AwaitingReview | Status::AwaitingAudit | Status::Landing
        );
        held += usize::from(task.slot);
        check(!task.slot || works, || format!("{id} is {:?} and keeps its slot", task.status))?;
        check(task.slot || task.effect.is_none(), || format!("{id} is worked on without a slot"))?;
    }
    check(held <= limit, || format!("{held} tasks hold {limit} slots"))
}
