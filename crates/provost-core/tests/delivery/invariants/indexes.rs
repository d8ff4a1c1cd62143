//! What is counted and indexed agrees with a plain look at every task, and no effect is without its task.

use provost_core::decider::Decider as _;

use super::Step;

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    step.after.deliveries.check_indexes(step.after.due())
}
