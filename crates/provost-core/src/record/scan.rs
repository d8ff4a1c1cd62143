//! Reading a segment: every whole batch in order, and a judgement of whatever follows the last one.
//!
//! A power cut leaves some sectors of the last write as they were before: zeros, or beyond the end of the file.
//! It never changes a byte, moves a line or touches a batch that was flushed. Whatever those rules explain is an
//! incomplete batch that nobody was told of and that the next writer cuts off; whatever they do not explain is
//! damage, and is never repaired by throwing records away.

use super::{Broken, Chain, Malformed, Record, Sequence, Step, VERSION};

/// The unit in which a disk writes or does not write.
const SECTOR: usize = 512;

/// What a segment holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// The journal up to the last whole batch.
    pub chain: Chain,
    /// Where the last whole batch begins.
    pub last: usize,
    /// Where the last whole batch ends.
    pub whole: usize,
    /// What follows it.
    pub tail: Tail,
}

/// What follows the last whole batch of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// Nothing, or room not yet used.
    Clean,
    /// A batch that was not written to its end.
    Torn {
        /// How many bytes there are of it.
        bytes: usize,
    },
    /// Something that no power cut leaves.
    Damaged(Damage),
    /// A record that only a newer program can read.
    Newer {
        /// Where it begins.
        offset: usize,
        /// The version it states.
        version: u64,
    },
}

/// Where a segment is damaged, and how that shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The sequence that should stand there.
    pub sequence: Sequence,
    /// The first byte of the line in question.
    pub offset: usize,
    /// What is wrong with it.
    pub why: Why,
}

/// What is wrong at a damaged place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// The line is not a record.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The record does not belong there.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// Records of a batch that was flushed are missing.
    #[error("the batch that begins here is not complete")]
    Incomplete,
    /// Records are missing between this segment and the one before.
    #[error("the segment does not begin with the record that its name says")]
    Name,
}

/// Reads the batches of a segment that continues `chain`, handing each record of a whole batch to `visit`.
///
/// `last` says that no segment follows, so that an incomplete batch may stand at the end.
pub fn scan<'a, E>(
    bytes: &'a [u8],
    chain: Chain,
    last: bool,
    visit: impl FnMut(&Record<'a>) -> Result<(), E>,
) -> Result<Scan, E> {
    scan_from(bytes, 0, chain, last, visit)
}

/// The same, where what stands before `from` was read already.
pub fn scan_from<'a, E>(
    bytes: &'a [u8],
    from: usize,
    chain: Chain,
    last: bool,
    mut visit: impl FnMut(&Record<'a>) -> Result<(), E>,
) -> Result<Scan, E> {
    let mut scan = Scan { chain, last: from, whole: from, tail: Tail::Clean };
    let mut ahead = chain;
    let mut batch: Vec<Record<'a>> = Vec::new();
    let mut begin = from;
    let mut at = from;
    let failure = loop {
        at += bytes.get(at..).unwrap_or_default().iter().take_while(|byte| is_blank(**byte)).count();
        if batch.is_empty() {
            begin = at;
        }
        let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) else {
            // A newline behind the last batch may be all that a power cut left of another. It has to be cut off: a
            // write over it that is cut short too would leave it where no sector explains it.
            let leftover = last && bytes.get(scan.whole..).is_some_and(|rest| rest.contains(&b'\n'));
            break (leftover || !batch.is_empty()).then_some(Why::Incomplete);
        };
        let Some(length) = memchr::memchr(b'\n', rest) else { break Some(Why::Incomplete) };
        let taken = Record::parse(rest.get(..length).unwrap_or_default())
            .map_err(Why::from)
            .and_then(|record| Ok((record, ahead.take(&record)?)));
        match taken {
            Err(why) => break Some(why),
            Ok((record, Step::Within)) => batch.push(record),
            Ok((record, Step::Whole)) => {
                batch.push(record);
                for record in &batch {
                    visit(record)?;
                }
                batch.clear();
                (scan.chain, scan.last, scan.whole) = (ahead, begin, at + length + 1);
            }
        }
        at += length + 1;
    };
    if let Some(why) = failure {
        let sequence = ahead.head.sequence + 1;
        scan.tail = match why {
            Why::Malformed(Malformed::Newer(version)) => Tail::Newer { offset: at, version },
            _ => judge(bytes, &scan, Damage { sequence, offset: at, why }, last),
        };
    }
    Ok(scan)
}

fn is_blank(byte: u8) -> bool {
    byte == b'\n' || byte == 0
}

/// Decides whether a power cut explains what follows the last whole batch. If it does not, the place that is wrong
/// is `found`, the first that could not be read, wherever the proof of it stands.
fn judge(bytes: &[u8], scan: &Scan, found: Damage, last: bool) -> Tail {
    if !last {
        return Tail::Damaged(found);
    }
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1);
    let mut torn = Torn { first: scan.chain.head.sequence + 1, expected: Some(scan.chain), sequence: 0 };
    let mut at = scan.whole;
    while at < end {
        let rest = bytes.get(at..end).unwrap_or_default();
        let hole = rest.iter().take_while(|byte| **byte == 0).count();
        if hole > 0 {
            let aligned = |offset: usize| offset.is_multiple_of(SECTOR);
            if !(at == scan.whole || aligned(at)) || !aligned(at + hole) {
                return Tail::Damaged(found);
            }
            torn.expected = None;
            at += hole;
            continue;
        }
        let run = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
        if !torn.explains(rest.get(..run).unwrap_or_default()) {
            return Tail::Damaged(found);
        }
        at += run;
    }
    Tail::Torn { bytes: end - scan.whole }
}

/// The one batch that may be incomplete, as far as it was read.
struct Torn {
    first: Sequence,
    /// The records so far; `None` behind a hole.
    expected: Option<Chain>,
    /// The last record that was seen of it.
    sequence: Sequence,
}

impl Torn {
    /// Checks the bytes between two holes: all lines but the first and last are complete, and complete lines must
    /// be records of this batch, in their order.
    fn explains(&mut self, run: &[u8]) -> bool {
        let mut rest = run;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest);
            let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            // What follows a hole is the rest of a line whose beginning is lost, unless it is a line's beginning.
            let is_headless = self.expected.is_none() && rest.len() == run.len();
            let is_explained = match Record::parse(line) {
                _ if line.is_empty() => true,
                Ok(record) => self.takes(&record),
                Err(_) if is_headless => is_plain(line) && !hides_a_record(line),
                Err(_) => end.is_none() && is_plain(line) && !hides_a_record(line) && self.begins(line),
            };
            if !is_explained {
                return false;
            }
            rest = rest.get(line.len() + 1..).unwrap_or_default();
        }
        true
    }

    fn takes(&mut self, record: &Record<'_>) -> bool {
        let is_next = record.batch.0 == self.first && record.sequence > self.sequence;
        self.sequence = record.sequence;
        is_next && self.expected.as_mut().is_none_or(|chain| chain.take(record).is_ok())
    }

    /// Whether a line without its end begins as the next record does.
    fn begins(&self, line: &[u8]) -> bool {
        let beginning = match &self.expected {
            Some(chain) => format!("{{\"v\":{VERSION},\"sequence\":{},", chain.head.sequence + 1),
            None => format!("{{\"v\":{VERSION},\"sequence\":"),
        };
        line.iter().zip(beginning.as_bytes()).all(|(is, should)| is == should)
    }
}

/// No record has control characters in it: JSON escapes them.
fn is_plain(line: &[u8]) -> bool {
    line.iter().all(|byte| *byte >= b' ')
}

/// A cut line is a prefix or a suffix of a record; a whole record with something behind it is neither.
fn hides_a_record(line: &[u8]) -> bool {
    let ends = memchr::memmem::rfind(line, b"\"}").map(|at| at + 2);
    ends.filter(|&end| end < line.len())
        .and_then(|end| line.get(..end))
        .is_some_and(|record| Record::parse(record).is_ok())
}
