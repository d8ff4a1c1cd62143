//! Whole deliveries: real git, real programs, real kills. What a person gets in the end is looked at, not how.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod cleaning;
mod crash;
mod demo;
mod killed_programs;
mod kills;
mod planned;
mod project;
mod shown;
mod whole;
