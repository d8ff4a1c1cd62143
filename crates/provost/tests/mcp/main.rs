//! Provost as a tool server: the real program with a client at its pipes, a real turn behind it, and whatever an agent or
//! its client may do wrong.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod client;
#[path = "../commands/hermetic.rs"]
mod hermetic;
mod hostile;
mod people;
mod turns;
