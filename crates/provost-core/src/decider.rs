//! The shape that every part of the state has: four pure functions around its table, and nothing else.
//!
//! ```text
//! command ─▶ decide ─▶ events ─▶ apply ─▶ journal, one flush ─▶ due, wake
//!    ▲                                                            │
//!    └─────────── report ◀─ effect, performed beside the loop ◀───┘
//! ```
//!
//! `decide` evaluates guards once and names the verdict in the event; `apply` is the only writer, the same live
//! and on replay. What the world should be doing follows from the state, so it survives a crash.

use crate::diagnostic::Diagnostic;
use crate::digest::Digest;
use crate::effects::{Effect, EffectId, Effects};
use crate::record::{Cut, Record, Sequence};
use crate::time::Timestamp;

/// State that is changed by events alone.
pub trait Decider: Default {
    /// What can be asked of it.
    type Command;
    /// What can have happened to it.
    type Event: Event;
    /// What it wants done in the world.
    type Effect: Effect;

    /// Says what a command makes happen, or refuses it. An empty list means that nothing needs to change.
    fn decide(&self, command: &Self::Command, moment: Moment) -> Result<Vec<Self::Event>, Diagnostic>;

    /// Folds one event into the state.
    fn apply(&mut self, at: At<'_>, event: &Self::Event) -> Result<(), Impossible>;

    /// What the world should be doing now; an index that `apply` keeps.
    fn due(&self) -> &Effects<Self::Effect>;

    /// When time alone will change something; a time that is past means that there is something to decide now.
    fn wake(&self) -> Option<Timestamp>;

    /// The event that a writer begins its epoch with.
    fn opened(&self, opening: Opening) -> Self::Event;

    /// The command that says that the time of `wake` has come.
    fn woken() -> Self::Command;

    /// The command that says that an effect was running when its performer ended.
    fn lost(effect: EffectId) -> Self::Command;
}

/// An event that can be written to the journal and read back.
pub trait Event: Sized {
    /// The machine or subject it belongs to.
    fn stream(&self) -> &'static str;
    /// Its name on the record.
    fn event_type(&self) -> &'static str;
    /// The task it is about.
    fn task_id(&self) -> Option<&str> {
        None
    }
    /// The agent it is about.
    fn agent_id(&self) -> Option<&str> {
        None
    }
    /// The artifacts that it names.
    fn artifacts(&self) -> Vec<Digest> {
        Vec::new()
    }
    /// Its data as JSON text.
    fn details(&self) -> String;
    /// Reads it back.
    fn read(record: &Record<'_>) -> Result<Self, Unreadable>;
}

/// What a decision knows of the journal that it will be written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The time, never earlier than the last record.
    pub now: Timestamp,
    /// The sequence that the decision's first event will get; ids are made from it.
    pub sequence: Sequence,
}

/// Where and when an event stands in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At<'a> {
    /// Its sequence, which is also the id of an effect that it makes due.
    pub sequence: Sequence,
    /// When it was decided.
    pub timestamp: Timestamp,
    /// The opening that recorded it.
    pub session_id: &'a str,
}

/// What a writer knows when it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The process that writes, for people.
    pub holder: String,
    /// What was cut off the end of the journal.
    pub cut: Option<Cut>,
}

/// Why a record cannot be read as an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Nobody here knows the event.
    #[error("`{0}` is not an event that this version of Provost knows")]
    Newer(String),
    /// The event is known and its data is not as it should be.
    #[error("the details of `{event_type}` cannot be read: {why}")]
    Details {
        /// The event.
        event_type: String,
        /// What is wrong.
        why: String,
    },
}

/// An event that the state cannot have reached: a defect of this program or of the journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{event_type}` cannot have happened here: {why}")]
pub struct Impossible {
    /// The event.
    pub event_type: &'static str,
    /// What speaks against it.
    pub why: String,
}
