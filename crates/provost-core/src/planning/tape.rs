//! The tape of a run: every state that it went through, which guards were asked, what was decided and why. Apart because
//! it is the one document, beside the audit, that knows wall time; its content digest leaves the times out.

use serde::Serialize;

use super::failure::Failure;
use super::{PLANNER_VERSION, Phase};
use crate::time::Timestamp;

/// A run, step by step.
#[derive(Clone, Debug, Serialize)]
pub struct Tape {
    /// The run.
    pub run_id: String,
    /// The form of the tape.
    pub schema_version: &'static str,
    /// The intent.
    pub intent_id: String,
    /// What planned.
    pub coordinator_version: &'static str,
    /// When planning began.
    pub started_at: Option<Timestamp>,
    /// When it came to rest.
    pub completed_at: Option<Timestamp>,
    /// Where it came to rest.
    pub final_state: Phase,
    /// The transitions.
    pub states: Vec<Step>,
    /// What was decided and why.
    pub decisions: Vec<Choice>,
    /// Why it ended without a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_info: Option<FailureInfo>,
    /// Totals.
    pub metadata: Totals,
}

/// One transition.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Its place, from 1.
    pub sequence: u32,
    /// The state that was left; `INIT` before the first.
    pub from_state: &'static str,
    /// The state that was entered.
    pub to_state: Phase,
    /// When.
    pub timestamp: Option<Timestamp>,
    /// The verdict that moved it.
    pub trigger: String,
    /// What was asked before.
    pub guards_evaluated: Vec<Guard>,
    /// What the state left.
    pub outputs_produced: Vec<Output>,
    /// How long the state's work took.
    pub duration_ms: Option<u64>,
}

/// A condition that was asked.
#[derive(Clone, Debug, Serialize)]
pub struct Guard {
    /// Its name.
    pub guard_name: &'static str,
    /// Whether it holds.
    pub passed: bool,
    /// Why.
    pub reason: String,
}

impl Guard {
    /// A condition and whether it holds.
    pub fn new(guard_name: &'static str, passed: bool, reason: impl Into<String>) -> Guard {
        Guard { guard_name, passed, reason: reason.into() }
    }
}

/// A document that a state left.
#[derive(Clone, Debug, Serialize)]
pub struct Output {
    /// What it is.
    pub artifact_type: &'static str,
    /// Its file.
    pub artifact_id: String,
    /// The digest of its bytes.
    pub checksum: String,
}

/// Something that was decided.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// Its id.
    pub decision_id: String,
    /// What it was about.
    pub decision_type: ChoiceType,
    /// When.
    pub timestamp: Option<Timestamp>,
    /// Why.
    pub rationale: String,
    /// What came of it.
    pub outcome: String,
    /// What it rests on.
    pub inputs: ChoiceInputs,
    /// What else was possible.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives_considered: Vec<Alternative>,
}

/// A decision before it is on the tape.
#[derive(Clone, Debug)]
pub struct Decided {
    /// What it is about.
    pub about: ChoiceType,
    /// Why.
    pub rationale: String,
    /// What comes of it.
    pub outcome: String,
    /// What it rests on.
    pub inputs: ChoiceInputs,
    /// What else was possible.
    pub alternatives: Vec<Alternative>,
}

/// What a decision was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChoiceType {
    /// What rules say of something planned.
    RuleAdjudication,
    /// Which model serves a role.
    ModelRouting,
    /// Whether to ask.
    QuestionEmission,
    /// Where something stands in the graph.
    GraphBuilding,
    /// How much is at stake.
    RiskAssessment,
    /// What the policy says.
    PolicyCheck,
}

/// What a decision rests on.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ChoiceInputs {
    /// Evidence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence_refs: Vec<String>,
    /// Rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rule_refs: Vec<String>,
}

/// Something else that was possible.
#[derive(Clone, Debug, Serialize)]
pub struct Alternative {
    /// What.
    pub alternative: String,
    /// Why not.
    pub reason_rejected: String,
}

/// Why a run ended without a plan, in short; `failure.json` has it whole.
#[derive(Clone, Debug, Serialize)]
pub struct FailureInfo {
    /// What kind of end it is.
    pub failure_type: super::failure::FailureType,
    /// What is wrong.
    pub failure_message: String,
    /// Where the run was.
    pub failed_at_state: Phase,
    /// What mends it.
    pub recovery_suggestions: Vec<String>,
}

/// Totals of a tape.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Totals {
    /// From the first step to the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_duration_ms: Option<u64>,
    /// Transitions.
    pub state_transitions_count: u32,
    /// Decisions.
    pub decisions_count: u32,
}

impl Tape {
    /// An empty tape.
    pub fn new(run_id: String, intent_id: String) -> Tape {
        Tape {
            run_id,
            schema_version: "0.9.2",
            intent_id,
            coordinator_version: PLANNER_VERSION,
            started_at: None,
            completed_at: None,
            final_state: Phase::Received,
            states: Vec::new(),
            decisions: Vec::new(),
            failure_info: None,
            metadata: Totals::default(),
        }
    }

    /// Puts a transition on the tape.
    pub fn step(&mut self, from: &'static str, to: Phase, on: String, guards: Vec<Guard>, outputs: Vec<Output>, at: Timestamp) {
        let before = self.completed_at.unwrap_or(at);
        self.started_at.get_or_insert(at);
        self.completed_at = Some(at);
        self.final_state = to;
        self.states.push(Step {
            sequence: u32::try_from(self.states.len()).unwrap_or(u32::MAX).saturating_add(1),
            from_state: from,
            to_state: to,
            timestamp: Some(at),
            trigger: on,
            guards_evaluated: guards,
            outputs_produced: outputs,
            duration_ms: Some(at.since_ms(before)),
        });
    }

    /// Puts a decision on the tape.
    pub fn decide(&mut self, decided: Decided) {
        let number = self.decisions.len().saturating_add(1);
        self.decisions.push(Choice {
            decision_id: format!("decision_{number:06}"),
            decision_type: decided.about,
            timestamp: self.completed_at,
            rationale: decided.rationale,
            outcome: decided.outcome,
            inputs: decided.inputs,
            alternatives_considered: decided.alternatives,
        });
    }

    /// Closes the tape.
    pub fn close(&mut self, failure: Option<&Failure>) {
        self.failure_info = failure.map(|failure| FailureInfo {
            failure_type: failure.kind,
            failure_message: failure.message.clone(),
            failed_at_state: failure.failed_at_state,
            recovery_suggestions: failure.recovery.clone(),
        });
        let duration = self.started_at.zip(self.completed_at).map(|(start, end)| end.since_ms(start));
        self.metadata = Totals {
            total_duration_ms: duration,
            state_transitions_count: u32::try_from(self.states.len()).unwrap_or(u32::MAX),
            decisions_count: u32::try_from(self.decisions.len()).unwrap_or(u32::MAX),
        };
    }

    /// The same without what depends on the clock.
    #[must_use]
    pub fn timeless(&self) -> Tape {
        let mut tape = self.clone();
        (tape.started_at, tape.completed_at, tape.metadata.total_duration_ms) = (None, None, None);
        for step in &mut tape.states {
            (step.timestamp, step.duration_ms) = (None, None);
        }
        tape.decisions.iter_mut().for_each(|decision| decision.timestamp = None);
        tape
    }
}
