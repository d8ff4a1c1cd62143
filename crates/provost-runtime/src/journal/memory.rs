//! A journal without a disk, for simulations: the same bytes, and a crash wherever one is wanted.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use provost_core::record::{Batch, Chain, Cut, Head, Record, Sequence, Tail, scan};

use super::{Fault, Journal, Lease, Visit};

/// What outlives the process that writes to it.
#[derive(Clone, Debug, Default)]
pub struct Medium {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    appends: u64,
    crash: Option<(u64, Fate)>,
}

/// What becomes of the batch during whose append the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nothing of it was written.
    Lost,
    /// Part of it was written.
    Torn,
    /// All of it was written, and nobody was told.
    Kept,
}

impl Medium {
    /// Lets append number `append`, counted from 1 over the medium's life, be the one that is interrupted.
    pub fn crash_at(&self, append: u64, fate: Fate) {
        self.kept().crash = Some((append, fate));
    }

    /// How many batches were appended or tried.
    pub fn appends(&self) -> u64 {
        self.kept().appends
    }

    /// All bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.kept().bytes.clone()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A journal on a medium.
#[derive(Debug)]
pub struct MemoryJournal {
    medium: Medium,
    head: Option<Head>,
}

impl MemoryJournal {
    /// A journal that is not yet open.
    pub fn new(medium: Medium) -> Self {
        MemoryJournal { medium, head: None }
    }
}

impl Journal for MemoryJournal {
    fn open(&mut self, visit: Visit<'_>) -> Result<Lease, Fault> {
        let mut kept = self.medium.kept();
        let found = scan(&kept.bytes, Chain::GENESIS, true, |record: &Record<'_>| {
            visit(record).map_err(|stop| Fault::stopped(record.sequence, stop))
        })?;
        let sequence = found.chain.head.sequence + 1;
        let cut = match found.tail {
            Tail::Clean => None,
            Tail::Torn { bytes } => {
                let (offset, bytes) = (found.whole as u64, bytes as u64);
                Some(Cut { segment: "memory".to_owned(), offset, bytes, sequence })
            }
            Tail::Damaged(damage) => return Err(Fault::Damaged { segment: "memory".to_owned(), damage }),
            Tail::Newer { version, .. } => {
                return Err(Fault::Newer { sequence, why: format!("its version is {version}") });
            }
        };
        kept.bytes.truncate(found.whole);
        self.head = Some(found.chain.head);
        Ok(Lease { chain: found.chain, epoch: found.chain.epoch + 1, cut })
    }

    fn append(&mut self, expected: Head, batch: &Batch) -> Result<(), Fault> {
        let found = self.head.take().ok_or(Fault::NotOpen)?;
        if found != expected {
            return Err(Fault::Moved { expected, found });
        }
        let mut kept = self.medium.kept();
        kept.appends += 1;
        let fate = kept.crash.filter(|(append, _)| *append == kept.appends).map(|(_, fate)| fate);
        let length = match fate {
            None | Some(Fate::Kept) => batch.bytes.len(),
            Some(Fate::Torn) => batch.bytes.len() / 2,
            Some(Fate::Lost) => 0,
        };
        kept.bytes.extend(batch.bytes.iter().take(length));
        if fate.is_some() {
            return Err(Fault::Disk {
                doing: "go on".to_owned(),
                source: io::Error::other("the process ended"),
            });
        }
        self.head = Some(batch.head);
        Ok(())
    }

    fn read(&mut self, first: Sequence, last: Sequence) -> Result<Vec<String>, Fault> {
        let kept = self.medium.kept();
        let records = kept.bytes.split(|&byte| byte == b'\n').filter_map(|line| Record::parse(line).ok());
        let wanted = records.filter(|record| (first..=last).contains(&record.sequence));
        Ok(wanted.map(|record| record.line.to_owned()).collect())
    }
}
