//! What a string has to look like: a small closed set, so that core needs no engine for regular expressions and
//! every pattern is matched in one pass.

use std::fmt::Write as _;

use crate::digest::HEX_LEN;
use crate::time::Timestamp;

/// What a string has to look like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern {
    /// Parts, one behind the other; made by [`Pattern::of`].
    Parts(Parts),
    /// Three numbers without leading zeros, such as `0.9.1`.
    Semver,
    /// A time as RFC 3339 writes it.
    Timestamp,
    /// A SHA-256 digest.
    Sha256,
}

/// Parts of which each ends where the next begins.
// INVARIANT: private, so that only parts that can be told apart exist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts(&'static [Part]);

/// One part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// These characters.
    Literal(&'static str),
    /// So many characters of an alphabet; the most may be [`super::UNBOUNDED`].
    Run(Alphabet, u32, u32),
}

/// Characters that a run may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// `a` to `z`.
    Lower,
    /// `0` to `9`.
    Digit,
    /// `a` to `z` and `0` to `9`.
    LowerDigit,
    /// `a` to `z`, `0` to `9` and `_`.
    Snake,
}

impl Alphabet {
    const fn has(self, byte: u8) -> bool {
        match self {
            Self::Lower => byte.is_ascii_lowercase(),
            Self::Digit => byte.is_ascii_digit(),
            Self::LowerDigit => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
            Self::Snake => byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_',
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Lower => "[a-z]",
            Self::Digit => "[0-9]",
            Self::LowerDigit => "[a-z0-9]",
            Self::Snake => "[a-z0-9_]",
        }
    }
}

impl Pattern {
    /// A pattern of parts.
    ///
    /// # Panics
    ///
    /// While compiling, where a run of open length is followed by something it could swallow.
    pub const fn of(parts: &'static [Part]) -> Self {
        let mut rest = parts;
        while let [part, after @ ..] = rest {
            if let (Part::Run(alphabet, min, max), [next, ..]) = (part, after) {
                assert!(*min == *max || !swallows(*alphabet, next), "a run could swallow the part behind it");
            }
            rest = after;
        }
        Self::Parts(Parts(parts))
    }

    /// Tells whether a string looks like this.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::Parts(Parts(parts)) => match_parts(parts, text.as_bytes()),
            Self::Semver => text.split('.').count() == 3 && text.split('.').all(is_plain_number),
            Self::Timestamp => Timestamp::from_rfc3339(text).is_some(),
            Self::Sha256 => {
                text.len() == HEX_LEN && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            }
        }
    }

    /// The same as a regular expression, in the part of the language that all dialects share.
    pub fn regex(&self) -> String {
        match self {
            Self::Parts(Parts(parts)) => regex_of(parts),
            Self::Semver => {
                let number = "(0|[1-9][0-9]*)";
                format!("^{number}\\.{number}\\.{number}$")
            }
            Self::Timestamp => "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?\
                                ([Zz]|[+-][0-9]{2}:[0-9]{2})$"
                .to_owned(),
            Self::Sha256 => "^[0-9a-f]{64}$".to_owned(),
        }
    }
}

/// Tells whether a part could begin with something of an alphabet.
const fn swallows(alphabet: Alphabet, next: &Part) -> bool {
    match next {
        Part::Literal(text) => match text.as_bytes() {
            [first, ..] => alphabet.has(*first),
            [] => true,
        },
        // Every alphabet but two shares something with every other.
        Part::Run(other, ..) => !matches!(
            (alphabet, other),
            (Alphabet::Lower, Alphabet::Digit) | (Alphabet::Digit, Alphabet::Lower)
        ),
    }
}

fn match_parts(parts: &[Part], text: &[u8]) -> bool {
    let mut rest = text;
    for part in parts {
        let taken = match part {
            Part::Literal(literal) => rest.strip_prefix(literal.as_bytes()),
            Part::Run(alphabet, min, max) => {
                let max = usize::try_from(*max).unwrap_or(usize::MAX);
                let len = rest.iter().take(max).take_while(|byte| alphabet.has(**byte)).count();
                rest.get(len..).filter(|_| u32::try_from(len).is_ok_and(|len| len >= *min))
            }
        };
        let Some(after) = taken else { return false };
        rest = after;
    }
    rest.is_empty()
}

fn regex_of(parts: &[Part]) -> String {
    let mut regex = "^".to_owned();
    for part in parts {
        match part {
            Part::Literal(literal) => {
                for character in literal.chars() {
                    if !character.is_ascii_alphanumeric() && !matches!(character, '_' | '-' | ':' | '/') {
                        regex.push('\\');
                    }
                    regex.push(character);
                }
            }
            Part::Run(alphabet, min, max) => {
                regex.push_str(alphabet.class());
                // Writing to a string does not fail.
                let _ = match (*min, *max) {
                    (1, 1) => Ok(()),
                    (1, super::UNBOUNDED) => write!(regex, "+"),
                    (min, super::UNBOUNDED) => write!(regex, "{{{min},}}"),
                    (min, max) if min == max => write!(regex, "{{{min}}}"),
                    (min, max) => write!(regex, "{{{min},{max}}}"),
                };
            }
        }
    }
    regex + "$"
}

fn is_plain_number(text: &str) -> bool {
    let has_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    has_digits && (text == "0" || !text.starts_with('0'))
}

#[cfg(test)]
mod tests {
    use super::super::UNBOUNDED;
    use super::*;

    const RULE: Pattern = Pattern::of(&[
        Part::Literal("rule_r"),
        Part::Run(Alphabet::Digit, 2, 2),
        Part::Literal("_"),
        Part::Run(Alphabet::Snake, 1, UNBOUNDED),
    ]);
    const WORKFLOW: Pattern =
        Pattern::of(&[Part::Run(Alphabet::Lower, 1, 1), Part::Run(Alphabet::Snake, 2, 80)]);
    const MEMORY: Pattern =
        Pattern::of(&[Part::Literal("mem-"), Part::Run(Alphabet::LowerDigit, 1, UNBOUNDED)]);

    #[test]
    fn regular_expressions_are_the_usual_ones() {
        assert_eq!(RULE.regex(), "^rule_r[0-9]{2}_[a-z0-9_]+$");
        assert_eq!(WORKFLOW.regex(), "^[a-z][a-z0-9_]{2,80}$");
        assert_eq!(MEMORY.regex(), "^mem-[a-z0-9]+$");
        assert_eq!(Pattern::Semver.regex(), "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)$");
        assert_eq!(
            Pattern::of(&[Part::Literal("a.b"), Part::Run(Alphabet::Digit, 0, UNBOUNDED)]).regex(),
            "^a\\.b[0-9]{0,}$"
        );
    }

    #[test]
    fn what_matches_and_what_nearly_does() {
        let longest = "a".repeat(81);
        for (pattern, good, bad) in [
            (
                RULE,
                &["rule_r01_no_execution", "rule_r99__"][..],
                &["rule_r1_x", "rule_r012_x", "rule_r01_", "Rule_r01_x", "rule_r01_x ", " rule_r01_x"][..],
            ),
            (
                WORKFLOW,
                &["abc", "a_9", &longest],
                &["ab", "9ab", "_ab", "abC", "ab\u{e9}", &(longest.clone() + "a")],
            ),
            (MEMORY, &["mem-1", "mem-ab12"], &["mem-", "mem_1", "mem-A", "mem-a-b", ""]),
            (
                Pattern::Semver,
                &["0.0.0", "10.20.30"],
                &["1.0", "01.0.0", "1.0.0-rc.1", "1..0", "1.0.0.0", "v1.0.0"],
            ),
            (Pattern::Timestamp, &["2026-01-25T10:00:00Z"], &["2026-01-25", "2026-02-30T10:00:00Z", ""]),
            (Pattern::Sha256, &[&"0af".repeat(22)[..64]], &["0af", &"0AF".repeat(22)[..64], &"0".repeat(65)]),
        ] {
            assert_eq!(good.iter().find(|text| !pattern.matches(text)), None);
            assert_eq!(bad.iter().find(|text| pattern.matches(text)), None);
        }
    }
}
