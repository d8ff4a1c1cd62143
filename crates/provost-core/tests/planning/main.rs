//! Planning, from documents to frozen plans: every row of the table, every decision on a contradiction, and bytes that
//! never move.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod bridging;
mod determinism;
mod kit;
mod rows;
