//! The planning stream: which runs there are, where each came to rest, and who approved what. Apart from planning itself,
//! which is a function that anybody can repeat: the record keeps what came of it, and every step is a row of the table.

mod event;
mod walked;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Phase, Planning, Trigger};
use crate::decider::{At, Impossible};
use crate::diagnostic::{self, Diagnostic, quoted};
use crate::digest::Digest;
use crate::machine::{self, Target};
use crate::record::Sequence;
use crate::time::Timestamp;

pub use event::{Advanced, Approved, Event, Kind, Received, Rested};

/// The name of this stream on the record.
pub const STREAM: &str = "planning";

/// What can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Keeps what a walk of the table came to: a new run, or a known one that went on with answers.
    Keep(Walked),
    /// Says that somebody looked at a frozen plan and agrees.
    Approve(Approval),
}

/// What a walk of the table came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walked {
    /// The run.
    pub run_id: String,
    /// The intent.
    pub intent_id: String,
    /// What the intent is called.
    pub title: String,
    /// The run that this one replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// The project's own policy, whatever the run was planned under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_policy: Option<Digest>,
    /// Every verdict from the beginning.
    pub steps: Vec<Trigger>,
    /// All documents in one piece, an artifact.
    pub bundle: Digest,
    /// The manifest.
    pub manifest: Digest,
    /// What is asked, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Asked>,
    /// What has to be approved before it is delivered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<String>,
}

/// A question of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Its id.
    pub id: String,
    /// What is asked.
    pub text: String,
}

/// That somebody looked at a frozen plan and agrees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// The run.
    pub run_id: String,
    /// The gate; all of them where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<String>,
    /// Who.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// The runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    /// By id.
    pub runs: BTreeMap<String, PlanRun>,
}

/// One run, as far as the record says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanRun {
    /// The intent.
    pub intent_id: String,
    /// What the intent is called.
    pub title: String,
    /// The run that it replaces.
    pub supersedes: Option<String>,
    /// The project's own policy when it began.
    pub project_policy: Option<Digest>,
    /// Where it is.
    pub phase: Phase,
    /// The verdicts so far.
    pub steps: Vec<Trigger>,
    /// Its documents.
    pub kept: Option<Kept>,
    /// What is asked.
    pub questions: Vec<Asked>,
    /// What has to be approved.
    pub gates: Vec<String>,
    /// Who approved what.
    pub approvals: Vec<GivenApproval>,
    /// The record that began it.
    pub began: Sequence,
    /// When it last changed.
    pub changed_at: Timestamp,
}

/// The documents of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// All of them in one piece.
    pub bundle: Digest,
    /// The manifest.
    pub manifest: Digest,
}

/// An approval that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenApproval {
    /// The gate; all where none is named.
    pub gate: Option<String>,
    /// Who.
    pub by: String,
    /// The record of it.
    pub sequence: Sequence,
}

impl PlanRun {
    /// What nobody has approved yet.
    pub fn unapproved(&self) -> impl Iterator<Item = &str> {
        let is_open = |gate: &&String| {
            !self.approvals.iter().any(|approval| approval.gate.as_ref().is_none_or(|given| given == *gate))
        };
        self.gates.iter().filter(is_open).map(String::as_str)
    }
}

impl Runs {
    /// The run of an id, or of the beginning of one, with or without what every id begins with.
    pub fn find(&self, name: &str) -> Result<(&str, &PlanRun), Diagnostic> {
        let hex = name.strip_prefix(super::RUN_PREFIX).unwrap_or(name);
        let full = format!("{}{hex}", super::RUN_PREFIX);
        let mut found = self.runs.range(full.clone()..).take_while(|(id, _)| id.starts_with(&full));
        match (found.next(), found.next()) {
            (Some((id, run)), None) if !hex.is_empty() => Ok((id, run)),
            (Some((id, run)), Some(_)) if *id == full => Ok((id, run)),
            (Some(_), _) => {
                let which = if hex.is_empty() { "every run" } else { "several runs" };
                let message = format!("{} is the beginning of {which}", quoted(name));
                Err(Diagnostic::error(diagnostic::PLANNING_UNKNOWN_RUN, message))
            }
            (None, _) => {
                let message = format!("there is no run {}", quoted(name));
                Err(Diagnostic::error(diagnostic::PLANNING_UNKNOWN_RUN, message))
            }
        }
    }

    /// Says what a command makes happen.
    pub fn decide(&self, command: &Command) -> Result<Vec<Event>, Diagnostic> {
        match command {
            Command::Keep(walked) => self.decide_keep(walked),
            Command::Approve(approval) => self.decide_approval(approval),
        }
    }

    fn decide_keep(&self, walked: &Walked) -> Result<Vec<Event>, Diagnostic> {
        let known = self.runs.get(&walked.run_id);
        let before = known.map_or(0, |run| run.steps.len());
        let (Some(old), Some(new)) = (walked.steps.get(..before), walked.steps.get(before..)) else {
            return Err(elsewhere(walked));
        };
        if known.is_some_and(|run| run.steps != old) {
            return Err(elsewhere(walked));
        }
        if known.is_some() && new.is_empty() {
            return Ok(Vec::new());
        }
        let mut events = Vec::new();
        if known.is_none() {
            events.push(Event::Received(Received {
                run_id: walked.run_id.clone(),
                intent_id: walked.intent_id.clone(),
                title: walked.title.clone(),
                supersedes: walked.supersedes.clone(),
                project_policy: walked.project_policy,
            }));
        }
        let mut phase = known.map_or(Phase::Received, |run| run.phase);
        for &on in new {
            let to = entered(phase, on).ok_or_else(|| elsewhere(walked))?;
            events.push(Event::Advanced(Advanced { run_id: walked.run_id.clone(), from: phase, on, to }));
            phase = to;
        }
        events.push(Event::Rested(Rested {
            run_id: walked.run_id.clone(),
            state: phase,
            bundle: walked.bundle,
            manifest: walked.manifest,
            questions: walked.questions.clone(),
            gates: walked.gates.clone(),
        }));
        Ok(events)
    }

    fn decide_approval(&self, approval: &Approval) -> Result<Vec<Event>, Diagnostic> {
        let (run_id, run) = self.find(&approval.run_id)?;
        let Some(kept) = run.kept.filter(|_| run.phase == Phase::Done) else {
            let message = format!("the run is {}, not frozen", run.phase.label());
            return Err(Diagnostic::error(diagnostic::PLANNING_NOT_FROZEN, message));
        };
        if let Some(gate) = approval.gate.as_ref().filter(|gate| !run.gates.contains(gate)) {
            let message = format!("the plan has no gate {}; it has: {}", quoted(gate), run.gates.join(", "));
            return Err(Diagnostic::error(diagnostic::PLANNING_NO_GATE, message));
        }
        for (what, text) in [("who approves", &approval.by), ("a reason", &approval.reason)] {
            if text.trim().is_empty() || text.len() > 2_000 {
                let message = format!("an approval needs {what}, in at most 2000 bytes");
                return Err(Diagnostic::error(diagnostic::PLANNING_APPROVAL, message));
            }
        }
        Ok(vec![Event::Approved(Approved {
            run_id: run_id.to_owned(),
            gate: approval.gate.clone(),
            by: approval.by.clone(),
            reason: approval.reason.clone(),
            manifest: kept.manifest,
        })])
    }

    /// Folds one event into the runs.
    pub fn apply(&mut self, at: At<'_>, event: &Event) -> Result<(), Impossible> {
        let impossible = |why: &str| Impossible { event_type: event.kind().name(), why: why.to_owned() };
        if let Event::Received(received) = event {
            if self.runs.contains_key(&received.run_id) {
                return Err(impossible("the run exists"));
            }
            self.runs.insert(received.run_id.clone(), begun(received, at));
            return Ok(());
        }
        let run = self.runs.get_mut(event.run_id()).ok_or_else(|| impossible("there is no such run"))?;
        match event {
            Event::Received(_) => {}
            Event::Advanced(advanced) => {
                if run.phase != advanced.from || entered(advanced.from, advanced.on) != Some(advanced.to) {
                    return Err(impossible("no row leads there"));
                }
                run.phase = advanced.to;
                run.steps.push(advanced.on);
            }
            Event::Rested(rested) => {
                run.kept = Some(Kept { bundle: rested.bundle, manifest: rested.manifest });
                run.questions.clone_from(&rested.questions);
                run.gates.clone_from(&rested.gates);
            }
            Event::Approved(approved) => run.approvals.push(GivenApproval {
                gate: approved.gate.clone(),
                by: approved.by.clone(),
                sequence: at.sequence,
            }),
        }
        run.changed_at = at.timestamp;
        Ok(())
    }
}

/// The state that a verdict leads to.
fn entered(from: Phase, on: Trigger) -> Option<Phase> {
    match machine::next::<Planning>(from, on).ok()?.to {
        Target::To(to) => Some(to),
        Target::Remembered => None,
    }
}

fn begun(received: &Received, at: At<'_>) -> PlanRun {
    PlanRun {
        intent_id: received.intent_id.clone(),
        title: received.title.clone(),
        supersedes: received.supersedes.clone(),
        project_policy: received.project_policy,
        phase: Phase::Received,
        steps: Vec::new(),
        kept: None,
        questions: Vec::new(),
        gates: Vec::new(),
        approvals: Vec::new(),
        began: at.sequence,
        changed_at: at.timestamp,
    }
}

/// The walk does not begin as the run on the record did.
fn elsewhere(walked: &Walked) -> Diagnostic {
    let message = format!("the run {} has gone another way on the record", quoted(&walked.run_id));
    Diagnostic::error(diagnostic::PLANNING_NOT_WAITING, message)
}
