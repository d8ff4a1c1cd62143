//! What a person wants done, as tasks with criteria: read from Markdown or JSON, checked, and frozen to bytes.
//!
//! Apart because a plan is a document from outside until it is read here, and data that everything trusts after.
//! `docs/plan.md` says how one is written.

mod check;
mod command;
mod criterion;
mod draft;
mod findings;
mod id;
mod json;
mod markdown;
pub mod pattern;
mod scan;
mod shape;
mod task;
mod value;

use serde::{Deserialize, Serialize, Serializer};

use crate::canonical::{self, NotCanonical};
use crate::diagnostic::{self, Diagnostic, Place, Span};
use crate::digest::Digest;
use crate::document::Unreadable;

pub use command::{NotWords, shown, words};
pub use criterion::{Criterion, CriterionKind};
pub use id::{NotATaskId, TaskId};
pub use shape::{EXACT_MAX, Shape};
pub use task::{Phase, Priority, Reading, Risk, Task, Verify};
pub(crate) use value::repository_path;

/// The size of a plan: room for as many tasks as are accepted, each with a paragraph.
pub const BYTES_MAX: u32 = 8 << 20;

/// How many tasks a plan may have.
pub const TASKS_MAX: usize = 50_000;

/// What the canonical bytes call themselves.
pub const SCHEMA: &str = "provost/plan/1";

/// Tasks in the order of the document, and what they are part of.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "task::PlanForm")]
pub struct Plan {
    /// What the whole is called.
    pub title: String,
    /// What stands before the first phase or task; empty where nothing does.
    pub overview: String,
    /// The phases in the order of the document.
    pub phases: Vec<Phase>,
    /// The tasks in the order of the document.
    pub tasks: Vec<Task>,
}

/// A plan without errors, and what somebody should know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanRead {
    /// The plan.
    pub plan: Plan,
    /// The warnings in the order of their places.
    pub warnings: Vec<Diagnostic>,
    /// How many more warnings there are.
    pub omitted: usize,
}

/// The bytes are not those of a frozen plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAPlan {
    /// They are not the JSON of a plan.
    #[error("the bytes are not a frozen plan: {0}")]
    Form(String),
    /// They say the same as a plan, but not in its only spelling.
    #[error("the bytes are a plan, but not its canonical form")]
    Spelling,
}

/// Reads a plan in either form, or says everything that is wrong with it; warnings stand among the errors then.
pub fn read(name: &str, bytes: &[u8]) -> Result<PlanRead, Unreadable> {
    if is_json(name, bytes) { json::read(name, bytes) } else { markdown::read(name, bytes) }
}

impl Plan {
    /// The bytes that are frozen (RFC 8785): the same for Markdown and JSON that say the same.
    pub fn canonical(&self) -> Result<Vec<u8>, NotCanonical> {
        canonical::to_vec(self)
    }

    /// The digest of the canonical bytes, by which a plan is known.
    pub fn digest(&self) -> Result<Digest, NotCanonical> {
        canonical::digest(self)
    }

    /// Reads back what was frozen; the caller has verified the digest, so edges are not checked again.
    pub fn from_canonical(bytes: &[u8]) -> Result<Self, NotAPlan> {
        let form = |error: &dyn std::fmt::Display| NotAPlan::Form(error.to_string());
        let plan: Self = serde_json::from_slice(bytes).map_err(|error| form(&error))?;
        let again = plan.canonical().map_err(|error| form(&error))?;
        if again == bytes { Ok(plan) } else { Err(NotAPlan::Spelling) }
    }

    /// The patterns of the files that are given to a task.
    pub fn files_of(&self, task: &str) -> &[String] {
        let found = self.tasks.iter().find(|it| it.id.as_str() == task);
        found.map(|task| task.files.as_slice()).unwrap_or_default()
    }

    /// The task of an id; a walk over all tasks.
    pub fn task(&self, id: &TaskId) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == *id)
    }
}

impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Form<'p> {
            schema: &'static str,
            title: &'p str,
            overview: &'p str,
            phases: &'p [Phase],
            tasks: &'p [Task],
        }
        let Self { title, overview, phases, tasks } = self;
        Form { schema: SCHEMA, title, overview, phases, tasks }.serialize(serializer)
    }
}

/// Tells the two forms apart: no Markdown with a title begins with a brace.
fn is_json(name: &str, bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
    let named = name.get(name.len().saturating_sub(5)..).is_some_and(|end| end.eq_ignore_ascii_case(".json"));
    named || first == Some(&b'{')
}

/// The refusal of a document that is too large to be looked into.
fn too_large(name: &str, bytes: &[u8]) -> Option<Unreadable> {
    if u32::try_from(bytes.len()).is_ok_and(|length| length <= BYTES_MAX) {
        return None;
    }
    let message = format!("the plan has more than {BYTES_MAX} bytes");
    let help = "split the plan into several and run them one after the other";
    let place = Place { file: name.to_owned(), line: 1, column: 1, span: Some(Span::default()) };
    let defect = Diagnostic::error(diagnostic::DOCUMENT_TOO_LARGE, message).with_help(help).at(place);
    Some(Unreadable { defects: vec![defect], omitted: 0 })
}
