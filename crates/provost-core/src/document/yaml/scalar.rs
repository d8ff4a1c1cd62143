//! What text without quotes is: YAML 1.2's core schema, held to the numbers that JSON has.

use std::borrow::Cow;

use super::super::number::Number;
use super::super::value::Kind;
use super::Reader;
use crate::diagnostic::{DOCUMENT_NUMBER, Span, quoted};

impl Reader<'_> {
    /// A plain scalar; for a number that would change, null stands in and it is reported.
    pub(super) fn plain(&mut self, text: Cow<'_, str>, at: Span) -> Kind {
        match &*text {
            "" | "~" | "null" | "Null" | "NULL" => return Kind::Null,
            "true" | "True" | "TRUE" => return Kind::Bool(true),
            "false" | "False" | "FALSE" => return Kind::Bool(false),
            number if is_number(number) => {}
            _ => return Kind::String(text.into()),
        }
        match Number::read(&text) {
            Ok(number) => Kind::Number(number),
            Err(reason) => {
                self.defects.report_with_help(DOCUMENT_NUMBER, at, || {
                    let help = "write a number as JSON does, or put it into quotes if it is text";
                    (format!("the number {} {reason}", quoted(&text)), Some(help.to_owned()))
                });
                Kind::Null
            }
        }
    }
}

/// What a plain scalar is, if it is not text.
pub(super) fn other_than_text(text: &str) -> Option<&'static str> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Some("null"),
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => Some("a boolean"),
        number if is_number(number) => Some("a number"),
        _ => None,
    }
}

/// Tells whether the core schema takes text for a number, in whatever spelling.
fn is_number(text: &str) -> bool {
    let all =
        |text: &str, accepted: fn(&u8) -> bool| !text.is_empty() && text.bytes().all(|it| accepted(&it));
    if let Some(digits) = text.strip_prefix("0x") {
        return all(digits, u8::is_ascii_hexdigit);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return all(digits, |digit| matches!(digit, b'0'..=b'7'));
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits_or_none = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
    (!whole.is_empty() || !fraction.is_empty())
        && digits_or_none(whole)
        && digits_or_none(fraction)
        && exponent.is_none_or(|exponent| all(exponent, u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_core_schema() {
        for text in [
            "0", "-1", "+1", "007", "1.5", "1.", ".5", "-.5e3", "1e9", "1E+9", "0x1F", "0o17", ".inf",
            "-.INF", ".NaN",
        ] {
            assert!(is_number(text), "{text}");
        }
        for text in [
            "",
            "-",
            "+",
            ".",
            "-.",
            "e3",
            ".e3",
            "1e",
            "1e+",
            "0.6.0",
            "1_000",
            "0x",
            "0xg",
            "0o8",
            "-0x1",
            "1:30",
            "2026-01-25",
            "+.nan",
            "inf",
            "NaN",
            "1 2",
            "yes",
            "é",
        ] {
            assert!(!is_number(text), "{text}");
        }
    }
}
