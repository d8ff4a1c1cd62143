//! Every document that has a schema, in one list, so that none is without its page in `docs/schemas/`.

use super::Schema;
use crate::planning::walk::{context, precheck};
use crate::planning::{
    answers, audit, decisions, facts, failure, manifest, memory, policy, questions_pack, review, risk,
    routing, summary, tape,
};
use crate::registry::{self, shape};
use crate::{graph, intent};

/// Every schema, by name.
pub const CATALOGUE: &[&Schema] = &[
    &shape::AGENT,
    &answers::SCHEMA,
    &shape::COMMAND,
    &context::SCHEMA,
    &audit::SCHEMA,
    &review::SCHEMA,
    &tape::SCHEMA,
    &graph::SCHEMA,
    &intent::SCHEMA,
    &policy::SCHEMA,
    &shape::EXPERT,
    &facts::SCHEMA,
    &failure::SCHEMA,
    &memory::ITEM,
    &memory::PACK,
    &shape::MODEL,
    &routing::SCHEMA,
    &precheck::SCHEMA,
    &questions_pack::SCHEMA,
    &registry::LOCK,
    &registry::SNAPSHOT,
    &risk::SCHEMA,
    &shape::RULE,
    &decisions::SCHEMA,
    &manifest::SCHEMA,
    &summary::SCHEMA,
    &shape::WORKFLOW,
];

/// The schema of a name.
pub fn named(name: &str) -> Option<&'static Schema> {
    CATALOGUE.iter().copied().find(|schema| schema.name == name)
}
