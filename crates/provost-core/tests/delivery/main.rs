//! Deliveries decided and applied as the driver does it, without a driver: what follows from what.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod explorer;
mod invariants;
mod files;
mod found;
mod many;
mod proofs;
mod reported;
mod rows;
mod stories;
mod table;
mod terms;
mod troubles;
mod waiting;
