//! For one task one thing is done at a time, an agent is there exactly while a turn is, and one task lands at a time.

use provost_core::decider::Decider as _;
use provost_core::delivery::Effect;

use super::{Step, check, owner};

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    for (delivery, _, board) in step.boards() {
        let mut landing = 0;
        for (id, task) in &board.tasks {
            let mine = |effect: &Effect| owner(effect) == (delivery.as_str(), Some(id.as_str()));
            let mut open = step.after.due().iter().filter(|(_, effect)| mine(effect));
            let first = open.next();
            check(open.next().is_none(), || format!("{id} has more than one effect"))?;
            check(task.effect == first.map(|it| it.0), || format!("{id} does not know its effect"))?;
            let turn = first.is_some_and(|(_, effect)| matches!(effect, Effect::Turn(_)));
            check(task.agent.is_some() == turn, || {
                format!("{id} has an agent without a turn, or a turn without")
            })?;
            landing += u32::from(first.is_some_and(|(_, effect)| matches!(effect, Effect::Land(_))));
        }
        check(landing <= 1, || format!("{landing} tasks land at once"))?;
    }
    Ok(())
}
