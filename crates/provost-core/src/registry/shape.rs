//! What content has to look like, kind by kind, as tables. Apart from the content itself because these are also
//! printed for the tools of others.
//!
//! Content may say more than Provost reads: catalogues of others carry keys of their own. What it says under a key
//! that Provost does read has to be right.

use super::content::{Kind, Location, Status};
use crate::schema::{
    Alphabet, Field, Part, Pattern, Schema, Shape, Text, choice, id, list, number, open, optional, required,
    text,
};
use crate::vocabulary::{Effect, Risk, Sensitivity};
use strum::VariantNames;

/// The most entries of a list in content; more is a mistake or an attack.
const LIST_MAX: u32 = 200;

const LOWER: Part = Part::Run(Alphabet::Lower, 1, 1);

/// Ids of workflows, agents and experts, as intents spell them.
const NAME: Shape = id(&[LOWER, Part::Run(Alphabet::Snake, 2, 80)]);

/// Ids of commands, as intents spell them.
const COMMAND_NAME: Shape = id(&[LOWER, Part::Run(Alphabet::Snake, 2, 120)]);

/// Ids of rules, whose number is their place in the book.
const RULE_NAME: Shape = id(&[
    Part::Literal("rule_r"),
    Part::Run(Alphabet::Digit, 2, 2),
    Part::Literal("_"),
    Part::Run(Alphabet::Snake, 1, 111),
]);

const VERSION: Field = required(
    "version",
    Shape::Text(Text { min: 5, max: 64, pattern: Some(Pattern::Semver) }),
    "the version, such as 1.0.0",
);
const STATUS: Field =
    optional("status", choice(Status::VARIANTS), "whether it may be used; active if left out");
const DESCRIPTION: Field = optional("description", text(0, 5000), "what it is for");

const WORD: Shape = text(1, 200);
const WORDS: Shape = list(&WORD, 0, LIST_MAX);
const SENTENCE: Shape = text(1, 1000);
const FORBIDDEN: Shape = Shape::Exactly("forbidden");

/// Where it came from. That it is complete is for a rule to demand, so nothing is required here.
const LINEAGE: Field = optional(
    "lineage",
    open(&[
        optional("introduced_in", WORD, "the version that introduced it"),
        optional("derived_from", Shape::Nullable(&WORD), "what it was made from; null if from nothing"),
        optional("supersedes", WORDS, "what it replaces"),
        optional("change_reason", Shape::Nullable(&SENTENCE), "why it differs from its parent"),
    ]),
    "where it came from",
);

pub(crate) const WORKFLOW: Schema = Schema {
    name: "workflow",
    version: "0.6.0",
    title: "the order in which work is done",
    root: open(&[
        required("id", NAME, "its id, such as fix_bug"),
        VERSION,
        STATUS,
        optional("type", Shape::Exactly("workflow"), "the kind of content"),
        DESCRIPTION,
        required("phases", list(&PHASE, 1, LIST_MAX), "its parts, in order"),
        optional(
            "constraints",
            open(&[
                optional("execution", FORBIDDEN, "content is planned with, never run"),
                optional("side_effects", FORBIDDEN, "content changes nothing"),
            ]),
            "what holds for all content",
        ),
        LINEAGE,
    ]),
};

const PHASE: Shape = open(&[
    required("id", id(&[Part::Run(Alphabet::Snake, 1, 80)]), "its name"),
    optional("description", text(0, 5000), "what happens in it"),
    optional("requires", WORDS, "what it needs"),
    optional("produces", WORDS, "what it leaves"),
    optional("allows_questions", Shape::Flag, "whether people may be asked in it"),
    optional("risk_level", choice(Risk::VARIANTS), "what is at stake"),
]);

pub(crate) const AGENT: Schema = Schema {
    name: "agent",
    version: "0.7.0",
    title: "who takes part, as an organisation names them",
    root: open(&[
        required("id", NAME, "its id, such as backend_engineer"),
        VERSION,
        STATUS,
        optional("type", Shape::Exactly("agent"), "the kind of content"),
        DESCRIPTION,
        optional("responsibilities", WORDS, "what they do"),
        optional("allowed_interactions", WORDS, "how they may be spoken to"),
        optional(
            "constraints",
            open(&[
                optional("execution", FORBIDDEN, "content is planned with, never run"),
                optional("command_ownership", FORBIDDEN, "no command belongs to one agent"),
            ]),
            "what holds for all agents",
        ),
        LINEAGE,
    ]),
};

pub(crate) const COMMAND: Schema = Schema {
    name: "command",
    version: "0.8.0",
    title: "what can be planned",
    root: open(&[
        required("id", COMMAND_NAME, "its id, such as cmd_write_tests"),
        VERSION,
        STATUS,
        optional("type", Shape::Exactly("command"), "the kind of content"),
        optional("title", text(1, 200), "what it is called"),
        DESCRIPTION,
        optional("recommended_roles", WORDS, "who should do it"),
        optional("workflow_links", list(&LINK, 0, LIST_MAX), "where it belongs"),
        optional("inputs", list(&SLOT, 0, LIST_MAX), "what it needs"),
        optional("outputs", list(&SLOT, 0, LIST_MAX), "what it leaves"),
        optional("acceptance", list(&SENTENCE, 0, LIST_MAX), "how somebody can tell that it is done"),
        optional("preconditions", list(&SENTENCE, 0, LIST_MAX), "what has to hold before"),
        required("effects", list(&EFFECT, 1, LIST_MAX), "what it does to the world"),
        required("risk_level", choice(Risk::VARIANTS), "what is at stake"),
        optional("evidence_required", Shape::Flag, "whether it needs evidence"),
        optional(
            "constraints",
            open(&[
                optional("executable_payload", FORBIDDEN, "a command is a name, never a program"),
                optional("agent_binding", FORBIDDEN, "no command belongs to one agent"),
                optional("execution", FORBIDDEN, "content is planned with, never run"),
            ]),
            "what holds for all commands",
        ),
        LINEAGE,
    ]),
};

const LINK: Shape =
    open(&[required("workflow", WORD, "the workflow"), optional("phases", WORDS, "its phases")]);

const SLOT: Shape = open(&[
    required("name", WORD, "its name"),
    optional("description", text(0, 5000), "what it is"),
    optional("required", Shape::Flag, "whether it has to be there"),
]);

const EFFECT: Shape = open(&[
    required("scope", WORD, "where, such as repo, docs or database"),
    required("kind", choice(Effect::VARIANTS), "what it does there"),
    optional("description", text(0, 5000), "how"),
]);

/// Only the head of a rule: whether its body can be decided is judged where rules are read.
pub(crate) const RULE: Schema = Schema {
    name: "rule",
    version: "0.9.0",
    title: "what governs planning",
    root: open(&[
        required("id", RULE_NAME, "its id, such as rule_r01_no_execution"),
        VERSION,
        STATUS,
        optional("type", Shape::Exactly("rule"), "the kind of content"),
        required("rule", open(&[]), "what it says"),
        LINEAGE,
    ]),
};

pub(crate) const EXPERT: Schema = Schema {
    name: "expert",
    version: "1.0.0",
    title: "whom agents can be asked to consult",
    root: open(&[
        required("id", NAME, "its id, such as database_expert"),
        VERSION,
        STATUS,
        optional("type", Shape::Exactly("expert"), "the kind of content"),
        DESCRIPTION,
        required("domain", WORD, "the one field that they advise in"),
        optional("capabilities", WORDS, "what they can say"),
        optional("keywords", WORDS, "words in a task that call for them"),
        optional("tasks", WORDS, "tasks that they are recommended for"),
        LINEAGE,
    ]),
};

pub(crate) const MODEL: Schema = Schema {
    name: "model",
    version: "1.0.0",
    title: "what agents can be started with",
    root: open(&[
        required("id", text(1, 100), "the name that its agent knows it by"),
        VERSION,
        STATUS,
        optional("type", Shape::Exactly("model"), "the kind of content"),
        DESCRIPTION,
        required("location", choice(<Location as VariantNames>::VARIANTS), "where it runs"),
        optional("max_sensitivity", choice(Sensitivity::VARIANTS), "the most sensitive work that it may see"),
        optional("cost_per_1k_tokens_usd", number(0.0, 1000.0), "what a thousand tokens cost"),
        optional("roles", WORDS, "the roles that it serves; all if left out"),
        optional("agents", WORDS, "the configured agents that run it"),
        LINEAGE,
    ]),
};

/// What content of a kind has to look like.
pub const fn schema(kind: Kind) -> &'static Schema {
    match kind {
        Kind::Workflow => &WORKFLOW,
        Kind::Agent => &AGENT,
        Kind::Command => &COMMAND,
        Kind::Rule => &RULE,
        Kind::Expert => &EXPERT,
        Kind::Model => &MODEL,
    }
}
