//! Numbers from outside, apart because a number is accepted only if its value survives as a double, and its
//! spelling is kept because older checksums were made over it.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::canonical::{INTEGER_MAX, write_double, written_as_unsafe_integer};

/// A number that means the same before and after reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Number(Spelled);

/// Integers in their only canonical spelling need none to be kept.
#[derive(Clone, Debug, PartialEq)]
enum Spelled {
    Integer(i64),
    Otherwise(Box<Spelling>),
}

#[derive(Clone, Debug, PartialEq)]
struct Spelling {
    double: f64,
    text: Box<str>,
}

/// Why a number is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotANumber {
    #[error("is not a number of JSON")]
    Malformed,
    #[error("begins with a zero")]
    LeadingZero,
    #[error("begins with a plus")]
    Plus,
    #[error("has no digit on one side of its point")]
    BarePoint,
    #[error("is not a number that JSON knows")]
    NotFinite,
    #[error("is beyond ±9007199254740991, where integers are no longer exact")]
    Unsafe,
    #[error("is too large for a double")]
    Overflow,
    #[error("is so small that a double makes it zero")]
    Underflow,
    #[error("has more digits than a double holds and would become `{0}`")]
    Inexact(String),
}

impl Number {
    /// Reads a run of characters that begins like a number.
    pub(super) fn read(text: &str) -> Result<Self, NotANumber> {
        check_grammar(text)?;
        if text != "-0" && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
            return match text.parse() {
                Ok(integer) if (-INTEGER_MAX..=INTEGER_MAX).contains(&integer) => {
                    Ok(Self(Spelled::Integer(integer)))
                }
                _ => Err(NotANumber::Unsafe),
            };
        }
        let double: f64 = text.parse().map_err(|_| NotANumber::Malformed)?;
        if double.is_infinite() {
            return Err(NotANumber::Overflow);
        }
        let decimal = Decimal::of(text);
        if double == 0.0 && decimal != Some(Decimal::ZERO) {
            return Err(NotANumber::Underflow);
        }
        if written_as_unsafe_integer(double) {
            return Err(NotANumber::Unsafe);
        }
        let mut written = Vec::new();
        write_double(&mut written, double);
        let written = String::from_utf8_lossy(&written);
        if decimal.is_none() || decimal != Decimal::of(&written) {
            return Err(NotANumber::Inexact(written.into_owned()));
        }
        Ok(Self(Spelled::Otherwise(Box::new(Spelling { double, text: text.into() }))))
    }

    /// The whole number, if it is one: `3`, `3.0` and `3e0` are the same.
    pub fn as_i64(&self) -> Option<i64> {
        match &self.0 {
            Spelled::Integer(integer) => Some(*integer),
            Spelled::Otherwise(spelling) => whole(spelling.double),
        }
    }

    /// The number as a double; nothing is lost.
    #[expect(
        clippy::cast_precision_loss,
        reason = "integers beyond what a double holds are refused on reading"
    )]
    pub fn as_f64(&self) -> f64 {
        match &self.0 {
            Spelled::Integer(integer) => *integer as f64,
            Spelled::Otherwise(spelling) => spelling.double,
        }
    }

    /// The number as the document spells it.
    pub fn spelling(&self) -> Cow<'_, str> {
        match &self.0 {
            Spelled::Integer(integer) => Cow::Owned(integer.to_string()),
            Spelled::Otherwise(spelling) => Cow::Borrowed(&spelling.text),
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the value is whole and within the range of exact integers"
)]
fn whole(double: f64) -> Option<i64> {
    (double.fract() == 0.0 && double.abs() < 9_007_199_254_740_992.0).then_some(double as i64)
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.spelling())
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Spelled::Integer(integer) => serializer.serialize_i64(*integer),
            Spelled::Otherwise(spelling) => serializer.serialize_f64(spelling.double),
        }
    }
}

/// Checks a run of characters against the grammar of JSON, and says what is wrong where people often go wrong.
fn check_grammar(text: &str) -> Result<(), NotANumber> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    if matches!(unsigned, "NaN" | "nan" | "Infinity" | "inf" | "Inf") {
        return Err(NotANumber::NotFinite);
    }
    if text.starts_with('+') {
        return Err(NotANumber::Plus);
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole)
        || !fraction.is_none_or(digits)
        || !exponent.is_none_or(|text| !text.is_empty() && digits(text))
    {
        return Err(NotANumber::Malformed);
    }
    if fraction == Some("") || (whole.is_empty() && fraction.is_some()) {
        return Err(NotANumber::BarePoint);
    }
    match whole.as_bytes() {
        [] => Err(NotANumber::Malformed),
        [b'0', _, ..] => Err(NotANumber::LeadingZero),
        _ => Ok(()),
    }
}

/// The exact value of a number that is written in decimal: digits without zeros at either end, times a power of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Decimal {
    digits: u64,
    exponent: i64,
    negative: bool,
}

impl Decimal {
    const ZERO: Self = Self { digits: 0, exponent: 0, negative: false };
    /// More digits than this never come back from a double.
    const DIGITS_MAX: usize = 17;

    /// Takes a well-formed number apart; none if it has more digits than a double can give back.
    fn of(text: &str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let (mut digits, mut len, mut last) = (0, 0, 0);
        for (at, byte) in whole.bytes().chain(fraction.bytes()).enumerate() {
            if byte != b'0' {
                let step = if len == 0 { 1 } else { at - last };
                len += step;
                if len > Self::DIGITS_MAX {
                    return None;
                }
                digits = digits * 10_u64.pow(u32::try_from(step).ok()?) + u64::from(byte - b'0');
                last = at;
            }
        }
        if digits == 0 {
            return Some(Self::ZERO);
        }
        let place = i64::try_from(whole.len()).ok()? - 1 - i64::try_from(last).ok()?;
        let exponent = exponent.parse::<i64>().ok()?.checked_add(place)?;
        Some(Self { digits, exponent, negative: mantissa.starts_with('-') })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_with_spelling_and_value() {
        let cases: &[(&str, f64, Option<i64>)] = &[
            ("0", 0.0, Some(0)),
            ("-0", 0.0, Some(0)),
            ("-0.0", 0.0, Some(0)),
            ("0e999999999999999999999", 0.0, Some(0)),
            ("3", 3.0, Some(3)),
            ("3.0", 3.0, Some(3)),
            ("3.000000000000000000000000000", 3.0, Some(3)),
            ("300e-2", 3.0, Some(3)),
            ("-17", -17.0, Some(-17)),
            ("4.50", 4.5, None),
            ("2e-3", 0.002, None),
            ("0.000000000000000000000000001", 1e-27, None),
            ("1E30", 1e30, None),
            ("1e+21", 1e21, None),
            ("9007199254740991", 9_007_199_254_740_991.0, Some(INTEGER_MAX)),
            ("-9007199254740991.0", -9_007_199_254_740_991.0, Some(-INTEGER_MAX)),
            ("0.30000000000000004", 0.1 + 0.2, None),
            ("1.7976931348623157e308", f64::MAX, None),
            ("5e-324", 5e-324, None),
            ("2.2250738585072014E-308", f64::MIN_POSITIVE, None),
        ];
        for &(text, double, integer) in cases {
            let number = Number::read(text).unwrap_or_else(|refused| panic!("{text} {refused}"));
            assert_eq!(number.spelling(), text);
            assert!((number.as_f64() - double).abs() <= 0.0, "{text}");
            assert_eq!(number.as_i64(), integer, "{text}");
        }
    }

    #[test]
    fn refused_with_the_reason() {
        let inexact = |written: &str| NotANumber::Inexact(written.to_owned());
        let cases = [
            ("9007199254740992", NotANumber::Unsafe),
            ("-9007199254740992", NotANumber::Unsafe),
            ("9007199254740993.0", NotANumber::Unsafe),
            ("1e20", NotANumber::Unsafe),
            ("99999999999999999999999999999999", NotANumber::Unsafe),
            ("1e309", NotANumber::Overflow),
            ("-1e99999999999999999999", NotANumber::Overflow),
            ("1e-400", NotANumber::Underflow),
            ("2e-324", NotANumber::Underflow),
            ("1e-99999999999999999999", NotANumber::Underflow),
            ("0.1000000000000000055", inexact("0.1")),
            ("333333333.33333329", inexact("333333333.3333333")),
            ("3.1415926535897932384626", inexact("3.141592653589793")),
            ("4e-324", inexact("5e-324")),
            ("01", NotANumber::LeadingZero),
            ("-00", NotANumber::LeadingZero),
            ("+1", NotANumber::Plus),
            (".5", NotANumber::BarePoint),
            ("1.", NotANumber::BarePoint),
            ("-.5", NotANumber::BarePoint),
            ("1.e5", NotANumber::BarePoint),
            ("1e", NotANumber::Malformed),
            ("1e+", NotANumber::Malformed),
            ("-", NotANumber::Malformed),
            ("--1", NotANumber::Malformed),
            ("1-2", NotANumber::Malformed),
            ("0x10", NotANumber::Malformed),
            ("1_000", NotANumber::Malformed),
            ("1.2.3", NotANumber::Malformed),
            ("1e5.0", NotANumber::Malformed),
            ("-Infinity", NotANumber::NotFinite),
            ("-NaN", NotANumber::NotFinite),
        ];
        for (text, reason) in cases {
            assert_eq!(Number::read(text), Err(reason), "{text}");
        }
    }
}
