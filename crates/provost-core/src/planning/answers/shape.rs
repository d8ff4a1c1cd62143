//! The shape of an answer pack, version 0.9.2 with evidence, lineage and seal, as data.

use strum::VariantNames as _;

use super::super::questions_pack::{PACK_ID as QUESTION_PACK_ID, QUESTION_ID};
use super::{AnswerType, ProvidedBy};
use crate::intent::{self, COMMAND_ID};
use crate::planning::RUN_ID;
use crate::schema::{
    Alphabet, Field, Part, Pattern, Schema, Shape, choice, id, integer, list, matching, number, object,
    optional, required, text,
};
use crate::vocabulary::{ReviewCategory, Risk};

/// The document that answers come in.
pub const SCHEMA: Schema = Schema {
    name: "answer_pack",
    version: VERSION,
    title: "Answers to the questions of a planning run",
    root: object(PACK),
};

/// The version of the document.
pub const VERSION: &str = "0.9.2";

const PACK_ID: Shape = id(&[Part::Literal("apack_"), Part::Run(Alphabet::Snake, 6, 64)]);
const TIME: Shape = matching(Pattern::Timestamp);

const PACK: &[Field] = &[
    required("pack_id", PACK_ID, "what the answers are known by"),
    required("schema_version", Shape::Exactly(VERSION), "the version of the document"),
    required("question_pack_id", QUESTION_PACK_ID, "the questions that are answered"),
    required("intent_id", intent::ID, "the intent that is planned"),
    required("run_id", RUN_ID, "the run that asked"),
    required("answers", list(&object(ANSWER), 1, 50), "the answers"),
    required("provided_at", TIME, "when they were given"),
    optional("completeness", object(COMPLETENESS), "how much was answered"),
    optional("metadata", object(METADATA), "who answered"),
    required("checksum", matching(Pattern::Sha256), "the digest of the rest, by RFC 8785 without this key"),
];

const ANSWER: &[Field] = &[
    required("question_id", QUESTION_ID, "the question"),
    required("answer_type", choice(AnswerType::VARIANTS), "what kind of answer it is"),
    required("answer_text", text(1, 10_000), "the answer"),
    optional("answer_data", object(DATA), "the same as data"),
    required("evidence_refs", list(&intent::REFERENCE, 1, 30), "what it rests on"),
    required("provided_at", TIME, "when it was given"),
    required("provided_by", choice(ProvidedBy::VARIANTS), "by whom"),
    optional("confidence", number(0.0, 1.0), "how sure they are"),
    optional("rationale", text(0, 2000), "why"),
];

const DATA: &[Field] = &[
    optional("paths", list(&text(1, 512), 0, 200), "paths that are meant, from the top of the repository"),
    optional(
        "review_categories",
        list(&choice(ReviewCategory::VARIANTS), 0, 6),
        "what somebody has to look at",
    ),
    optional("risk_level", choice(Risk::VARIANTS), "what is at stake"),
    optional("rollback_plan", text(1, 4000), "how it is taken back"),
    optional("enable_command", COMMAND_ID, "a planned command that is wanted after all"),
];

const COMPLETENESS: &[Field] = &[
    required("total_questions", integer(0, 50), "how many questions there were"),
    required("answered", integer(0, 50), "how many have an answer"),
    required("unanswered_question_ids", list(&QUESTION_ID, 0, 50), "those that have none"),
    required("fallback_used", Shape::Flag, "whether a default stands in for an answer"),
];

const METADATA: &[Field] = &[
    optional("answerer_id", text(1, 128), "the person"),
    optional("session_id", text(1, 128), "the sitting"),
];
