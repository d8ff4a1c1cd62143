//! `provost why`: what a task waits for, followed to the first cause.

use clap::Args;
use provost_core::delivery::{Board, Question};
use provost_core::diagnostic::{Exit, visible};
use provost_core::evidence::Trail;
use provost_core::reason::{Link, Reason, chain};
use provost_core::record::Sequence;
use provost_core::report::short;
use provost_runtime::home::Home;
use provost_runtime::lock::Lock;
use serde::Serialize;

use super::{Context, Done};
use crate::subject::Known;
use crate::wording::{one_line, question};

/// Say why a task is not done: what it waits for, and what that waits for.
///
/// Example: `provost why login-form`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The task, as TASK or DELIVERY/TASK; without a delivery the newest that has the task.
    pub(super) task: String,
}

#[derive(Serialize)]
struct Answer<'a> {
    delivery: &'a str,
    task: &'a str,
    chain: Vec<LinkForm>,
    /// Why the last task of the chain was sent back, if it has to be mended.
    sent_back: Option<String>,
    to_do: Option<String>,
}

#[derive(Serialize)]
struct LinkForm {
    task: String,
    status: provost_core::delivery::Status,
    why: String,
    record: Sequence,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let known = Known::read(&home)?;
    let found = known.task(&arguments.task)?;
    let links = chain(found.of.board, found.of.trail, found.id);
    let sent_back = links.last().and_then(|last| sent_back(last, found.of.board, found.of.trail));
    let to_do = links.last().and_then(|last| to_do(&last.reason, found.of.id, found.of.board, &home));
    let screen = &mut context.screen;
    if screen.is_json() {
        let form = |link: &Link<'_>| LinkForm {
            task: link.task.to_owned(),
            status: link.status,
            why: words(&link.reason),
            record: link.sequence,
        };
        let chain = links.iter().map(form).collect();
        screen.document(&Answer { delivery: found.of.id, task: found.id, chain, sent_back, to_do })?;
        return Ok(Exit::Done);
    }
    for (depth, link) in links.iter().enumerate() {
        let indent = "  ".repeat(depth);
        screen.line(format!("{indent}{} {} (record {})", link.task, words(&link.reason), link.sequence))?;
    }
    if let Some(sent_back) = sent_back {
        screen.line(sent_back)?;
    }
    if let Some(to_do) = to_do {
        screen.line(to_do)?;
    }
    Ok(Exit::Done)
}

/// What a task has to mend before it goes on.
fn sent_back(link: &Link<'_>, board: &Board, trail: &Trail) -> Option<String> {
    let is_mended =
        board.tasks.get(link.task).is_none_or(|task| task.feedback.is_empty() || task.has_ended());
    let last = trail.tasks.get(link.task)?.setbacks.iter().rfind(|it| it.from != "limits")?;
    let text = one_line(&last.text);
    (!is_mended).then(|| format!("it was sent back (record {}): {}: {text}", last.sequence, last.from))
}

fn words(reason: &Reason<'_>) -> String {
    match reason {
        Reason::Complete { commit: Some(commit) } => format!("is complete: landed as {}", short(commit)),
        Reason::Complete { commit: None } => "is complete, with nothing to land".to_owned(),
        Reason::Removed => "was removed from the plan".to_owned(),
        Reason::Cancelled => "is not done, because its delivery was cancelled".to_owned(),
        Reason::Preparing => "waits for the checks that come before any work".to_owned(),
        Reason::Paused => "waits, because its delivery is paused".to_owned(),
        Reason::Blocked { by } => format!("waits for {}", by.join(", ")),
        Reason::Ready => "is ready and waits for a free slot".to_owned(),
        Reason::Held { question: asked } => {
            format!("is ready; no task is begun until {} is answered: {}", asked.id, question(&asked.text))
        }
        Reason::Asked { question: asked } => format!("waits for your answer: {}", question(&asked.text)),
        Reason::Halted { reason, .. } => format!("is halted: {}", one_line(reason)),
        Reason::Infrastructure { issue, .. } => {
            format!("waits, because something around the work is broken: {}", one_line(issue))
        }
        Reason::Working { turn } => {
            let (agent, role, since) = (visible(&turn.agent), turn.role.name(), turn.since);
            format!("is being worked on by {agent} as {role} since {since}")
        }
        Reason::Resting { turn, until } => {
            let (agent, role) = (visible(&turn.agent), turn.role.name());
            format!("waits: {agent} rests until {until} and then works on it as {role}")
        }
        Reason::Measuring => "is being measured".to_owned(),
        Reason::Landing => "is being joined with what has landed".to_owned(),
        Reason::Queued => "waits for its turn to land".to_owned(),
        Reason::Between => "is in the middle of work and waits for a free slot".to_owned(),
    }
}

/// What the person can do about it, if anything.
fn to_do(reason: &Reason<'_>, delivery: &str, board: &Board, home: &Home) -> Option<String> {
    let reply = |question: &Question| {
        let example = question.options.first().map_or("\"ANSWER\"", String::as_str);
        let options = if question.options.is_empty() {
            String::new()
        } else {
            format!(" (options: {})", question.options.join(", "))
        };
        format!("answer: provost reply {} {}{}", question.id, visible(example), visible(&options))
    };
    match reason {
        Reason::Complete { .. } | Reason::Removed | Reason::Cancelled => None,
        Reason::Asked { question }
        | Reason::Held { question }
        | Reason::Halted { question, .. }
        | Reason::Infrastructure { question: Some(question), .. } => Some(reply(question)),
        _ => {
            let first = board.questions.values().find(|(_, task)| task.is_none());
            if let Some((question, _)) = first {
                return Some(reply(question));
            }
            let is_idle = !Lock::is_held(&home.lock());
            is_idle.then(|| format!("nobody performs the delivery: provost resume {delivery}"))
        }
    }
}
