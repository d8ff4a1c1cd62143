//! One face over both encodings, apart so that what a signal needs is said once, not once for each.
//!
//! The first fault is remembered and the rest is read on: a defective field does not end in a signal anyway.

use std::str::FromStr;

use super::body::{Section, Sections};
use super::build::Defect;
use super::clip::Clip;
use super::field::TASK;
use super::matrix;
use super::payload::{Claim, Issue, Proof};
use super::{ITEMS_MAX, Reason};
use crate::diagnostic::quoted;
use crate::document::{Document, Object, Value};

/// The fields of a signal before anybody asked what they mean.
#[derive(Debug)]
pub(super) enum Source<'d> {
    /// Of a signal in text.
    Text(Sections),
    /// Of a signal in JSON.
    Json(Option<&'d Object>),
}

impl<'d> Source<'d> {
    pub(super) fn json(document: &'d Document) -> Self {
        Self::Json(document.root.as_object())
    }

    /// The task that a body in text names.
    pub(super) fn task(&self) -> Option<String> {
        match self {
            Self::Text(sections) => sections.get(TASK.key).map(|section| section.text().trim().to_owned()),
            Self::Json(_) => None,
        }
    }
}

/// Takes the fields of a signal out of its source, bounded.
#[derive(Debug)]
pub(super) struct Reader<'d> {
    source: Source<'d>,
    clip: Clip,
    defect: Option<Defect>,
}

/// A field as it is in its source.
enum Raw<'r> {
    Absent,
    Section(&'r Section),
    Value(&'r Value),
}

impl<'d> Reader<'d> {
    pub(super) const fn new(source: Source<'d>) -> Self {
        Self { source, clip: Clip::new(), defect: None }
    }

    /// Tells whether something was left out.
    pub(super) const fn is_cut(&self) -> bool {
        self.clip.is_cut()
    }

    /// The first thing that is wrong.
    pub(super) fn defect(&mut self) -> Option<Defect> {
        self.defect.take()
    }

    /// Remembers a fault, unless there was one before.
    pub(super) fn fault(&mut self, reason: Reason, detail: String) {
        if self.defect.is_none() {
            self.defect = Some(Defect::new(reason, detail));
        }
    }

    /// Remembers that a field must not be empty.
    pub(super) fn require(&mut self, key: &str, is_there: bool) {
        if !is_there {
            self.fault(Reason::MissingField, format!("`{key}` is missing"));
        }
    }

    fn raw(&self, key: &str) -> Raw<'_> {
        match &self.source {
            Source::Text(sections) => sections.get(key).map_or(Raw::Absent, Raw::Section),
            Source::Json(object) => match object.and_then(|it| it.get(key)) {
                Some(value) if !value.is_null() => Raw::Value(value),
                _ => Raw::Absent,
            },
        }
    }

    /// What a field says as text, before it is cut.
    fn string(&mut self, key: &str) -> String {
        let (text, cut) = match self.raw(key) {
            Raw::Absent => (Some(String::new()), false),
            Raw::Section(section) => (Some(section.text()), section.cut),
            Raw::Value(value) => (value.as_str().map(str::to_owned), false),
        };
        self.note(cut);
        self.typed(key, "a string", text)
    }

    /// A text.
    pub(super) fn text(&mut self, key: &str) -> String {
        let text = self.string(key);
        self.clip.text(&text)
    }

    /// A text that is short by its nature.
    pub(super) fn short(&mut self, key: &str) -> String {
        let text = self.string(key);
        self.clip.item(&text)
    }

    /// A list of texts; empty ones are dropped.
    pub(super) fn list(&mut self, key: &str) -> Vec<String> {
        let raw = self.strings(key, false);
        self.bounded(raw, |clip, item| Some(clip.item(&item)).filter(|item| !item.is_empty()))
    }

    /// A list of paths.
    pub(super) fn paths(&mut self, key: &str) -> Vec<String> {
        let raw = self.strings(key, true);
        self.bounded(raw, |clip, item| {
            Some(clip.item(item.trim().trim_matches('`'))).filter(|item| !item.is_empty())
        })
    }

    /// A list of things that are wrong.
    pub(super) fn issues(&mut self, key: &str) -> Vec<Issue> {
        let raw = self.entries(key, |value| {
            let line = match value.get("line").filter(|it| !it.is_null()) {
                Some(line) => Some(u32::try_from(line.as_u64()?).ok()?),
                None => None,
            };
            Some(Issue {
                file: optional(value, "file").ok()?,
                line,
                text: value.get("text")?.as_str()?.to_owned(),
            })
        });
        self.bounded(raw, |clip, entry| {
            let issue = match entry {
                Entry::Item(item) => Issue::parse(item.trim()),
                Entry::Object(issue) => issue,
            };
            let file = issue.file.map(|file| clip.item(&file)).filter(|file| !file.is_empty());
            let text = clip.item(&issue.text);
            (!text.is_empty()).then_some(Issue { line: issue.line.filter(|_| file.is_some()), file, text })
        })
    }

    /// A list of criteria that are met; one that is not is a contradiction.
    pub(super) fn proofs(&mut self, key: &str) -> Vec<Proof> {
        let raw = self.entries(key, |value| {
            let verified = value.get("verified").is_none_or(|it| it.as_bool() == Some(true));
            let criterion = value.get("criterion")?.as_str()?.to_owned();
            Some((
                Proof { criterion, evidence: optional(value, "evidence").ok()?.unwrap_or_default() },
                verified,
            ))
        });
        let mut unmet = None;
        let proofs = self.bounded(raw, |clip, entry| {
            let (proof, item) = match entry {
                Entry::Item(item) => (Proof::parse(item.trim()), item),
                Entry::Object((proof, verified)) => {
                    let criterion = proof.criterion.clone();
                    (verified.then_some(proof), criterion)
                }
            };
            let Some(proof) = proof else {
                unmet.get_or_insert(item);
                return None;
            };
            let criterion = clip.item(&proof.criterion);
            (!criterion.is_empty()).then(|| Proof { criterion, evidence: clip.item(&proof.evidence) })
        });
        if let Some(item) = unmet {
            let detail = format!("it lists a criterion that is not verified: {}", quoted(item.trim()));
            self.fault(Reason::Contradiction, detail);
        }
        proofs
    }

    /// A table of checks.
    pub(super) fn claims(&mut self, key: &str) -> Vec<Claim> {
        let (raw, cut) = match self.raw(key) {
            Raw::Absent => (Some(Vec::new()), false),
            Raw::Section(section) => (Some(matrix::claims(section)), section.cut),
            Raw::Value(value) => {
                (value.as_array().and_then(|rows| rows.iter().map(claim).collect::<Option<Vec<_>>>()), false)
            }
        };
        self.note(cut);
        let raw = self.typed(key, "a list of checks", raw);
        self.bounded(raw, |clip, claim| {
            let check = clip.item(&claim.check);
            let environment = clip.item(&claim.environment);
            (!check.is_empty()).then_some(Claim { check, environment, ..claim })
        })
    }

    /// One of a few words, however it is set; none where the field is missing, the word itself where it is not one.
    pub(super) fn word<T: FromStr>(&mut self, key: &str) -> Option<Result<T, String>> {
        let text = self.string(key);
        let word = text.trim().trim_matches(['`', '*', '.']).to_ascii_lowercase().replace([' ', '-'], "_");
        (!word.is_empty()).then(|| word.parse().map_err(|_| word))
    }

    /// A number from 0 to 100, with or without a sign for percent.
    pub(super) fn percent(&mut self, key: &str) -> Option<u8> {
        let number = match self.raw(key) {
            Raw::Absent => None,
            Raw::Section(section) => {
                let text = section.text();
                let digits: String = text.trim().chars().take(4).take_while(char::is_ascii_digit).collect();
                digits.parse().ok()
            }
            Raw::Value(value) => value.as_u64().and_then(|it| u8::try_from(it).ok()),
        };
        number.filter(|it| *it <= 100)
    }

    fn strings(&mut self, key: &str, by_commas: bool) -> Vec<String> {
        let (items, cut) = match self.raw(key) {
            Raw::Absent => (Some(Vec::new()), false),
            Raw::Section(section) => (Some(section.items(by_commas)), section.cut),
            Raw::Value(value) => (value_strings(value), false),
        };
        self.note(cut);
        self.typed(key, "a list of strings", items)
    }

    fn entries<T>(&mut self, key: &str, object: impl Fn(&Value) -> Option<T>) -> Vec<Entry<T>> {
        let (entries, cut) = match self.raw(key) {
            Raw::Absent => (Some(Vec::new()), false),
            Raw::Section(section) => {
                (Some(section.items(false).into_iter().map(Entry::Item).collect()), section.cut)
            }
            Raw::Value(value) => {
                let entry = |value: &Value| match value.as_str() {
                    Some(text) => Some(Entry::Item(text.to_owned())),
                    None => object(value).map(Entry::Object),
                };
                (value.as_array().and_then(|all| all.iter().map(entry).collect()), false)
            }
        };
        self.note(cut);
        self.typed(key, "a list of strings or objects", entries)
    }

    fn typed<T: Default>(&mut self, key: &str, what: &str, value: Option<T>) -> T {
        value.unwrap_or_else(|| {
            self.fault(Reason::InvalidField, format!("`{key}` is not {what}"));
            T::default()
        })
    }

    const fn note(&mut self, cut: bool) {
        if cut {
            self.clip.note();
        }
    }

    fn bounded<T, U>(&mut self, raw: Vec<T>, mut keep: impl FnMut(&mut Clip, T) -> Option<U>) -> Vec<U> {
        let mut kept = Vec::with_capacity(raw.len().min(ITEMS_MAX));
        for item in raw {
            if !self.clip.room(kept.len()) {
                break;
            }
            kept.extend(keep(&mut self.clip, item));
        }
        kept
    }
}

/// An element of a list that may be written in two ways.
enum Entry<T> {
    Item(String),
    Object(T),
}

fn value_strings(value: &Value) -> Option<Vec<String>> {
    match value.as_str() {
        Some(one) => Some(vec![one.to_owned()]),
        None => value.as_array()?.iter().map(|it| it.as_str().map(str::to_owned)).collect(),
    }
}

/// A value that is something else than text.
struct NotText;

/// The text under a key that may be missing.
fn optional(value: &Value, key: &str) -> Result<Option<String>, NotText> {
    match value.get(key).filter(|it| !it.is_null()) {
        Some(value) => value.as_str().map(|text| Some(text.to_owned())).ok_or(NotText),
        None => Ok(None),
    }
}

fn claim(value: &Value) -> Option<Claim> {
    let exit_code = match value.get("exit_code").filter(|it| !it.is_null()) {
        Some(code) => Some(i32::try_from(code.as_i64()?).ok()?),
        None => None,
    };
    Some(Claim {
        check: value.get("check")?.as_str()?.to_owned(),
        environment: optional(value, "environment").ok()?.unwrap_or_default(),
        exit_code,
        result: matrix::claimed(&optional(value, "result").ok()?.unwrap_or_default()),
    })
}
