//! One task, as a page for people and as a document for programs.

use std::io;

use provost_core::adapter::Act;
use provost_core::delivery::{CheckResult, Counts, Status, named};
use provost_core::diagnostic::visible;
use provost_core::evidence::{Asked, Ground, Refused, Shown, Word, criteria, outcome};
use provost_core::plan::Plan;
use provost_core::record::Sequence;
use provost_core::report::{ground, refused, short};
use provost_core::signal::Checkpoint;
use serde::Serialize;

use crate::screen::Screen;
use crate::subject::OneTask;
use crate::wording::{self, one_line};

#[derive(Serialize)]
struct Document<'a> {
    delivery: &'a str,
    task: &'a str,
    title: &'a str,
    status: Status,
    since_record: Sequence,
    blocked_by: Vec<&'a str>,
    attempts: Vec<Counted>,
    spent: wording::Paid,
    checkpoint: Option<CheckpointForm<'a>>,
    counts: Vec<Counted>,
    criteria: Vec<CriterionForm<'a>>,
    checks: &'a [CheckResult],
    checks_commit: Option<&'a str>,
    checks_record: Option<Sequence>,
    review: Option<WordForm<'a>>,
    review_bypassed_record: Option<Sequence>,
    audit: Option<WordForm<'a>>,
    setbacks: Vec<SetbackForm<'a>>,
    questions: Vec<QuestionForm<'a>>,
    permissions_allowed: u32,
    permissions_refused: u32,
    refused: Vec<RefusedForm<'a>>,
    measured_commit: Option<&'a str>,
    measured_record: Option<Sequence>,
    files: &'a [String],
    may_write: &'a [String],
    allowed: Vec<&'a str>,
    outside: &'a [String],
    landed_commit: Option<&'a str>,
    landed_record: Option<Sequence>,
}

#[derive(Serialize)]
struct Counted {
    name: String,
    count: u32,
}

#[derive(Serialize)]
struct CheckpointForm<'a> {
    role: &'static str,
    attempt: u32,
    record: Sequence,
    #[serde(flatten)]
    said: &'a Checkpoint,
}

#[derive(Serialize)]
struct CriterionForm<'a> {
    text: &'a str,
    verdict: &'static str,
    command: Option<String>,
    exit: Option<i32>,
    commit: Option<&'a str>,
    record: Option<Sequence>,
}

#[derive(Serialize)]
struct WordForm<'a> {
    agent: &'a str,
    summary: &'a str,
    record: Sequence,
}

#[derive(Serialize)]
struct SetbackForm<'a> {
    from: &'static str,
    text: &'a str,
    record: Sequence,
}

#[derive(Serialize)]
struct QuestionForm<'a> {
    id: &'a str,
    text: &'a str,
    record: Sequence,
    answer: Option<&'a str>,
    answer_record: Option<Sequence>,
}

#[derive(Serialize)]
struct RefusedForm<'a> {
    role: &'static str,
    #[serde(flatten)]
    act: &'a Act,
    why: &'a str,
    record: Sequence,
}

/// Prints everything about a task.
pub(super) fn print(of: OneTask<'_>, plan: Option<&Plan>, screen: &mut Screen) -> io::Result<()> {
    let planned = plan.and_then(|plan| plan.tasks.iter().find(|task| task.id.as_str() == of.id));
    let criteria = planned.map(|planned| criteria(planned, of.task, of.proof)).unwrap_or_default();
    if screen.is_json() {
        return screen.document(&document(of, &criteria));
    }
    heading(of, screen)?;
    list("criteria", screen, criteria.iter().map(criterion))?;
    let (results, commit, record) = of.proof.latest();
    let on = format!("checks on {} (record {record})", commit.map_or("nothing", short));
    list(&on, screen, results.iter().map(|result| visible(&outcome(result)).to_string()))?;
    list("verdicts", screen, verdicts(of))?;
    let setback = of.proof.setbacks.iter().map(|setback| {
        format!("{} (record {}): {}", setback.from, setback.sequence, one_line(&setback.text))
    });
    list("sent back", screen, setback)?;
    let permissions = of.task.permissions;
    let refusals =
        format!("refused to its agents, {} of {} requests", permissions.denied, permissions.asked());
    list(&refusals, screen, of.proof.refused.iter().map(refused))?;
    list("questions", screen, of.of.trail.questions_of(of.id).map(question))?;
    list("commits", screen, commits(of))
}

fn heading(of: OneTask<'_>, screen: &mut Screen) -> io::Result<()> {
    let task = of.task;
    screen.line(format!("{} of {}: {}", of.id, of.of.id, one_line(&task.title)))?;
    screen.line(format!("  {} (record {})", of.of.board.label_of(task), task.since))?;
    if !task.blockers.is_empty() && !task.has_ended() {
        let by: Vec<&str> = task.blockers.iter().map(String::as_str).collect();
        screen.line(format!("  waits for {}", by.join(", ")))?;
    }
    for (name, counted) in [("attempts", attempts(of)), ("went wrong", counts(&task.counts))] {
        if !counted.is_empty() {
            let one = |it: &Counted| format!("{} {}", in_words(&it.name), it.count);
            screen.line(format!("  {name}: {}", counted.iter().map(one).collect::<Vec<_>>().join(", ")))?;
        }
    }
    if let Some(words) = task.bill.words() {
        screen.line(format!("  used by agents: {words}"))?;
    }
    if !task.files.is_empty() {
        screen.line(format!("  may write {}", visible(&named(&task.files, 0))))?;
    }
    for (record, paths) in &of.proof.allowed {
        screen
            .line(format!("  and, as a person allowed, {} (record {record})", visible(&named(paths, 0))))?;
    }
    if let Some(said) = &task.said {
        let (role, attempt, record) = (said.role.name(), said.attempt, said.sequence);
        let far = wording::checkpoint(&said.checkpoint);
        screen.line(format!("  last checkpoint: {role}, attempt {attempt} (record {record}): {far}"))?;
    }
    Ok(())
}

/// What a counter counts, as people say it.
fn in_words(name: &str) -> &str {
    match name {
        "critic_failures" => "sent back by its critic",
        "audit_failures" => "rejected by its auditor",
        "landing_failures" => "did not join with what had landed",
        "critic_timeouts" => "critic ran out of time",
        "incomplete" => "given up by its developer",
        "signal_rejections" => "answers of agents refused",
        "self_solve" => "claims that did not hold",
        "developer_failures" => "developer failed",
        "auditor_failures" => "auditor failed",
        _ => name,
    }
}

/// Prints a part of the page, if there is something in it.
fn list(name: &str, screen: &mut Screen, lines: impl Iterator<Item = String>) -> io::Result<()> {
    let mut lines = lines.peekable();
    if lines.peek().is_some() {
        screen.line(format!("\n{name}"))?;
    }
    lines.try_for_each(|line| screen.line(format!("  {line}")))
}

fn attempts(of: OneTask<'_>) -> Vec<Counted> {
    let one = |(role, count): (&provost_core::role::Role, &u32)| Counted {
        name: role.name().to_owned(),
        count: *count,
    };
    of.task.attempts.iter().map(one).collect()
}

/// The counters that are not zero.
fn counts(counts: &Counts) -> Vec<Counted> {
    let named = [
        ("critic_failures", counts.critic_failures),
        ("audit_failures", counts.audit_failures),
        ("landing_failures", counts.landing_failures),
        ("critic_timeouts", counts.critic_timeouts),
        ("incomplete", counts.incomplete),
        ("signal_rejections", counts.signal_rejections),
        ("self_solve", counts.self_solve),
    ];
    let named = named.into_iter().map(|(name, count)| Counted { name: name.to_owned(), count });
    let agents = counts.agent_failures.iter();
    let agents = agents.map(|(role, count)| Counted { name: format!("{role}_failures"), count: *count });
    named.chain(agents).filter(|it| it.count > 0).collect()
}

fn criterion(shown: &Shown<'_>) -> String {
    format!("{:<8}  {}\n            {}", shown.judgement.name(), one_line(shown.text), ground(shown))
}

fn verdicts(of: OneTask<'_>) -> impl Iterator<Item = String> {
    let one = |role: &str, word: &Word| {
        let summary = one_line(&word.summary);
        format!("{role} {} approves (record {}): {summary}", visible(&word.agent), word.sequence)
    };
    let proof = of.proof;
    let bypassed = proof.bypassed.filter(|_| proof.lacks_review(of.task));
    bypassed
        .map(|record| format!("not reviewed: critics ran out of time (record {record})"))
        .into_iter()
        .chain(proof.review.as_ref().map(|word| one("critic", word)))
        .chain(proof.audit.as_ref().map(|word| one("auditor", word)))
}

fn question(asked: &Asked) -> String {
    let answer = match &asked.answer {
        Some((record, answer)) => format!("answered {} (record {record})", one_line(answer)),
        None => "not answered".to_owned(),
    };
    let question = &asked.question;
    format!("{} (record {}): {}\n    {answer}", question.id, asked.sequence, one_line(&question.text))
}

fn commits(of: OneTask<'_>) -> impl Iterator<Item = String> {
    let measured = of.proof.measured.as_ref().map(|measured| {
        let void = if measured.is_void { ", sent back since" } else { "" };
        let files = wording::counted_files(measured.files.len() as u64 + measured.files_more);
        format!("measured {} ({files}, record {}{void})", measured.commit, measured.sequence)
    });
    let landed = of.proof.landed.as_ref().and_then(|landed| {
        Some(format!("landed   {} (record {})", landed.commit.as_ref()?, landed.sequence))
    });
    measured.into_iter().chain(landed)
}

fn document<'a>(of: OneTask<'a>, criteria: &'a [Shown<'a>]) -> Document<'a> {
    let (task, proof) = (of.task, of.proof);
    let (checks, checks_commit, record) = proof.latest();
    let word =
        |word: &'a Word| WordForm { agent: &word.agent, summary: &word.summary, record: word.sequence };
    let setback = |it: &'a provost_core::evidence::Setback| SetbackForm {
        from: it.from,
        text: &it.text,
        record: it.sequence,
    };
    Document {
        delivery: of.of.id,
        task: of.id,
        title: &task.title,
        status: task.status,
        since_record: task.since,
        blocked_by: task.blockers.iter().map(String::as_str).collect(),
        attempts: attempts(of),
        spent: wording::Paid::of(&task.bill),
        checkpoint: task.said.as_ref().map(|said| CheckpointForm {
            role: said.role.name(),
            attempt: said.attempt,
            record: said.sequence,
            said: &said.checkpoint,
        }),
        counts: counts(&task.counts),
        criteria: criteria.iter().map(criterion_form).collect(),
        checks,
        checks_commit,
        checks_record: (!checks.is_empty()).then_some(record),
        review: proof.review.as_ref().map(word),
        review_bypassed_record: proof.bypassed.filter(|_| proof.lacks_review(task)),
        audit: proof.audit.as_ref().map(word),
        setbacks: proof.setbacks.iter().map(setback).collect(),
        questions: of.of.trail.questions_of(of.id).map(question_form).collect(),
        permissions_allowed: task.permissions.allowed,
        permissions_refused: task.permissions.denied,
        refused: proof.refused.iter().map(refused_form).collect(),
        measured_commit: proof.measured.as_ref().map(|it| it.commit.as_str()),
        measured_record: proof.measured.as_ref().map(|it| it.sequence),
        files: proof.measured.as_ref().map_or(&[], |it| &it.files),
        may_write: &task.files,
        allowed: task.allowed.iter().map(String::as_str).collect(),
        outside: &task.outside,
        landed_commit: proof.landed.as_ref().and_then(|it| it.commit.as_deref()),
        landed_record: proof.landed.as_ref().map(|it| it.sequence),
    }
}

fn criterion_form<'a>(shown: &'a Shown<'a>) -> CriterionForm<'a> {
    let (command, exit, commit, record) = match &shown.ground {
        Ground::Measured { command, result, commit, sequence } => {
            (Some(command.clone()), result.exit, *commit, Some(*sequence))
        }
        Ground::Unmeasured { command } => (Some(command.clone()), None, None, None),
        Ground::Word(word) => (None, None, None, Some(word.sequence)),
        Ground::Nothing => (None, None, None, None),
    };
    CriterionForm { text: shown.text, verdict: shown.judgement.name(), command, exit, commit, record }
}

fn refused_form(refused: &Refused) -> RefusedForm<'_> {
    let Refused { sequence, role, act, why } = refused;
    RefusedForm { role: role.name(), act, why, record: *sequence }
}

fn question_form(asked: &Asked) -> QuestionForm<'_> {
    QuestionForm {
        id: &asked.question.id,
        text: &asked.question.text,
        record: asked.sequence,
        answer: asked.answer.as_ref().map(|(_, answer)| answer.as_str()),
        answer_record: asked.answer.as_ref().map(|(record, _)| *record),
    }
}
