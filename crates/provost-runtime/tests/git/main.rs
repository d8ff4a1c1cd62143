//! Worktrees in real repositories, with real git: what each call does, that an interrupted one can be repeated, and
//! that nothing an agent leaves behind is ever run.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod ground;
mod hostile;
mod joining;
mod leaving;
mod looking;
mod making;
mod references;
mod taking;
