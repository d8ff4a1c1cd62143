//! No more tasks hold slots than there are, only those that are worked on, of paused deliveries only those for which
//! something is being done, and nothing is done for a task without one.

use provost_core::delivery::{Course, Status};
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
    for (_, _, board) in step.boards().filter(|(_, _, board)| board.course == Course::Paused) {
        let waits = board.tasks.iter().find(|(_, task)| task.slot && task.effect.is_none());
        check(waits.is_none(), || format!("{:?} is paused and keeps its slot", waits.map(|(id, _)| id)))?;
    }
    check(held <= limit, || format!("{held} tasks hold {limit} slots"))
}
