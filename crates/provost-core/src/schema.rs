//! What a document may hold, as data: one table checks the document and prints its JSON Schema, so that the page
//! people write against and the rule they are held to cannot differ.
//!
//! What depends on two fields at once is no shape; it is judged where its rule is.

mod catalogue;
mod check;
mod json;
mod pattern;
mod typed;

use crate::document::{Document, Unreadable, Value};

pub use catalogue::{CATALOGUE, named};
pub use pattern::{Alphabet, Part, Pattern};

/// The description of one kind of document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schema {
    /// Its name, such as `execution_intent`.
    pub name: &'static str,
    /// The version of the description.
    pub version: &'static str,
    /// What it describes, in a few words.
    pub title: &'static str,
    /// What the whole document is.
    pub root: Shape,
}

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A string within bounds.
    Text(Text),
    /// One of a few strings.
    Choice(&'static [&'static str]),
    /// This string and no other.
    Exactly(&'static str),
    /// `true`, where `false` would be a document of another kind.
    True,
    /// `true` or `false`.
    Flag,
    /// A whole number within bounds, however spelled.
    Integer {
        /// The smallest that is accepted.
        min: i64,
        /// The largest that is accepted.
        max: i64,
    },
    /// A number within bounds.
    Number {
        /// The smallest that is accepted.
        min: f64,
        /// The largest that is accepted.
        max: f64,
    },
    /// A list.
    List {
        /// What each element is.
        of: &'static Shape,
        /// The fewest elements.
        min: u32,
        /// The most elements.
        max: u32,
    },
    /// An object that has these keys and no others.
    Object(&'static [Field]),
    /// An object that may have other keys, of which nothing is asked.
    Open(&'static [Field]),
    /// An object whose keys are data.
    Map {
        /// What stands under each key.
        of: &'static Shape,
        /// The most keys.
        max: u32,
    },
    /// The shape, or `null`.
    Nullable(&'static Shape),
    /// Any of several shapes.
    Either(&'static [Shape]),
    /// Whatever the reader accepts.
    Anything,
}

/// The bounds of a string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Text {
    /// The fewest characters.
    pub min: u32,
    /// The most characters.
    pub max: u32,
    /// What it has to look like.
    pub pattern: Option<Pattern>,
}

/// A key of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// What stands under it.
    pub shape: Shape,
    /// Whether it has to be there.
    pub required: bool,
    /// What it says, in one line.
    pub doc: &'static str,
}

/// No bound on a length, where a pattern or the size of the document is the bound.
pub const UNBOUNDED: u32 = u32::MAX;

/// A string of so many characters.
pub const fn text(min: u32, max: u32) -> Shape {
    Shape::Text(Text { min, max, pattern: None })
}

/// A string that follows a pattern, which bounds its length too.
pub const fn matching(pattern: Pattern) -> Shape {
    Shape::Text(Text { min: 0, max: UNBOUNDED, pattern: Some(pattern) })
}

/// A string made of these parts.
pub const fn id(parts: &'static [Part]) -> Shape {
    matching(Pattern::of(parts))
}

/// One of a few strings.
pub const fn choice(of: &'static [&'static str]) -> Shape {
    Shape::Choice(of)
}

/// A whole number within bounds.
pub const fn integer(min: i64, max: i64) -> Shape {
    Shape::Integer { min, max }
}

/// A number within bounds.
pub const fn number(min: f64, max: f64) -> Shape {
    Shape::Number { min, max }
}

/// A list of so many elements.
pub const fn list(of: &'static Shape, min: u32, max: u32) -> Shape {
    Shape::List { of, min, max }
}

/// An object with closed keys.
pub const fn object(fields: &'static [Field]) -> Shape {
    Shape::Object(fields)
}

/// An object with known keys among others.
pub const fn open(fields: &'static [Field]) -> Shape {
    Shape::Open(fields)
}

/// An object whose keys are data.
pub const fn map(of: &'static Shape, max: u32) -> Shape {
    Shape::Map { of, max }
}

/// A key that has to be there.
pub const fn required(name: &'static str, shape: Shape, doc: &'static str) -> Field {
    Field { name, shape, required: true, doc }
}

/// A key that may be left out.
pub const fn optional(name: &'static str, shape: Shape, doc: &'static str) -> Field {
    Field { name, shape, required: false, doc }
}

impl Schema {
    /// Checks a whole document; says everything that is wrong with it, or nothing.
    pub fn check(&self, document: &Document) -> Result<(), Unreadable> {
        self.root.check(document, &document.root)
    }

    /// The same as JSON Schema 2020-12, for the tools of others; always the same bytes.
    pub fn json_schema(&self) -> String {
        json::write(self)
    }
}

impl Shape {
    /// Checks one value of a document.
    pub fn check(&self, document: &Document, value: &Value) -> Result<(), Unreadable> {
        check::check(self, document, value)
    }
}
