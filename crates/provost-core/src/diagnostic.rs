//! What people are told when something does not go as asked: a code, a line, and what to do next.

pub mod codes;

/// A diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// code
    pub code: &'static Code,
    /// message
    pub message: String,
}

/// A code.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// name
    pub name: &'static str,
    /// help
    pub help: &'static str,
}

impl Diagnostic {
    /// Makes one.
    pub fn new(code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, message: message.into() }
    }
}
