//! What events make due: turns, measurements, landings, and cleaning up.

use super::super::board::{Board, Course};
use super::super::command::CheckSpec;
use super::super::effect::{Effect, Land, Leftovers, Measure, Place, Turn};
use super::super::task::Working;
use super::super::terms::Session;
use super::Fold;
use crate::agent;
use crate::effects::{EffectId, Effects};
use crate::limits::Limit;
use crate::role::Role;

impl Fold<'_> {
    pub(super) fn complete(&mut self, id: &str, commit: Option<&str>) {
        if let Some(commit) = commit {
            commit.clone_into(&mut self.board.tip);
        }
        let mut dependents = Vec::new();
        self.with(id, |task| {
            task.landed = commit.map(str::to_owned);
            dependents.clone_from(&task.dependents);
        });
        for dependent in dependents {
            self.with(&dependent, |task| {
                task.blockers.remove(id);
            });
            self.board.file(&dependent);
        }
        self.clean(id, Leftovers::Dropped);
    }

    /// Has the worktree of a task removed that needs it no longer, if it has one.
    pub(super) fn clean(&mut self, id: &str, leftovers: Leftovers) {
        let place = self.board.tasks.get(id).and_then(|task| task.worktree.as_ref());
        let Some(generation) = place.map(|place| place.generation) else { return };
        let effect = EffectId(self.at.sequence);
        let (delivery, task) = (self.delivery.to_owned(), id.to_owned());
        self.effects.begin(effect, Effect::Clean { delivery, task, generation, leftovers });
        self.board.background.insert(effect);
    }

    pub(super) fn dispatch(&mut self, id: &str, role: Role, agent: &str) {
        let Some(task) = self.board.tasks.get_mut(id) else { return };
        let attempt = task.attempts.entry(role).or_default();
        *attempt += 1;
        let attempt = *attempt;
        task.claimed = task.claimed && role != Role::Developer;
        let base = self.board.tip.clone();
        let place = task.worktree.get_or_insert(Place { generation: 1, base, salvage_of: None, merge: None });
        let worktree = place.clone();
        let same = |it: &&Session| it.agent == agent && it.generation == worktree.generation;
        let session = task.sessions.get(&role).filter(same).cloned();
        let limit = |limit| self.settings.limit(limit);
        let turn = Turn {
            delivery: self.delivery.to_owned(),
            task: id.to_owned(),
            role,
            attempt,
            agent: agent.to_owned(),
            plan: self.board.plan,
            worktree,
            commit: task.commit.clone().filter(|_| role != Role::Developer),
            feedback: task.feedback.clone(),
            answers: task.answers.clone(),
            left: task.left_for(role),
            results: task.results.clone(),
            measure: Vec::new(),
            claim: task.claim.clone(),
            session,
            not_before: task.not_before.max(self.resting.get(agent).and_then(|rest| rest.until)),
            allowed: task.allowed.clone(),
            limit_s: limit(Limit::of_turn(role)),
            idle_s: limit(Limit::IdleS),
            grace_s: limit(Limit::KillGraceS),
        };
        let rests_until = turn.not_before;
        let measure = if task.only_verifies() { self.checks(id) } else { Vec::new() };
        self.begin(id, Effect::Turn(Box::new(Turn { measure, ..turn })));
        let (name, status) = (agent.to_owned(), agent::Status::Dispatched);
        self.with(id, |task| task.agent = Some(Working { role, name, status, rests_until }));
    }

    fn checks(&self, id: &str) -> Vec<CheckSpec> {
        self.board.tasks.get(id).map(|task| self.board.checks_of(task)).unwrap_or_default()
    }

    pub(super) fn measure(&mut self, id: &str, summary: &str) {
        let checks = self.checks(id);
        let Some(task) = self.board.tasks.get_mut(id) else { return };
        summary.clone_into(&mut task.claim);
        task.claimed = true;
        let Some(worktree) = task.worktree.clone() else { return };
        let (delivery, title) = (self.delivery.to_owned(), task.title.clone());
        let (files, allowed) = (task.files.clone(), task.allowed.clone());
        let measure = Measure { delivery, task: id.to_owned(), title, worktree, checks, files, allowed };
        self.begin(id, Effect::Measure(Box::new(measure)));
    }

    pub(super) fn land(&mut self, id: &str, tip: &str) {
        let checks = self.checks(id);
        let Some(task) = self.board.tasks.get(id) else { return };
        let land = Land {
            delivery: self.delivery.to_owned(),
            task: id.to_owned(),
            title: task.title.clone(),
            branch: self.board.branch.clone(),
            tip: tip.to_owned(),
            commit: task.commit.clone().unwrap_or_default(),
            base: task.worktree.as_ref().map(|place| place.base.clone()).unwrap_or_default(),
            checks,
            measured_tree: task.tree.clone(),
        };
        self.board.landing = Some(id.to_owned());
        self.begin(id, Effect::Land(Box::new(land)));
    }
}

impl Board {
    /// Makes the baseline due; nothing else is given out before it is there.
    pub(super) fn begin_baseline(&mut self, id: EffectId, delivery: &str, effects: &mut Effects<Effect>) {
        let (base, checks) = (self.base.clone(), self.checks.clone());
        effects.begin(id, Effect::Baseline { delivery: delivery.to_owned(), base, checks });
        self.background.insert(id);
        self.course = Course::Preparing;
    }

    /// Takes off what is not about one task.
    pub(super) fn end_background(&mut self, effects: &mut Effects<Effect>) {
        for effect in std::mem::take(&mut self.background) {
            effects.end(effect);
        }
    }
}
