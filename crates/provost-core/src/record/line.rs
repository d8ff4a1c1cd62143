//! One record as one line: keys in a fixed order, the hash last, so that reading needs no JSON library and a
//! verifier in any language is a page long.

use super::{DETAILS_MAX, Draft, Head, Sequence, Unwritable, VERSION, Writer, is_word};
use crate::digest::Digest;
use crate::time::Timestamp;

/// What stands between the hashed bytes and the hash itself.
const HASH_KEY: &str = ",\"hash\":\"";
const PREV_KEY: &str = ",\"prev\":\"";
const BATCH_KEY: &str = ",\"batch\":[";
const HEX: usize = 64;
/// `,"hash":"<64>"}`
const HASH_TAIL: usize = HASH_KEY.len() + HEX + 2;
/// `,"prev":"<64>"`
const PREV_TAIL: usize = PREV_KEY.len() + HEX + 1;

/// A record as it stands in the journal, borrowed from its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its place in the journal.
    pub sequence: Sequence,
    /// When it was decided.
    pub timestamp: Timestamp,
    /// The opening that wrote it, counted from 1.
    pub epoch: u64,
    /// The id of that opening.
    pub session_id: &'a str,
    /// The machine or subject it belongs to.
    pub stream: &'a str,
    /// What happened.
    pub event_type: &'a str,
    /// Who asked for it.
    pub actor: &'a str,
    /// The request or effect that led to it.
    pub cause: Option<&'a str>,
    /// The agent it is about.
    pub agent_id: Option<&'a str>,
    /// The task it is about.
    pub task_id: Option<&'a str>,
    /// The event's own data as JSON text, not yet read.
    pub details: &'a str,
    /// The first and last sequence of its batch.
    pub batch: (Sequence, Sequence),
    /// The hash of the record before.
    pub prev: Digest,
    /// Its own hash.
    pub hash: Digest,
    /// The whole line, without its newline.
    pub line: &'a str,
}

/// Why a line is not a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The line is not of the one form that records have.
    #[error("the line does not have the form of a record")]
    Form,
    /// The line says a version that this program does not know.
    #[error("the record has version {0}, written by a newer Provost")]
    Newer(u64),
    /// The bytes do not give the hash that the line states.
    #[error("the line's bytes do not match its hash")]
    Hash,
}

/// Appends one line and moves the head to it.
pub(super) fn write(
    out: &mut Vec<u8>,
    head: &mut Head,
    writer: &Writer,
    draft: &Draft,
    batch: (Sequence, Sequence),
) -> Result<(), Unwritable> {
    if draft.details.len() > DETAILS_MAX {
        return Err(Unwritable::TooLarge { event_type: draft.event_type, bytes: draft.details.len() });
    }
    let start = out.len();
    let sequence = head.sequence + 1;
    out.extend_from_slice(b"{\"v\":");
    number(out, VERSION);
    out.extend_from_slice(b",\"sequence\":");
    number(out, sequence);
    out.extend_from_slice(b",\"timestamp\":\"");
    out.extend_from_slice(&draft.timestamp.spelling());
    out.extend_from_slice(b"\",\"epoch\":");
    number(out, writer.epoch);
    word(out, "session_id", Some(&writer.session_id))?;
    word(out, "stream", Some(draft.stream))?;
    word(out, "event_type", Some(draft.event_type))?;
    word(out, "actor", Some(&draft.actor))?;
    word(out, "cause", draft.cause.as_deref())?;
    word(out, "agent_id", draft.agent_id.as_deref())?;
    word(out, "task_id", draft.task_id.as_deref())?;
    out.extend_from_slice(b",\"details\":");
    out.extend_from_slice(draft.details.as_bytes());
    out.extend_from_slice(BATCH_KEY.as_bytes());
    number(out, batch.0);
    out.push(b',');
    number(out, batch.1);
    out.push(b']');
    out.extend_from_slice(PREV_KEY.as_bytes());
    head.hash.write_hex(out);
    out.push(b'"');
    let hash = Digest::of(out.get(start..).unwrap_or_default());
    out.extend_from_slice(HASH_KEY.as_bytes());
    hash.write_hex(out);
    out.extend_from_slice(b"\"}\n");
    *head = Head { sequence, hash };
    Ok(())
}

fn number(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

fn word(out: &mut Vec<u8>, key: &str, value: Option<&str>) -> Result<(), Unwritable> {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(key.as_bytes());
    let Some(value) = value else {
        out.extend_from_slice(b"\":null");
        return Ok(());
    };
    if !is_word(value) {
        return Err(Unwritable::Word(value.escape_debug().take(80).collect()));
    }
    out.extend_from_slice(b"\":\"");
    out.extend_from_slice(value.as_bytes());
    out.push(b'"');
    Ok(())
}

impl<'a> Record<'a> {
    /// Reads one line, without its newline, and checks its hash.
    pub fn parse(bytes: &'a [u8]) -> Result<Record<'a>, Malformed> {
        let line = str::from_utf8(bytes).map_err(|_| Malformed::Form)?;
        let mut front = Front { rest: line };
        let version = front.after("{\"v\":")?.number()?;
        let end = front.take_end()?;
        let hashed = bytes.get(..bytes.len() - HASH_TAIL).ok_or(Malformed::Form)?;
        // The hash is checked first: it is the same in every version, and a flipped version is damage.
        if Digest::of(hashed) != end.hash {
            return Err(Malformed::Hash);
        }
        if version != VERSION {
            return Err(Malformed::Newer(version));
        }
        front.record(line, &end)
    }
}

/// What stands behind the details, in a form that is the same whatever they hold.
struct LineEnd {
    batch: (Sequence, Sequence),
    prev: Digest,
    hash: Digest,
}

/// What is still unread of a line, taken from the front in the one order that keys have.
struct Front<'a> {
    rest: &'a str,
}

impl<'a> Front<'a> {
    fn record(mut self, line: &'a str, end: &LineEnd) -> Result<Record<'a>, Malformed> {
        Ok(Record {
            sequence: self.after(",\"sequence\":")?.number()?,
            timestamp: self.after(",\"timestamp\":")?.timestamp()?,
            epoch: self.after(",\"epoch\":")?.number()?,
            session_id: self.after(",\"session_id\":")?.word()?,
            stream: self.after(",\"stream\":")?.word()?,
            event_type: self.after(",\"event_type\":")?.word()?,
            actor: self.after(",\"actor\":")?.word()?,
            cause: self.after(",\"cause\":")?.word_or_null()?,
            agent_id: self.after(",\"agent_id\":")?.word_or_null()?,
            task_id: self.after(",\"task_id\":")?.word_or_null()?,
            details: self.after(",\"details\":")?.rest,
            batch: end.batch,
            prev: end.prev,
            hash: end.hash,
            line,
        })
    }

    /// Takes batch, prev and hash off the end.
    fn take_end(&mut self) -> Result<LineEnd, Malformed> {
        let hash = self.digest_off_the_end(HASH_TAIL, HASH_KEY, "\"}")?;
        let prev = self.digest_off_the_end(PREV_TAIL, PREV_KEY, "\"")?;
        let (front, batch) = self.rest.rsplit_once(BATCH_KEY).ok_or(Malformed::Form)?;
        let (first, last) =
            batch.strip_suffix(']').and_then(|it| it.split_once(',')).ok_or(Malformed::Form)?;
        self.rest = front;
        Ok(LineEnd { batch: (whole_number(first)?, whole_number(last)?), prev, hash })
    }

    fn digest_off_the_end(&mut self, length: usize, key: &str, close: &str) -> Result<Digest, Malformed> {
        let split = self.rest.len().checked_sub(length).and_then(|at| self.rest.split_at_checked(at));
        let (front, end) = split.ok_or(Malformed::Form)?;
        self.rest = front;
        end.strip_prefix(key)
            .and_then(|it| it.strip_suffix(close))
            .and_then(|hex| Digest::from_hex(hex.as_bytes()).ok())
            .ok_or(Malformed::Form)
    }

    fn after(&mut self, key: &str) -> Result<&mut Self, Malformed> {
        self.rest = self.rest.strip_prefix(key).ok_or(Malformed::Form)?;
        Ok(self)
    }

    fn number(&mut self) -> Result<u64, Malformed> {
        let end = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at_checked(end).ok_or(Malformed::Form)?;
        self.rest = rest;
        whole_number(digits)
    }

    fn timestamp(&mut self) -> Result<Timestamp, Malformed> {
        Timestamp::parse(self.word()?.as_bytes()).ok_or(Malformed::Form)
    }

    fn word(&mut self) -> Result<&'a str, Malformed> {
        let inside = self.rest.strip_prefix('"').ok_or(Malformed::Form)?;
        let end = memchr::memchr(b'"', inside.as_bytes()).filter(|end| *end > 0).ok_or(Malformed::Form)?;
        let (text, rest) = inside.split_at_checked(end).ok_or(Malformed::Form)?;
        self.rest = rest.get(1..).unwrap_or_default();
        Ok(text)
    }

    fn word_or_null(&mut self) -> Result<Option<&'a str>, Malformed> {
        if let Some(rest) = self.rest.strip_prefix("null") {
            self.rest = rest;
            return Ok(None);
        }
        self.word().map(Some)
    }
}

/// Reads digits without leading zeros, so that one number has one spelling.
fn whole_number(digits: &str) -> Result<u64, Malformed> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    let padded = digits.len() > 1 && digits.starts_with('0');
    if plain && !padded { digits.parse().map_err(|_| Malformed::Form) } else { Err(Malformed::Form) }
}
