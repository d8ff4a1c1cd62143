//! The effects of Provost: everything that touches the world, driven by the rules of `provost-core`.
//!
//! Modules in reading order.

mod kill_point;
pub mod regular;

pub mod storage;
pub mod lock;
pub mod journal;
pub mod artifacts;

pub mod clock;
pub mod driver;

pub mod walls;
pub mod process;
pub mod supervise;
pub mod checks;

pub mod git;
pub mod home;
pub mod repository;
pub mod worktree;
pub mod config;
pub mod detect;
pub mod content;
pub mod scan;
pub mod init;
pub mod permissions;
pub mod doctor;
pub mod views;
pub mod socket;
pub mod dispatch;
pub mod agent;
pub mod perform;
pub mod acting;
pub mod planner;

pub mod scripted;
