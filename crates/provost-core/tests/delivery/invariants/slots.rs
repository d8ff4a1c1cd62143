//! No more tasks hold slots than there are, only those that are worked on, and nothing is done for a task without one.

use provost_core::delivery::Status;
use provost_core::limits::Limit;

use super::check;
use crate::explorer::Step;

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    let limit = step.after.state.project.settings.limit(Limit::Agents) as usize;
    let tasks = &step.after.board().tasks;
    let held = tasks.values().filter(|task| task.slot).count();
    check(held <= limit, || format!("{held} tasks hold {limit} slots"))?;
    let works = |status| {
        let stages = [Status::Implementing, Status::AwaitingReview, Status::AwaitingAudit, Status::Landing];
        stages.contains(&status)
    };
    for (id, task) in tasks {
        check(!task.slot || works(task.status), || format!("{id} is {:?} and keeps its slot", task.status))?;
    }
    match tasks.iter().find(|(_, task)| task.effect.is_some() && !task.slot) {
        Some((id, _)) => Err(format!("{id} is worked on without a slot")),
        None => Ok(()),
    }
}
