//! Reading a journal's segments from the first record to the last, the same way for whoever opens it to write,
//! verifies it or prints it.

use std::time::Duration;

use provost_core::record::{Chain, Damage, Record, Scan, Sequence, Tail, Why, scan, scan_from};

use super::file::{FOLDER, first_of, segment_path};
use super::{Fault, Visit};
use crate::storage::Storage;

/// What a journal holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The journal up to its last whole batch.
    pub chain: Chain,
    /// How many segments there are.
    pub segments: usize,
    /// How the last segment ends; `None` when there is no segment.
    pub ending: Option<Ending>,
}

/// How the last segment ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Its file name.
    pub segment: String,
    /// What was read of it.
    pub scan: Scan,
    /// Its length.
    pub length: usize,
    /// The bytes of its last whole batch.
    pub last_batch: Vec<u8>,
}

/// Verifies all segments and hands each record of a whole batch to `visit`, for whoever owns the journal.
pub fn walk<S: Storage>(storage: &S, visit: Visit<'_>) -> Result<Walk, Fault> {
    walk_with(storage, visit, |_, _| Ok(false))
}

/// The same for readers, while somebody else may be writing.
pub fn walk_along<S: Storage>(storage: &S, visit: Visit<'_>) -> Result<Walk, Fault> {
    let mut looks = 0;
    walk_with(storage, visit, |path, bytes| {
        // What is being written looks like damage to whoever reads half of it: only what stays the same is judged.
        looks += 1;
        if looks > LOOKS_MAX {
            return Ok(false);
        }
        std::thread::sleep(PAUSE);
        let before = std::mem::take(bytes);
        storage.read(path, bytes)?;
        Ok(*bytes != before)
    })
}

/// How often a reader looks again at an end that does not stand still, and how long it waits in between.
const LOOKS_MAX: u32 = 200;
const PAUSE: Duration = Duration::from_millis(5);

/// `again` reads a segment whose end is not clean once more, and says whether it has changed.
fn walk_with<S: Storage>(
    storage: &S,
    visit: Visit<'_>,
    mut again: impl FnMut(&str, &mut Vec<u8>) -> std::io::Result<bool>,
) -> Result<Walk, Fault> {
    let names = segments(storage)?;
    let mut result = Walk { chain: Chain::GENESIS, segments: names.len(), ending: None };
    let mut bytes = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let last = index + 1 == names.len();
        let expected = result.chain.head.sequence + 1;
        if first_of(name) != Some(expected) {
            let damage = Damage { sequence: expected, offset: 0, why: Why::Name };
            return Err(Fault::Damaged { segment: name.clone(), damage });
        }
        let path = segment_path(name);
        storage.read(&path, &mut bytes).map_err(Fault::reading(name))?;
        let mut pass =
            |record: &Record<'_>| visit(record).map_err(|stop| Fault::stopped(record.sequence, stop));
        let mut scanned = scan(&bytes, result.chain, last, &mut pass)?;
        while last && scanned.tail != Tail::Clean && again(&path, &mut bytes).map_err(Fault::reading(name))? {
            let more = scan_from(&bytes, scanned.whole, scanned.chain, last, &mut pass)?;
            // Without a further batch the last one is still where it was.
            let from = if more.whole > scanned.whole { more.last } else { scanned.last };
            scanned = Scan { last: from, ..more };
        }
        result.chain = scanned.chain;
        match scanned.tail {
            Tail::Clean | Tail::Torn { .. } => {}
            Tail::Damaged(damage) => return Err(Fault::Damaged { segment: name.clone(), damage }),
            Tail::Newer { version, .. } => {
                let why = format!("its version is {version}");
                return Err(Fault::Newer { sequence: result.chain.head.sequence + 1, why });
            }
        }
        if last {
            let last_batch = bytes.get(scanned.last..scanned.whole).unwrap_or_default().to_vec();
            result.ending =
                Some(Ending { segment: name.clone(), scan: scanned, length: bytes.len(), last_batch });
        }
    }
    Ok(result)
}

/// Reads the lines of some records, each checked against its own hash.
pub fn lines_between<S: Storage>(storage: &S, first: Sequence, last: Sequence) -> Result<Vec<String>, Fault> {
    let names = segments(storage)?;
    let begin = names.iter().rposition(|name| first_of(name).is_some_and(|from| from <= first));
    let mut lines = Vec::new();
    let mut bytes = Vec::new();
    for name in names.iter().skip(begin.unwrap_or(0)) {
        storage.read(&segment_path(name), &mut bytes).map_err(Fault::reading(name))?;
        for line in bytes.split(|&byte| byte == b'\n' || byte == 0) {
            let Ok(record) = Record::parse(line) else { continue };
            if record.sequence > last {
                return Ok(lines);
            }
            if record.sequence >= first {
                lines.push(record.line.to_owned());
            }
        }
    }
    Ok(lines)
}

fn segments<S: Storage>(storage: &S) -> Result<Vec<String>, Fault> {
    let mut names = storage.names(FOLDER).map_err(Fault::reading(FOLDER))?;
    names.retain(|name| first_of(name).is_some());
    Ok(names)
}
