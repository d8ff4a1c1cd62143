//! A delivery for which nothing is being done has ended, was paused, or asks somebody something.

use provost_core::decider::Decider as _;
use provost_core::delivery::Course;

use super::check;
use crate::explorer::Step;

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    let board = step.after.board();
    let waits = board.course == Course::Paused || !board.questions.is_empty() || board.has_ended();
    check(waits || !step.after.state.due().is_empty(), || {
        format!("nothing goes on, nobody is asked: {:?}", board.course)
    })
}
