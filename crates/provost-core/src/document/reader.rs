//! The grammar of JSON, strict about documents and patient with their authors: after a defect it goes on wherever
//! the rest can still be understood, so that all defects are mended in one go.
//!
//! Recursion is bounded by the limit on depth; every step consumes input or stops, so time is linear but for the
//! sorting of keys.

mod blank;
mod string;
mod word;

use std::borrow::Cow;

use super::defects::Defects;
use super::value::{Kind, Member, Object, Value};
use super::{Document, Limits, LineColumn, LineIndex, Unreadable};
use crate::diagnostic::{
    Code, DOCUMENT_DUPLICATE_KEY, DOCUMENT_ENCODING, DOCUMENT_SYNTAX, DOCUMENT_TOO_LARGE,
    DOCUMENT_TRAILING_COMMA, Span, quoted,
};

/// Reading cannot go on; why has been reported.
struct Stop;

type Read<T> = Result<T, Stop>;

/// Reads a document or says what is wrong with it.
pub(super) fn read(name: &str, bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    if let Some(refused) = too_large(name, bytes, limits) {
        return Err(refused);
    }
    let mut defects = Defects::new(limits);
    let Some(text) = decode(bytes, &mut defects) else {
        return Err(defects.into_unreadable(name, &LineIndex::new("")));
    };
    let lines = LineIndex::new(&text);
    let mut reader = Reader { source: bytes, text: &text, lines: &lines, limits, at: 0, depth: 0, defects };
    match reader.document() {
        Ok(root) if reader.defects.is_empty() => Ok(Document { name: name.to_owned(), root, lines }),
        _ => Err(reader.defects.into_unreadable(name, &lines)),
    }
}

/// The refusal of a document that is larger than is accepted.
pub(super) fn too_large(name: &str, bytes: &[u8], limits: &Limits) -> Option<Unreadable> {
    if u32::try_from(bytes.len()).is_ok_and(|len| len <= limits.bytes_max) {
        return None;
    }
    let mut defects = Defects::new(limits);
    let message = || format!("the document has more than {} bytes", limits.bytes_max);
    defects.report(DOCUMENT_TOO_LARGE, Span::default(), message);
    Some(defects.into_unreadable(name, &LineIndex::new("")))
}

/// The document as text; what is not UTF-8 is reported and replaced byte by byte, so that offsets stay.
pub(super) fn decode<'b>(bytes: &'b [u8], defects: &mut Defects) -> Option<Cow<'b, str>> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Some(Cow::Borrowed(text));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        defects.report(DOCUMENT_ENCODING, span(0, 2), || "the document is UTF-16".to_owned());
        return None;
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let start = text.len();
        text.extend(chunk.invalid().iter().map(|_| '?'));
        if !chunk.invalid().is_empty() {
            let message = || format!("the bytes `{}` are not UTF-8", chunk.invalid().escape_ascii());
            defects.report(DOCUMENT_ENCODING, span(start, text.len()), message);
        }
    }
    Some(Cow::Owned(text))
}

/// A span of a document, whose size has been checked to fit.
pub(super) fn span(start: usize, end: usize) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { start: offset(start), end: offset(end) }
}

struct Reader<'t> {
    source: &'t [u8],
    text: &'t str,
    lines: &'t LineIndex,
    limits: &'t Limits,
    // INVARIANT: always at the beginning of a character.
    at: usize,
    depth: u8,
    defects: Defects,
}

impl Reader<'_> {
    fn document(&mut self) -> Read<Value> {
        const MARK: char = '\u{feff}';
        if self.text.starts_with(MARK) {
            self.at = MARK.len_utf8();
            self.report(DOCUMENT_ENCODING, 0, || "the document begins with a byte order mark".to_owned());
        }
        self.blank();
        if self.peek().is_none() {
            self.report(DOCUMENT_SYNTAX, self.at, || "the document is empty".to_owned());
            return Err(Stop);
        }
        let root = self.value()?;
        self.blank();
        if self.peek().is_some() {
            return Err(self.unexpected("the end of the document"));
        }
        Ok(root)
    }

    fn value(&mut self) -> Read<Value> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'"') => Kind::String(self.string()?),
            Some(b'[' | b'{') if self.depth == self.limits.depth_max => {
                self.skip_too_deep()?;
                Kind::Null
            }
            Some(b'[') => self.nested(Self::array)?,
            Some(b'{') => self.nested(Self::object)?,
            Some(b',' | b']' | b'}') if self.depth > 0 => {
                self.report(DOCUMENT_SYNTAX, start, || "a value is missing here".to_owned());
                Kind::Null
            }
            Some(b'\'') => Kind::String(self.single_quoted()?),
            Some(byte) if word::begins(byte) => self.word(),
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Value { span: span(start, self.at), kind })
    }

    fn nested(&mut self, read: fn(&mut Self) -> Read<Kind>) -> Read<Kind> {
        self.depth += 1;
        let kind = read(self)?;
        self.depth -= 1;
        Ok(kind)
    }

    fn array(&mut self) -> Read<Kind> {
        let open = self.step();
        let mut elements = Vec::new();
        let mut comma = None;
        loop {
            self.blank();
            match self.peek() {
                Some(b']') => break,
                None | Some(b'}' | b':') => return Err(self.unclosed(open, "a value or `]`")),
                Some(_) => elements.push(self.value()?),
            }
            comma = self.separator(open, b']')?;
        }
        self.close(comma);
        Ok(Kind::Array(elements.into_boxed_slice()))
    }

    fn object(&mut self) -> Read<Kind> {
        let mut members = Vec::new();
        let end = self.members(&mut members);
        // Also where reading stops: the entries up to there may hold a key twice.
        let object = distinct(members, self.lines, &mut self.defects);
        self.close(end?);
        Ok(Kind::Object(object))
    }

    /// Reads entries up to the closing bracket, and returns where the comma before it is, if there is one.
    fn members(&mut self, members: &mut Vec<Member>) -> Read<Option<usize>> {
        let open = self.step();
        let mut comma = None;
        loop {
            self.blank();
            match self.peek() {
                Some(b'}') => return Ok(comma),
                None | Some(b']' | b':') => return Err(self.unclosed(open, "a key or `}`")),
                Some(b',') => {
                    self.report(DOCUMENT_SYNTAX, self.at, || "an entry is missing here".to_owned());
                    self.step();
                    comma = None;
                    continue;
                }
                Some(_) => members.push(self.member()?),
            }
            comma = self.separator(open, b'}')?;
        }
    }

    fn member(&mut self) -> Read<Member> {
        let start = self.at;
        let key = self.key()?;
        let key_span = span(start, self.at);
        self.blank();
        match self.peek() {
            Some(b':') => {
                self.step();
                self.blank();
            }
            Some(b',' | b'}') => {
                self.defects
                    .report(DOCUMENT_SYNTAX, key_span, || format!("the key {} has no value", quoted(&key)));
                return Ok(Member {
                    key,
                    key_span,
                    value: Value { span: span(self.at, self.at), kind: Kind::Null },
                });
            }
            Some(byte) if begins_value(byte) => {
                self.report(DOCUMENT_SYNTAX, self.at, || {
                    format!("a colon is missing after the key {}", quoted(&key))
                });
            }
            _ => return Err(self.unexpected("`:`")),
        }
        Ok(Member { key, key_span, value: self.value()? })
    }

    fn key(&mut self) -> Read<Box<str>> {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'\'') => self.single_quoted(),
            Some(byte) if word::begins(byte) => {
                let start = self.at;
                let key = self.take_word();
                self.report(DOCUMENT_SYNTAX, start, || {
                    format!("the key {} is not in double quotes", quoted(key))
                });
                Ok(key.into())
            }
            _ => Err(self.unexpected("a key in double quotes")),
        }
    }

    /// Reads what stands between two elements: the comma, whose place is returned, or nothing before the end.
    fn separator(&mut self, open: usize, close: u8) -> Read<Option<usize>> {
        self.blank();
        match self.peek() {
            Some(b',') => Ok(Some(self.step())),
            Some(byte) if byte == close => Ok(None),
            Some(byte) if begins_value(byte) => {
                self.report(DOCUMENT_SYNTAX, self.at, || "a comma is missing before this".to_owned());
                Ok(None)
            }
            _ => Err(self.unclosed(open, if close == b']' { "`,` or `]`" } else { "`,` or `}`" })),
        }
    }

    /// Steps over the closing bracket, before which no comma may stand.
    fn close(&mut self, comma: Option<usize>) {
        let bracket = self.text.get(self.at..=self.at).unwrap_or_default();
        if let Some(comma) = comma {
            let message = || format!("a comma stands before {}", quoted(bracket));
            self.defects.report(DOCUMENT_TRAILING_COMMA, span(comma, comma + 1), message);
        }
        self.step();
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Steps over one ASCII character and returns where it was.
    fn step(&mut self) -> usize {
        self.at += 1;
        self.at - 1
    }

    /// Reports a defect from `start` to where the reader is, or of the one character there.
    fn report(&mut self, code: Code, start: usize, message: impl FnOnce() -> String) {
        let end = if start < self.at { self.at } else { start + self.character().map_or(0, char::len_utf8) };
        self.defects.report(code, span(start, end), message);
    }

    fn character(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn unexpected(&mut self, expected: &str) -> Stop {
        // What stands in for bytes that are not UTF-8 has been reported as such.
        if self.source.get(self.at) == self.text.as_bytes().get(self.at) {
            let found = self.character();
            self.report(DOCUMENT_SYNTAX, self.at, || match found {
                Some(found) => {
                    format!("expected {expected}, found {}", quoted(found.encode_utf8(&mut [0; 4])))
                }
                None => format!("the document ends where {expected} is expected"),
            });
        }
        Stop
    }

    fn unclosed(&mut self, open: usize, expected: &str) -> Stop {
        if self.peek().is_some() {
            return self.unexpected(expected);
        }
        let bracket = self.text.get(open..=open).unwrap_or_default();
        let LineColumn { line, column } = self.lines.start(span(open, open));
        self.report(DOCUMENT_SYNTAX, self.at, || {
            format!("the document ends before {} of line {line}, column {column} is closed", quoted(bracket))
        });
        Stop
    }
}

/// Makes an object of entries; a key that occurs again is reported.
pub(super) fn distinct(members: Vec<Member>, lines: &LineIndex, defects: &mut Defects) -> Object {
    let (object, again) = Object::new(members);
    for (first, again) in again {
        let listed = |position: u32| usize::try_from(position).ok().and_then(|at| object.as_slice().get(at));
        let (Some(first), Some(again)) = (listed(first), listed(again)) else { continue };
        defects.report(DOCUMENT_DUPLICATE_KEY, again.key_span, || {
            let LineColumn { line, column } = lines.start(first.key_span);
            format!("the key {} is already at line {line}, column {column}", quoted(&again.key))
        });
    }
    object
}

/// Tells whether a byte can begin a value, so that what is missing before it is only punctuation.
fn begins_value(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'[' | b'{') || word::begins(byte)
}
