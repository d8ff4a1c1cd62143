//! The rules of Provost, apart from the world: no clock, file, process, network, thread or randomness, so that
//! the same input gives the same output, byte for byte, live and on replay.
//!
//! Modules in reading order.

pub mod limits;
pub mod machine;
