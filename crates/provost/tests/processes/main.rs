//! Real programs under a real supervisor: how they end, what is kept of what they say, and that nothing of them is
//! left, whoever is killed. Tests wait for what processes say and for the system's table, never for time.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bombs;
mod checks;
mod ends;
mod left;
mod output;
mod scene;
mod walled;
