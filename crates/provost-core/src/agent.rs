//! The agent machine: one turn of one agent, from dispatch to its end. Tasks count turns; this table says how a turn
//! can go, whatever its role.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use self::{Status as S, Trigger as T};
use crate::limits::Limit;
use crate::machine::{Machine, Row, aside_anywhere, go, stay};

/// The agent machine.
pub enum Agent {}

impl Machine for Agent {
    type State = S;
    type Trigger = T;

    const NAME: &'static str = "agent";
    const WHAT: &'static str = "one turn of an agent, from dispatch to its end";
    const START: S = S::Dispatched;

    #[rustfmt::skip]
    const TABLE: &'static [Row<S, T>] = &[
        go(    S::Dispatched, T::AgentCheckpoint,   S::Checkpoint),
        stay(  S::Checkpoint, T::AgentCheckpoint),
        stay(  S::Dispatched, T::CheckpointTimeout).at_most(Limit::CheckpointMisses),
        stay(  S::Checkpoint, T::CheckpointTimeout).at_most(Limit::CheckpointMisses),

        go(    S::Dispatched, T::AgentComplete,     S::Complete),
        go(    S::Checkpoint, T::AgentComplete,     S::Complete),
        aside_anywhere(T::AgentTimeout, S::Timeout),
        aside_anywhere(T::AgentStalled, S::Timeout),
        aside_anywhere(T::AgentCrashed, S::Crashed),
        aside_anywhere(T::AgentStopped, S::Stopped),
        aside_anywhere(T::AgentLost, S::Stopped),
    ];

    fn label(state: S) -> &'static str {
        state.label()
    }
}

/// How a turn stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Status {
    /// The turn was given out and has not been heard from at a checkpoint.
    Dispatched,
    /// The agent said how far it is and goes on.
    Checkpoint,
    /// The turn ended with its signal.
    Complete,
    /// The turn ran out of time, or was silent for too long.
    Timeout,
    /// The turn ended without a signal.
    Crashed,
    /// Provost ended the turn; the reason is on the record.
    Stopped,
}

impl Status {
    /// What people read for it; the glossary prints the same.
    pub const fn label(self) -> &'static str {
        match self {
            Status::Dispatched => "working",
            Status::Checkpoint => "working, checkpoint heard",
            Status::Complete => "finished",
            Status::Timeout => "out of time",
            Status::Crashed => "failed",
            Status::Stopped => "stopped",
        }
    }
}

/// What happens to a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Trigger {
    /// The agent reported progress.
    AgentCheckpoint,
    /// The agent was asked how far it is and did not say.
    CheckpointTimeout,
    /// The signal that ends the turn was heard.
    AgentComplete,
    /// The time of the turn was used up.
    AgentTimeout,
    /// Checkpoints were missed as often as allowed.
    AgentStalled,
    /// The process or the provider failed, or the turn ended without a signal.
    AgentCrashed,
    /// A person, a rollback, a limit or an interrupt ended the turn.
    AgentStopped,
    /// The coordinator ended while the turn ran; nothing is counted against it.
    AgentLost,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::proof::{one_name, sound};
    use crate::machine::{leaving, terminal};

    #[test]
    fn the_table_is_sound() {
        sound::<Agent>(16);
        one_name::<Status>();
        one_name::<Trigger>();
    }

    #[test]
    fn a_turn_that_ended_is_never_heard_again() {
        for end in [S::Complete, S::Timeout, S::Crashed, S::Stopped] {
            assert!(terminal::<Agent>(end));
            assert_eq!(leaving::<Agent>(end).count(), 0);
        }
    }
}
