//! A file being read: what every section needs to take a value or to say what is wrong with it, and where.

use std::ops::Range;

use provost_core::diagnostic::{self, Diagnostic, Place, Span, nearest, quoted};
use strum::VariantArray;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::{Config, Entry, Origin};

/// A value at its place.
pub(super) type Value<'v> = Spanned<DeValue<'v>>;

/// A file being read.
pub(super) struct Reading<'a> {
    text: &'a str,
    name: &'a str,
    pub(super) config: Config,
    pub(super) defects: Vec<Diagnostic>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(text: &'a str, name: &'a str) -> Reading<'a> {
        Reading { text, name, config: Config::default(), defects: Vec::new() }
    }

    /// What messages call the file.
    pub(super) const fn file(&self) -> &'a str {
        self.name
    }

    /// Takes note of a value, to be shown.
    pub(super) fn show(&mut self, name: String, value: impl Into<serde_json::Value>, origin: Origin) {
        self.config.entries.push(Entry { name, value: value.into(), origin });
    }

    /// The line that a value is on; where there is no value, it has its default.
    pub(super) fn origin(&self, value: Option<&Value<'_>>) -> Origin {
        value.map_or(Origin::Default, |value| Origin::Line(self.place(value.span()).line))
    }

    pub(super) fn table<'v, 't>(&mut self, name: &str, value: &'v Value<'t>) -> Option<&'v DeTable<'t>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_kind(name, "a table", value);
        }
        table
    }

    pub(super) fn array<'v, 't>(
        &mut self,
        name: &str,
        wanted: &str,
        value: &'v Value<'t>,
    ) -> Option<&'v DeArray<'t>> {
        let array = value.get_ref().as_array();
        if array.is_none() {
            self.wrong_kind(name, wanted, value);
        }
        array
    }

    /// A text that has something in it and that a program can be given.
    pub(super) fn string(&mut self, name: &str, value: &Value<'_>) -> Option<String> {
        let text = value.get_ref().as_str().filter(|text| !text.trim().is_empty() && !text.contains('\0'));
        if text.is_none() {
            self.wrong_kind(name, "a text that is not empty", value);
        }
        text.map(str::to_owned)
    }

    /// A list of texts; `wanted` says what of.
    pub(super) fn strings(&mut self, name: &str, wanted: &str, value: &Value<'_>) -> Option<Vec<String>> {
        let items = self.array(name, wanted, value)?;
        let mut found = Vec::new();
        for item in items {
            match item.get_ref().as_str().filter(|text| !text.contains('\0')) {
                Some(text) => found.push(text.to_owned()),
                None => self.wrong_kind(name, wanted, item),
            }
        }
        (found.len() == items.len()).then_some(found)
    }

    /// A program and its arguments.
    pub(super) fn argv(&mut self, name: &str, value: &Value<'_>) -> Option<Vec<String>> {
        let wanted = "a list of texts, the program first, such as [\"cargo\", \"test\"]";
        let argv = self.strings(name, wanted, value)?;
        if argv.first().is_none_or(|program| program.trim().is_empty()) {
            self.wrong_kind(name, wanted, value);
            return None;
        }
        Some(argv)
    }

    /// One of a few words.
    pub(super) fn choice<T>(&mut self, name: &str, value: &Value<'_>) -> Option<T>
    where
        T: std::str::FromStr + VariantArray + Copy + Into<&'static str>,
    {
        let found = value.get_ref().as_str().and_then(|text| text.parse().ok());
        if found.is_none() {
            let known: Vec<String> = T::VARIANTS.iter().map(|it| format!("\"{}\"", (*it).into())).collect();
            self.wrong_kind(name, &known.join(" or "), value);
        }
        found
    }

    pub(super) fn boolean(&mut self, name: &str, value: &Value<'_>) -> Option<bool> {
        let found = value.get_ref().as_bool();
        if found.is_none() {
            self.wrong_kind(name, "true or false", value);
        }
        found
    }

    /// A whole number within a range.
    pub(super) fn number(&mut self, name: &str, from: u32, to: u32, value: &Value<'_>) -> Option<u32> {
        let number = value.get_ref().as_integer();
        let number = number.and_then(|it| u32::from_str_radix(it.as_str(), it.radix()).ok());
        let number = number.filter(|number| (from..=to).contains(number));
        if number.is_none() {
            self.wrong_kind(name, &format!("a whole number from {from} to {to}"), value);
        }
        number
    }

    /// Complains about each key of a table that is not known.
    pub(super) fn only(&mut self, table: &DeTable<'_>, known: &[&str]) {
        for (key, _) in table {
            if !known.contains(&key.get_ref().as_ref()) {
                self.unknown_key(key.get_ref(), known, key.span());
            }
        }
    }

    pub(super) fn wrong_kind(&mut self, name: &str, wanted: &str, value: &Value<'_>) {
        self.wrong(format!("`{name}` must be {wanted}"), value.span());
    }

    /// Complains about a value.
    pub(super) fn wrong(&mut self, message: String, span: Range<usize>) {
        self.complain(Diagnostic::error(diagnostic::CONFIG_VALUE, message), span);
    }

    pub(super) fn unknown_key(&mut self, name: &str, known: &[&str], span: Range<usize>) {
        let message = format!("there is no key {}", quoted(name));
        let mut defect = Diagnostic::error(diagnostic::CONFIG_UNKNOWN_KEY, message);
        if let Some(near) = nearest(name, known.iter().copied()) {
            defect = defect.with_help(format!("did you mean `{near}`?"));
        }
        self.complain(defect, span);
    }

    pub(super) fn complain(&mut self, defect: Diagnostic, span: Range<usize>) {
        let place = self.place(span);
        self.defects.push(defect.at(place));
    }

    pub(super) fn place(&self, span: Range<usize>) -> Place {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Place {
            file: self.name.to_owned(),
            line: count(before.matches('\n').count() + 1),
            column: count(before.get(line_start..).unwrap_or_default().chars().count() + 1),
            span: Some(Span { start: count(span.start), end: count(span.end) }),
        }
    }
}

/// A message of the TOML reader on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
