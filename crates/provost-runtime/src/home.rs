//! Where a project lives: the repository that a folder belongs to, and the two places in it that are Provost's.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use provost_core::diagnostic::{self, Diagnostic};

use crate::git::git;
use crate::lock::Lock;
use crate::storage::Disk;

/// The places of one project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The top of the work tree.
    pub root: PathBuf,
    /// What Provost writes, inside the repository's git folder: `git clean` does not reach it.
    pub state: PathBuf,
}

impl Home {
    /// Finds the project of a folder.
    pub fn find(folder: &Path) -> Result<Home, Diagnostic> {
        let asked = ["rev-parse", "--path-format=absolute", "--git-common-dir", "--show-toplevel"];
        let output = git(folder, &asked).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                Diagnostic::error(diagnostic::GIT_MISSING, "the command `git` was not found")
            }
            _ => Diagnostic::error(diagnostic::GIT_FAILED, format!("`git` could not be started: {error}")),
        })?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut lines = text.lines();
        if let (true, Some(common), Some(root)) = (output.status.success(), lines.next(), lines.next()) {
            return Ok(Home { root: PathBuf::from(root), state: Path::new(common).join("provost") });
        }
        let message = format!("`{}` is not in the work tree of a git repository", folder.display());
        Err(Diagnostic::error(diagnostic::PROJECT_NO_REPOSITORY, message))
    }

    /// Whether Provost has written here before.
    pub fn exists(&self) -> bool {
        self.journal().is_dir()
    }

    /// Makes the folders that writing needs, open to their owner alone.
    pub fn make(&self) -> io::Result<()> {
        DirBuilder::new().mode(0o700).recursive(true).create(self.journal())
    }

    /// The file whose lock decides who writes.
    pub fn lock(&self) -> PathBuf {
        self.journal().join("lock")
    }

    /// The project's storage, to read.
    pub fn reading(&self) -> Disk {
        Disk::reading(&self.state)
    }

    /// The project's storage, to write.
    pub fn owned(&self, lock: Lock) -> Disk {
        Disk::owned(&self.state, lock)
    }

    /// The configuration that people write.
    pub fn config(&self) -> PathBuf {
        self.root.join(".provost").join("provost.toml")
    }

    fn journal(&self) -> PathBuf {
        self.state.join(crate::journal::FOLDER)
    }
}
