//! An agent that follows a script, so that everything around agents can be tried without one: it really edits, and
//! waits, floods, lies and crashes on demand.

mod play;
mod script;

pub use play::{End, play};
pub use script::{Entry, Script, Step, read};

use provost_core::role::Role;
use provost_core::signal::Name;

/// The turn that an agent was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The part it plays.
    pub role: Role,
    /// The task's id.
    pub task: String,
    /// Which turn of this role it is, from 1.
    pub attempt: u32,
}

/// Ends this process as the system would, without a word.
pub fn crash() -> std::io::Result<()> {
    use rustix::process::{Signal, getpid, kill_process};
    Ok(kill_process(getpid(), Signal::KILL)?)
}

impl Given {
    /// The signal of an agent that has nothing to object.
    const fn approval(&self) -> Name {
        match self.role {
            Role::Developer => Name::ReadyForReview,
            Role::Critic => Name::ReviewPassed,
            Role::Auditor => Name::AuditPassed,
        }
    }
}
