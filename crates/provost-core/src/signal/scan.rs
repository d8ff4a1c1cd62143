//! Where in an output something is meant as a signal, apart because output is large, hostile and full of examples:
//! this is one pass over it, and what it keeps is bounded.

use std::collections::VecDeque;
use std::fmt;

use strum::VariantArray as _;

use super::build::Defect;
use super::fence::{self, Fence};
use super::{CHECKPOINTS_MAX, Name, Reason};
use crate::diagnostic::quoted;
use crate::document::{self, Document, Unreadable};

/// How the line begins that stands where the middle of an output was left out.
pub const CUT_MARK_PREFIX: &str = "[provost: output cut";

/// How many different signals are told apart; two are too many already.
const DISTINCT_MAX: usize = 4;

/// What is accepted as JSON; a signal is kept in far less.
const JSON: document::Limits = document::Limits { bytes_max: 256 << 10, depth_max: 8, defects_max: 1 };

/// The line that stands where the middle of an output was left out, with the line ends around it.
pub fn cut_mark(bytes: u64) -> String {
    format!("\n{CUT_MARK_PREFIX}, {bytes} bytes left out]\n")
}

/// Something that is meant as a signal.
#[derive(Clone, Debug)]
pub(super) struct Attempt<'t> {
    /// The signal, where it is known.
    pub(super) name: Option<Name>,
    /// The task, where the beginning names one.
    pub(super) task: Option<String>,
    /// How it is written.
    pub(super) form: Form<'t>,
}

/// How a signal is written.
#[derive(Clone, Debug)]
pub(super) enum Form<'t> {
    /// As text: all that follows the line with the name.
    Text(&'t str),
    /// As JSON.
    Json(Box<Document>),
    /// In a way that cannot be read.
    Broken(Defect),
}

/// A signal and its task, by which two are told apart.
#[derive(Clone, Debug)]
pub(super) struct Distinct {
    name: Name,
    task: Option<String>,
}

impl fmt::Display for Distinct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.task {
            Some(task) => write!(f, "{} for {}", self.name, quoted(task)),
            None => write!(f, "{}", self.name),
        }
    }
}

/// All that was found.
#[derive(Debug, Default)]
pub(super) struct Found<'t> {
    /// The last checkpoints.
    pub(super) checkpoints: VecDeque<Attempt<'t>>,
    /// The different signals that end a turn.
    pub(super) distinct: Vec<Distinct>,
    /// The last signal in JSON.
    pub(super) last_json: Option<Attempt<'t>>,
    /// The last signal in text.
    pub(super) last_text: Option<Attempt<'t>>,
}

/// Finds all that is meant as a signal.
pub(super) fn scan(text: &str, clipped: bool) -> Found<'_> {
    let mut found = Found::default();
    for part in parts(text, clipped) {
        Scanner { part, found: &mut found, open: None }.run();
    }
    found
}

/// The parts that were kept of an output, without the lines that the cuts may have gone through.
fn parts(text: &str, clipped: bool) -> Vec<&str> {
    if !clipped {
        return vec![text];
    }
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, line) in lines(text) {
        if line.starts_with(CUT_MARK_PREFIX) {
            let before = text.get(start..at).unwrap_or_default();
            // The line feed before the mark is the mark's own; what stands before it may be half a line.
            let before = before.strip_suffix('\n').unwrap_or(before);
            parts.push(before.get(..before.rfind('\n').map_or(0, |end| end + 1)).unwrap_or_default());
            let after = at + line.len() + 1;
            let half = text.get(after..).and_then(|rest| rest.find('\n'));
            start = half.map_or(text.len(), |half| after + half + 1);
        }
    }
    let last = text.get(start..).unwrap_or_default();
    parts.push(if start == 0 { last } else { outside(last) });
    parts
}

/// The part of a tail that is certainly outside the block that the cut may have gone through.
///
/// When the tail, read as if it began outside, ends inside a block, its first bare fence was the end of one.
fn outside(tail: &str) -> &str {
    let mut open = None;
    let mut first = None;
    for (at, line) in lines(tail) {
        let was_open = open.is_some();
        fence::step(&mut open, line);
        if first.is_none() && !was_open && open.is_some() {
            first = Some((at + line.len() + 1, fence::opening(line).is_some_and(|it| it.info.is_empty())));
        }
    }
    match first {
        Some((after, true)) if open.is_some() => tail.get(after..).unwrap_or_default(),
        _ => tail,
    }
}

/// The lines of a text, each with the place of its first byte.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split('\n').map(move |line| {
        let start = at;
        at += line.len() + 1;
        (start, line)
    })
}

struct Scanner<'t, 'f> {
    part: &'t str,
    found: &'f mut Found<'t>,
    /// A signal in text whose end has not been found, and where its body begins.
    open: Option<(Attempt<'t>, usize)>,
}

impl<'t> Scanner<'t, '_> {
    fn run(mut self) {
        let mut block: Option<Fence> = None;
        // Where the JSON of a block that is addressed to us begins.
        let mut ours: Option<usize> = None;
        for (at, line) in lines(self.part) {
            let was_open = block.is_some();
            if fence::step(&mut block, line) {
                if !was_open {
                    let addressed =
                        fence::opening(line).is_some_and(|it| it.indent == 0 && it.info == "provost");
                    ours = addressed.then_some(at + line.len() + 1);
                } else if block.is_none()
                    && let Some(start) = ours.take()
                {
                    self.block(start, at);
                }
            } else if line.starts_with('{') {
                self.json_line(at, line);
            } else {
                self.text_line(at, line);
            }
        }
        if let Some(start) = ours {
            self.block(start, self.part.len());
        }
        self.close(self.part.len());
    }

    fn text_line(&mut self, at: usize, line: &str) {
        let Some((name, rest)) = named(line) else { return };
        self.close(at);
        let broken = |reason, detail: &str| Form::Broken(Defect::new(reason, format!("{name} {detail}")));
        let (task, form) = match rest.strip_prefix(": ") {
            Some(task) if !task.is_empty() && !task.contains(char::is_whitespace) => {
                (Some(task.to_owned()), Form::Text(""))
            }
            Some(_) => (None, broken(Reason::MalformedLine, "is followed by more than a task's id")),
            None if name == Name::SeekingDivineClarification && matches!(rest, "" | ":") => {
                (None, Form::Text(""))
            }
            None if matches!(rest, "" | ":") => (None, broken(Reason::MissingTask, "names no task")),
            None => (None, broken(Reason::MalformedLine, "has no space behind its colon")),
        };
        self.open = Some((Attempt { name: Some(name), task, form }, at + line.len() + 1));
    }

    fn json_line(&mut self, at: usize, line: &'t str) {
        if !line.contains("\"signal\"") {
            return;
        }
        if let Some(attempt) = json(line, false) {
            self.close(at);
            self.found.keep(attempt);
        }
    }

    fn block(&mut self, start: usize, end: usize) {
        self.close(start);
        let content = self.part.get(start..end).unwrap_or_default();
        if let Some(attempt) = json(content, true) {
            self.found.keep(attempt);
        }
    }

    /// Ends the body of a signal in text.
    fn close(&mut self, end: usize) {
        if let Some((mut attempt, start)) = self.open.take() {
            if let Form::Text(body) = &mut attempt.form {
                *body = self.part.get(start..end).unwrap_or_default();
            }
            self.found.keep(attempt);
        }
    }
}

/// The name that a line begins with, and what follows it, if the line is not prose.
fn named(line: &str) -> Option<(Name, &str)> {
    let is_name = |character: char| character == '_' || character.is_ascii_uppercase();
    let end = line.find(|character| !is_name(character)).unwrap_or(line.len());
    let (name, rest) = line.split_at_checked(end)?;
    let name = name.parse().ok()?;
    let rest = rest.trim_end();
    (rest.is_empty() || rest.starts_with(':')).then_some((name, rest))
}

/// Reads JSON that may be a signal; what does not name one is not ours, unless the block around it says so.
fn json<'t>(text: &str, addressed: bool) -> Option<Attempt<'t>> {
    let broken = |detail: String| Form::Broken(Defect::new(Reason::InvalidJson, detail));
    match document::read("signal", text.as_bytes(), &JSON) {
        Ok(document) => {
            let named = document.root.get("signal").and_then(|it| it.as_str());
            let name = named.and_then(|it| it.parse().ok());
            let task = document.root.get("task").and_then(|it| it.as_str()).map(str::to_owned);
            if name.is_none() {
                let detail = named.map_or_else(
                    || "the block holds no object with the key `signal`".to_owned(),
                    |named| format!("{} is not a signal", quoted(named)),
                );
                return addressed.then(|| Attempt { name, task, form: broken(detail) });
            }
            Some(Attempt { name, task, form: Form::Json(Box::new(document)) })
        }
        Err(unreadable) => {
            let name =
                Name::VARIANTS.iter().copied().find(|name| text.contains(&format!("\"{}\"", name.name())));
            let detail = first_defect(&unreadable);
            (addressed || name.is_some()).then(|| Attempt { name, task: None, form: broken(detail) })
        }
    }
}

/// What is wrong with JSON that cannot be read, and where.
fn first_defect(unreadable: &Unreadable) -> String {
    unreadable.defects.first().map_or_else(
        || "it cannot be read".to_owned(),
        |defect| match &defect.place {
            Some(place) => format!("{} (line {}, column {})", defect.message, place.line, place.column),
            None => defect.message.clone(),
        },
    )
}

/// Reads the fields of a signal whose name is known, within the limits of one that was printed.
pub(super) fn fields<'t>(name: Name, text: &str) -> Attempt<'t> {
    let broken = |detail| Form::Broken(Defect::new(Reason::InvalidJson, detail));
    let read = document::read("signal", text.as_bytes(), &JSON);
    let task = |document: &Document| {
        let task = document.root.get("task").filter(|it| !it.is_null())?;
        // What is no name is not that of the task either.
        Some(task.as_str().unwrap_or_default().to_owned())
    };
    match read {
        Ok(document) if document.root.as_object().is_some() => {
            Attempt { name: Some(name), task: task(&document), form: Form::Json(Box::new(document)) }
        }
        Ok(_) => {
            let form = broken("the fields are not an object".to_owned());
            Attempt { name: Some(name), task: None, form }
        }
        Err(unreadable) => Attempt { name: Some(name), task: None, form: broken(first_defect(&unreadable)) },
    }
}

impl<'t> Found<'t> {
    fn keep(&mut self, attempt: Attempt<'t>) {
        if attempt.name.is_some_and(|name| !name.ends_the_turn()) {
            if self.checkpoints.len() == CHECKPOINTS_MAX {
                self.checkpoints.pop_front();
            }
            self.checkpoints.push_back(attempt);
            return;
        }
        if let Some(name) = attempt.name {
            self.tell_apart(name, attempt.task.as_ref());
        }
        let is_text = match &attempt.form {
            Form::Text(_) => true,
            Form::Json(_) => false,
            Form::Broken(defect) => defect.reason != Reason::InvalidJson,
        };
        *(if is_text { &mut self.last_text } else { &mut self.last_json }) = Some(attempt);
    }

    fn tell_apart(&mut self, name: Name, task: Option<&String>) {
        let same = |it: &&mut Distinct| {
            it.name == name && (it.task.is_none() || task.is_none() || it.task.as_ref() == task)
        };
        if let Some(known) = self.distinct.iter_mut().find(same) {
            known.task = known.task.take().or_else(|| task.cloned());
        } else if self.distinct.len() < DISTINCT_MAX {
            self.distinct.push(Distinct { name, task: task.cloned() });
        }
    }
}
