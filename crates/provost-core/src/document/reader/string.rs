//! Strings: escapes resolved, and everything in them that is not plainly text reported.

use super::{Read, Reader, Stop, span};
use crate::canonical::clean_len;
use crate::diagnostic::{
    DOCUMENT_CONTROL_CHARACTER, DOCUMENT_ESCAPE, DOCUMENT_SURROGATE, DOCUMENT_SYNTAX, quoted,
};

impl<'t> Reader<'t> {
    /// Reads a string in double quotes.
    pub(super) fn string(&mut self) -> Read<Box<str>> {
        let open = self.step();
        let plain = self.take_plain();
        if self.peek() == Some(b'"') {
            self.step();
            return Ok(plain.into());
        }
        let mut text = plain.to_owned();
        // One defect for all of them: a string that was meant to have several lines has one mistake.
        let mut first_control = None;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.step();
                    break;
                }
                Some(b'\\') => text.push(self.escape()),
                Some(_) => {
                    let at = self.step();
                    first_control.get_or_insert(at);
                }
                None => {
                    let message = || "the string is not closed".to_owned();
                    self.defects.report(DOCUMENT_SYNTAX, span(open, open + 1), message);
                    return Err(Stop);
                }
            }
            text.push_str(self.take_plain());
        }
        if let Some(at) = first_control {
            let control = self.text.get(at..=at).unwrap_or_default();
            let message = || format!("the string holds the control character {}", quoted(control));
            self.defects.report(DOCUMENT_CONTROL_CHARACTER, span(at, at + 1), message);
        }
        Ok(text.into_boxed_str())
    }

    /// Takes the characters up to a quote, a backslash, a control character or the end.
    fn take_plain(&mut self) -> &'t str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let plain = rest.get(..clean_len(rest.as_bytes())).unwrap_or_default();
        self.at += plain.len();
        plain
    }

    /// Reads an escape; for one that is no character, its replacement is returned.
    fn escape(&mut self) -> char {
        let start = self.step();
        let Some(character) = self.character() else { return char::REPLACEMENT_CHARACTER };
        self.at += character.len_utf8();
        match character {
            '"' | '\\' | '/' => character,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => self.unicode_escape(start),
            _ => {
                let written = self.text.get(start..self.at).unwrap_or_default();
                self.report(DOCUMENT_ESCAPE, start, || {
                    format!("{} is not an escape of JSON", quoted(written))
                });
                char::REPLACEMENT_CHARACTER
            }
        }
    }

    /// Reads the digits of an escape that began at `start`, and its other half where it is one of a pair.
    fn unicode_escape(&mut self, start: usize) -> char {
        let Some(unit) = self.hex_digits(self.at) else {
            self.report(DOCUMENT_ESCAPE, start, || {
                "`\\u` is not followed by four hexadecimal digits".to_owned()
            });
            return char::REPLACEMENT_CHARACTER;
        };
        self.at += 4;
        let second = match unit {
            0xd800..=0xdbff if self.text.get(self.at..).is_some_and(|rest| rest.starts_with("\\u")) => {
                self.hex_digits(self.at + 2).filter(|second| (0xdc00..=0xdfff).contains(second))
            }
            _ => None,
        };
        let mut decoded = char::decode_utf16([unit].into_iter().chain(second));
        if let Some(Ok(character)) = decoded.next() {
            self.at += second.map_or(0, |_| 6);
            return character;
        }
        let written = self.text.get(start..self.at).unwrap_or_default();
        self.report(DOCUMENT_SURROGATE, start, || format!("{} is half of a surrogate pair", quoted(written)));
        char::REPLACEMENT_CHARACTER
    }

    fn hex_digits(&self, at: usize) -> Option<u16> {
        let digits = self.text.get(at..at + 4)?;
        // The parser of integers would accept a sign.
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        u16::from_str_radix(digits, 16).ok()
    }

    /// Reads a string in single quotes, which is reported; without an end on its line nothing can be made of it.
    pub(super) fn single_quoted(&mut self) -> Read<Box<str>> {
        let start = self.step();
        let rest = self.text.get(self.at..).unwrap_or_default();
        // Whichever comes first: looking for the end of the line alone would read a long line once for each quote.
        let end = rest.find(['\'', '\n']).filter(|&end| rest.as_bytes().get(end) == Some(&b'\''));
        let Some(text) = end.and_then(|end| rest.get(..end)) else {
            let message = || "strings are written in double quotes".to_owned();
            self.defects.report(DOCUMENT_SYNTAX, span(start, start + 1), message);
            return Err(Stop);
        };
        self.at += text.len() + 1;
        self.report(DOCUMENT_SYNTAX, start, || {
            format!("the string {} is not in double quotes", quoted(text))
        });
        Ok(text.into())
    }
}
