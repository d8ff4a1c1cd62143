//! The form of the document, apart from building it: a graph that somebody hands in is held to the same.

use strum::VariantNames;

use super::node::{Assignment, Basis, NodeKind};
use super::{EdgeKind, Form};
use crate::registry::Kind;
use crate::schema::{
    Alphabet, Part, Pattern, Schema, Shape, choice, id, integer, list, matching, object, optional, required,
    text,
};
use crate::vocabulary::{Decision, Effect, Mode, ReviewCategory, Risk};

/// The shape of an execution graph.
pub const SCHEMA: Schema = Schema {
    name: "execution_graph",
    version: super::SCHEMA_VERSION,
    title: "What is planned, as a graph",
    root: object(&[
        required(
            "graph_id",
            id(&[Part::Literal("graph_"), Part::Run(Alphabet::Snake, 6, 64)]),
            "which graph it is",
        ),
        required("schema_version", Shape::Exactly(super::SCHEMA_VERSION), "the form of the document"),
        required("intent_id", text(1, 256), "the intent that it plans"),
        required("created_at", text(1, 64), "the time of the intent"),
        required("nodes", list(&NODE, 1, 200), "phases, actions, decisions, questions, gates"),
        required("edges", list(&EDGE, 0, 100_000), "what comes after what"),
        required("swimlanes", list(&SWIMLANE, 0, 100), "who does it"),
        required("lineage", LINEAGE, "what it is derived from"),
        required("metadata", METADATA, "what a reader should know beside the graph"),
        required("checksum", matching(Pattern::Sha256), "covers nodes, edges and swimlanes"),
    ]),
};

const NODE_ID: Shape = id(&[Part::Literal("node_"), Part::Run(Alphabet::Snake, 4, 32)]);
const RISK: Shape = choice(<Risk as VariantNames>::VARIANTS);
const EFFECT: Shape = choice(<Effect as VariantNames>::VARIANTS);
const REFERENCES: Shape = list(&text(1, 512), 0, 1_000);
const NODES: Shape = list(&NODE_ID, 0, 200);

const NODE: Shape = object(&[
    required("node_id", NODE_ID, "its id"),
    required("node_type", choice(<NodeKind as VariantNames>::VARIANTS), "what it is"),
    required("label", text(1, 160), "one line"),
    optional("description", text(0, 1_000), "more than one line"),
    optional("phase_ref", text(1, 200), "the workflow and stage that it stands in"),
    optional("command_ref", text(1, 256), "the registry command"),
    optional("effects", list(&EFFECT, 0, 8), "what it does to the world"),
    optional("risk_level", RISK, "how much is at stake"),
    optional("evidence_refs", REFERENCES, "what it rests on"),
    optional("rule_refs", list(&text(1, 120), 0, 100_000), "the rules that fired"),
    optional("question_ref", text(1, 64), "the question that it holds a place for"),
    optional("review_criteria", list(&text(1, 1_000), 0, 100), "what is looked at"),
    optional("metadata", NODE_METADATA, "how it came to be where it is"),
]);

const NODE_METADATA: Shape = object(&[
    optional("position", integer(1, 1_000), "the place of the command in the plan"),
    optional("decision", choice(<Decision as VariantNames>::VARIANTS), "what rules say about it"),
    optional(
        "placement",
        object(&[
            required("basis", choice(<Basis as VariantNames>::VARIANTS), "what decided"),
            optional("effect", EFFECT, "the effect that was asked"),
            required("candidates", integer(0, 1_000), "how many phases would have done as well"),
        ]),
        "why it stands in its phase",
    ),
    optional("assignment", choice(<Assignment as VariantNames>::VARIANTS), "why it is in its lane"),
    optional("category", choice(<ReviewCategory as VariantNames>::VARIANTS), "what a gate is for"),
    optional("concerns", NODES, "the actions that a gate is for"),
    optional("files", REFERENCES, "the files that it is about"),
    optional("questions", list(&text(1, 64), 0, 100), "the questions that were asked about it"),
]);

const EDGE: Shape = object(&[
    required("edge_id", id(&[Part::Literal("edge_"), Part::Run(Alphabet::Snake, 4, 32)]), "its id"),
    required("from_node", NODE_ID, "the node that comes first"),
    required("to_node", NODE_ID, "the node that comes after it"),
    required("edge_type", choice(<EdgeKind as VariantNames>::VARIANTS), "how it comes after"),
    optional("condition", text(1, 500), "when this way is taken"),
    optional("label", text(1, 100), "the condition in a word or two"),
]);

const SWIMLANE: Shape = object(&[
    required("swimlane_id", id(&[Part::Literal("swimlane_"), Part::Run(Alphabet::Snake, 4, 32)]), "its id"),
    required("agent_id", text(1, 120), "the agent"),
    required("role", text(1, 100), "what it is selected as"),
    required("node_refs", NODES, "its nodes"),
]);

const LINEAGE: Shape = object(&[
    required("derived_from_intent", text(1, 256), "the intent"),
    required("intent_checksum", matching(Pattern::Sha256), "the digest of the intent"),
    required(
        "registry_versions",
        list(
            &object(&[
                required("kind", choice(<Kind as VariantNames>::VARIANTS), "what it is"),
                required("id", text(1, 256), "its id"),
                required("version", text(1, 64), "its version"),
                required("checksum", matching(Pattern::Sha256), "the digest of its content"),
            ]),
            0,
            100_000,
        ),
        "the registry content that it names",
    ),
    required("coordinator_version", text(1, 20), "the version of the planner"),
]);

const METADATA: Shape = object(&[
    required("form", choice(<Form as VariantNames>::VARIANTS), "whether questions may still stand in it"),
    required("revision", integer(1, 100), "which draft of the run it is"),
    required("execution_policy", choice(<Mode as VariantNames>::VARIANTS), "how much the run may ask"),
    optional("questions", list(&text(1, 64), 0, 100), "the questions about the plan as a whole"),
    optional(
        "denied",
        list(
            &object(&[
                required("position", integer(1, 1_000), "its place in the plan"),
                required("command_ref", text(1, 256), "its id"),
                required("rule_refs", list(&text(1, 120), 0, 100_000), "who said so"),
                required("reason", text(0, 100_000), "why"),
            ]),
            0,
            100,
        ),
        "the planned commands that have no action",
    ),
]);
