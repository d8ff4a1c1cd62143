//! What is said to a person when something is wrong: a stable code, one line what, one line what to do, and where.
//!
//! Apart because every front shows the same diagnostic and only they decide how it looks.

mod codes;
mod exit;
mod nearest;
mod quote;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use codes::*;
pub use exit::Exit;
pub use nearest::nearest;
pub use quote::{Quoted, Visible, quoted, visible};
pub(crate) use quote::{clipped, is_hidden};

/// A kind of trouble: its name is stable, and it has a page in `docs/errors/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    // INVARIANT: private, so that no code exists beside `CODES`.
    name: &'static str,
    exit: Exit,
    help: &'static str,
}

impl Code {
    /// The name, `area::what`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// How a command ends that ends with this.
    pub const fn exit(&self) -> Exit {
        self.exit
    }

    /// What to do, where the diagnostic has nothing more exact to say.
    pub const fn help(&self) -> &'static str {
        self.help
    }

    /// Finds a code by its name.
    pub fn named(name: &str) -> Option<&'static Code> {
        CODES.iter().find(|code| code.name == name)
    }

    /// The name of the code's page, without folder and ending.
    pub fn page(&self) -> String {
        self.name.replace("::", "-")
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || serde::de::Error::custom(format!("`{name}` is not a code"));
        Self::named(&name).copied().ok_or_else(unknown)
    }
}

/// How much a diagnostic weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Nothing stops; someone should know.
    Warning,
    /// What was asked for is not done.
    Error,
}

/// A range of bytes in a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// Tells whether another span lies within this one.
    pub const fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// Where in a file; line and column count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file's name as the person gave it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
    /// The bytes that are meant, for showing them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// What kind of trouble it is.
    pub code: Code,
    /// How much it weighs.
    pub severity: Severity,
    /// What is wrong: one line, lower case, no period, the person's own words in backticks.
    pub message: String,
    /// What to do about it: one line.
    pub help: String,
    /// Where it is, when it is in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Box<Place>>,
}

impl Diagnostic {
    /// An error that is nowhere in particular.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            help: code.help.to_owned(),
            place: None,
        }
    }

    /// A warning that is nowhere in particular.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// The same, at a place.
    #[must_use]
    pub fn at(self, place: Place) -> Self {
        Self { place: Some(Box::new(place)), ..self }
    }

    /// The same, with a more exact line on what to do.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }

    /// The same about a name that is not known; where a known one is near, that is what to do.
    #[must_use]
    pub fn meaning<'k>(self, name: &str, known: impl IntoIterator<Item = &'k str>) -> Self {
        match nearest(name, known) {
            Some(near) => self.with_help(format!("did you mean {}?", quoted(near))),
            None => self,
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{} [{}]", self.message, self.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_flat_and_leaves_out_what_is_not_known() {
        let bare = Diagnostic::error(DOCUMENT_SYNTAX, "a comma is missing");
        assert_eq!(
            serde_json::to_value(&bare).unwrap(),
            serde_json::json!({
                "code": "document::syntax",
                "severity": "error",
                "message": "a comma is missing",
                "help": DOCUMENT_SYNTAX.help(),
            })
        );
        let span = Some(Span { start: 4, end: 5 });
        let placed = Diagnostic::warning(DOCUMENT_SYNTAX, "a comma is missing")
            .with_help("add it")
            .at(Place { file: "intent.json".to_owned(), line: 1, column: 5, span });
        assert_eq!(placed.to_string(), "intent.json:1:5: a comma is missing [document::syntax]");
        assert_eq!(
            serde_json::to_value(&placed).unwrap()["place"],
            serde_json::json!({ "file": "intent.json", "line": 1, "column": 5, "span": { "start": 4, "end": 5 } })
        );
    }

    #[test]
    fn codes_are_well_formed_and_named_once() {
        for code in CODES {
            let (area, what) = code.name.split_once("::").unwrap();
            for part in [area, what] {
                assert!(
                    part.starts_with(|first: char| first.is_ascii_lowercase())
                        && part
                            .bytes()
                            .all(|byte| byte == b'_' || byte.is_ascii_lowercase() || byte.is_ascii_digit())
                );
            }
            assert!(
                !code.help.is_empty() && !code.help.contains('\n') && !code.help.ends_with('.'),
                "{code}"
            );
            assert_eq!(Code::named(code.name), Some(code));
            assert_eq!(CODES.iter().filter(|other| other.page() == code.page()).count(), 1, "{code}");
        }
        assert_eq!(Code::named("document::nothing"), None);
    }
}
