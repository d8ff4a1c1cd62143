//! Planning, from documents to frozen plans: every row of the table, every decision on a contradiction, and bytes that
//! never move.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "golden plans are files")]

mod answering;
mod bridging;
mod contradictions;
mod determinism;
mod documents;
mod extremes;
mod golden;
mod kit;
mod rows;
mod taken;
