//! The record: what one line of the journal is, how lines chain, and how a file of them is read.
//!
//! A line names its predecessor's hash and carries its own, so that a change anywhere is found by whoever reads
//! it with nothing but SHA-256. How lines reach a disk is the runtime's business; what they mean is decided here.

mod chain;
mod line;
mod scan;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::time::Timestamp;

pub use chain::{Broken, Chain, Step};
pub use line::{Malformed, Record};
pub use scan::{Damage, Scan, Tail, Why, scan, scan_from};

/// The version that this program writes and the only one it reads.
pub const VERSION: u64 = 1;

/// The most bytes that a record's details may have.
pub const DETAILS_MAX: usize = 16 * 1024;

/// The most bytes that an identifier in a record's envelope may have.
pub const WORD_MAX: usize = 128;

/// A record's place in the journal, counted from 1.
pub type Sequence = u64;

/// The last record: where the next one continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its sequence; 0 before the first record.
    pub sequence: Sequence,
    /// Its hash.
    pub hash: Digest,
}

impl Head {
    /// The head of an empty journal.
    pub const GENESIS: Head = Head { sequence: 0, hash: Digest::ZERO };
}

/// Who is writing: the same for every record of one opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writer {
    /// One more than that of whoever wrote before.
    pub epoch: u64,
    /// The id of this opening.
    pub session_id: String,
}

/// An event on its way to becoming a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// When it was decided.
    pub timestamp: Timestamp,
    /// The machine or subject it belongs to.
    pub stream: &'static str,
    /// What happened.
    pub event_type: &'static str,
    /// Who asked for it.
    pub actor: String,
    /// The request or effect that led to it.
    pub cause: Option<String>,
    /// The agent it is about.
    pub agent_id: Option<String>,
    /// The task it is about.
    pub task_id: Option<String>,
    /// The event's own data as JSON text.
    pub details: String,
}

/// Records that reach the disk together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The lines, each with its newline.
    pub bytes: Vec<u8>,
    /// Where each line ends in `bytes`, its newline included.
    pub ends: Vec<usize>,
    /// The last record of the batch.
    pub head: Head,
}

/// Why drafts cannot become records.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// The details are larger than a record may hold.
    #[error("the details of `{event_type}` are {bytes} bytes, the limit is {DETAILS_MAX}")]
    TooLarge {
        /// The event.
        event_type: &'static str,
        /// Its size.
        bytes: usize,
    },
    /// An identifier has characters that the envelope does not take.
    #[error("`{0}` cannot stand in a record's envelope")]
    Word(String),
}

impl Batch {
    /// Writes drafts as the records that follow `after`.
    pub fn seal(after: Head, writer: &Writer, drafts: &[Draft]) -> Result<Batch, Unwritable> {
        let last = after.sequence + drafts.len() as u64;
        let mut batch =
            Batch { bytes: Vec::with_capacity(drafts.len() * 640), ends: Vec::new(), head: after };
        for draft in drafts {
            line::write(&mut batch.bytes, &mut batch.head, writer, draft, (after.sequence + 1, last))?;
            batch.ends.push(batch.bytes.len());
        }
        Ok(batch)
    }

    /// The sequence of its first record.
    pub fn first(&self) -> Sequence {
        self.head.sequence + 1 - self.ends.len() as Sequence
    }

    /// The lines of some of its records, without their newlines.
    pub fn lines_between(&self, first: Sequence, last: Sequence) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        (self.first()..)
            .zip(starts.zip(&self.ends))
            .skip_while(move |(sequence, _)| *sequence < first)
            .take_while(move |(sequence, _)| *sequence <= last)
            .filter_map(|(_, (start, end))| str::from_utf8(self.bytes.get(start..end - 1)?).ok())
    }
}

/// Tells whether text can stand in a record's envelope: printable ASCII that JSON does not escape.
pub fn is_word(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\';
    (1..=WORD_MAX).contains(&text.len()) && text.bytes().all(plain)
}

/// Where an incomplete last batch was cut off, as reported to people and recorded by the next writer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// The segment's file name.
    pub segment: String,
    /// The first byte that was cut.
    pub offset: u64,
    /// How many bytes were cut.
    pub bytes: u64,
    /// The sequence that the cut batch began with.
    pub sequence: Sequence,
}
