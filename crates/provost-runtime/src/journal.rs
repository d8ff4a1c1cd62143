//! The journal: the only state there is. A trait, so that the driver can run over a disk, over memory in a
//! simulation, and one day over a database; and the fold that turns records into state.

mod fault;
mod file;
mod follow;
mod memory;
mod walk;

use provost_core::decider::{At, Decider, Event as _};
use provost_core::record::{Batch, Chain, Cut, Head, Record, Sequence};

pub use fault::{Fault, Stop};
pub use file::{FOLDER, FileJournal, SEGMENT_MAX};
pub use follow::Follower;
pub use memory::{Fate, Medium, MemoryJournal};
pub use walk::{Ending, Walk, lines_between, walk, walk_along};

/// What a reader does with each record; it may stop the reading.
pub type Visit<'a> = &'a mut dyn FnMut(&Record<'_>) -> Result<(), Stop>;

/// Folds one record into a state: the same way for whoever opens a journal, verifies it or rebuilds views.
pub fn fold<D: Decider>(state: &mut D, record: &Record<'_>) -> Result<D::Event, Stop> {
    let event = D::Event::read(record)?;
    let at = At { sequence: record.sequence, timestamp: record.timestamp, session_id: record.session_id };
    state.apply(at, &event)?;
    Ok(event)
}

/// The right to append, as long as nobody else gets a later one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The journal as it was found.
    pub chain: Chain,
    /// The epoch that the holder writes under.
    pub epoch: u64,
    /// What was cut off the end.
    pub cut: Option<Cut>,
}

/// Records in order, appended in batches that are durable as a whole or not at all.
pub trait Journal {
    /// Verifies everything, hands each record to `visit`, and gets ready to append.
    fn open(&mut self, visit: Visit<'_>) -> Result<Lease, Fault>;

    /// Makes a batch durable behind `expected`. After a fault nothing can be appended before the journal was
    /// opened again, because only the disk knows how much of the batch it has.
    fn append(&mut self, expected: Head, batch: &Batch) -> Result<(), Fault>;

    /// The lines of records already appended.
    fn read(&mut self, first: Sequence, last: Sequence) -> Result<Vec<String>, Fault>;
}
