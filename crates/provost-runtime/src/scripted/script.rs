//! The script of a scripted agent: read strictly, because a word that is overlooked makes a test that proves nothing.

use std::collections::BTreeMap;
use std::path::Path;

use provost_core::diagnostic::{self, Diagnostic, Place, Span, quoted};
use provost_core::role::Role;
use provost_core::signal::Name;
use serde::Deserialize;
use serde_json::Value;

use super::Given;
use crate::config::Rejected;
use crate::regular;

/// The most bytes that a script may have.
const SCRIPT_MAX: u64 = 1024 * 1024;

/// A script: the first entry that fits the turn is played.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Script {
    entries: Vec<Entry>,
}

/// What to do in some turns; a key that is left out fits all of them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    role: Option<Role>,
    task: Option<String>,
    attempt: Option<u32>,
    /// In order.
    pub steps: Vec<Step>,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// Makes a file, or replaces all of it.
    Write(Content),
    /// Adds to the end of a file.
    Append(Content),
    /// Removes a file.
    Delete(String),
    /// Replaces every occurrence of a text, of which there has to be one.
    Replace(Replacement),
    /// Makes a file executable.
    ChmodX(String),
    /// Prints a line.
    Say(String),
    /// Prints a line for people, which is not searched for signals.
    Stderr(String),
    /// Prints a signal.
    Signal(Spoken),
    /// Claims that the work is done and every check passes.
    Lie,
    /// Waits.
    WaitMs(u64),
    /// Waits until somebody ends it.
    Hang,
    /// Prints this many bytes.
    FloodBytes(u64),
    /// Leaves a process behind that keeps the output open.
    SpawnChild,
    /// Commits everything with this message, which agents are asked not to do.
    GitCommit(String),
    /// Ends with this status.
    Exit(u8),
    /// Ends by a signal of the system.
    Crash,
}

/// A file and text for it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    pub(super) path: String,
    pub(super) text: String,
}

/// A text in a file and what it becomes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    pub(super) path: String,
    pub(super) from: String,
    pub(super) to: String,
}

/// A signal by its name, with fields as in JSON; `task` stands in for the turn's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "BTreeMap<String, Value>")]
pub struct Spoken {
    pub(super) name: Name,
    pub(super) fields: BTreeMap<String, Value>,
}

impl TryFrom<BTreeMap<String, Value>> for Spoken {
    type Error = String;

    fn try_from(mut fields: BTreeMap<String, Value>) -> Result<Spoken, String> {
        let name = fields.remove("name").ok_or("a signal needs a `name`")?;
        let name: Name = serde_json::from_value(name).map_err(|error| error.to_string())?;
        let known = |key: &String| key == "task" || name.fields().iter().any(|field| field.key == key);
        match fields.keys().find(|key| !known(key)) {
            Some(key) => Err(format!("{name} has no field `{key}`")),
            None => Ok(Spoken { name, fields }),
        }
    }
}

impl Script {
    /// The steps of the first entry that fits a turn.
    pub fn steps(&self, given: &Given) -> Option<&[Step]> {
        let fits = |entry: &&Entry| {
            entry.role.is_none_or(|role| role == given.role)
                && entry.task.as_ref().is_none_or(|task| *task == given.task)
                && entry.attempt.is_none_or(|attempt| attempt == given.attempt)
        };
        self.entries.iter().find(fits).map(|entry| entry.steps.as_slice())
    }
}

/// Reads the script at `path`.
pub fn read(path: &Path) -> Result<Script, Rejected> {
    let name = path.display().to_string();
    let unreadable = |why: &str| Rejected {
        text: String::new(),
        defects: vec![Diagnostic::error(diagnostic::SCRIPTED_SCRIPT, format!("{} {why}", quoted(&name)))],
    };
    let bytes = regular::named(path, SCRIPT_MAX + 1).map_err(|why| unreadable(&why.to_string()))?;
    if bytes.len() as u64 > SCRIPT_MAX {
        return Err(unreadable(&format!("has more than {SCRIPT_MAX} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| unreadable("is not UTF-8"))?;
    parse(&text, &name)
}

fn parse(text: &str, name: &str) -> Result<Script, Rejected> {
    serde_saphyr::from_str(text).map_err(|error| {
        let (line, column) = error.location().map_or((1, 1), |at| (at.line().max(1), at.column().max(1)));
        let said = error.without_snippet().to_string();
        let first = said.lines().next().unwrap_or_default();
        // The place is shown beside the message.
        let message = first.rsplit_once(" at line ").map_or(first, |it| it.0);
        let place = Place {
            file: name.to_owned(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
            span: Some(span(text, line, column)),
        };
        let defect = Diagnostic::error(diagnostic::SCRIPTED_SCRIPT, message).at(place);
        Rejected { text: text.to_owned(), defects: vec![defect] }
    })
}

/// The word at a line and column.
fn span(text: &str, line: u64, column: u64) -> Span {
    let (line, column) = (usize::try_from(line - 1).unwrap_or(0), usize::try_from(column - 1).unwrap_or(0));
    let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = text.get(before..).unwrap_or_default();
    let within: usize = rest.chars().take(column).map(char::len_utf8).sum();
    let word = rest.get(within..).unwrap_or_default();
    let length = word.find(|it: char| it.is_whitespace() || it == ':').unwrap_or(word.len());
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    Span { start: number(before + within), end: number(before + within + length) }
}
