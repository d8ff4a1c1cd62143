//! Reading a journal while somebody else writes it: only what is new, and only batches that are whole.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use provost_core::record::{Chain, Record, scan};

use super::file::{FOLDER, segment_name};
use super::{Fault, Visit};

/// A reader that remembers how far it came.
#[derive(Debug)]
pub struct Follower {
    folder: PathBuf,
    chain: Chain,
    /// The segment it is in, by its first record, and how far it has read it.
    at: Option<(u64, u64)>,
}

impl Follower {
    /// Begins before the first record of the journal in a project's folder.
    pub fn new(state: &Path) -> Follower {
        Follower { folder: state.join(FOLDER), chain: Chain::GENESIS, at: None }
    }

    /// Hands over every record that is new.
    ///
    /// What follows the last whole batch is being written, or is for `verify` to judge; it is looked at again
    /// the next time.
    pub fn poll(&mut self, visit: Visit<'_>) -> Result<(), Fault> {
        loop {
            let next = self.chain.head.sequence + 1;
            // A segment named after the next record is there as soon as the one before it is sealed.
            let (first, offset) = match self.at {
                Some(at) if at.0 == next || !self.path(next).exists() => at,
                _ => (next, 0),
            };
            let doing = || Fault::disk(format!("read {}", segment_name(first)));
            let bytes = match read_from(&self.path(first), offset) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                bytes => bytes.map_err(doing())?,
            };
            let found = scan(&bytes, self.chain, true, |record: &Record<'_>| {
                visit(record).map_err(|stop| Fault::stopped(record.sequence, stop))
            })?;
            self.chain = found.chain;
            self.at = Some((first, offset + found.whole as u64));
            if found.whole == 0 {
                return Ok(());
            }
        }
    }

    fn path(&self, first: u64) -> PathBuf {
        self.folder.join(segment_name(first))
    }
}

fn read_from(path: &Path, offset: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
