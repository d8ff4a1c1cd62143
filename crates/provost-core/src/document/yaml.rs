//! YAML into the same values as JSON, apart because only what JSON can say is accepted: no anchors, tags, merge keys
//! or second documents, so that a document means the same to everyone who reads it.
//!
//! Recursion is bounded by the limit on depth; the parser underneath keeps its own stack. After an error of grammar
//! nothing more is read, since YAML's structure is its layout.

mod scalar;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, StrInput, StructureStyle};

use super::defects::Defects;
use super::reader::{decode, distinct, span, too_large};
use super::value::{Kind, Member, Value};
use super::{Document, Limits, LineIndex, Unreadable};
use crate::diagnostic::{
    Code, DOCUMENT_ANCHOR, DOCUMENT_CONTROL_CHARACTER, DOCUMENT_ENCODING, DOCUMENT_ESCAPE, DOCUMENT_KEY,
    DOCUMENT_MERGE_KEY, DOCUMENT_SEVERAL, DOCUMENT_SURROGATE, DOCUMENT_SYNTAX, DOCUMENT_TAG,
    DOCUMENT_TOO_DEEP, Span, quoted,
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
    refuse_characters(&text, &mut defects);
    if !defects.is_empty() {
        return Err(defects.into_unreadable(name, &lines));
    }
    let options = granit_parser::options! {
        strict_indentation: true,
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        emit_comments: false,
    };
    let parser = Parser::new_from_str_with_options(&text, options);
    let mut reader = Reader { parser, lines: &lines, limits, depth: 0, defects };
    match reader.document() {
        Ok(root) if reader.defects.is_empty() => Ok(Document { name: name.to_owned(), root, lines }),
        _ => Err(reader.defects.into_unreadable(name, &lines)),
    }
}

/// Reports a byte order mark and what YAML does not count as printable; one defect for each run of them.
fn refuse_characters(text: &str, defects: &mut Defects) {
    if text.starts_with('\u{feff}') {
        let message = || "the document begins with a byte order mark".to_owned();
        defects.report(DOCUMENT_ENCODING, span(0, 3), message);
    }
    let mut in_run = false;
    for (at, character) in text.char_indices() {
        let refused = match character {
            '\t' | '\n' | '\r' | '\u{85}' => false,
            '\u{fffe}' | '\u{ffff}' => true,
            other => other.is_control(),
        };
        if refused && !in_run {
            let found = character.to_string();
            let message = || format!("the document holds the control character {}", quoted(&found));
            defects.report(DOCUMENT_CONTROL_CHARACTER, span(at, at + found.len()), message);
        }
        in_run = refused;
    }
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    lines: &'t LineIndex,
    limits: &'t Limits,
    depth: u8,
    defects: Defects,
}

impl<'t> Reader<'t> {
    fn document(&mut self) -> Read<Value> {
        let mut root = None;
        while let Some((event, at)) = self.next()? {
            match event {
                Event::DocumentStart(..) if root.is_some() => {
                    let message = || "a second document begins here".to_owned();
                    self.defects.report(DOCUMENT_SEVERAL, at, message);
                    return Err(Stop);
                }
                Event::StreamStart | Event::StreamEnd | Event::DocumentStart(..) | Event::DocumentEnd => {}
                node => root = Some(self.node(node, at)?),
            }
        }
        root.ok_or_else(|| {
            self.defects.report(DOCUMENT_SYNTAX, Span::default(), || "the document is empty".to_owned());
            Stop
        })
    }

    /// The next event; anchors are reported on the way.
    fn next(&mut self) -> Read<Option<(Event<'t>, Span)>> {
        loop {
            match self.parser.next_event() {
                None => return Ok(None),
                Some(Err(error)) => return Err(self.broken(&error)),
                Some(Ok((Event::Anchor(_, name), at))) => {
                    let message = || format!("the anchor {} is not accepted", quoted(&name));
                    self.defects.report(DOCUMENT_ANCHOR, bytes_of(&at), message);
                }
                Some(Ok((event, at))) => {
                    if event.tag().is_some() {
                        let tag = bytes_of(&at.tag_span().unwrap_or(at));
                        self.defects.report(DOCUMENT_TAG, tag, || "a tag is not accepted".to_owned());
                    }
                    return Ok(Some((event, bytes_of(&at))));
                }
            }
        }
    }

    /// The next event inside a list or an object, which the parser always closes or reports.
    fn inside(&mut self) -> Read<(Event<'t>, Span)> {
        self.next()?.ok_or(Stop)
    }

    fn node(&mut self, event: Event<'t>, at: Span) -> Read<Value> {
        match event {
            Event::Scalar(text, style, ..) => {
                let kind = match style {
                    ScalarStyle::Plain => self.plain(text, at),
                    _ => Kind::String(text.into()),
                };
                Ok(Value { span: at, kind })
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if self.depth == self.limits.depth_max => {
                self.skip_too_deep(at)
            }
            Event::SequenceStart(style, ..) => self.nested(|reader| reader.list(style, at)),
            Event::MappingStart(style, ..) => self.nested(|reader| reader.object(style, at)),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.defects.report(DOCUMENT_ANCHOR, at, || "an alias is not accepted".to_owned());
                Ok(Value { span: at, kind: Kind::Null })
            }
            _ => {
                self.defects.report(DOCUMENT_SYNTAX, at, || "a value is missing here".to_owned());
                Err(Stop)
            }
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Read<Value>) -> Read<Value> {
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn list(&mut self, style: StructureStyle, open: Span) -> Read<Value> {
        let mut elements: Vec<Value> = Vec::new();
        loop {
            let (event, at) = self.inside()?;
            if event == Event::SequenceEnd {
                let last = elements.last().map(|element| element.span);
                let span = whole(style, open, last, at);
                return Ok(Value { span, kind: Kind::Array(elements.into_boxed_slice()) });
            }
            elements.push(self.node(event, at)?);
        }
    }

    fn object(&mut self, style: StructureStyle, open: Span) -> Read<Value> {
        let mut members: Vec<Member> = Vec::new();
        let end = loop {
            let (event, at) = match self.inside() {
                Ok((Event::MappingEnd, at)) => break Ok(at),
                Ok(found) => found,
                Err(stop) => break Err(stop),
            };
            match self.member(event, at) {
                Ok(member) => members.extend(member),
                Err(stop) => break Err(stop),
            }
        };
        // Also where reading stops: the entries up to there may hold a key twice.
        let last = members.last().map(|member| member.value.span);
        let object = distinct(members, self.lines, &mut self.defects);
        Ok(Value { span: whole(style, open, last, end?), kind: Kind::Object(object) })
    }

    /// Reads an entry; none if its key is no text, which is reported.
    fn member(&mut self, event: Event<'t>, at: Span) -> Read<Option<Member>> {
        let key = match event {
            Event::Scalar(text, style, ..) => self.key(&text, style, at),
            other => {
                let what = match other {
                    Event::SequenceStart(..) => Some("a list"),
                    Event::MappingStart(..) => Some("an object"),
                    // An alias, which is reported as one.
                    _ => None,
                };
                if let Some(what) = what {
                    self.defects.report(DOCUMENT_KEY, at, || format!("the key is {what}, not text"));
                }
                self.node(other, at)?;
                None
            }
        };
        let (event, value_at) = self.inside()?;
        let value = self.node(event, value_at)?;
        Ok(key.map(|key| Member { key, key_span: at, value }))
    }

    fn key(&mut self, text: &str, style: ScalarStyle, at: Span) -> Option<Box<str>> {
        if style == ScalarStyle::Plain {
            if text == "<<" {
                self.defects
                    .report(DOCUMENT_MERGE_KEY, at, || "the merge key `<<` is not accepted".to_owned());
                return None;
            }
            if let Some(what) = scalar::other_than_text(text) {
                let message = || format!("the key {} is {what}, not text", quoted(text));
                self.defects.report(DOCUMENT_KEY, at, message);
                return None;
            }
        }
        Some(text.into())
    }

    /// Passes over a list or an object without reading it.
    fn skip_too_deep(&mut self, open: Span) -> Read<Value> {
        let depth_max = self.limits.depth_max;
        let message = || format!("lists and objects are nested more than {depth_max} deep");
        self.defects.report(DOCUMENT_TOO_DEEP, open, message);
        let mut depth = 1_usize;
        while depth > 0 {
            match self.inside()?.0 {
                Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
                Event::SequenceEnd | Event::MappingEnd => depth -= 1,
                _ => {}
            }
        }
        Ok(Value { span: open, kind: Kind::Null })
    }

    fn broken(&mut self, error: &ScanError) -> Stop {
        let offset = error.marker().byte_offset().unwrap_or_default();
        let (code, help) = code_of(error.kind());
        let message = match error.kind() {
            ErrorKind::RecursionLimitExceeded => {
                format!("lists and objects are nested more than {} deep", self.limits.depth_max)
            }
            _ => format!("this is not YAML as Provost reads it: {}", error.info()),
        };
        self.defects.report_with_help(code, span(offset, offset), || (message, help.map(str::to_owned)));
        Stop
    }
}

/// The code of an error of grammar, and what to do where the code's own line speaks of JSON.
fn code_of(kind: &ErrorKind) -> (Code, Option<&'static str>) {
    match kind {
        ErrorKind::RecursionLimitExceeded => (DOCUMENT_TOO_DEEP, None),
        ErrorKind::UnknownQuotedScalarEscape
        | ErrorKind::InvalidQuotedScalarHexEscape
        | ErrorKind::InvalidUnicodeEscape => {
            (DOCUMENT_ESCAPE, Some("use an escape of YAML, or put the text into single quotes"))
        }
        ErrorKind::InvalidLowSurrogateHexEscape
        | ErrorKind::InvalidLowSurrogate
        | ErrorKind::MissingLowSurrogate
        | ErrorKind::UnpairedLowSurrogate => (DOCUMENT_SURROGATE, None),
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => {
            (DOCUMENT_SYNTAX, Some("indent with spaces; YAML does not take tabs"))
        }
        ErrorKind::DirectiveDisallowed => (DOCUMENT_SYNTAX, Some("remove the line that begins with `%`")),
        _ => (
            DOCUMENT_SYNTAX,
            Some("mend the YAML at this place; text with `: `, ` #` or brackets needs quotes"),
        ),
    }
}

/// The bytes of a list or an object: up to its bracket, or up to its last entry where layout closes it.
fn whole(style: StructureStyle, open: Span, last: Option<Span>, close: Span) -> Span {
    let end = match style {
        StructureStyle::Flow => close.end,
        StructureStyle::Block => last.map_or(open.end, |last| last.end),
    };
    Span { start: open.start, end: end.max(open.start) }
}

/// A span of the parser in bytes, which it always knows for text in memory.
fn bytes_of(at: &granit_parser::Span) -> Span {
    at.byte_range().map_or_else(Span::default, |range| span(range.start, range.end))
}
