//! Every document that has a schema, in one list, so that none is without its page in `docs/schemas/`.

use super::Schema;
use crate::intent;
use crate::planning::{answers, policy, questions_pack};

/// Every schema, by name.
pub const CATALOGUE: &[&Schema] =
    &[&answers::SCHEMA, &intent::SCHEMA, &policy::SCHEMA, &questions_pack::SCHEMA];

/// The schema of a name.
pub fn named(name: &str) -> Option<&'static Schema> {
    CATALOGUE.iter().copied().find(|schema| schema.name == name)
}
