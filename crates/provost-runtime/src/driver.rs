//! The driver: owns state and journal, and does one turn at a time.
//!
//! A turn takes every command that waits, decides and applies them in order, appends all records as one batch
//! with one flush, and only then answers and says what to start or stop. Nothing leaves a turn before the flush.
//! It performs nothing itself, knows no thread and no clock, and is therefore the same in a simulation.

mod inbox;
mod turn;

use std::collections::BTreeSet;

use provost_core::decider::{Decider, Opening};
use provost_core::effects::{AfterCrash, Effect as _, EffectId};
use provost_core::record::{Chain, Cut, Writer};
use provost_core::requests::Requests;
use provost_core::time::Timestamp;

use crate::journal::{Fault, Journal, Stop};

pub use inbox::{Handle, Pending, Perform, Reporter, Running, run};
pub use turn::{Answer, Turn};

/// The most commands that one turn takes.
pub const TURN_MAX: usize = 256;

/// Who opens the journal to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The id of this opening.
    pub session_id: String,
    /// The process, for people.
    pub holder: String,
}

/// What asks for a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A client, under an id of its choice; asking again under the same id gives the first answer, unless the id
    /// is one that effects or time have on the record.
    Request(String),
    /// An effect that reports.
    Effect(EffectId),
    /// The time of `wake`.
    Time,
}

impl Cause {
    fn text(&self) -> String {
        match self {
            Cause::Request(id) => id.clone(),
            Cause::Effect(id) => id.to_string(),
            Cause::Time => "time".to_owned(),
        }
    }
}

/// Tells whether a cause on the record is a client's. Effects report often: remembered like requests, they would
/// push those out, and a request of the same name would get their records for an answer.
fn is_request(cause: &str) -> bool {
    cause != "time" && !cause.starts_with("effect-")
}

/// A command on its way into a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission<C> {
    /// What asks for it.
    pub cause: Cause,
    /// Who asks for it.
    pub actor: String,
    /// What is asked.
    pub command: C,
}

/// An effect to begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start<E> {
    /// Its id.
    pub id: EffectId,
    /// What to do.
    pub effect: E,
    /// How.
    pub launch: Launch,
}

/// How an effect begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launch {
    /// It has not been done; doing it is all.
    Do,
    /// It may have been done by a process that ended: look for its trace first, and adopt it.
    Probe,
}

/// What a process that performs finds to do when it takes over.
#[derive(Debug)]
pub struct Recovery<D: Decider> {
    /// Effects that may have been running and cannot be repeated unseen, to be submitted like any other command.
    pub lost: Vec<Submission<D::Command>>,
    /// Effects to begin again.
    pub starts: Vec<Start<D::Effect>>,
}

/// State, journal, and what is running.
#[derive(Debug)]
pub struct Driver<D: Decider, J: Journal> {
    journal: J,
    identity: Identity,
    performing: Performing,
    memory: Memory<D>,
    /// What was cut off when the journal was opened.
    cut: Option<Cut>,
    /// Set after a failed append: what is in memory may not be on the disk.
    stale: bool,
    running: BTreeSet<EffectId>,
}

/// Whether this process does what is due, or only records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Performing {
    /// It starts and stops effects.
    Yes,
    /// It leaves them to a process that performs.
    No,
}

/// All that the journal says, folded. Thrown away and folded anew when the disk may know better.
#[derive(Debug)]
struct Memory<D> {
    state: D,
    chain: Chain,
    writer: Writer,
    requests: Requests,
    /// What this opening has still to put on the record, with its first batch.
    opening: Option<Opening>,
}

impl<D: Decider, J: Journal> Driver<D, J> {
    /// Opens a journal and folds it.
    pub fn open(mut journal: J, identity: Identity, performing: Performing) -> Result<Self, Fault> {
        let memory: Memory<D> = fold(&mut journal, &identity, None)?;
        let cut = memory.opening.as_ref().and_then(|opening| opening.cut.clone());
        Ok(Driver { journal, identity, performing, memory, cut, stale: false, running: BTreeSet::new() })
    }

    /// The state as of the last turn.
    pub fn state(&self) -> &D {
        &self.memory.state
    }

    /// When time alone will change something that this process acts on.
    pub fn wake(&self) -> Option<Timestamp> {
        // What is in memory may not be on the disk, and what time brought with it: only another look can tell.
        let wake = if self.stale { Some(Timestamp::EPOCH) } else { self.memory.state.wake() };
        wake.filter(|_| self.performing == Performing::Yes)
    }

    /// Where the journal ends.
    pub fn chain(&self) -> &Chain {
        &self.memory.chain
    }

    /// The incomplete batch that was cut off when the journal was opened.
    pub fn cut(&self) -> Option<&Cut> {
        self.cut.as_ref()
    }

    /// The journal, for whoever wants to look at it.
    pub fn journal(&self) -> &J {
        &self.journal
    }

    /// What a process that performs does first: takes up what was open, each kind in its own way.
    pub fn recover(&mut self) -> Recovery<D> {
        let mut recovery = Recovery { lost: Vec::new(), starts: Vec::new() };
        for (id, effect) in self.memory.state.due().iter() {
            let launch = match effect.after_crash() {
                AfterCrash::Lose => {
                    let (cause, command) = (Cause::Effect(id), D::lost(id));
                    recovery.lost.push(Submission { cause, actor: ACTOR.to_owned(), command });
                    continue;
                }
                AfterCrash::Redo => Launch::Do,
                AfterCrash::Probe => Launch::Probe,
            };
            recovery.starts.push(Start { id, effect: effect.clone(), launch });
        }
        self.running = self.memory.state.due().iter().map(|(id, _)| id).collect();
        recovery
    }

    /// Folds the journal anew if a failed append made what is in memory uncertain.
    fn refresh(&mut self) -> Result<(), Fault> {
        if self.stale {
            // The epoch goes on: the lock was never given up. Only an opening that reached no record is kept.
            let epoch = self.memory.writer.epoch;
            self.memory = fold(&mut self.journal, &self.identity, Some(epoch))?;
            if let (Some(opening), Some(cut)) = (&mut self.memory.opening, &self.cut) {
                // The bytes are gone since the first opening; that they were there is still to be recorded.
                opening.cut = Some(cut.clone());
            }
            self.stale = false;
        }
        Ok(())
    }
}

/// The actor of what Provost does by itself.
pub const ACTOR: &str = "provost";

/// Reads the whole journal into memory. `epoch` is that of an opening which goes on.
fn fold<D: Decider, J: Journal>(
    journal: &mut J,
    identity: &Identity,
    epoch: Option<u64>,
) -> Result<Memory<D>, Fault> {
    let mut state = D::default();
    let mut requests = Requests::default();
    let lease = journal.open(&mut |record| {
        crate::journal::fold(&mut state, record)?;
        if let Some(cause) = record.cause.filter(|cause| is_request(cause)) {
            requests.note(cause, record.sequence);
        }
        Ok::<(), Stop>(())
    })?;
    let on_record = epoch == Some(lease.chain.epoch);
    let epoch = epoch.unwrap_or(lease.epoch);
    let opening = Opening { holder: identity.holder.clone(), cut: lease.cut };
    Ok(Memory {
        state,
        chain: lease.chain,
        writer: Writer { epoch, session_id: identity.session_id.clone() },
        requests,
        opening: (!on_record).then_some(opening),
    })
}
