//! For one task one thing is done at a time, an agent is there exactly while a turn is, and one task lands at a time.

use provost_core::decider::Decider as _;
use provost_core::delivery::Effect;

use super::check;
use crate::explorer::Step;

pub(super) fn hold(step: &Step<'_>) -> Result<(), String> {
    let effects = step.after.state.due();
    let mut landing = 0;
    for (id, task) in &step.after.board().tasks {
        let mut open = Vec::new();
        for (effect, it) in effects.iter() {
            let of = match &it.effect {
                Effect::Turn(turn) => &turn.task,
                Effect::Measure(measure) => &measure.task,
                Effect::Land(land) => &land.task,
                Effect::Clean { .. } | Effect::Baseline { .. } => continue,
            };
            if of == id {
                landing += u32::from(matches!(it.effect, Effect::Land(_)));
                open.push((effect, matches!(it.effect, Effect::Turn(_))));
            }
        }
        check(open.len() <= 1, || format!("{id} has {} effects", open.len()))?;
        let open = open.first();
        check(task.effect == open.map(|(effect, _)| *effect), || format!("{id} does not know its effect"))?;
        let turn = open.is_some_and(|(_, turn)| *turn);
        check(task.agent.is_some() == turn, || {
            format!("{id} has an agent without a turn, or a turn without")
        })?;
    }
    check(landing <= 1, || format!("{landing} tasks land at once"))
}
