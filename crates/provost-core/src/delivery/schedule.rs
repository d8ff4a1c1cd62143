//! What can be given out now. One step at a time: each is decided on the state that the last one left, and none looks
//! at more than the head of an index, however many tasks there are.

use super::board::Board;
use super::event::{About, Event, Question, What};
use super::task::Task;
use super::terms::{Resting, WhileWaiting};
use super::{Deliveries, Status};
use crate::decider::Moment;
use crate::infrastructure::Health;
use crate::limits::Limit;
use crate::project::Settings;
use crate::time::Timestamp;

impl Deliveries {
    /// Whether there is something to give out or to conclude.
    pub(crate) fn has_step(&self, settings: &Settings) -> bool {
        // Who works is a question of time; whether somebody does is not.
        let moment = Moment { now: Timestamp::EPOCH, sequence: 0 };
        self.step(settings, moment).is_some()
    }

    /// The next thing that needs no command.
    pub(crate) fn step(&self, settings: &Settings, moment: Moment) -> Option<Event> {
        let ground = Ground { moment, resting: &self.resting };
        let free = self.slots < settings.limit(Limit::Agents);
        self.open.iter().find_map(|id| {
            let board = self.boards.get(id)?;
            let (task, what) = board.step(free, ground)?;
            Some(Event { delivery: id.clone(), task, what })
        })
    }
}

/// What giving out work depends on beside the delivery.
#[derive(Clone, Copy)]
struct Ground<'a> {
    moment: Moment,
    resting: &'a Resting,
}

impl Board {
    fn step(&self, free: bool, ground: Ground<'_>) -> Option<(Option<String>, What)> {
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
        if let Some(used) = self.all_used_up()
            && !self.asks_about_spending()
        {
            let text = format!("the delivery has used {used}; let it use as much again?");
            let question = question(ground.moment, text, &["continue", "stop"]);
            return Some((None, What::SpendLimitReached { question }));
        }
        let dispatch = |id: &String| self.dispatch(id, ground);
        let idle = self.idle.iter().find_map(|(_, id)| dispatch(id));
        let returning = || self.returning.iter().find_map(|(_, id)| dispatch(id));
        let new =
            || self.ready.first().filter(|_| self.may_start_new()).and_then(|rank| dispatch(&rank.task));
        idle.or_else(|| match returning().or_else(new) {
            // Another delivery holds the slots: this one waits for them, which is not resting.
            Some(_) if !free => None,
            None => self.conclusion().map(|what| (None, what)),
            next => next,
        })
    }

    /// Whether a task that nobody has begun may be: not while a person is asked, nor on broken ground.
    fn may_start_new(&self) -> bool {
        self.holding().is_none() && self.health == Health::Healthy
    }

    /// The first question that keeps tasks from being begun. A task that is halted keeps only those that wait for it:
    /// whether it is tried again changes nothing for the others.
    pub fn holding(&self) -> Option<&Question> {
        let holds = |(question, task): &&(Question, Option<String>)| match task {
            None => true,
            Some(_) => question.about != About::Halt && self.terms.while_waiting == WhileWaiting::Halt,
        };
        self.questions.values().find(holds).map(|(question, _)| question)
    }

    /// Whether a person is asked what the delivery may cost; no agent is paid meanwhile.
    fn asks_about_spending(&self) -> bool {
        self.questions.values().any(|(question, task)| question.about == About::Spend && task.is_none())
    }

    /// The event that gives out a task's next effect.
    fn dispatch(&self, id: &str, ground: Ground<'_>) -> Option<(Option<String>, What)> {
        let task = self.tasks.get(id)?;
        let now = ground.moment.now;
        let agent = |name: &String| self.terms.at_work(name, ground.resting, now).to_owned();
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
        if !what.pays_an_agent() {
            return Some((Some(id.to_owned()), what));
        }
        if self.asks_about_spending() {
            return None;
        }
        let what = match self.used_up(task) {
            Some(used) => {
                let text = format!("task {id} has used {used}; let it use as much again?");
                let question = question(ground.moment, text, &["continue", "remove"]);
                What::CoordinatorSeeksGuidance { question }
            }
            None => what,
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

impl What {
    const fn pays_an_agent(&self) -> bool {
        matches!(
            self,
            What::DeveloperDispatched { .. } | What::CriticDispatched { .. } | What::AuditorDispatched { .. }
        )
    }
}

/// A question about what may be spent; its id is the sequence of the event that carries it.
fn question(moment: Moment, text: String, options: &[&str]) -> Question {
    let options = options.iter().map(|option| (*option).to_owned()).collect();
    Question { id: format!("q-{}", moment.sequence), about: About::Spend, text, options }
}

impl Task {
    /// Whether it can become available.
    pub(super) fn is_unblockable(&self) -> bool {
        self.status == Status::Blocked && self.blockers.is_empty()
    }
}
