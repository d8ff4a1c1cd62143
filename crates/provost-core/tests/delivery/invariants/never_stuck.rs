//! A delivery for which nothing is being done has ended, was paused, asks somebody something, or waits for slots that
//! others hold.

use provost_core::decider::Decider as _;
use provost_core::delivery::Course;

use super::{Step, check, owner};

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    if step.after.wake().is_some() {
        // More is about to be given out.
        return Ok(());
    }
    for (id, _, board) in step.boards() {
        let waits = board.course == Course::Paused || !board.questions.is_empty() || board.has_ended();
        let goes_on = step.after.due().iter().any(|(_, effect)| owner(effect).0 == id);
        let others = board.course == Course::Running && !step.after.due().is_empty();
        check(waits || goes_on || others, || {
            format!("nothing goes on in {id}, nobody is asked: {:?}", board.course)
        })?;
    }
    Ok(())
}
