//! Bullets with a shape of their own, `file:line: text` and `criterion: VERIFIED - evidence`, apart because they are
//! read and written in both encodings.

use std::fmt;

use super::payload::{Issue, Proof};

/// What stands between a criterion and its evidence, beside the word.
const BETWEEN: &[char] = &[' ', ':', '-', '–', '—', '*', '\n', '\t'];

impl Issue {
    /// Reads `file:line: text` or `file:line:column: text`; anything else is text alone.
    pub fn parse(item: &str) -> Self {
        Self::placed(item).unwrap_or_else(|| Self { file: None, line: None, text: item.to_owned() })
    }

    fn placed(item: &str) -> Option<Self> {
        let (place, text) = item.split_once(": ")?;
        let place = place.trim_matches(['`', '*']);
        let (file, line) = place.split_once(':')?;
        let line = line.split_once(':').map_or(Some(line), |(line, column)| {
            column.bytes().all(|byte| byte.is_ascii_digit()).then_some(line)
        })?;
        let is_file = !file.is_empty() && !file.contains(char::is_whitespace);
        let line = line.parse().ok().filter(|_| is_file && !text.trim().is_empty())?;
        Some(Self { file: Some(file.to_owned()), line: Some(line), text: text.trim().to_owned() })
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}: {}", self.text),
            (Some(file), None) => write!(f, "{file}: {}", self.text),
            (None, _) => f.write_str(&self.text),
        }
    }
}

impl Proof {
    /// Reads `criterion: VERIFIED - evidence`; none for a criterion that is said not to be verified.
    pub(super) fn parse(item: &str) -> Option<Self> {
        let Some((criterion, evidence)) = item.split_once("VERIFIED") else {
            return Some(Self { criterion: item.to_owned(), evidence: String::new() });
        };
        let criterion = criterion.trim_end_matches(BETWEEN);
        if criterion.ends_with("NOT") || criterion.ends_with("UN") {
            return None;
        }
        let evidence = evidence.trim_start_matches(BETWEEN);
        Some(Self { criterion: criterion.to_owned(), evidence: evidence.to_owned() })
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: VERIFIED", self.criterion)?;
        if self.evidence.is_empty() { Ok(()) } else { write!(f, " - {}", self.evidence) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_where_they_are_written() {
        let placed = |file: &str, line, text: &str| Issue {
            file: Some(file.to_owned()),
            line: Some(line),
            text: text.to_owned(),
        };
        assert_eq!(Issue::parse("src/a.rs:12: unused"), placed("src/a.rs", 12, "unused"));
        assert_eq!(Issue::parse("`src/a.rs:12:7`: a: b"), placed("src/a.rs", 12, "a: b"));
        for text in
            ["no place", "src/a.rs: text", "see a b:1: text", "src/a.rs:x: text", "a:1:2:3: x", ":1: x"]
        {
            assert_eq!(Issue::parse(text), Issue { file: None, line: None, text: text.to_owned() });
        }
    }

    #[test]
    fn criteria_are_separated_from_their_evidence() {
        let proof = |criterion: &str, evidence: &str| {
            Some(Proof { criterion: criterion.to_owned(), evidence: evidence.to_owned() })
        };
        assert_eq!(Proof::parse("`x` exits 0: VERIFIED – ran it"), proof("`x` exits 0", "ran it"));
        assert_eq!(Proof::parse("a: b - **VERIFIED**: c"), proof("a: b", "c"));
        assert_eq!(Proof::parse("a"), proof("a", ""));
        assert_eq!(Proof::parse("a: NOT VERIFIED - b"), None);
        assert_eq!(Proof::parse("a: UNVERIFIED"), None);
    }
}
