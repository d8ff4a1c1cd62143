//! Whole deliveries: real git, real programs, real kills. What a person gets in the end is looked at, not how.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod agents;
mod checkouts;
mod cleaning;
mod copied;
mod cost;
mod crash;
mod decided;
mod demo;
mod dry;
mod fifty;
mod files;
#[path = "../commands/hermetic.rs"]
mod hermetic;
mod kept;
mod killed_programs;
mod kills;
mod lost;
mod misspelt;
mod own_agent;
mod planned;
mod prepared;
mod project;
mod shown;
mod spoken;
mod standing;
mod terminal;
mod terminals;
mod told;
mod unrecorded;
mod verified;
mod wedged;
mod whole;
