//! The tape of a run: every state that it went through, which guards were asked, what was decided and why. Apart because
//! it is the one document, beside the audit, that knows wall time; its content digest leaves the times out.

use serde::Serialize;

use super::failure::Failure;
use super::{PLANNER_VERSION, Phase};
use crate::schema::{
    Alphabet, Part, Pattern, Schema, Shape, choice, id, integer, list, matching, object, optional, required,
    text,
};
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
    pub failure_type: crate::finding::FailureType,
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
    pub fn step(
        &mut self,
        from: &'static str,
        to: Phase,
        on: String,
        guards: Vec<Guard>,
        outputs: Vec<Output>,
        at: Timestamp,
    ) {
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

const TEXTS: Shape = list(&text(1, 4_000), 0, 100_000);
const TIME: Shape = matching(Pattern::Timestamp);

/// The shape of `tape.json`.
pub const SCHEMA: Schema = Schema {
    name: "coordinator_run_tape",
    version: "0.9.2",
    title: "A run, step by step",
    root: object(&[
        required("run_id", super::RUN_ID, "the run"),
        required("schema_version", Shape::Exactly("0.9.2"), "the form of the tape"),
        required("intent_id", text(1, 256), "the intent"),
        required("coordinator_version", text(1, 20), "what planned"),
        required("started_at", TIME, "when planning began"),
        required("completed_at", TIME, "when it came to rest"),
        required("final_state", super::PHASE, "where it came to rest"),
        required("states", list(&STEP, 1, 1_000), "the transitions"),
        required("decisions", list(&CHOICE, 0, 100_000), "what was decided and why"),
        optional(
            "failure_info",
            object(&[
                required("failure_type", text(1, 40), "what kind of end it is"),
                required("failure_message", text(1, 8_000), "what is wrong"),
                required("failed_at_state", super::PHASE, "where the run was"),
                required("recovery_suggestions", TEXTS, "what mends it"),
            ]),
            "why it ended without a plan",
        ),
        required(
            "metadata",
            object(&[
                optional(
                    "total_duration_ms",
                    integer(0, 9_007_199_254_740_991),
                    "from the first step to the last",
                ),
                required("state_transitions_count", integer(0, 1_000), "transitions"),
                required("decisions_count", integer(0, 100_000), "decisions"),
            ]),
            "totals",
        ),
    ]),
};

const STEP: Shape = object(&[
    required("sequence", integer(1, 1_000), "its place"),
    required("from_state", text(1, 40), "the state that was left"),
    required("to_state", super::PHASE, "the state that was entered"),
    required("timestamp", TIME, "when"),
    required("trigger", text(1, 80), "the verdict that moved it"),
    required(
        "guards_evaluated",
        list(
            &object(&[
                required("guard_name", text(1, 100), "its name"),
                required("passed", Shape::Flag, "whether it holds"),
                required("reason", text(0, 8_000), "why"),
            ]),
            0,
            50,
        ),
        "what was asked before",
    ),
    required(
        "outputs_produced",
        list(
            &object(&[
                required("artifact_type", text(1, 80), "what it is"),
                required("artifact_id", text(1, 120), "its file"),
                required("checksum", matching(Pattern::Sha256), "the digest of its bytes"),
            ]),
            0,
            50,
        ),
        "what the state left",
    ),
    required("duration_ms", integer(0, 9_007_199_254_740_991), "how long the state's work took"),
]);

const CHOICE: Shape = object(&[
    required("decision_id", id(&[Part::Literal("decision_"), Part::Run(Alphabet::Snake, 6, 32)]), "its id"),
    required(
        "decision_type",
        choice(&[
            "rule_adjudication",
            "model_routing",
            "question_emission",
            "graph_building",
            "risk_assessment",
            "policy_check",
        ]),
        "what it was about",
    ),
    required("timestamp", TIME, "when"),
    required("rationale", text(1, 100_000), "why"),
    required("outcome", text(1, 4_000), "what came of it"),
    required(
        "inputs",
        object(&[optional("evidence_refs", TEXTS, "evidence"), optional("rule_refs", TEXTS, "rules")]),
        "what it rests on",
    ),
    optional(
        "alternatives_considered",
        list(
            &object(&[
                required("alternative", text(1, 1_000), "what"),
                required("reason_rejected", text(1, 2_000), "why not"),
            ]),
            0,
            1_000,
        ),
        "what else was possible",
    ),
]);
