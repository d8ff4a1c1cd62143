//! What can go wrong with git and with the folders that Provost makes for it.

use std::io;
use std::path::{Path, PathBuf};

use provost_core::diagnostic::{self, Diagnostic, visible};

use super::Oid;

/// Why something in the repository was not done.
#[derive(Debug, thiserror::Error)]
pub enum GitFault {
    /// The command `git` is not there.
    #[error("the command `git` was not found")]
    Missing,
    /// The command `git` could not be started or spoken to.
    #[error("`git` could not be started: {0}")]
    Start(#[source] io::Error),
    /// Git ended with an error.
    #[error("`{command}` ended with {status}: {said}")]
    Failed {
        /// The command without the options that every call has.
        command: String,
        /// Its exit status, or the signal that ended it.
        status: String,
        /// The end of what it said, on one line.
        said: String,
    },
    /// Git said something that is not understood.
    #[error("`{command}` gave an unexpected answer: {what}")]
    Strange {
        /// The command without the options that every call has.
        command: String,
        /// What is odd.
        what: String,
    },
    /// A file or folder could not be made, read or removed.
    #[error("cannot {doing}: {source}")]
    Disk {
        /// What was tried.
        doing: String,
        /// What the system said.
        source: io::Error,
    },
    /// Something that is not Provost's, or that holds work, is where a worktree should be.
    #[error("`{}` is in the way of a worktree: {why}", .path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
        /// Why it is left alone.
        why: &'static str,
    },
    /// A branch that Provost needs exists and is elsewhere.
    #[error("the branch `{name}` exists already, at {found}")]
    BranchTaken {
        /// Its name.
        name: String,
        /// Where it is.
        found: Oid,
    },
    /// A file of `[worktree] copy` is not one that can be copied.
    #[error("`{path}` cannot be copied into a worktree: {why}")]
    Copy {
        /// The file as it was written.
        path: String,
        /// What is wrong with it.
        why: String,
    },
}

impl GitFault {
    pub(crate) fn disk(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> GitFault {
        let doing = format!("{doing} `{}`", path.display());
        move |source| GitFault::Disk { doing, source }
    }

    /// What people are told.
    pub fn diagnostic(&self) -> Diagnostic {
        let code = match self {
            GitFault::Missing => diagnostic::GIT_MISSING,
            // Git says it in its own words; what helps is room on the disk, not the same command by hand.
            GitFault::Failed { said, .. } if said.contains("No space left on device") => {
                diagnostic::DISK_FULL
            }
            GitFault::Start(_) | GitFault::Failed { .. } | GitFault::Strange { .. } => diagnostic::GIT_FAILED,
            GitFault::Disk { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => diagnostic::DISK_FULL,
                _ => diagnostic::PROJECT_FOLDER,
            },
            GitFault::Occupied { .. } => diagnostic::WORKTREE_OCCUPIED,
            GitFault::BranchTaken { .. } => diagnostic::GIT_BRANCH_TAKEN,
            GitFault::Copy { .. } => diagnostic::WORKTREE_COPY,
        };
        Diagnostic::error(code, visible(&self.to_string()).to_string())
    }
}

impl From<GitFault> for Diagnostic {
    fn from(fault: GitFault) -> Diagnostic {
        fault.diagnostic()
    }
}
