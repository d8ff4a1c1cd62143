//! The shape of a policy, version 1.0.0, closed, with what routing, pins and memories ask of it, as data.

use strum::VariantNames as _;

use super::{Pins, RiskProfile};
use crate::schema::{
    Field, Schema, Shape, choice, integer, list, map, number, object, optional, required, text,
};
use crate::vocabulary::{Mode, QuestionPolicy, Sensitivity};

/// The document that a policy is.
pub const SCHEMA: Schema = Schema {
    name: "execution_policy",
    version: VERSION,
    title: "What an organisation permits",
    root: object(POLICY),
};

/// The version of the document.
pub const VERSION: &str = "1.0.0";

const ALLOWED_TYPES: &[&str] =
    &["clarification", "blocker", "optimization", "risk_mitigation", "decision_needed"];

const POLICY: &[Field] = &[
    required("schema_version", Shape::Exactly(VERSION), "the version of the document"),
    required("mode", choice(Mode::VARIANTS), "how much runs may ask"),
    optional(
        "question_budget",
        integer(0, 1_000_000),
        "how many questions a run may ask; never any in `full_auto`",
    ),
    optional("question_policy", choice(QuestionPolicy::VARIANTS), "which questions"),
    optional("risk_profile", choice(RiskProfile::VARIANTS), "how bold a plan may be"),
    optional(
        "auto_fallback",
        Shape::Flag,
        "whether a default may stand in for an answer that has to be given",
    ),
    optional("require_verification", Shape::Flag, "whether every change has to be verified"),
    optional("max_retries", integer(0, 1_000), "how often something is tried again"),
    optional("timeout_seconds", integer(1, 31_536_000), "how long answers are waited for"),
    optional("constraints", object(CONSTRAINTS), "bounds that replace those of the risk profile"),
    optional("question_rules", object(QUESTION_RULES), "what a question has to be"),
    optional("budgets", object(BUDGETS), "how much a run may take"),
    optional("allow_cloud", Shape::Flag, "whether models of others may be used"),
    optional("data_sensitivity", choice(Sensitivity::VARIANTS), "how public what is worked on may become"),
    optional("min_memories", integer(0, 1_000), "the fewest memories that a run needs"),
    optional("pins", choice(Pins::VARIANTS), "whether registry content has to be pinned to a version"),
    optional("metadata", map(&text(0, 1000), 64), "notes for people"),
];

const CONSTRAINTS: &[Field] = &[
    optional("max_files_per_commit", integer(1, 1_000_000), "the most files of one commit"),
    optional(
        "forbidden_operations",
        list(&text(1, 128), 0, 100),
        "effects and commands that no plan may have",
    ),
    optional("allow_destructive", Shape::Flag, "whether something may be taken away"),
    optional("allow_bulk_changes", Shape::Flag, "whether many files may change at once"),
];

const QUESTION_RULES: &[Field] = &[
    optional("allowed_types", list(&choice(ALLOWED_TYPES), 0, 5), "which kinds of question"),
    optional("require_evidence", Shape::Flag, "whether a question has to name evidence"),
    optional("min_evidence_count", integer(0, 200), "how much evidence a question has to name"),
];

const BUDGETS: &[Field] = &[optional("max_cost_usd", number(0.0, 1_000_000.0), "money, in dollars")];
