//! What a turn leaves to the next one of its role when it came to no result: how it ended, and how far it was.

use super::super::effect::Left;
use super::super::event::What;
use super::super::task::{Said, Task};
use crate::agent::Status;
use crate::record::Sequence;
use crate::role::Role;

impl Task {
    /// Notes checkpoints, and whether the turn came to a result; called before the turn's agent is let go.
    pub(super) fn note_ends(&mut self, sequence: Sequence, what: &What) {
        let role = self.agent.as_ref().map(|agent| agent.role);
        match (what, role) {
            (What::AgentCheckpoint { checkpoint }, Some(role)) => {
                let attempt = self.attempts.get(&role).copied().unwrap_or_default();
                let checkpoint = checkpoint.clone();
                self.said = Some(Said { sequence, role, attempt, checkpoint, counts: true });
            }
            // What follows from its signal says whether it was one.
            (What::AgentComplete { .. }, Some(role)) => {
                self.counts.provider_retries = 0;
                self.not_before = None;
                self.came_to_nothing(role, "its signal led nowhere");
            }
            (What::AgentTimeout { .. }, Some(role)) => self.came_to_nothing(role, Status::Timeout.label()),
            (What::AgentCrashed { .. }, Some(role)) => self.came_to_nothing(role, Status::Crashed.label()),
            (What::AgentStopped {} | What::AgentLost {}, Some(role)) => {
                self.came_to_nothing(role, Status::Stopped.label());
            }
            (What::SignalRejected { .. }, _) => self.came_to("its signal was refused"),
            (What::AgentSeeksGuidance { .. }, _) => self.came_to("it asked a person"),
            (
                What::DeveloperIncomplete { .. }
                | What::DeveloperBlocked { .. }
                | What::AuditorBlocked { .. },
                _,
            ) => self.came_to("it could not go on"),
            (
                What::ReadyClaimed { .. }
                | What::CriticPass { .. }
                | What::CriticFail { .. }
                | What::AuditorPass { .. }
                | What::AuditorFail { .. }
                | What::TaskComplete { .. },
                _,
            ) => self.came_to_a_result(),
            _ => {}
        }
    }

    fn came_to_nothing(&mut self, role: Role, ended: &'static str) {
        self.cut_short = Some((role, ended));
    }

    /// Says better how the turn ended that has just come to nothing, if one has.
    fn came_to(&mut self, ended: &'static str) {
        if let Some((_, before)) = &mut self.cut_short {
            *before = ended;
        }
    }

    fn came_to_a_result(&mut self) {
        self.cut_short = None;
        if let Some(said) = &mut self.said {
            said.counts = false;
        }
    }

    /// What the next turn of a role is told of those before it that came to no result.
    pub(super) fn left_for(&self, role: Role) -> Option<Left> {
        let (_, ended) = self.cut_short.filter(|(of, _)| *of == role)?;
        let said = self.said.as_ref().filter(|said| said.counts && said.role == role);
        Some(Left { ended, checkpoint: said.map(|said| said.checkpoint.clone()) })
    }
}
