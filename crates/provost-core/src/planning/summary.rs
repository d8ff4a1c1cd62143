//! A run in a few lines, apart because it is what somebody reads who wants to know how it ended and nothing else.

use serde::Serialize;

use super::Phase;
use crate::schema::{Schema, Shape, integer, object, optional, required, text};
use crate::vocabulary::Risk;

/// A run in a few lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The run.
    pub run_id: String,
    /// The intent.
    pub intent_id: String,
    /// What the intent is called, where it could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where it came to rest.
    pub final_state: Phase,
    /// How much is at stake, where that was assessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overall_risk: Option<Risk>,
    /// Nodes of the graph.
    pub nodes: usize,
    /// Actions among them.
    pub actions: usize,
    /// Review gates among them.
    pub review_gates: usize,
    /// Questions that wait for an answer.
    pub open_questions: usize,
    /// Why it ended without a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_code: Option<String>,
}

const COUNT: Shape = integer(0, 1_000);

/// The shape of `summary.json`.
pub const SCHEMA: Schema = Schema {
    name: "run_summary",
    version: "1.0.0",
    title: "A run in a few lines",
    root: object(&[
        required("run_id", super::RUN_ID, "the run"),
        required("intent_id", text(1, 256), "the intent"),
        optional("title", text(1, 256), "what the intent is called"),
        required("final_state", super::PHASE, "where it came to rest"),
        optional("overall_risk", super::risk::LEVEL, "how much is at stake"),
        required("nodes", COUNT, "nodes of the graph"),
        required("actions", COUNT, "actions among them"),
        required("review_gates", COUNT, "review gates among them"),
        required("open_questions", COUNT, "questions that wait for an answer"),
        optional("failure_code", text(1, 120), "why it ended without a plan"),
    ]),
};
