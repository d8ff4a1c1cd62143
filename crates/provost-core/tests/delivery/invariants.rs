//! What is true in every state and of every step, one to a file.

mod counters;
mod ended;
mod evidence;
mod indexes;
mod late;
mod never_stuck;
mod one_effect;
mod order;
mod paused;
mod slots;

use std::collections::BTreeMap;

use provost_core::delivery::{self, CheckResult, Verdict, What};
use provost_core::state::Event;

use crate::explorer::Step;

/// What the record proves about each task's last work, remembered beside the state and by other means.
#[derive(Clone, Default)]
pub(crate) struct Ghosts(BTreeMap<String, Proof>);

#[derive(Clone, Copy, Default)]
pub(crate) struct Proof {
    green: bool,
    reviewed: bool,
    audited: bool,
}

/// Says which invariant does not hold, and why.
pub(crate) fn hold(step: &Step<'_>) -> Result<(), String> {
    indexes::hold(step)?;
    slots::hold(step)?;
    one_effect::hold(step)?;
    order::hold(step)?;
    evidence::hold(step)?;
    counters::hold(step)?;
    paused::hold(step)?;
    late::hold(step)?;
    ended::hold(step)?;
    never_stuck::hold(step)
}

impl Ghosts {
    /// What is proven of a task.
    pub(crate) fn of(&self, task: &str) -> Proof {
        self.0.get(task).copied().unwrap_or_default()
    }

    pub(crate) fn see(&mut self, events: &[Event]) {
        for event in delivery_events(events) {
            let Some(task) = &event.task else { continue };
            let proof = self.0.entry(task.clone()).or_default();
            match &event.what {
                What::DeveloperDispatched { .. } => *proof = Proof::default(),
                What::DeveloperReadyForReview { results, .. } => proof.green = passed(results),
                What::CriticPass { .. } => proof.reviewed = true,
                What::AuditorPass { .. } => proof.audited = true,
                What::CriticDispatched { .. } => proof.audited = false,
                // The only question whose answer leads to landing without a review.
                What::DivineResponseReceived { answer, .. } if answer == "land" => proof.reviewed = true,
                _ => {}
            }
        }
    }
}

impl Proof {
    /// As a digit of a key.
    pub(crate) fn digit(self) -> u8 {
        u8::from(self.green) + 2 * u8::from(self.reviewed) + 4 * u8::from(self.audited)
    }
}

fn passed(results: &[CheckResult]) -> bool {
    !results.is_empty() && results.iter().all(|result| result.verdict == Verdict::Passed)
}

fn delivery_events(events: &[Event]) -> impl Iterator<Item = &delivery::Event> {
    events.iter().filter_map(|event| match event {
        Event::Delivery(event) => Some(event),
        Event::Project(_) | Event::Planning(_) => None,
    })
}

fn check(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}
