//! What is remembered of agents beside the work: what they cost, where their conversations go on, when they rest.

use super::super::effect::Effect;
use super::super::event::What;
use super::super::terms::Session;
use super::Fold;
use crate::adapter::Class;
use crate::role::Role;

impl Fold<'_> {
    /// Takes in what is about an agent; false when it is about something else.
    pub(super) fn agent(&mut self, id: &str, what: &What) -> bool {
        match what {
            What::AgentSpent { agent, role, spent, basis, in_all, session, .. } => {
                self.board.pay(id, agent, *spent, *basis);
                self.with(id, |task| {
                    let generation = task.worktree.as_ref().map_or(0, |place| place.generation);
                    let session = session.clone().map(|id| {
                        let (agent, in_all) = (agent.clone(), *in_all);
                        Session { id, agent, generation, in_all }
                    });
                    // Whoever judges, judges anew; only work is gone on with.
                    if let Some(session) = session.filter(|_| *role == Role::Developer) {
                        task.sessions.insert(*role, session);
                    } else {
                        task.sessions.remove(role);
                    }
                });
            }
            What::AgentTroubled { role, class, until, rests, .. } => self.with(id, |task| {
                task.counts.provider_retries += 1;
                task.not_before = until.filter(|_| !rests);
                if matches!(class, Class::Session | Class::Context) {
                    task.sessions.remove(role);
                }
            }),
            What::PermissionDecided { allowed, .. } => self.with(id, |task| {
                let count =
                    if *allowed { &mut task.permissions.allowed } else { &mut task.permissions.denied };
                *count = count.saturating_add(1);
            }),
            _ => return false,
        }
        true
    }

    /// Ends what a task does, whether or not it has reported its end: what a turn then still reports, it has cost.
    pub(super) fn give_up(&mut self, id: &str) {
        let task = self.board.tasks.get(id);
        let effect = task.and_then(|task| task.effect);
        let open = effect.and_then(|effect| Some((effect, self.effects.get(effect)?)));
        if let Some((effect, Effect::Turn(turn))) = open {
            self.board.given_up.insert(effect, (id.to_owned(), turn.agent.clone()));
        }
        self.end_effect(id);
    }
}
