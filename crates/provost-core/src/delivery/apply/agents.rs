//! What is remembered of agents beside the work: what they cost, where their conversations go on, when they rest.

use super::super::event::What;
use super::super::terms::Session;
use super::Fold;
use crate::adapter::Class;
use crate::role::Role;

impl Fold<'_> {
    /// Takes in what is about an agent; false when it is about something else.
    pub(super) fn agent(&mut self, id: &str, what: &What) -> bool {
        match what {
            What::AgentSpent { agent, role, spent, in_all, session, .. } => {
                self.board.spent = self.board.spent.plus(*spent);
                self.with(id, |task| {
                    task.spent = task.spent.plus(*spent);
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
}
