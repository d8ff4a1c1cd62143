//! The one strict reader of documents that come from outside, in JSON or YAML, apart because everything behind it may trust that a
//! document says one thing only: no key twice, no number that changes, no text that is not text.
//!
//! All defects are reported at once, with their places. Our own records have another reader on purpose: they are
//! verified by their digests before they are parsed.

mod defects;
mod lines;
mod number;
mod path;
mod reader;
mod typed;
mod value;
mod yaml;

use std::fmt;

use crate::diagnostic::{Code, Diagnostic, Place, Span};

pub(crate) use defects::Defects;
pub use lines::{LineColumn, LineIndex};
pub use number::Number;
pub use path::{Path, Step};
pub use typed::{Mismatch, from_value};
pub use value::{Kind, Member, Object, Value};

/// What the reader accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The size of a document.
    pub bytes_max: u32,
    /// How deeply lists and objects may be nested; a byte, so that recursion is bounded whatever is set.
    pub depth_max: u8,
    /// How many defects are described; the others are counted.
    pub defects_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes_max: 4 << 20, depth_max: 128, defects_max: 100 }
    }
}

/// A document without defects.
#[derive(Clone, Debug)]
pub struct Document {
    /// What it is called in diagnostics.
    pub name: String,
    /// Its one value.
    pub root: Value,
    /// From offsets to lines and columns.
    pub lines: LineIndex,
}

/// A document that could not be accepted, and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The defects in the order of their places; never empty.
    pub defects: Vec<Diagnostic>,
    /// How many more there are.
    pub omitted: usize,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.defects.as_slice() {
            [] => f.write_str("the document has defects"),
            [only] if self.omitted == 0 => write!(f, "{only}"),
            [first, others @ ..] => write!(f, "{first}, and {} more", others.len() + self.omitted),
        }
    }
}

impl std::error::Error for Unreadable {}

/// Reads a document in JSON, all of it, or says everything that is wrong with it.
pub fn read(name: &str, bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    reader::read(name, bytes, limits)
}

/// Reads a document in YAML; what is accepted is what JSON can say too.
pub fn read_yaml(name: &str, bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    yaml::read(name, bytes, limits)
}

/// Reads a document in the form that its name says: `.yaml` and `.yml` are YAML, everything else is JSON.
pub fn read_any(name: &str, bytes: &[u8], limits: &Limits) -> Result<Document, Unreadable> {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    if ["yaml", "yml"].iter().any(|yaml| ending.eq_ignore_ascii_case(yaml)) {
        return read_yaml(name, bytes, limits);
    }
    read(name, bytes, limits)
}

impl Document {
    /// The place where a span begins.
    pub fn place(&self, span: Span) -> Place {
        place(&self.name, &self.lines, span)
    }

    /// An error at a span.
    pub fn error(&self, code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, message).at(self.place(span))
    }

    /// The way from the root to the innermost value or entry that a span lies in.
    pub fn path(&self, span: Span) -> Path<'_> {
        Path::to(&self.root, span)
    }
}

impl Unreadable {
    /// A document with one defect.
    pub fn of(defect: Diagnostic) -> Self {
        Self { defects: vec![defect], omitted: 0 }
    }
}

fn place(name: &str, lines: &LineIndex, span: Span) -> Place {
    let LineColumn { line, column } = lines.start(span);
    Place { file: name.to_owned(), line, column, span: Some(span) }
}
