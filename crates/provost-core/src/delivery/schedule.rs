//! What can be given out now. One step at a time: each is decided on the state that the last one left, and none looks
//! at more than the head of an index, however many tasks there are.

use super::board::Board;
use super::event::{Event, What};
use super::task::Task;
use super::{Deliveries, Status};
use crate::infrastructure::Health;
use crate::limits::Limit;
use crate::project::Settings;

impl Deliveries {
    /// Whether there is something to give out or to conclude.
    pub(crate) fn has_step(&self, settings: &Settings) -> bool {
        self.step(settings).is_some()
    }

    /// The next thing that needs no command.
    pub(crate) fn step(&self, settings: &Settings) -> Option<Event> {
        let free = self.slots < settings.limit(Limit::Agents);
        self.open.iter().find_map(|id| {
            let board = self.boards.get(id)?;
            let (task, what) = board.step(free)?;
            Some(Event { delivery: id.clone(), task, what })
        })
    }
}

impl Board {
    fn step(&self, free: bool) -> Option<(Option<String>, What)> {
        if !self.is_running() {
            return None;
        }
        if let Some(id) = self.unblockable.first() {
            return Some((Some(id.clone()), What::TaskUnblocked { unblocked_by: None }));
        }
        if self.health == Health::Healthy
            && let Some(id) = self.ailing.first()
        {
            return Some((Some(id.clone()), What::InfrastructureRestored {}));
        }
        let idle = self.idle.iter().find_map(|(_, id)| self.dispatch(id));
        let returning = || self.returning.iter().find_map(|(_, id)| self.dispatch(id));
        let new =
            || self.ready.first().filter(|_| self.may_start_new()).and_then(|rank| self.dispatch(&rank.task));
        idle.or_else(|| match returning().or_else(new) {
            // Another delivery holds the slots: this one waits for them, which is not resting.
            Some(_) if !free => None,
            None => self.conclusion().map(|what| (None, what)),
            next => next,
        })
    }

    /// Whether a task that nobody has begun may be: not while a person is asked, nor on broken ground.
    fn may_start_new(&self) -> bool {
        self.questions.is_empty() && self.health == Health::Healthy
    }

    /// The event that gives out a task's next effect.
    fn dispatch(&self, id: &str) -> Option<(Option<String>, What)> {
        let task = self.tasks.get(id)?;
        let agent = |name: &String| name.clone();
        let what = match task.status {
            Status::Available if task.only_verifies() => {
                What::AuditorDispatched { agent: agent(&self.roles.auditor) }
            }
            // Something around the work was broken; the work is as it was claimed.
            Status::Implementing if task.claimed => What::ReadyClaimed { summary: task.claim.clone() },
            Status::Available | Status::Implementing => {
                What::DeveloperDispatched { agent: agent(&self.roles.developer) }
            }
            Status::AwaitingReview => What::CriticDispatched { agent: agent(&self.roles.critic) },
            Status::AwaitingAudit => What::AuditorDispatched { agent: agent(&self.roles.auditor) },
            // One at a time; the others keep their slots and wait.
            Status::Landing if self.landing.is_none() => What::LandingStarted { tip: self.tip.clone() },
            _ => return None,
        };
        Some((Some(id.to_owned()), what))
    }

    /// What there is to say when nothing more can be given out and nothing is being done.
    fn conclusion(&self) -> Option<What> {
        if self.is_busy() {
            return None;
        }
        if self.unfinished == 0 {
            return Some(What::WorkflowComplete {});
        }
        let reason = if self.questions.is_empty() { "no task can go on" } else { "waiting for answers" };
        Some(What::WorkflowHalted { reason: reason.to_owned() })
    }
}

impl Task {
    /// Whether it can become available.
    pub(super) fn is_unblockable(&self) -> bool {
        self.status == Status::Blocked && self.blockers.is_empty()
    }
}
