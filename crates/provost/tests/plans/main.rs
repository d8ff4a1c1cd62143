//! Planning as a person sees it: real commands from an intent to a frozen plan, with and without a project.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod stage;

mod folders;
mod hostile;
mod projects;
