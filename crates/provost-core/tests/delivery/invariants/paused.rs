//! A paused delivery gives out nothing until somebody resumes it.

use provost_core::delivery::{Course, What};

use super::{Step, check};

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    for (id, before, after) in step.boards() {
        if before.course != Course::Paused {
            continue;
        }
        let wanted = |what: &What| matches!(what, What::SessionResumed {} | What::DeliveryCancelled {});
        let stays = after.course == Course::Paused;
        let asked = step.delivery_events().any(|event| event.delivery == *id && wanted(&event.what));
        check(stays || asked, || format!("it goes on although nobody resumed it: {:?}", step.events))?;
    }
    Ok(())
}
