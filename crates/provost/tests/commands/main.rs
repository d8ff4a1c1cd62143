//! Real commands in a real repository, seen as a person sees them: few, because they show wiring and wording.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agents;
mod config;
mod content;
mod doctor;
mod follow;
mod hermetic;
mod holders;
mod init;
mod intent;
mod manual;
mod mistakes;
mod record;
mod reference;
mod repository;
mod scripted;
