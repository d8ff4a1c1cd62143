//! The shape of a question pack, version 0.9.2 with a default for every question, as data.

use strum::VariantNames as _;

use super::{BlockingLevel, DefaultKind, ImpactScope, QuestionType, RiskChange};
use crate::intent;
use crate::schema::{
    Alphabet, Field, Part, Pattern, Schema, Shape, UNBOUNDED, choice, id, integer, list, matching, object,
    optional, required, text,
};
use crate::vocabulary::QuestionPolicy;

/// The document that questions are asked in.
pub const SCHEMA: Schema =
    Schema { name: "question_pack", version: VERSION, title: "What a planning run asks", root: object(PACK) };

/// The version of the document.
pub const VERSION: &str = "0.9.2";

/// The id of a pack.
pub(in crate::planning) const PACK_ID: Shape =
    id(&[Part::Literal("qpack_"), Part::Run(Alphabet::Snake, 6, 64)]);
/// The id of a question.
pub(in crate::planning) const QUESTION_ID: Shape =
    id(&[Part::Literal("q_"), Part::Run(Alphabet::Snake, 4, 32)]);
const NODE_ID: Shape = id(&[Part::Literal("node_"), Part::Run(Alphabet::Snake, 4, 32)]);
/// The modes in which something is asked: in the third there is no pack.
const ASKING: &[&str] = &["semi_auto", "interactive"];
const TIME: Shape = matching(Pattern::Timestamp);

const PACK: &[Field] = &[
    required("pack_id", PACK_ID, "what the pack is known by"),
    required("schema_version", Shape::Exactly(VERSION), "the version of the document"),
    required("coordinator_run_id", crate::planning::RUN_ID, "the run that asks"),
    required("intent_id", intent::ID, "the intent that is planned"),
    required("questions", list(&object(QUESTION), 1, 50), "the questions, the most pressing first"),
    required("policy_constraints", object(POLICY), "how much may be asked"),
    required("created_at", TIME, "when the intent was written"),
    optional("expires_at", TIME, "when defaults take the place of answers"),
    optional("metadata", object(METADATA), "where it came from"),
];

const QUESTION: &[Field] = &[
    required("question_id", QUESTION_ID, "what the question is known by, such as `q_0001`"),
    required("type", choice(QuestionType::VARIANTS), "what kind of question it is"),
    required(
        "blocking_level",
        choice(BlockingLevel::VARIANTS),
        "how much depends on it; critical has to be answered",
    ),
    required("question_text", text(10, 2000), "the question"),
    required("context", text(10, 4000), "what one has to know to answer it"),
    required("evidence_refs", list(&intent::REFERENCE, 1, UNBOUNDED), "what made it a question"),
    required("impact", object(IMPACT), "what the answer changes"),
    required("default_strategy", object(DEFAULT), "what happens without an answer"),
    optional("suggested_answers", list(&object(SUGGESTED), 0, UNBOUNDED), "answers to choose from"),
];

const IMPACT: &[Field] = &[
    required("scope", choice(ImpactScope::VARIANTS), "how much of the plan"),
    required("description", text(1, 1000), "in what way"),
    optional("affected_nodes", list(&NODE_ID, 0, 200), "the nodes of the draft that depend on it"),
];

const DEFAULT: &[Field] = &[
    required("kind", choice(DefaultKind::VARIANTS), "what is done"),
    required("text", text(1, 1000), "the same in words"),
];

const SUGGESTED: &[Field] = &[
    required("answer_text", text(1, 10_000), "the answer"),
    required("rationale", text(1, 2000), "what speaks for it"),
    optional("risk_change", choice(RiskChange::VARIANTS), "what it does to the risk"),
];

const POLICY: &[Field] = &[
    required("execution_mode", choice(ASKING), "the mode in force; never `full_auto`, which asks nothing"),
    required("question_budget", integer(0, 50), "how many questions the run may ask"),
    required("question_policy", choice(QuestionPolicy::VARIANTS), "which"),
    optional("budget_consumed", integer(0, 50), "how many it has asked, with these"),
    optional("budget_remaining", integer(0, 50), "how many are left"),
];

const METADATA: &[Field] = &[
    optional("emitted_from_state", text(1, 64), "the state that asked"),
    optional("total_questions", integer(0, 50), "how many questions there are"),
];
