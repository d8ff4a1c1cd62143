//! The rules of Provost, apart from the world: no clock, file, process, network, thread or randomness, so that
//! the same input gives the same output, byte for byte, live and on replay.
//!
//! Modules in reading order.

pub mod machine;
pub mod limits;

pub mod planning;
pub mod delivery;
pub mod agent;
pub mod infrastructure;
pub mod round;
pub mod lifecycle;
pub mod machines;

pub mod digest;
pub mod diagnostic;
pub mod time;

pub mod canonical;
pub mod document;
pub mod schema;
pub mod gate;
pub mod plan;
pub mod protected;
pub mod vocabulary;
pub mod rules;
pub mod graph;
pub mod registry;
pub mod finding;
pub mod intent;

pub mod role;
pub mod signal;
pub mod adapter;
pub mod permission;
pub mod prompt;

pub mod record;
pub mod decider;
pub mod effects;
pub mod requests;

pub mod project;
pub mod state;
pub mod view;
pub mod evidence;
pub mod reason;
pub mod report;
