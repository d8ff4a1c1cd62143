//! The runtime's promises on a modelled disk: what was acknowledged survives every fault, every crash and every
//! power cut, and what was damaged is found. One binary, so that the model is built once.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking and says what it visited"
)]

mod artifacts;
mod canary;
mod crashes;
mod cuts;
mod damage;
mod deadlines;
mod disk;
mod faults;
mod flushes;
mod golden;
mod history;
mod openings;
mod replay;
mod reports;
