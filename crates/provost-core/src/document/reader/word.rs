//! Literals and numbers, taken as whole runs of characters so that a misspelled one is one defect, not many.

use super::super::number::Number;
use super::super::value::Kind;
use super::Reader;
use crate::diagnostic::{DOCUMENT_NUMBER, DOCUMENT_SYNTAX, quoted};

/// Tells whether a byte belongs to a run.
pub(super) fn begins(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'+' | b'-')
}

impl<'t> Reader<'t> {
    /// Takes the run that begins here.
    pub(super) fn take_word(&mut self) -> &'t str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let len = rest.bytes().take_while(|&byte| begins(byte)).count();
        self.at += len;
        rest.get(..len).unwrap_or_default()
    }

    /// Reads a literal or a number; for one that is neither, null stands in.
    pub(super) fn word(&mut self) -> Kind {
        let start = self.at;
        let word = self.take_word();
        match word {
            "null" => return Kind::Null,
            "true" => return Kind::Bool(true),
            "false" => return Kind::Bool(false),
            _ => {}
        }
        if !word.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first))
            && !matches!(word, "NaN" | "nan" | "Infinity" | "inf")
        {
            self.report(DOCUMENT_SYNTAX, start, || format!("{} is not a value of JSON", quoted(word)));
            return Kind::Null;
        }
        match Number::read(word) {
            Ok(number) => Kind::Number(number),
            Err(reason) => {
                self.report(DOCUMENT_NUMBER, start, || format!("the number {} {reason}", quoted(word)));
                Kind::Null
            }
        }
    }
}
