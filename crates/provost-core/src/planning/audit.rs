//! The audit of a run: one line for everything significant, each naming the digest of the line before. Apart from the
//! tape because an auditor reads it alone, and must see that no line was taken out.

use serde::Serialize;

use super::{PLANNER_VERSION, Phase};
use crate::canonical::{self, NotCanonical};
use crate::digest::Digest;
use crate::schema::{
    Alphabet, Part, Pattern, Schema, Shape, choice, id, integer, matching, object, optional, required, text,
};
use crate::time::Timestamp;
use crate::vocabulary::Decision;

/// The lines so far.
#[derive(Clone, Debug)]
pub struct Audit {
    run_id: String,
    intent_id: String,
    entries: Vec<(Option<Timestamp>, Noted)>,
}

/// Something significant.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event_type", rename_all = "snake_case")]
pub enum Noted {
    /// Planning began.
    RunStarted,
    /// Planning came to rest with a plan or questions.
    RunCompleted {
        /// Where.
        final_state: Phase,
    },
    /// Planning ended without a plan.
    RunFailed {
        /// How.
        final_state: Phase,
        /// The code that decided.
        code: String,
    },
    /// A state was entered.
    StateTransition {
        /// The state that was left.
        from_state: &'static str,
        /// The state that was entered.
        to_state: Phase,
        /// The verdict that moved it.
        trigger: String,
    },
    /// A line that nobody may cross was looked at.
    RedLineCheck {
        /// What was found.
        red_line_check_record: RedLineCheck,
    },
    /// Rules judged something planned.
    RuleAdjudication {
        /// What they said.
        rule_adjudication_record: RuleAdjudication,
    },
    /// A model was chosen for a role.
    ModelSelected {
        /// Which and why.
        model_selection_record: ModelSelection,
    },
    /// A question was asked.
    QuestionEmitted {
        /// Which and why.
        question_trigger_record: QuestionTrigger,
    },
    /// Answers came.
    AnswerReceived {
        /// The pack.
        answer_pack_id: String,
    },
    /// An answer contradicts a verdict.
    ConflictDetected {
        /// Which.
        conflict_handling_record: ConflictHandling,
    },
    /// The policy was applied.
    PolicyEnforcement {
        /// How.
        policy_enforcement_record: PolicyEnforcement,
    },
}

/// A line that nobody may cross, looked at.
#[derive(Clone, Debug, Serialize)]
pub struct RedLineCheck {
    /// Which line.
    pub red_line: &'static str,
    /// Whether it holds.
    pub passed: bool,
    /// What crosses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation_details: Option<String>,
    /// What follows.
    pub enforcement_action: &'static str,
}

/// What rules said of something planned.
#[derive(Clone, Debug, Serialize)]
pub struct RuleAdjudication {
    /// What was judged.
    pub subject: String,
    /// What they said together.
    pub decision: Decision,
    /// The rules that fired.
    pub rule_refs: Vec<String>,
}

/// A model chosen for a role.
#[derive(Clone, Debug, Serialize)]
pub struct ModelSelection {
    /// The role.
    pub role: String,
    /// The model; none without a catalogue.
    pub model: Option<String>,
    /// Why.
    pub reason: String,
}

/// A question that was asked.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionTrigger {
    /// Its id.
    pub question_id: String,
    /// Why.
    pub reason: String,
    /// How much hangs on it.
    pub blocking_level: &'static str,
    /// How many may still be asked.
    pub budget_remaining: u32,
}

/// An answer that contradicts a verdict.
#[derive(Clone, Debug, Serialize)]
pub struct ConflictHandling {
    /// Which question.
    pub question_id: String,
    /// What it contradicts.
    pub conflict: String,
    /// What is done about it.
    pub resolution_strategy: &'static str,
}

/// The policy, applied.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyEnforcement {
    /// Which part of it.
    pub policy_rule: &'static str,
    /// Whether it stopped something.
    pub enforced: bool,
    /// Why.
    pub enforcement_reason: String,
}

#[derive(Serialize)]
struct Line<'a> {
    log_id: String,
    schema_version: &'static str,
    seq: usize,
    severity: &'static str,
    coordinator_run_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<Timestamp>,
    operator: &'static str,
    #[serde(flatten)]
    noted: &'a Noted,
    metadata: Metadata<'a>,
    prev_hash: Digest,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry_hash: Option<Digest>,
}

#[derive(Clone, Copy, Serialize)]
struct Metadata<'a> {
    intent_id: &'a str,
    coordinator_version: &'static str,
}

impl Audit {
    /// An audit without lines.
    pub fn new(run_id: String, intent_id: String) -> Audit {
        Audit { run_id, intent_id, entries: Vec::new() }
    }

    /// Notes something.
    pub fn note(&mut self, at: Timestamp, noted: Noted) {
        self.entries.push((Some(at), noted));
    }

    /// The lines, and the digest of the last.
    pub fn lines(&self) -> Result<(Vec<u8>, Digest), NotCanonical> {
        self.written(|at| at)
    }

    /// The digest of the last line if no line had a time.
    pub fn timeless(&self) -> Result<Digest, NotCanonical> {
        Ok(self.written(|_| None)?.1)
    }

    fn written(
        &self,
        time: impl Fn(Option<Timestamp>) -> Option<Timestamp>,
    ) -> Result<(Vec<u8>, Digest), NotCanonical> {
        let mut bytes = Vec::new();
        let mut head = Digest::ZERO;
        for (seq, (at, noted)) in (1..).zip(&self.entries) {
            let mut line = Line {
                log_id: format!("audit_{seq:06}"),
                schema_version: "0.9.2",
                seq,
                severity: noted.severity(),
                coordinator_run_id: &self.run_id,
                timestamp: time(*at),
                operator: "provost",
                noted,
                metadata: Metadata { intent_id: &self.intent_id, coordinator_version: PLANNER_VERSION },
                prev_hash: head,
                entry_hash: None,
            };
            head = canonical::digest(&line)?;
            line.entry_hash = Some(head);
            bytes.extend(canonical::to_vec(&line)?);
            bytes.push(b'\n');
        }
        Ok((bytes, head))
    }
}

impl Noted {
    /// How much it matters to somebody who reads only what matters.
    fn severity(&self) -> &'static str {
        match self {
            Noted::RunFailed { final_state: Phase::Aborted, .. } => "critical",
            Noted::RedLineCheck { red_line_check_record } if !red_line_check_record.passed => "critical",
            Noted::RunFailed { .. } => "error",
            Noted::ConflictDetected { .. } => "warning",
            Noted::RuleAdjudication { rule_adjudication_record: it }
                if it.decision >= Decision::RequireReview =>
            {
                "warning"
            }
            _ => "info",
        }
    }
}

const RECORD: Shape = Shape::Map { of: &Shape::Anything, max: 8 };

/// The shape of a line of `audit.jsonl`.
pub const SCHEMA: Schema = Schema {
    name: "coordinator_audit_log",
    version: "0.9.2",
    title: "One significant thing of a run",
    root: object(&[
        required("log_id", id(&[Part::Literal("audit_"), Part::Run(Alphabet::Snake, 6, 64)]), "its id"),
        required("schema_version", Shape::Exactly("0.9.2"), "the form of the line"),
        required("seq", integer(1, 10_000_000), "its place"),
        required("severity", choice(&["info", "warning", "error", "critical"]), "how much it matters"),
        required("coordinator_run_id", super::RUN_ID, "the run"),
        required("timestamp", matching(Pattern::Timestamp), "when"),
        required("operator", text(1, 200), "who"),
        required(
            "event_type",
            choice(&[
                "run_started",
                "run_completed",
                "run_failed",
                "state_transition",
                "rule_adjudication",
                "model_selected",
                "question_emitted",
                "answer_received",
                "conflict_detected",
                "red_line_check",
                "policy_enforcement",
            ]),
            "what happened",
        ),
        optional("final_state", super::PHASE, "where the run came to rest"),
        optional("code", text(1, 120), "the code that decided"),
        optional("from_state", text(1, 40), "the state that was left"),
        optional("to_state", super::PHASE, "the state that was entered"),
        optional("trigger", text(1, 80), "the verdict that moved it"),
        optional("answer_pack_id", text(1, 120), "the answers that came"),
        optional("red_line_check_record", RECORD, "a line that nobody may cross, looked at"),
        optional("rule_adjudication_record", RECORD, "what rules said"),
        optional("model_selection_record", RECORD, "a model chosen for a role"),
        optional("question_trigger_record", RECORD, "a question that was asked"),
        optional("conflict_handling_record", RECORD, "an answer that contradicts a verdict"),
        optional("policy_enforcement_record", RECORD, "the policy, applied"),
        required(
            "metadata",
            object(&[
                required("intent_id", text(1, 256), "the intent"),
                required("coordinator_version", text(1, 20), "what planned"),
            ]),
            "what every line says",
        ),
        required("prev_hash", matching(Pattern::Sha256), "the digest of the line before"),
        required("entry_hash", matching(Pattern::Sha256), "the digest of this line without it"),
    ]),
};
