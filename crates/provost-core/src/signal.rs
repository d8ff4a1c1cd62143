//! What an agent says to end or interrupt its turn, apart because every adapter hears it in its own way and all of
//! them must mean the same.
//!
//! One type, three encodings: a call of a tool, JSON, and text that begins in the first column. The reader trusts
//! nothing: examples in fences and indented lines do not count, the task must be the one that was given, and a role may
//! say only what is its own to say. What is heard is a claim; whether it is true is measured elsewhere.

mod body;
mod build;
mod calls;
mod clip;
mod entry;
mod fence;
mod field;
mod matrix;
mod name;
mod payload;
mod plain;
mod rejection;
mod scan;
mod source;
mod write;

pub use calls::{Calls, Taken};
pub use clip::{ITEM_MAX, ITEMS_MAX, SIGNAL_MAX, TEXT_MAX};
pub use field::{Field, Shape};
pub use name::Name;
pub use payload::{
    AuditBlocked, AuditFailed, AuditPassed, Category, Checkpoint, Claim, Claimed, Incomplete, InfraBlocked,
    Issue, Priority, Proof, Question, Ready, ReviewFailed, ReviewPassed, Signal,
};
pub use rejection::{Reason, Rejection};
pub use scan::{CUT_MARK_PREFIX, cut_mark};
pub use write::{to_json, to_text};

pub(crate) use fence::longest_run;

use crate::diagnostic::quoted;
use crate::role::Role;
use build::Defect;
use scan::{Attempt, Form, Found};
use source::Source;

/// How many checkpoints of one turn are kept; of more, the last.
pub const CHECKPOINTS_MAX: usize = 16;

/// Of whom a signal is expected, and for which task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected<'e> {
    /// The role that the turn was given to.
    pub role: Role,
    /// The task that the turn is for.
    pub task_id: &'e str,
}

/// What an agent's output says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// How far the agent said it was, in the order it said so.
    pub checkpoints: Vec<Checkpoint>,
    /// How the output ends the turn.
    pub outcome: Outcome,
}

/// How an output ends a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With one signal.
    Signal(Signal),
    /// With something that was meant as a signal and cannot be taken as one.
    Rejected(Rejection),
    /// With nothing that was meant as a signal.
    Silent,
}

/// Reads all that an agent printed; `clipped` says that the middle may be missing, with [`cut_mark`] in its place.
pub fn read(expected: &Expected<'_>, output: &str, clipped: bool) -> Heard {
    let text = plain::plain(output);
    let found = scan::scan(&text, clipped);
    let checkpoints = found.checkpoints.iter().filter_map(|it| checkpoint(expected, it)).collect();
    Heard { checkpoints, outcome: judge(expected, found) }
}

/// A checkpoint that cannot be read is no reason to refuse the turn that it was said in.
fn checkpoint(expected: &Expected<'_>, attempt: &Attempt<'_>) -> Option<Checkpoint> {
    match understand(expected, Name::Checkpoint, attempt) {
        Ok(Signal::Checkpoint(checkpoint)) => Some(checkpoint),
        _ => None,
    }
}

fn judge(expected: &Expected<'_>, found: Found<'_>) -> Outcome {
    if let [one, other, ..] = found.distinct.as_slice() {
        let detail = format!("the output has both {one} and {other}");
        return Outcome::Rejected(Rejection::new(Reason::SeveralSignals, detail));
    }
    let Some(attempt) = found.last_json.or(found.last_text) else { return Outcome::Silent };
    let Some(name) = attempt.name else {
        let detail = match attempt.form {
            Form::Broken(defect) => defect.detail,
            Form::Text(_) | Form::Json(_) => "it names no signal".to_owned(),
        };
        return Outcome::Rejected(Rejection::new(Reason::InvalidJson, detail));
    };
    match take(expected, name, &attempt) {
        Ok(signal) => Outcome::Signal(signal),
        Err(rejection) => Outcome::Rejected(rejection),
    }
}

/// Judges one signal, whichever way it came: its role, its task, its fields.
fn take(expected: &Expected<'_>, name: Name, attempt: &Attempt<'_>) -> Result<Signal, Rejection> {
    if !name.may_be_sent_by(expected.role) {
        let detail = format!("{name} is not for the {} to send", expected.role);
        return Err(Rejection::new(Reason::WrongRole, detail));
    }
    understand(expected, name, attempt).map_err(Defect::into_rejection)
}

/// Judges a signal that was sent by itself, with its fields as one JSON object. Whoever may call speaks for one task,
/// so that it need not be named; a name that is given has to be right.
pub fn called(expected: &Expected<'_>, name: Name, fields: &str) -> Result<Signal, Rejection> {
    let mut attempt = scan::fields(name, fields);
    attempt.task.get_or_insert_with(|| expected.task_id.to_owned());
    take(expected, name, &attempt)
}

fn understand(expected: &Expected<'_>, name: Name, attempt: &Attempt<'_>) -> Result<Signal, Defect> {
    let source = match &attempt.form {
        Form::Broken(defect) => return Err(defect.clone()),
        Form::Text(body) => Source::Text(body::sections(name, body)),
        Form::Json(document) => Source::json(document),
    };
    // A question may name its task in its body instead of on its line.
    match attempt.task.clone().or_else(|| source.task()) {
        None => Err(Defect::new(Reason::MissingTask, format!("{name} names no task"))),
        Some(task) if task != expected.task_id => {
            let detail = format!("it is for task {}, the turn is for `{}`", quoted(&task), expected.task_id);
            Err(Defect::new(Reason::WrongTask, detail))
        }
        Some(_) => build::signal(name, source),
    }
}
