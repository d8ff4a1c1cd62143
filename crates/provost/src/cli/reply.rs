//! `provost questions` and `provost reply`: what waits for a person, and the answers.

use clap::Args;
use provost_core::delivery;
use provost_core::diagnostic::{self, Diagnostic, Exit, quoted, visible};
use provost_core::record::Sequence;
use provost_core::state;
use provost_runtime::acting::{Actor, person};
use provost_runtime::home::Home;
use provost_runtime::journal::{Stop, walk_along};
use serde::Serialize;

use super::{Context, Done};
use crate::performing;
use crate::subject::Known;
use crate::wording;

/// List the questions that wait for you.
///
/// Example: `provost questions`
#[derive(Debug, Args)]
pub(crate) struct Questions {}

/// Answer a question.
///
/// A delivery that is being performed goes on by itself; otherwise `provost resume` lets it.
///
/// Example: `provost reply q-118 retry`
#[derive(Debug, Args)]
pub(crate) struct Reply {
    /// The question, as `provost questions` lists it.
    question: String,
    /// One of its options, or the answer in your own words.
    answer: String,
}

#[derive(Serialize)]
struct Listed {
    questions: Vec<Asked>,
}

#[derive(Serialize)]
struct Asked {
    id: String,
    /// The delivery that asks, if one does.
    delivery: Option<String>,
    /// The run of planning that asks, if one does.
    run: Option<String>,
    task: Option<String>,
    question: String,
    options: Vec<String>,
}

#[derive(Serialize)]
struct Answered<'a> {
    question: &'a str,
    records: usize,
}

pub(crate) fn questions(_: &Questions, context: &mut Context) -> Done {
    let state = performing::state(&context.home()?)?;
    let mut questions = Vec::new();
    for (id, board) in state.deliveries.open() {
        questions.extend(board.questions.values().map(|(question, task)| Asked {
            id: question.id.clone(),
            delivery: Some(id.clone()),
            run: None,
            task: task.clone(),
            question: question.text.clone(),
            options: question.options.clone(),
        }));
    }
    for (id, run) in &state.plans.runs {
        questions.extend(run.questions.iter().map(|asked| Asked {
            id: asked.id.clone(),
            delivery: None,
            run: Some(id.clone()),
            task: None,
            question: asked.text.clone(),
            options: Vec::new(),
        }));
    }
    let screen = &mut context.screen;
    if screen.is_json() {
        screen.document(&Listed { questions })?;
        return Ok(Exit::Done);
    }
    if questions.is_empty() {
        screen.line("nothing waits for you")?;
    }
    for asked in questions {
        let task = asked.task.map(|task| format!(", task {task}")).unwrap_or_default();
        screen.line(format!(
            "{} ({}{task}): {}",
            visible(&asked.id),
            asked.delivery.as_ref().or(asked.run.as_ref()).map_or("", String::as_str),
            wording::question(&asked.question)
        ))?;
        if let Some(run) = &asked.run {
            screen.line(format!("  provost answer {run} {}=TEXT", visible(&asked.id)))?;
        }
        if !asked.options.is_empty() {
            screen.line(format!("  options: {}", visible(&asked.options.join(", "))))?;
        }
        if asked.delivery.is_some() {
            let example = asked.options.first().map_or("\"ANSWER\"", String::as_str);
            screen.line(format!("  provost reply {} {}", visible(&asked.id), visible(example)))?;
        }
    }
    Ok(Exit::Done)
}

pub(crate) fn reply(arguments: &Reply, context: &mut Context) -> Done {
    let home = context.home()?;
    let mut actor = Actor::new(home.clone(), person(), "provost reply");
    let (question, answer) = (arguments.question.clone(), arguments.answer.clone());
    let reply = state::Command::Delivery(delivery::Command::Reply { question, answer });
    let answers: Result<Vec<_>, _> = actor.submit(vec![reply]).into_iter().collect();
    let answers = answers.map_err(|refused| explained(refused, &arguments.question, &home))?;
    let records = answers.iter().map(|answer| answer.records.len()).sum();
    if context.screen.is_json() {
        context.screen.document(&Answered { question: &arguments.question, records })?;
        return Ok(Exit::Done);
    }
    context.screen.line(format!("{} is answered", arguments.question))?;
    if !actor.is_carried_on() {
        context.screen.line("nobody performs the delivery now; `provost resume` goes on with it")?;
    }
    Ok(Exit::Done)
}

/// What became of a question that is not open, and where one of planning is answered.
fn explained(refused: Diagnostic, question: &str, home: &Home) -> Diagnostic {
    let known = if refused.code == diagnostic::QUESTION_UNKNOWN { Known::read(home).ok() } else { None };
    let Some(Known { state, evidence }) = known else { return refused };
    let mut runs = state.plans.runs.iter();
    if let Some((run, _)) = runs.find(|(_, run)| run.questions.iter().any(|asked| asked.id == question)) {
        let help = format!("planning asks it: answer with `provost answer {run} {question}=TEXT`");
        return refused.with_help(help);
    }
    let mut asked =
        evidence.deliveries.iter().flat_map(|(id, trail)| trail.questions.iter().map(move |it| (id, it)));
    let Some((delivery, asked)) = asked.find(|(_, asked)| asked.question.id == question) else {
        return refused;
    };
    let help =
        format!("`provost show {delivery}` shows what came of it; `provost questions` lists what is open");
    let message = match &asked.answer {
        Some((sequence, answer)) => {
            let by = said_by(*sequence, home).unwrap_or_default();
            format!("{question} was answered already: {}{by} (record {sequence})", quoted(answer))
        }
        None => format!("{question} needs no answer any more"),
    };
    Diagnostic::error(diagnostic::QUESTION_UNKNOWN, message).with_help(help)
}

/// Who wrote a record, and when.
fn said_by(sequence: Sequence, home: &Home) -> Option<String> {
    let mut by = None;
    let read = walk_along(&home.reading(), &mut |record| {
        if record.sequence == sequence {
            by = Some(format!(" by {}, {}", visible(record.actor), wording::moment(record)));
        }
        Ok::<(), Stop>(())
    });
    by.filter(|_| read.is_ok())
}
