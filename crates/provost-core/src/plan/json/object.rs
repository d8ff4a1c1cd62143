//! Objects with closed keys, apart because every level of the JSON form asks the same few things of a value.

use crate::diagnostic::{self, Diagnostic, nearest, quoted};
use crate::document::{Object, Value};
use crate::plan::draft::Placed;
use crate::plan::findings::Findings;
use crate::plan::scan::{block, forbidden, one_line, scan};

/// An object whose keys are all known; `null` counts as absent.
pub(super) struct Fields<'d>(&'d Object);

/// Reports a value of the wrong kind; gives nothing, in whatever place it is asked.
pub(super) fn wrong<T>(found: &Value, wanted: &str, findings: &mut Findings<'_>) -> Option<T> {
    let shown = match found.as_str() {
        Some(text) => quoted(text).to_string(),
        None => found.as_number().map_or_else(|| found.kind.name().to_owned(), |it| format!("`{it}`")),
    };
    findings.error(diagnostic::PLAN_VALUE, found.span, format!("{shown} is not {wanted}"));
    None
}

impl<'d> Fields<'d> {
    /// Takes an object, and reports keys that are unknown or missing.
    pub(super) fn of(
        value: &'d Value,
        what: &str,
        known: &[&str],
        required: &[&str],
        findings: &mut Findings<'_>,
    ) -> Option<Self> {
        let Some(object) = value.as_object() else {
            return wrong(value, &format!("an object, and {what} is one"), findings);
        };
        for member in object.iter().filter(|member| !known.contains(&&*member.key)) {
            let message = format!("{what} has no key {}", quoted(&member.key));
            let mut defect = Diagnostic::error(diagnostic::PLAN_KEY, message);
            if let Some(near) = nearest(&member.key, known.iter().copied()) {
                defect = defect.with_help(format!("did you mean `{near}`?"));
            }
            findings.report(member.key_span, defect);
        }
        let fields = Self(object);
        for key in required.iter().filter(|key| fields.get(key).is_none()) {
            super::missing(what, key, value.span, findings);
        }
        Some(fields)
    }

    pub(super) fn get(&self, key: &str) -> Option<&'d Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    /// A string as it stands.
    pub(super) fn text(&self, key: &str, findings: &mut Findings<'_>) -> Option<Placed<&'d str>> {
        text(self.get(key)?, findings)
    }

    /// A string on one line.
    pub(super) fn line(&self, key: &str, findings: &mut Findings<'_>) -> Option<Placed<String>> {
        let Placed { value, span } = self.text(key, findings)?;
        Some(Placed { value: one_line(value), span })
    }

    /// A string of several lines.
    pub(super) fn block(&self, key: &str, findings: &mut Findings<'_>) -> String {
        let Some(Placed { value, span }) = self.text(key, findings) else { return String::new() };
        let (lines, open) = scan(value);
        if let Some(open) = open {
            let message = format!("the text has a {} that is never closed", open.what);
            findings.error(diagnostic::PLAN_OPEN_BLOCK, span, message);
        }
        block(lines)
    }

    /// A whole number that is not negative.
    pub(super) fn number(&self, key: &str, findings: &mut Findings<'_>) -> Option<u32> {
        let value = self.get(key)?;
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        number.or_else(|| wrong(value, "a number from 0 to 4294967295", findings))
    }

    /// The entries of a list.
    pub(super) fn list(&self, key: &str, findings: &mut Findings<'_>) -> &'d [Value] {
        let Some(value) = self.get(key) else { return &[] };
        value.as_array().or_else(|| wrong(value, "a list", findings)).unwrap_or_default()
    }

    /// The entries of a list of strings as they stand.
    pub(super) fn texts(&self, key: &str, findings: &mut Findings<'_>) -> Vec<Placed<&'d str>> {
        self.list(key, findings).iter().filter_map(|entry| text(entry, findings)).collect()
    }

    /// The entries of a list of strings, each on one line.
    pub(super) fn lines(&self, key: &str, findings: &mut Findings<'_>) -> Vec<Placed<String>> {
        self.texts(key, findings)
            .into_iter()
            .map(|Placed { value, span }| Placed { value: one_line(value), span })
            .collect()
    }
}

fn text<'d>(value: &'d Value, findings: &mut Findings<'_>) -> Option<Placed<&'d str>> {
    let Some(text) = value.as_str() else { return wrong(value, "a string", findings) };
    if let Some((_, character)) = forbidden(text).next() {
        let message = format!("the character U+{:04X} has no place in a plan", u32::from(character));
        findings.error(diagnostic::PLAN_CHARACTER, value.span, message);
    }
    Some(Placed { value: text, span: value.span })
}
