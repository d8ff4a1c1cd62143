//! The journal in files: one segment being written, earlier ones sealed, a batch made durable by one write and
//! one flush.

use provost_core::record::{Batch, Cut, Head, Sequence, Tail};

use super::walk::{Ending, lines_between, walk};
use super::{Fault, Journal, Lease, Visit};
use crate::kill_point::kill_point;
use crate::storage::Storage;

/// The folder of segments.
pub const FOLDER: &str = "journal";

/// The size from which on a segment takes no further batch.
pub const SEGMENT_MAX: u64 = 8 * 1024 * 1024;

/// How much room is reserved at once. A file that grows with every write costs a second flush, of its length.
const STEP: u64 = 256 * 1024;

/// A journal in the folder `journal` of a storage.
#[derive(Debug)]
pub struct FileJournal<S: Storage> {
    storage: S,
    segment_max: u64,
    end: Option<End<S::File>>,
}

/// Where the next batch goes.
#[derive(Debug)]
struct End<F> {
    head: Head,
    live: Option<Live<F>>,
}

/// The segment that is being written.
#[derive(Debug)]
struct Live<F> {
    file: F,
    /// Where its last batch ends.
    written: u64,
    /// How far room was reserved; `None` once the file system refused.
    reserved: Option<u64>,
    /// Whether this opening has appended here, so that it is worth reserving room.
    busy: bool,
}

impl<S: Storage> FileJournal<S> {
    /// A journal that is not yet open.
    pub fn new(storage: S) -> Self {
        Self::with_segment_max(storage, SEGMENT_MAX)
    }

    /// The same with smaller segments, so that a test need not write megabytes to see one sealed.
    pub fn with_segment_max(storage: S, segment_max: u64) -> Self {
        FileJournal { storage, segment_max, end: None }
    }

    /// Where it is stored.
    pub fn storage(&self) -> &S {
        &self.storage
    }

    /// Opens the last segment at the end of its last whole batch, cuts off what follows, and makes the rest durable.
    fn resume(&self, ending: &Ending, next: Sequence) -> Result<(Live<S::File>, Option<Cut>), Fault> {
        let doing = || Fault::disk(format!("open {}", ending.segment));
        let file = self.storage.open(&segment_path(&ending.segment)).map_err(doing())?;
        let written = ending.scan.whole as u64;
        if written == 0 {
            // Whoever made this file may have ended before its name was durable.
            self.storage.sync_folder(FOLDER).map_err(doing())?;
        }
        let mut cut = None;
        if let Tail::Torn { bytes } = ending.scan.tail {
            self.storage.truncate(&file, written).map_err(doing())?;
            let segment = ending.segment.clone();
            cut = Some(Cut { segment, offset: written, bytes: bytes as u64, sequence: next });
        }
        let last = &ending.last_batch;
        if !last.is_empty() {
            // It may stand in the system's cache only, because its flush failed or never came; after a failed one
            // a further flush alone would report success without it.
            self.storage.write_at(&file, written - last.len() as u64, last).map_err(doing())?;
        }
        // Before anything is answered from here, and before anything else is written here: two batches that are not
        // durable, or remains of two, must never stand side by side. Also where nothing is to be cut: whoever cut
        // before may have ended before this.
        self.storage.sync(&file).map_err(doing())?;
        let reserved = if cut.is_some() { written } else { ending.length as u64 };
        Ok((Live { file, written, reserved: Some(reserved), busy: false }, cut))
    }

    fn begin_segment(&self, first: Sequence) -> Result<Live<S::File>, Fault> {
        let name = segment_name(first);
        let doing = || Fault::disk(format!("create {name}"));
        if first == 1 {
            // The folder's own name; where a segment exists, this was done before it was made.
            self.storage.sync_folder("").map_err(doing())?;
        }
        let file = self.storage.create(&segment_path(&name)).map_err(doing())?;
        // Without this the file itself can be gone after a power cut, and every record in it.
        self.storage.sync_folder(FOLDER).map_err(doing())?;
        Ok(Live { file, written: 0, reserved: Some(0), busy: false })
    }

    /// The segment that takes the next batch.
    fn segment_for(&self, end: &mut End<S::File>) -> Result<Live<S::File>, Fault> {
        match end.live.take() {
            Some(live) if live.written < self.segment_max => Ok(live),
            Some(full) => {
                self.trim(&full);
                self.begin_segment(end.head.sequence + 1)
            }
            None => self.begin_segment(end.head.sequence + 1),
        }
    }

    fn write(&self, live: &mut Live<S::File>, bytes: &[u8]) -> Result<(), Fault> {
        let doing = || Fault::disk("write to the journal");
        let end = live.written + bytes.len() as u64;
        if live.busy && live.reserved.is_some_and(|reserved| reserved < end) {
            // Room is reserved for speed alone: a file system that cannot, or is nearly full, still takes the write.
            let length = end.next_multiple_of(STEP.min(self.segment_max).max(1));
            live.reserved = self.storage.allocate(&live.file, length).ok().map(|()| length);
        }
        kill_point("append: nothing written");
        self.storage.write_at(&live.file, live.written, bytes).map_err(doing())?;
        kill_point("append: written, not flushed");
        self.storage.sync(&live.file).map_err(doing())?;
        kill_point("append: flushed");
        live.written = end;
        live.busy = true;
        Ok(())
    }

    /// Gives back room that was reserved and not used. Only for tidiness: readers skip it. Never without the right
    /// to write: behind `written` there may then be records of whoever got it.
    fn trim(&self, live: &Live<S::File>) {
        if live.reserved.is_none_or(|reserved| reserved > live.written) && self.storage.fence().is_ok() {
            let _ = self.storage.truncate(&live.file, live.written);
        }
    }
}

impl<S: Storage> Journal for FileJournal<S> {
    fn open(&mut self, visit: Visit<'_>) -> Result<Lease, Fault> {
        self.end = None;
        self.storage.fence().map_err(Fault::fenced)?;
        self.storage.make_folder(FOLDER).map_err(Fault::disk("make the journal's folder"))?;
        let found = walk(&self.storage, visit)?;
        let next = found.chain.head.sequence + 1;
        let resumed = found.ending.as_ref().map(|ending| self.resume(ending, next)).transpose()?;
        let (live, cut) = resumed.map_or((None, None), |(live, cut)| (Some(live), cut));
        self.end = Some(End { head: found.chain.head, live });
        Ok(Lease { chain: found.chain, epoch: found.chain.epoch + 1, cut })
    }

    fn append(&mut self, expected: Head, batch: &Batch) -> Result<(), Fault> {
        // Taken out, and put back only when all went well: after a fault the journal has to be opened again.
        let mut end = self.end.take().ok_or(Fault::NotOpen)?;
        self.storage.fence().map_err(Fault::fenced)?;
        if end.head != expected {
            return Err(Fault::Moved { expected, found: end.head });
        }
        let mut live = self.segment_for(&mut end)?;
        self.storage.check(&live.file).map_err(Fault::disk("write to the journal"))?;
        self.write(&mut live, &batch.bytes)?;
        self.end = Some(End { head: batch.head, live: Some(live) });
        Ok(())
    }

    fn read(&mut self, first: Sequence, last: Sequence) -> Result<Vec<String>, Fault> {
        lines_between(&self.storage, first, last)
    }
}

impl<S: Storage> Drop for FileJournal<S> {
    fn drop(&mut self) {
        if let Some(End { live: Some(live), .. }) = &self.end {
            self.trim(live);
        }
    }
}

/// A segment is named after its first record, so that a missing one shows and a record is found without reading all.
pub(super) fn segment_name(first: Sequence) -> String {
    format!("{first:016}.jsonl")
}

pub(super) fn segment_path(name: &str) -> String {
    format!("{FOLDER}/{name}")
}

/// The first record of a segment, from its name; `None` when it is not a segment.
pub(super) fn first_of(name: &str) -> Option<Sequence> {
    let digits = name.strip_suffix(".jsonl")?;
    let plain = digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}
