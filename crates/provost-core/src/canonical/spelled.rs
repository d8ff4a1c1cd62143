//! Documents that were read, written again in one of a few fixed spellings, apart because older checksums were made
//! over spellings other than that of the RFC, and because a copy should keep its numbers as their author wrote them.
//!
//! Every value that the strict reader gives has a form in each of them. Recursion is bounded by the reader's limit.

use super::number::write_double;
use super::text::write_string;
use crate::document::{Kind, Member, Number, Object, Value};

/// How a document is spelled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spelling {
    /// Whether a blank stands behind commas and colons.
    pub(super) gaps: Gaps,
    /// Which characters are escaped.
    pub(super) text: Text,
    /// How numbers are written.
    pub(super) numbers: Numbers,
    /// The order of keys.
    pub(super) order: Order,
}

/// What stands between values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gaps {
    /// Nothing but punctuation.
    None,
    /// A blank behind each comma and colon.
    Blank,
}

/// Which characters are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// Those that have to be.
    Utf8,
    /// All that are not printable ASCII.
    Ascii,
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// As the document spells them.
    AsSpelled,
    /// As ECMAScript does.
    Shortest,
}

/// The order of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// By UTF-16 code units.
    Utf16,
    /// By code points.
    CodePoint,
}

/// What becomes of one value, found by its path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Own<'p> {
    /// Written like any other.
    Kept,
    /// Its entry is left out.
    Removed(&'p [&'p str]),
    /// Written as an empty string.
    Blank(&'p [&'p str]),
}

impl<'p> Own<'p> {
    /// What is left of the path below a key.
    fn below(self, key: &str) -> Self {
        let rest =
            |path: &'p [&'p str]| path.split_first().filter(|(first, _)| **first == key).map(|it| it.1);
        match self {
            Self::Kept => Self::Kept,
            Self::Removed(path) => rest(path).map_or(Self::Kept, Self::Removed),
            Self::Blank(path) => rest(path).map_or(Self::Kept, Self::Blank),
        }
    }
}

impl Spelling {
    /// The bytes of a value.
    pub(super) fn write(self, value: &Value, own: Own<'_>) -> Vec<u8> {
        let mut out = Vec::new();
        self.value(&mut out, value, own);
        out
    }

    fn value(self, out: &mut Vec<u8>, value: &Value, own: Own<'_>) {
        if let Own::Blank([]) = own {
            out.extend_from_slice(b"\"\"");
            return;
        }
        match &value.kind {
            Kind::Null => out.extend_from_slice(b"null"),
            Kind::Bool(true) => out.extend_from_slice(b"true"),
            Kind::Bool(false) => out.extend_from_slice(b"false"),
            Kind::Number(number) => self.number(out, number),
            Kind::String(text) => self.text(out, text),
            Kind::Array(elements) => {
                out.push(b'[');
                for (at, element) in elements.iter().enumerate() {
                    self.comma(out, at);
                    self.value(out, element, Own::Kept);
                }
                out.push(b']');
            }
            Kind::Object(object) => self.object(out, object, own),
        }
    }

    fn object(self, out: &mut Vec<u8>, object: &Object, own: Own<'_>) {
        let mut members: Vec<&Member> = object.iter_by_key().collect();
        if self.order == Order::CodePoint {
            members.sort_by(|one, other| one.key.cmp(&other.key));
        }
        out.push(b'{');
        let kept = members.into_iter().map(|member| (member, own.below(&member.key)));
        for (at, (member, own)) in kept.filter(|(_, own)| !matches!(own, Own::Removed([]))).enumerate() {
            self.comma(out, at);
            self.text(out, &member.key);
            out.extend_from_slice(if self.gaps == Gaps::Blank { b": " } else { b":" });
            self.value(out, &member.value, own);
        }
        out.push(b'}');
    }

    fn comma(self, out: &mut Vec<u8>, at: usize) {
        if at > 0 {
            out.extend_from_slice(if self.gaps == Gaps::Blank { b", " } else { b"," });
        }
    }

    fn number(self, out: &mut Vec<u8>, number: &Number) {
        match self.numbers {
            Numbers::AsSpelled => out.extend_from_slice(number.spelling().as_bytes()),
            Numbers::Shortest => write_double(out, number.as_f64()),
        }
    }

    fn text(self, out: &mut Vec<u8>, text: &str) {
        let start = out.len();
        write_string(out, text);
        if self.text == Text::Ascii && out.get(start..).is_some_and(has_other_than_ascii) {
            let written = out.split_off(start);
            escape_rest(out, &String::from_utf8_lossy(&written));
        }
    }
}

/// Tells whether anything is not printable ASCII; what is below was escaped already.
fn has_other_than_ascii(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| *byte >= 0x7f)
}

/// Appends text with all but printable ASCII as escapes of UTF-16 code units, in lower case.
fn escape_rest(out: &mut Vec<u8>, text: &str) {
    for character in text.chars() {
        if character.is_ascii() && character != '\u{7f}' {
            out.push(character as u8);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
        }
    }
}
