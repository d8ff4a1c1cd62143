//! Folding events into deliveries: the only writer of their state.

mod added;
mod agents;
mod due;
mod left;
mod people;

use super::board::{Board, Course};
use super::command::Category;
use super::effect::{Effect, Feedback, Leftovers};
use super::event::{Event, What};
use super::task::{Review, Task, Working};
use super::terms::{Rest, Resting};
use super::{Deliveries, Delivery, Status};
use crate::agent;
use crate::decider::{At, Impossible};
use crate::effects::{EffectId, Effects};
use crate::infrastructure::Infrastructure;
use crate::machine::{Target, next, waiting};
use crate::project::Settings;
use crate::role::Role;

impl Deliveries {
    /// Folds one event.
    pub(crate) fn apply(
        &mut self,
        at: At<'_>,
        event: &Event,
        settings: &Settings,
        effects: &mut Effects<Effect>,
    ) -> Result<(), Impossible> {
        if let What::DeliveryStarted { .. } = &event.what {
            self.start(at, event, effects);
            return Ok(());
        }
        if let What::LateReport { effect, spent, basis } = &event.what {
            if let (Some(board), Some(spent)) = (self.boards.get_mut(&event.delivery), spent) {
                board.late(*effect, *spent, *basis);
            }
            return Ok(());
        }
        let impossible = |why: String| Impossible { event_type: event.what.name(), why };
        let before = self.boards.get(&event.delivery).map_or(0, |board| board.slots);
        let board = self.boards.get_mut(&event.delivery);
        let board = board.ok_or_else(|| impossible(format!("there is no delivery {}", event.delivery)))?;
        let resting = &self.resting;
        let mut fold = Fold { at, delivery: &event.delivery, board, settings, effects, resting };
        match &event.task {
            Some(task) if !matches!(event.what, What::TaskAdded { .. }) => fold.task(task, &event.what),
            _ => fold.whole(event.task.as_deref(), &event.what),
        }
        .map_err(impossible)?;
        let (after, ended) = (fold.board.slots, fold.board.has_ended());
        self.slots = self.slots + after - before;
        match &event.what {
            What::AgentTroubled { agent, rests: true, until, .. } => {
                self.resting.insert(agent.clone(), Rest { until: *until });
            }
            // Whoever has the work go on has mended what could be mended.
            What::SessionResumed {} | What::RemediationDivineOverride { .. } => self.resting.clear(),
            _ => {}
        }
        if ended {
            self.open.remove(&event.delivery);
        }
        Ok(())
    }

    fn start(&mut self, at: At<'_>, event: &Event, effects: &mut Effects<Effect>) {
        let Some(mut board) = Board::begun(&event.what) else { return };
        board.begin_baseline(EffectId(at.sequence), &event.delivery, effects);
        self.boards.insert(event.delivery.clone(), board);
        self.open.insert(event.delivery.clone());
    }
}

/// One event on its way into one delivery.
struct Fold<'a> {
    at: At<'a>,
    delivery: &'a str,
    board: &'a mut Board,
    settings: &'a Settings,
    effects: &'a mut Effects<Effect>,
    resting: &'a Resting,
}

impl Fold<'_> {
    /// An event about the delivery as a whole.
    fn whole(&mut self, task: Option<&str>, what: &What) -> Result<(), String> {
        if let Some(trigger) = what.infrastructure_trigger() {
            let row = next::<Infrastructure>(self.board.health, trigger).map_err(|why| why.to_string())?;
            if let Target::To(health) = row.to {
                self.board.health = health;
            }
        }
        let board = &mut *self.board;
        match what {
            What::TaskAdded { .. } => self.add(task.unwrap_or_default(), what),
            What::PreExistingBaselineCaptured { results } => {
                board.baseline = Some(results.clone());
                board.course = Course::Running;
                board.end_background(self.effects);
            }
            What::CoordinatorPrays { question } => {
                board.course = Course::Preparing;
                board.questions.insert(question.id.clone(), (question.clone(), None));
            }
            What::RemediationUnavailable { question } | What::SpendLimitReached { question } => {
                if board.baseline.is_none() {
                    // Measured anew when the person says that it can be.
                    board.end_background(self.effects);
                }
                board.questions.insert(question.id.clone(), (question.clone(), None));
            }
            What::GuidanceReceived { question, ignored_checks, .. } => {
                let asked = board.questions.remove(question);
                board.granted += u32::from(asked.is_some_and(|(it, _)| it.about == super::About::Spend));
                board.ignored.extend(ignored_checks.iter().cloned());
                board.course = Course::Running;
            }
            What::RemediationDivineOverride { .. } => {
                board.questions.retain(|_, (question, _)| question.about != super::About::Infrastructure);
                board.wake();
                if board.baseline.is_none() {
                    board.begin_baseline(EffectId(self.at.sequence), self.delivery, self.effects);
                }
            }
            What::SessionPause { .. } => {
                if board.course == Course::Preparing {
                    board.end_background(self.effects);
                }
                self.pause();
            }
            What::SessionResumed {} if board.baseline.is_none() => {
                board.begin_baseline(EffectId(self.at.sequence), self.delivery, self.effects);
            }
            What::SessionResumed {} => board.course = Course::Running,
            What::WorkflowComplete {} => board.course = Course::Complete,
            What::WorkflowHalted { reason } => board.course = Course::Resting { reason: reason.clone() },
            What::DeliveryCancelled {} => self.cancel(),
            _ => {}
        }
        Ok(())
    }

    /// Gives out nothing more; whoever waits for its next effect does so without a slot.
    fn pause(&mut self) {
        self.board.course = Course::Paused;
        let idle: Vec<String> = self.board.idle.iter().map(|(_, id)| id.clone()).collect();
        for id in idle {
            self.release(&id);
            self.board.file(&id);
        }
    }

    fn cancel(&mut self) {
        self.board.course = Course::Cancelled;
        self.board.questions.clear();
        self.board.end_background(self.effects);
        let ids: Vec<String> = self.board.tasks.keys().cloned().collect();
        for id in ids {
            self.give_up(&id);
            self.release(&id);
            self.board.file(&id);
        }
    }

    /// An event about one task.
    fn task(&mut self, id: &str, what: &What) -> Result<(), String> {
        let sequence = self.at.sequence;
        let task = self.board.tasks.get_mut(id).ok_or_else(|| format!("there is no task {id}"))?;
        task.note_ends(sequence, what);
        if let Some(trigger) = what.agent_trigger() {
            let working = task.agent.clone().ok_or("no agent works on it")?;
            let row = next::<agent::Agent>(working.status, trigger).map_err(|why| why.to_string())?;
            if let Target::To(status) = row.to {
                self.agent_went(id, working, status);
            }
        }
        if let Some(trigger) = what.trigger() {
            let row =
                next::<Delivery>(task_status(self.board, id), trigger).map_err(|why| why.to_string())?;
            let to = match row.to {
                Target::To(to) => to,
                Target::Remembered => {
                    let stage = self.board.tasks.get(id).and_then(|task| task.stage);
                    stage.ok_or("nothing is remembered")?
                }
            };
            self.enter(id, to);
        }
        if ends_the_effect(what) {
            self.end_effect(id);
        }
        self.remember(id, what);
        let works = self.board.tasks.get(id).is_some_and(|task| task.effect.is_some());
        if self.board.course == Course::Paused && !works {
            // Nobody knows when it goes on, and another delivery may need the slot.
            self.release(id);
        }
        self.board.file(id);
        Ok(())
    }

    /// The turn stands differently; one that has ended is no longer anybody's work.
    fn agent_went(&mut self, id: &str, working: Working, status: agent::Status) {
        let ended = crate::machine::terminal::<agent::Agent>(status);
        if ended {
            self.end_effect(id);
        }
        if let Some(task) = self.board.tasks.get_mut(id) {
            task.agent = (!ended).then_some(Working { status, ..working });
        }
    }

    /// Puts a task into a status, with what that means for its slot.
    fn enter(&mut self, id: &str, to: Status) {
        let Some(task) = self.board.tasks.get_mut(id) else { return };
        let from = task.status;
        if from != to {
            task.since = self.at.sequence;
            if waiting::<Delivery>(to) && !waiting::<Delivery>(from) {
                task.stage = Some(from);
            }
        }
        task.status = to;
        let ended = !matches!(from, Status::Complete | Status::Removed) && task.has_ended();
        if ended {
            self.board.unfinished -= 1;
        }
        if self.board.landing.as_deref() == Some(id) && to != Status::Landing {
            self.board.landing = None;
        }
        if !Task::is_live(to) {
            self.give_up(id);
            self.release(id);
        }
    }

    fn release(&mut self, id: &str) {
        if let Some(task) = self.board.tasks.get_mut(id)
            && std::mem::take(&mut task.slot)
        {
            self.board.slots -= 1;
        }
    }

    fn end_effect(&mut self, id: &str) {
        if let Some(task) = self.board.tasks.get_mut(id) {
            task.agent = None;
            if let Some(effect) = task.effect.take() {
                self.board.working -= 1;
                self.effects.end(effect);
            }
        }
    }

    /// Makes an effect due for a task; whoever works holds a slot.
    fn begin(&mut self, id: &str, effect: Effect) {
        let effect_id = EffectId(self.at.sequence);
        self.give_up(id);
        let Some(task) = self.board.tasks.get_mut(id) else { return };
        task.effect = Some(effect_id);
        self.board.working += 1;
        if !std::mem::replace(&mut task.slot, true) {
            self.board.slots += 1;
        }
        self.effects.begin(effect_id, effect);
    }

    /// What an event means beside the status.
    fn remember(&mut self, id: &str, what: &What) {
        match what {
            What::AgentDispatched { .. } => {
                // By now the worktree has taken over and merged what it had to; a turn that ended before may not have.
                self.with(id, |task| {
                    if let Some(place) = &mut task.worktree {
                        (place.salvage_of, place.merge) = (None, None);
                    }
                    if let Some(working) = &mut task.agent {
                        working.rests_until = None;
                    }
                });
            }
            What::DeveloperDispatched { agent } => self.dispatch(id, Role::Developer, agent),
            What::CriticDispatched { agent } => self.dispatch(id, Role::Critic, agent),
            What::AuditorDispatched { agent } => self.dispatch(id, Role::Auditor, agent),
            What::ReadyClaimed { summary } => self.measure(id, summary),
            What::LandingStarted { tip } => self.land(id, tip),
            What::LandingRepeated { tip } => {
                tip.clone_into(&mut self.board.tip);
                self.board.landing = None;
            }
            What::TaskComplete { commit, .. } => self.complete(id, commit.as_deref()),
            What::AgentSeeksGuidance { question }
            | What::CoordinatorSeeksGuidance { question }
            | What::TaskHalted { question, .. } => {
                let asked = (question.clone(), Some(id.to_owned()));
                self.board.questions.insert(question.id.clone(), asked);
                self.with(id, |task| task.question = Some(question.id.clone()));
            }
            What::DivineResponseReceived { question, answer, allowed } => {
                self.answered(id, question, answer);
                self.with(id, |task| task.allow(allowed));
            }
            What::CriticBypassDeclined { question, answer } => self.answered(id, question, answer),
            What::TaskUnblocked { unblocked_by } => {
                self.with(id, |task| task.blockers.retain(|other| Some(other) != unblocked_by.as_ref()));
            }
            What::TaskBlocked { by } => self.block(id, by),
            What::TaskRemoved {} => {
                self.board.questions.retain(|_, (_, task)| task.as_deref() != Some(id));
                self.board.wake();
                self.clean(id, Leftovers::Salvaged);
            }
            What::TaskCleaned { effect } => {
                self.effects.end(*effect);
                self.board.background.remove(effect);
            }
            _ if self.agent(id, what) => {}
            _ => self.count(id, what),
        }
    }

    fn with(&mut self, id: &str, change: impl FnOnce(&mut Task)) {
        if let Some(task) = self.board.tasks.get_mut(id) {
            change(task);
        }
    }

    /// Counters and what the next turn has to know.
    fn count(&mut self, id: &str, what: &What) {
        let tip = self.board.tip.clone();
        self.with(id, |task| match what {
            What::DeveloperReadyForReview { commit, tree, results, .. } => {
                task.commit = Some(commit.clone());
                tree.clone_into(&mut task.tree);
                task.results.clone_from(results);
                task.feedback.clear();
                task.outside.clear();
                task.claimed = false;
                // Whatever was left out before, this work has not been judged.
                task.review = Review::Due;
            }
            What::EnvironmentVerificationFailed { results, outside, .. } => {
                task.counts.self_solve += 1;
                task.results.clone_from(results);
                task.outside.clone_from(outside);
                task.feedback.clear();
                if outside.is_empty() || !super::green(results) {
                    task.feedback.push(Feedback::Checks(results.clone()));
                }
                if !outside.is_empty() {
                    task.feedback.push(Feedback::Outside(outside.clone()));
                }
                task.claimed = false;
            }
            What::SignalRejected { reason } => {
                task.counts.signal_rejections += 1;
                task.feedback.push(Feedback::Refused(reason.clone()));
                task.claimed = false;
            }
            What::CriticFail { feedback } => {
                task.counts.critic_failures += 1;
                task.feedback = vec![Feedback::Critic(feedback.clone())];
            }
            What::AuditorFail { feedback } => {
                task.counts.audit_failures += 1;
                task.feedback = vec![Feedback::Auditor(feedback.clone())];
            }
            What::MergeConflict { files } => {
                task.rework_after_landing(tip, Feedback::Conflict(files.clone()));
            }
            What::LandingChecksFailed { results } => {
                task.rework_after_landing(tip, Feedback::Joined(results.clone()));
            }
            What::CriticTimeout {} => task.counts.critic_timeouts += 1,
            What::CriticBypassed { .. } => {
                task.review = Review::Bypassed;
                // They have led where they lead; the next review begins with none.
                task.counts.critic_timeouts = 0;
            }
            // A person is asked about the infrastructure each time; it is not the task that keeps failing.
            What::DeveloperIncomplete { category: Category::Infrastructure, .. } => {}
            What::DeveloperIncomplete { .. } => task.counts.incomplete += 1,
            What::AgentFailure { role, .. } => *task.counts.agent_failures.entry(*role).or_default() += 1,
            What::TaskRestartedOnResume { role: Role::Developer } => {
                if let Some(place) = &mut task.worktree {
                    // Where the turn before was lost too, nothing says how far it came with taking over.
                    place.salvage_of.get_or_insert(place.generation);
                    place.generation += 1;
                }
            }
            _ => {}
        });
    }
}

impl Task {
    /// Rework after a landing that failed begins on what has landed since, and no verdict counts any more.
    fn rework_after_landing(&mut self, tip: String, feedback: Feedback) {
        self.counts.landing_failures += 1;
        self.feedback = vec![feedback];
        self.review = Review::Due;
        if let Some(place) = &mut self.worktree {
            place.merge = Some(tip.clone());
            place.base = tip;
        }
    }
}

/// Measuring and landing have no table of their own: what came of them says that they are over.
const fn ends_the_effect(what: &What) -> bool {
    matches!(
        what,
        What::DeveloperReadyForReview { .. }
            | What::EnvironmentVerificationFailed { .. }
            | What::SignalRejected { .. }
            | What::LandingRepeated { .. }
            | What::MergeConflict { .. }
            | What::LandingChecksFailed { .. }
    )
}

fn task_status(board: &Board, id: &str) -> Status {
    board.tasks.get(id).map_or(Status::Removed, |task| task.status)
}

/// The sequence in a delivery's id, which is that of its first event.
pub(super) fn sequence_of(delivery: &str) -> u64 {
    delivery.strip_prefix("d-").and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
