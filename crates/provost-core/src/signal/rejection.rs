//! Why something that was meant as a signal is not taken as one, apart because the reason stands on the record and its
//! words go back to the agent.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray};

use super::Signal;

/// The kind of fault in a signal; the names are stable.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    Display,
    IntoStaticStr,
    VariantArray
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Reason {
    /// Signals that exclude each other.
    SeveralSignals,
    /// The signal of another role.
    WrongRole,
    /// A signal for another task.
    WrongTask,
    /// A signal for no task.
    MissingTask,
    /// A line that begins like a signal and goes on otherwise.
    MalformedLine,
    /// JSON that cannot be read.
    InvalidJson,
    /// A field is missing that the signal is nothing without.
    MissingField,
    /// A field holds something else than it should.
    InvalidField,
    /// The signal says the opposite of its name.
    Contradiction,
    /// Work was called ready, and nothing differs from where it began.
    NoChange,
}

impl Reason {
    /// Its name on the record.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What the agent has to do.
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::SeveralSignals => {
                "End your answer with exactly one signal; put examples into fences or leave them out."
            }
            Self::WrongRole => "Send one of the signals that your role has.",
            Self::WrongTask => "Repeat the signal with the id of your own task.",
            Self::MissingTask => "Repeat the signal with the id of your task behind the colon.",
            Self::MalformedLine => {
                "Write the name, a colon, one space and the task's id, and nothing else on that line."
            }
            Self::InvalidJson => "Repeat the signal as one valid JSON object, or use the text form.",
            Self::MissingField => "Repeat the signal with the missing field.",
            Self::InvalidField => "Repeat the signal with the field as its format says.",
            Self::Contradiction => "Decide which it is, and send the signal that says so.",
            Self::NoChange => {
                "Do the work in the worktree before calling it ready, or say with TASK_INCOMPLETE why you cannot."
            }
        }
    }
}

/// A signal that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    /// The kind of fault.
    pub reason: Reason,
    /// What exactly is wrong: one line, lower case, without a period.
    pub detail: String,
    /// What it may be taken for when the same fault comes again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<Box<Signal>>,
}

impl Rejection {
    /// A rejection that nothing else can be made of.
    pub fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into(), instead: None }
    }

    /// The rejection of work that changed nothing.
    pub fn no_change() -> Self {
        Self::new(Reason::NoChange, "the worktree does not differ from the commit that it was made from")
    }

    /// What the agent is told.
    pub fn message(&self, task_id: &str) -> String {
        let Self { reason, detail, .. } = self;
        let remedy = reason.remedy();
        format!("SIGNAL REJECTED\nTask: {task_id}\nReason: {reason}: {detail}\nRequired action: {remedy}\n")
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason, self.detail)
    }
}
