//! A paused delivery gives out nothing until somebody resumes it.

use provost_core::delivery::{Course, What};

use super::{check, delivery_events};
use crate::explorer::Step;

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    if step.before.board().course != Course::Paused {
        return Ok(());
    }
    let wanted = |what: &What| matches!(what, What::SessionResumed {} | What::DeliveryCancelled {});
    let stays = step.after.board().course == Course::Paused;
    let asked = delivery_events(step.events).any(|event| wanted(&event.what));
    check(stays || asked, || format!("it goes on although nobody resumed it: {:?}", step.events))
}
