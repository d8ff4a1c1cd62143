//! Planning as a person sees it: real commands from an intent to a frozen plan, with and without a project.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "a project looks at its own files instead of facts and memory as documents")]
#[path = "../../../provost-core/tests/planning/documents.rs"]
mod documents;
#[path = "../commands/hermetic.rs"]
mod hermetic;
mod stage;

mod folders;
mod hostile;
mod kills;
mod projects;
mod surroundings;
