//! The effects of Provost: everything that touches the world, driven by the rules of `provost-core`.
//!
//! Modules in reading order.

pub mod storage;
pub mod lock;
pub mod journal;
pub mod artifacts;

pub mod clock;
pub mod driver;

pub mod git;
pub mod home;
pub mod config;
pub mod views;
pub mod socket;
pub mod acting;

pub mod scripted;
