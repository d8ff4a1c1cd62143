//! Calls of `git`. There is one way to make them, so that there is one place where they are made safe.
//!
//! Two kinds of calls exist. Calls about *content* (files, trees, merges, diffs) go through a [`Sealed`] git
//! folder: its configuration is a short list of what was allowed, so that no attribute in a work tree names a
//! program that exists. Calls about *references* and the person's own checkout use the repository's git folder,
//! with everything turned off that a configuration can make git run. No call looks for a repository by itself
//! once one is known: an agent may have replaced the `.git` file of its worktree.

mod call;
mod fault;
mod oid;
mod pipes;
mod sealed;

pub use call::{Call, Input, Said};
pub(crate) use call::{path, pieces};
pub use fault::GitFault;
pub use oid::Oid;
pub use sealed::{Configured, Sealed};
