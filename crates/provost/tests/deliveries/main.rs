//! Whole deliveries: real git, real programs, real kills. What a person gets in the end is looked at, not how.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod crash;
mod killed_programs;
mod kills;
mod project;
mod whole;
