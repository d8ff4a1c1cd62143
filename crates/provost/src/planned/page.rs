//! A run as text for people and as a document for programs.

use std::io;

use provost_core::diagnostic::{Diagnostic, visible};
use provost_core::graph;
use provost_core::planning::Phase;
use provost_core::planning::account::{Gate, Subject};
use provost_core::planning::failure::{Failure, Violation};
use provost_core::planning::questions_pack::{Question, QuestionPack};
use provost_core::planning::runs::GivenApproval;
use provost_core::vocabulary::{Decision, Risk};
use serde::Serialize;

use super::{Found, Place};
use crate::screen::Screen;
use crate::wording::one_line;

/// A run for programs.
#[derive(Serialize)]
pub(crate) struct Shown<'a> {
    run_id: &'a str,
    intent_id: &'a str,
    title: Option<&'a str>,
    final_state: Phase,
    risk: Option<Risk>,
    failure: Option<&'a Failure>,
    questions: &'a [Question],
    gates: Vec<GateForm<'a>>,
    decisions: Vec<DecisionForm<'a>>,
    supersedes: Option<&'a str>,
    manifest_checksum: String,
    content_digest: Option<String>,
    /// Whether the run was there already.
    existing: bool,
    /// The folder that was asked for.
    out: Option<String>,
    /// Where in the intent everything is that is wrong with it, where it is at hand.
    places: &'a [Diagnostic],
}

#[derive(Serialize)]
struct GateForm<'a> {
    category: &'a str,
    criteria: &'a [String],
    approved_by: Vec<&'a str>,
    approved: bool,
}

#[derive(Serialize)]
struct DecisionForm<'a> {
    subject: &'a str,
    id: &'a str,
    decision: Decision,
    deferred: bool,
    reason: &'a str,
    rules: Vec<&'a str>,
}

impl<'a> Shown<'a> {
    pub(crate) fn of(found: &'a Found) -> Shown<'a> {
        let account = &found.account;
        let manifest = &account.manifest;
        Shown {
            run_id: &found.run_id,
            intent_id: &manifest.intent_id,
            title: account.title.as_deref(),
            final_state: account.state(),
            risk: account.risk,
            failure: account.failure.as_ref(),
            questions: account.questions.as_ref().map_or(&[], |pack| &pack.questions),
            gates: gates(found),
            decisions: found.subjects().map(decision).collect(),
            supersedes: manifest.supersedes.as_deref(),
            manifest_checksum: manifest.bundle_checksum.to_string(),
            content_digest: manifest.content_digest().ok().map(|it| it.to_string()),
            existing: false,
            out: None,
            places: &[],
        }
    }

    /// The same, with places in the intent.
    pub(crate) fn located(self, places: &'a [Diagnostic]) -> Shown<'a> {
        Shown { places, ..self }
    }

    /// The same, with where it was written and whether it was there.
    pub(crate) fn kept(self, out: Option<String>, existing: bool) -> Shown<'a> {
        Shown { existing, out, ..self }
    }
}

impl Found {
    fn subjects(&self) -> impl Iterator<Item = &Subject> {
        self.account.decisions.iter().flat_map(|decisions| &decisions.subjects)
    }
}

fn decision(subject: &Subject) -> DecisionForm<'_> {
    DecisionForm {
        subject: &subject.subject,
        id: &subject.id,
        decision: subject.decision,
        deferred: subject.deferred,
        reason: &subject.reason,
        rules: subject.fired.iter().map(|fired| fired.rule_id.as_str()).collect(),
    }
}

fn gates(found: &Found) -> Vec<GateForm<'_>> {
    let open = found.unapproved();
    let approvals = match &found.place {
        Place::Record { run, .. } => run.approvals.as_slice(),
        Place::Folder(_) => &[],
    };
    let mut forms = Vec::new();
    for Gate { category, criteria } in &found.account.gates {
        let counts = |it: &&GivenApproval| it.gate.as_ref().is_none_or(|named| named == category);
        let approved_by = approvals.iter().filter(counts).map(|it| it.by.as_str()).collect();
        let approved = !open.contains(&category.as_str());
        forms.push(GateForm { category, criteria, approved_by, approved });
    }
    forms
}

/// Prints a run: where it rests, why, its plan, what is asked, and what to type next.
pub(crate) fn print(found: &Found, screen: &mut Screen) -> io::Result<()> {
    print_located(found, &[], screen)
}

/// The same, with places in the intent for what is wrong with it.
pub(crate) fn print_located(found: &Found, places: &[Diagnostic], screen: &mut Screen) -> io::Result<()> {
    let account = &found.account;
    let title = account.title.as_deref().unwrap_or(&account.manifest.intent_id);
    screen.line(format!("{}  {}", found.run_id, one_line(title)))?;
    let state: &str = account.state().into();
    let risk = account.risk.map(|risk| format!(", risk {risk}")).unwrap_or_default();
    screen.line(format!("{} ({state}){risk}", account.state().label()))?;
    if let Some(earlier) = &account.manifest.supersedes {
        screen.line(format!("replaces {}", visible(earlier)))?;
    }
    if let Some(failure) = &account.failure {
        print_failure(failure, places, screen)?;
    }
    if let Some(graph) = account.graph.as_ref().filter(|_| account.failure.is_none()) {
        screen.line("")?;
        screen.text(&graph::tree(graph))?;
    }
    let weighed = |it: &&Subject| it.decision != Decision::Allow || !it.fired.is_empty();
    for (at, subject) in found.subjects().filter(weighed).enumerate() {
        if at == 0 {
            screen.line("")?;
        }
        let put_off = if subject.deferred { " once somebody has answered" } else { "" };
        let id = visible(&subject.id);
        screen.line(format!("rules: {id}: {}{put_off}: {}", subject.decision, visible(&subject.reason)))?;
    }
    for (at, gate) in gates(found).into_iter().enumerate() {
        if at == 0 {
            screen.line("")?;
        }
        let by: Vec<String> = gate.approved_by.iter().map(|it| visible(it).to_string()).collect();
        let how =
            if gate.approved { format!("approved by {}", by.join(", ")) } else { "not approved".to_owned() };
        screen.line(format!("gate {}: {how}", visible(gate.category)))?;
        for criterion in gate.criteria {
            screen.line(format!("  {}", visible(criterion)))?;
        }
    }
    if let Some(pack) = &account.questions {
        print_questions(pack, screen)?;
    }
    screen.line("")?;
    next(found, screen)
}

fn print_failure(failure: &Failure, places: &[Diagnostic], screen: &mut Screen) -> io::Result<()> {
    let at: &str = failure.failed_at_state.into();
    screen.line(format!("\n{} at {at} ({})", failure.code, failure.kind))?;
    for Violation { code, message } in &failure.violations {
        let same = |it: &&Diagnostic| it.code.name() == code && it.message == *message;
        let mut stands = places.iter().filter(same).filter_map(|it| it.place.as_deref()).peekable();
        if stands.peek().is_none() {
            screen.line(format!("  {code}: {}", visible(message)))?;
        }
        for place in stands {
            screen.line(format!("  {}: {code}: {}", visible(&place.to_string()), visible(message)))?;
        }
    }
    for line in &failure.recovery {
        screen.line(format!("  to mend it: {}", visible(line)))?;
    }
    Ok(())
}

fn print_questions(pack: &QuestionPack, screen: &mut Screen) -> io::Result<()> {
    for question in &pack.questions {
        let (id, level) = (visible(&question.question_id), question.blocking_level);
        screen.line(format!("\n{id} ({level}): {}", visible(&question.question_text)))?;
        screen.line(format!("  {}", visible(&question.context)))?;
        for suggested in &question.suggested_answers {
            screen.line(format!("  - {}", visible(&suggested.answer_text)))?;
        }
        screen.line(format!("  without an answer: {}", visible(&question.default_strategy.text)))?;
    }
    Ok(())
}

/// What to type next.
fn next(found: &Found, screen: &mut Screen) -> io::Result<()> {
    let name = visible(&found.name()).to_string();
    let on_record = matches!(found.place, Place::Record { .. });
    match found.account.state() {
        Phase::AwaitingAnswers => {
            let first = found.account.questions.as_ref().and_then(|pack| pack.questions.first());
            let id = first.map_or("q_0001", |question| question.question_id.as_str());
            screen.line(format!("next: provost answer {name} {}=TEXT …", visible(id)))
        }
        Phase::Done if on_record => {
            if !found.unapproved().is_empty() {
                screen.line(format!("next: provost approve {name} --reason TEXT"))?;
                return screen.line(format!("then: provost run {name}"));
            }
            screen.line(format!("next: provost run {name}"))
        }
        Phase::Done => screen.line(format!("next: provost verify {name}")),
        _ => screen.line("next: mend what is named above, then `provost plan` again"),
    }
}
