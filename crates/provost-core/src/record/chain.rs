//! The order of records: each continues the one before, and a batch is complete or it is nothing.

use super::{Batch, Head, Record, Sequence};
use crate::time::Timestamp;

/// What is known of the journal up to some record: enough to tell whether the next one belongs there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The last record.
    pub head: Head,
    /// The epoch of the last record; 0 before the first.
    pub epoch: u64,
    /// The time of the last record.
    pub timestamp: Timestamp,
    /// The batch that the last record belongs to.
    batch: (Sequence, Sequence),
}

/// Why a record does not continue the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// Another record should stand here.
    #[error("record {found} stands where record {expected} should")]
    Sequence {
        /// The sequence that should follow.
        expected: Sequence,
        /// The sequence that is there.
        found: Sequence,
    },
    /// The record continues another history.
    #[error("the record does not continue the one before it")]
    Prev,
    /// An older writer after a newer one.
    #[error("the record's epoch is below that of the record before it")]
    Epoch,
    /// Time runs backwards.
    #[error("the record is older than the record before it")]
    Time,
    /// The record's batch is not the one that is being read.
    #[error("the record's batch does not fit its place")]
    Batch,
}

/// Whether a record ends its batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// More records of the same batch follow.
    Within,
    /// The batch is whole.
    Whole,
}

impl Chain {
    /// The chain before the first record.
    pub const GENESIS: Chain =
        Chain { head: Head::GENESIS, epoch: 0, timestamp: Timestamp::EPOCH, batch: (0, 0) };

    /// The chain behind a batch that was just written.
    pub fn after(batch: &Batch, epoch: u64, timestamp: Timestamp) -> Chain {
        let bounds = (batch.first(), batch.head.sequence);
        Chain { head: batch.head, epoch, timestamp, batch: bounds }
    }

    /// Takes one record, or says why it does not belong here.
    pub fn take(&mut self, record: &Record<'_>) -> Result<Step, Broken> {
        let expected = self.head.sequence + 1;
        if record.sequence != expected {
            return Err(Broken::Sequence { expected, found: record.sequence });
        }
        if record.prev != self.head.hash {
            return Err(Broken::Prev);
        }
        if record.epoch < self.epoch {
            return Err(Broken::Epoch);
        }
        if record.timestamp < self.timestamp {
            return Err(Broken::Time);
        }
        let begins = self.batch.1 < expected;
        let fits = if begins {
            record.batch.0 == expected && record.batch.1 >= expected
        } else {
            record.batch == self.batch
        };
        if !fits {
            return Err(Broken::Batch);
        }
        *self = Chain {
            head: Head { sequence: record.sequence, hash: record.hash },
            epoch: record.epoch,
            timestamp: record.timestamp,
            batch: record.batch,
        };
        Ok(if record.sequence == record.batch.1 { Step::Whole } else { Step::Within })
    }
}
