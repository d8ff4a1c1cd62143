//! What is true in every state and of every step, one to a file. The explorer asks it of every state of small worlds,
//! and the simulation of the driver of whatever reaches its journal.

// Written out, because the simulation names this file, and the way to the others does not follow from that.
#[path = "invariants/answers.rs"]
mod answers;
#[path = "invariants/counters.rs"]
mod counters;
#[path = "invariants/ended.rs"]
mod ended;
#[path = "invariants/evidence.rs"]
mod evidence;
#[path = "invariants/indexes.rs"]
mod indexes;
#[path = "invariants/late.rs"]
mod late;
#[path = "invariants/lost.rs"]
mod lost;
#[path = "invariants/never_stuck.rs"]
mod never_stuck;
#[path = "invariants/one_effect.rs"]
mod one_effect;
#[path = "invariants/order.rs"]
mod order;
#[path = "invariants/paused.rs"]
mod paused;
#[path = "invariants/slots.rs"]
mod slots;

use std::collections::BTreeMap;

use provost_core::delivery::{self, Board, CheckResult, Effect, Status, Task, Verdict, What};
use provost_core::effects::EffectId;
use provost_core::state::{Event, State};

/// One step that was taken: what was asked, what followed, where it led.
pub(crate) struct Step<'s> {
    pub(crate) before: &'s State,
    pub(crate) after: &'s State,
    /// The effect that reported, or was reported as lost.
    pub(crate) reporter: Option<EffectId>,
    pub(crate) events: &'s [Event],
    /// As they were before the step.
    pub(crate) ghosts: &'s Ghosts,
}

/// What the record says about each task, remembered beside the state and by other means.
#[derive(Clone, Default)]
pub(crate) struct Ghosts(BTreeMap<(String, String), Ghost>);

#[derive(Clone, Copy, Default)]
pub(crate) struct Ghost {
    /// Whether its last work was measured, and nothing that is required failed.
    pub(crate) green: bool,
    pub(crate) reviewed: bool,
    pub(crate) audited: bool,
    /// The stage that it left to wait for somebody.
    left: Option<Status>,
}

/// Says which invariant does not hold, and why.
pub(crate) fn hold(step: &Step<'_>) -> Result<(), String> {
    // First, because whatever else it breaks is a consequence.
    late::hold(step)?;
    indexes::hold(step)?;
    slots::hold(step)?;
    one_effect::hold(step)?;
    order::hold(step)?;
    evidence::hold(step)?;
    counters::hold(step)?;
    answers::hold(step)?;
    paused::hold(step)?;
    lost::hold(step)?;
    ended::hold(step)?;
    never_stuck::hold(step)
}

impl Step<'_> {
    /// The deliveries that were there before the step, as they were and as they are.
    fn boards(&self) -> impl Iterator<Item = (&String, &Board, &Board)> {
        let after = |id| self.after.deliveries.boards.get(id);
        self.before.deliveries.boards.iter().filter_map(move |(id, before)| Some((id, before, after(id)?)))
    }

    /// Their events.
    fn delivery_events(&self) -> impl Iterator<Item = &delivery::Event> {
        self.events.iter().filter_map(|event| match event {
            Event::Delivery(event) => Some(event),
            Event::Project(_) | Event::Planning(_) => None,
        })
    }

    /// Those about tasks, with the task as it was.
    fn task_events(&self) -> impl Iterator<Item = (&delivery::Event, &String, &Task)> {
        self.delivery_events().filter_map(|event| {
            let id = event.task.as_ref()?;
            Some((event, id, task_of(self.before, &event.delivery, id)?))
        })
    }
}

impl Ghosts {
    /// What is remembered of a task.
    pub(crate) fn of(&self, delivery: &str, task: &str) -> Ghost {
        self.0.get(&(delivery.to_owned(), task.to_owned())).copied().unwrap_or_default()
    }

    /// Takes note of an event that is about to happen in a state.
    pub(crate) fn see(&mut self, state: &State, event: &Event) {
        let Event::Delivery(event) = event else { return };
        let Some(id) = &event.task else { return };
        let ghost = self.0.entry((event.delivery.clone(), id.clone())).or_default();
        match &event.what {
            What::DeveloperDispatched { .. } => *ghost = Ghost::default(),
            What::DeveloperReadyForReview { results, .. } => ghost.green = passed(results),
            What::CriticPass { .. } => ghost.reviewed = true,
            What::AuditorPass { .. } => ghost.audited = true,
            What::CriticDispatched { .. } => ghost.audited = false,
            // The only question whose answer leads to landing without a review.
            What::DivineResponseReceived { answer, .. } if answer == "land" => ghost.reviewed = true,
            What::AgentSeeksGuidance { .. }
            | What::CoordinatorSeeksGuidance { .. }
            | What::DeveloperBlocked { .. }
            | What::AuditorBlocked { .. }
            | What::EnvironmentUnavailable { .. } => {
                ghost.left = task_of(state, &event.delivery, id).map(|task| task.status);
            }
            _ => {}
        }
    }
}

fn task_of<'s>(state: &'s State, delivery: &str, id: &str) -> Option<&'s Task> {
    state.deliveries.boards.get(delivery)?.tasks.get(id)
}

/// The delivery that an effect belongs to, and the task, unless it is work that is not about one, or no longer.
fn owner(effect: &Effect) -> (&str, Option<&str>) {
    match effect {
        Effect::Turn(turn) => (&turn.delivery, Some(&turn.task)),
        Effect::Measure(measure) => (&measure.delivery, Some(&measure.task)),
        Effect::Land(land) => (&land.delivery, Some(&land.task)),
        Effect::Clean { delivery, .. } | Effect::Baseline { delivery, .. } => (delivery, None),
    }
}

/// Whether nothing that is required failed.
fn passed(results: &[CheckResult]) -> bool {
    results.iter().all(|result| !result.required || result.verdict == Verdict::Passed)
}

fn check(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}
