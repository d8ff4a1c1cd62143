//! Attempts to get out of the walls around agents, made by a real agent in a real delivery and looked at from outside.
//!
//! Every attempt is also made without walls, where it has to succeed: an attempt that never does would prove nothing.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod attempts;
#[path = "../commands/hermetic.rs"]
mod hermetic;
mod ordinary;
mod planted;
#[path = "../deliveries/project.rs"]
#[expect(dead_code, reason = "deliveries use all of it")]
mod project;
mod scene;
mod suite;
