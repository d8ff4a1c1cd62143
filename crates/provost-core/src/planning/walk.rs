//! Planning: the states of the table, walked from an intent to a frozen plan, to questions, or to a reasoned end.
//!
//! A pure function of its inputs; time is handed in and stands only on tape and audit. A run with answers is walked from
//! its beginning again: the same inputs take the same way, so nothing has to be kept between.

mod close;
pub(crate) mod context;
mod draft;
mod finish;
mod inquire;
mod judge;
pub(crate) mod precheck;
mod respond;

use super::action::Action;
use super::answered::Answered;
use super::audit::{Audit, Noted};
use super::decisions::Judged;
use super::failure::Failure;
use super::inputs::Inputs;
use super::open::Open;
use super::policy::Effective;
use super::questions_pack::QuestionPack;
use super::risk::Assessment;
use super::routing::Routing;
use super::shelf::{Examine, Shelf, Unfit};
use super::tape::{Guard, Output, Tape};
use super::{Phase, Planning, Trigger};
use crate::canonical::{NotCanonical, checksum};
use crate::diagnostic::{self, Diagnostic};
use crate::document::{self, Document, Limits, Unreadable};
use crate::finding::Finding;
use crate::graph::Graph;
use crate::intent::{self, Examined};
use crate::machine;
use crate::time::Timestamp;

use close::Unfrozen;

pub use close::Run;

/// Who is asked for the time, once for every step; on a walk that is repeated, the times of the first one come back.
pub trait Watch {
    /// The time, never earlier than the last one.
    fn now(&mut self) -> Timestamp;
}

/// The intent cannot even begin a run.
#[derive(Debug, thiserror::Error)]
pub enum NoRun {
    /// It is not an object with an id.
    #[error("{}", .0.message)]
    NotAnIntent(Box<Diagnostic>),
    /// Answers do not fit their questions; the run goes on waiting.
    #[error("{0}")]
    Answers(Unreadable),
    /// A document that closes the run is not what it should be.
    #[error("{0}")]
    Unfit(Unfit),
    /// Something of it has no canonical form.
    #[error(transparent)]
    NotCanonical(#[from] NotCanonical),
}

/// Plans.
pub fn plan(inputs: &Inputs, watch: &mut dyn Watch, examine: &dyn Examine) -> Result<Run, NoRun> {
    let run_id = inputs.run_id()?;
    let ordered = ordered(&inputs.intent).map_err(|it| NoRun::NotAnIntent(Box::new(it)))?;
    let examined = intent::read(&ordered).map_err(|it| NoRun::NotAnIntent(Box::new(it)))?;
    let mut walk = Walk::new(inputs, &examined, run_id, watch, examine);
    walk.shelve_inputs()?;
    walk.enter("INIT", Phase::Received, "submit", Vec::new());
    while walk.step()? {}
    walk.close()
}

/// The same intent with its keys in order: what is found first, what is kept of much, and so every byte of a run, does
/// not depend on the order in which somebody wrote them.
fn ordered(intent: &Document) -> Result<Document, Diagnostic> {
    let limits = Limits { bytes_max: u32::MAX, ..Limits::default() };
    let unreadable = |it: Unreadable| {
        let bug = || Diagnostic::error(diagnostic::PROVOST_BUG, "an intent has no canonical form");
        it.defects.into_iter().next().unwrap_or_else(bug)
    };
    document::read(&intent.name, &checksum::spelled(&intent.root), &limits).map_err(unreadable)
}

/// What a state's work came to.
struct Verdict {
    on: Trigger,
    guards: Vec<Guard>,
    findings: Vec<Finding>,
}

impl Verdict {
    fn new(on: Trigger, guards: Vec<Guard>) -> Verdict {
        Verdict { on, guards, findings: Vec::new() }
    }

    fn ended(on: Trigger, guards: Vec<Guard>, findings: Vec<Finding>) -> Verdict {
        Verdict { on, guards, findings }
    }
}

/// A run on its way.
struct Walk<'w> {
    inputs: &'w Inputs,
    examined: &'w Examined,
    run_id: String,
    watch: &'w mut dyn Watch,
    phase: Phase,
    /// Which draft it is, from 1.
    revision: u32,
    /// How many packs were answered.
    round: usize,
    /// How many questions were asked so far.
    spent: u32,
    /// How many of them before the pack at hand.
    before: u32,
    tape: Tape,
    audit: Audit,
    shelf: Shelf<'w>,
    failure: Option<Failure>,
    warnings: Vec<String>,
    effective: Option<Effective>,
    actions: Vec<Action<'w>>,
    answered: Answered,
    routing: Option<Routing>,
    judged: Judged,
    risk: Option<Assessment>,
    asked: Vec<Open>,
    pack: Option<QuestionPack>,
    graph: Option<Graph>,
    unfrozen: Option<Unfrozen>,
    now: Timestamp,
}

impl<'w> Walk<'w> {
    fn new(
        inputs: &'w Inputs,
        examined: &'w Examined,
        run_id: String,
        watch: &'w mut dyn Watch,
        examine: &'w dyn Examine,
    ) -> Walk<'w> {
        let intent_id = examined.id.clone();
        Walk {
            inputs,
            examined,
            tape: Tape::new(run_id.clone(), intent_id.clone()),
            audit: Audit::new(run_id.clone(), intent_id),
            run_id,
            watch,
            phase: Phase::Received,
            revision: 1,
            round: 0,
            spent: 0,
            before: 0,
            shelf: Shelf::new(examine),
            failure: None,
            warnings: Vec::new(),
            effective: None,
            actions: Vec::new(),
            answered: Answered::default(),
            routing: None,
            judged: Judged::default(),
            risk: None,
            asked: Vec::new(),
            pack: None,
            graph: None,
            unfrozen: None,
            now: Timestamp::EPOCH,
        }
    }

    /// Does the work of the state and leaves it; false once the run rests.
    fn step(&mut self) -> Result<bool, NoRun> {
        let shelved = self.shelf.len();
        let worked = match self.phase {
            Phase::Received => Ok(Verdict::new(Trigger::IntentAccepted, Vec::new())),
            Phase::Prechecked => self.precheck(),
            Phase::ContextBuilt => self.build_context(),
            Phase::RulesEvaluated => self.evaluate_rules(),
            Phase::GraphDrafted => self.draft_graph(),
            Phase::QuestionsEmitted => self.emit_questions(),
            Phase::AwaitingAnswers => match self.inputs.rounds.get(self.round) {
                Some(round) => Ok(self.take_round(round)?),
                None => return Ok(false),
            },
            Phase::GraphFinalized => self.finalize_graph(),
            Phase::ReviewPackBuilt => self.build_review(),
            Phase::FrozenOutputs => {
                self.unfrozen = Some(self.unfrozen());
                Ok(self.freeze())
            }
            Phase::Done | Phase::Blocked | Phase::Aborted => return Ok(false),
        };
        let verdict = worked.unwrap_or_else(|unfit| defective(&unfit));
        self.failure = Failure::of(&verdict.findings, self.phase).or(self.failure.take());
        let outputs = self.shelf.since(shelved).iter().map(|paper| Output {
            artifact_type: paper.kind,
            artifact_id: paper.file.clone(),
            checksum: paper.checksum.to_string(),
        });
        let outputs = outputs.collect();
        self.leave(verdict.on, verdict.guards, outputs);
        Ok(true)
    }

    /// Takes the row of a verdict; a verdict without one is a defect of ours and ends the run at a red line.
    fn leave(&mut self, on: Trigger, guards: Vec<Guard>, outputs: Vec<Output>) {
        let from: &'static str = self.phase.into();
        let row = machine::next::<Planning>(self.phase, on);
        let to = match row.map(|row| row.to) {
            Ok(machine::Target::To(to)) => to,
            Ok(machine::Target::Remembered) | Err(_) => Phase::Aborted,
        };
        let trigger: &'static str = on.into();
        self.enter_with(from, to, trigger, guards, outputs);
    }

    fn enter(&mut self, from: &'static str, to: Phase, on: &'static str, guards: Vec<Guard>) {
        self.enter_with(from, to, on, guards, Vec::new());
    }

    fn enter_with(
        &mut self,
        from: &'static str,
        to: Phase,
        on: &'static str,
        guards: Vec<Guard>,
        outputs: Vec<Output>,
    ) {
        self.now = self.watch.now().max(self.now);
        if from == "INIT" {
            self.audit.note(self.now, Noted::RunStarted);
        }
        self.tape.step(from, to, on.to_owned(), guards, outputs, self.now);
        self.audit.note(
            self.now,
            Noted::StateTransition { from_state: from, to_state: to, trigger: on.to_owned() },
        );
        self.phase = to;
    }

    fn note(&mut self, noted: Noted) {
        self.audit.note(self.now, noted);
    }

    /// The name of a file of which there can be several: the first has no number.
    fn numbered(&self, name: &str) -> String {
        if self.revision == 1 { format!("{name}.json") } else { format!("{name}.{}.json", self.revision) }
    }
}

/// A state that needs the intent was reached without one: a defect of ours.
fn unbound() -> Verdict {
    defective(&Unfit { file: "intent.json".to_owned(), why: "the intent is not there".to_owned() })
}

/// A document of ours is not what it should be.
fn defective(unfit: &Unfit) -> Verdict {
    let diagnostic = Diagnostic::error(diagnostic::PLANNING_ARTIFACT, unfit.to_string());
    let finding = Finding::aborted(diagnostic).shown_by([format!("run://{}", unfit.file)]);
    Verdict::ended(Trigger::ArtifactViolated, Vec::new(), vec![finding])
}
