//! Records as bytes: damage of every kind is found and located, and nothing that was written whole is ever taken
//! for a write that was cut short. One binary, so that the crate is linked once.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod damage;
mod forms;
mod order;
mod sample;
mod torn;
