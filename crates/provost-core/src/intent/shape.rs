//! The shape of an intent, version 0.9.1, as data: closed at every level, with every bound.

use strum::VariantNames as _;

use super::{LockMode, Status};
use crate::schema::{
    Alphabet, Field, Part, Pattern, Schema, Shape, choice, id, integer, list, matching, number, object,
    optional, required, text,
};
use crate::vocabulary::{Mode, ReviewCategory, Risk, Stage};

/// The document that an intent is.
pub const SCHEMA: Schema = Schema {
    name: "execution_intent",
    version: "0.9.1",
    title: "What a person wants planned",
    root: object(&SEALED),
};

/// The same before it is sealed: whatever stands where its checksum belongs, or nothing.
pub const UNSEALED: Schema = Schema { root: object(&OPEN), ..SCHEMA };

const SEALED: [Field; 19] = intent(AUDIT);
const OPEN: [Field; 19] = intent(UNSEALED_AUDIT);

/// The effects that an intent may declare; registry content and graphs know two more.
pub(super) const EFFECTS: &[&str] = &["read", "write", "network", "deploy", "security", "data"];

/// The areas of a project.
const AREAS: &[&str] = &["frontend", "backend", "infra", "docs", "tests", "ops", "security", "data"];

/// Which questions an intent may allow; `all` is a policy's word.
const QUESTION_POLICIES: &[&str] = &["conceptual_only", "blockers_only", "never"];

/// Who makes intents; the third is what the second was called later.
const SOURCES: &[&str] = &["human", "agentos", "octopusos", "imported"];

/// The id of an intent.
pub(crate) const INTENT_ID: Shape = id(&[Part::Literal("intent_"), Part::Run(Alphabet::Snake, 6, 64)]);
const CONTENT_ID: Shape = id(&[Part::Run(Alphabet::Lower, 1, 1), Part::Run(Alphabet::Snake, 2, 80)]);
/// The id of a command.
pub(crate) const COMMAND_ID: Shape =
    id(&[Part::Run(Alphabet::Lower, 1, 1), Part::Run(Alphabet::Snake, 2, 120)]);
const SEMVER: Shape = matching(Pattern::Semver);
const PATH: Shape = text(1, 512);
const CRITERION: Shape = text(3, 300);
/// A reference to evidence.
pub(crate) const REFERENCE: Shape = text(3, 256);
const RISK: Shape = choice(Risk::VARIANTS);

const fn intent(audit: &'static [Field]) -> [Field; 19] {
    [
        required("id", INTENT_ID, "what the intent is known by, such as `intent_add_docs`"),
        required("type", Shape::Exactly("execution_intent"), "always `execution_intent`"),
        required("title", text(5, 160), "what it is called"),
        optional("description", text(0, 4000), "what it is about, at length"),
        required("version", SEMVER, "which version of this intent it is"),
        required("status", choice(Status::VARIANTS), "whether it may be planned"),
        required(
            "created_at",
            matching(Pattern::Timestamp),
            "when it was written; frozen documents carry this time",
        ),
        required("lineage", object(LINEAGE), "what it came from"),
        required("scope", object(SCOPE), "what it is about"),
        required("objective", object(OBJECTIVE), "what it is for"),
        required(
            "selected_workflows",
            list(const { &object(WORKFLOW) }, 1, 18),
            "the workflows that its work follows",
        ),
        required("selected_agents", list(const { &object(AGENT) }, 1, 13), "who takes part"),
        required("planned_commands", list(const { &object(COMMAND) }, 0, 80), "what is to be done, in order"),
        required("interaction", object(INTERACTION), "how much may be asked"),
        required("risk", object(RISKS), "what is at stake"),
        required("budgets", object(BUDGETS), "how much it may take"),
        required("evidence_refs", list(&REFERENCE, 1, 200), "what it rests on"),
        required("constraints", object(CONSTRAINTS), "what holds for every intent, said aloud"),
        required("audit", object(audit), "who wrote it, and its seal"),
    ]
}

const LINEAGE: &[Field] = &[
    required("introduced_in", SEMVER, "the version that introduced it"),
    required("derived_from", list(&INTENT_ID, 0, 16), "intents that it was made from"),
    required("supersedes", list(&INTENT_ID, 0, 16), "intents that it replaces"),
];

const SCOPE: &[Field] = &[
    required("project_id", text(1, 128), "the project"),
    required("repo_root", text(1, 512), "where the project is, for people"),
    required("targets", object(TARGETS), "which parts of it"),
];

const TARGETS: &[Field] = &[
    required("files", list(&PATH, 0, 200), "files, from the top of the repository"),
    required("modules", list(&text(1, 128), 0, 100), "modules"),
    required("areas", list(&choice(AREAS), 0, 8), "areas"),
];

const OBJECTIVE: &[Field] = &[
    required("goal", text(5, 2000), "what shall be the case"),
    required("success_criteria", list(&CRITERION, 1, 20), "how somebody can tell"),
    required("non_goals", list(&CRITERION, 0, 20), "what shall not happen"),
];

const WORKFLOW: &[Field] = &[
    required("workflow_id", CONTENT_ID, "a workflow of the registry"),
    required("phases", list(&choice(Stage::VARIANTS), 1, 12), "the stages that are wanted, in order"),
    optional("reason", text(3, 800), "why this one"),
];

const AGENT: &[Field] = &[
    required("agent_id", CONTENT_ID, "an agent of the registry"),
    required("role", text(2, 80), "as what"),
    required("responsibilities", list(&text(3, 200), 1, 12), "what for"),
];

const COMMAND: &[Field] = &[
    required("command_id", COMMAND_ID, "a command of the registry"),
    required("intent", text(3, 800), "what it is to achieve here"),
    required("effects", list(&choice(EFFECTS), 1, 6), "what it does to the world"),
    required("risk_level", RISK, "what is at stake"),
    required("evidence_refs", list(&REFERENCE, 1, 30), "what it rests on"),
];

const INTERACTION: &[Field] = &[
    required("mode", choice(Mode::VARIANTS), "whether anything may be asked; `full_auto` asks nothing"),
    required("question_budget", integer(0, 50), "how many questions; 0 in `full_auto`"),
    required("question_policy", choice(QUESTION_POLICIES), "which questions; `never` in `full_auto`"),
];

const RISKS: &[Field] = &[
    required("overall", RISK, "in all; high and critical are never `full_auto`"),
    required("drivers", list(&text(3, 200), 1, 20), "why"),
    required(
        "requires_review",
        list(&choice(ReviewCategory::VARIANTS), 0, 6),
        "what somebody has to look at; at least one where a command writes or deploys",
    ),
];

const BUDGETS: &[Field] = &[
    required("max_files", integer(0, 500), "files that change"),
    required("max_commits", integer(0, 50), "commits"),
    required("max_tokens", integer(0, 2_000_000), "tokens"),
    required("max_cost_usd", number(0.0, 10_000.0), "money, in dollars"),
];

const CONSTRAINTS: &[Field] = &[
    required("execution", Shape::Exactly("forbidden"), "always `forbidden`: an intent is planned, never run"),
    required("no_fabrication", Shape::True, "always true: nothing is made up"),
    required("registry_only", Shape::True, "always true: nothing is named that is not in the registry"),
    required("lock_scope", object(LOCK_SCOPE), "what may be written"),
];

const LOCK_SCOPE: &[Field] = &[
    required("mode", choice(LockMode::VARIANTS), "how it is said what may be written"),
    required("paths", list(&PATH, 0, 200), "the paths, from the top of the repository"),
];

const CREATED_BY: Field = required("created_by", text(1, 128), "who wrote it");
const SOURCE: Field = required("source", choice(SOURCES), "by what means");
const UNSEALED_AUDIT: &[Field] =
    &[CREATED_BY, SOURCE, optional("checksum", Shape::Anything, "what sealing writes anew")];
const AUDIT: &[Field] = &[
    CREATED_BY,
    SOURCE,
    required("checksum", matching(Pattern::Sha256), "the seal; `provost intent seal` writes it"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::{Effect, QuestionPolicy};

    #[test]
    fn the_words_of_an_intent_are_words_of_the_vocabulary() {
        for word in EFFECTS {
            assert!(word.parse::<Effect>().is_ok(), "{word}");
        }
        for word in QUESTION_POLICIES {
            assert!(word.parse::<QuestionPolicy>().is_ok(), "{word}");
        }
    }
}
