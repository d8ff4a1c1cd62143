//! Where a project lives: the repository that a folder belongs to, and the two places in it that are Provost's.

use std::ffi::OsStr;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use provost_core::diagnostic::{self, Diagnostic, quoted};

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
        let common = rev_parse(folder, "--git-common-dir")?;
        let root = rev_parse(folder, "--show-toplevel")?;
        Ok(Home { root, state: common.join("provost") })
    }

    /// Whether Provost has written here before.
    pub fn exists(&self) -> bool {
        self.journal().is_dir()
    }

    /// Makes the folders that writing needs, open to their owner alone.
    pub fn make(&self) -> io::Result<()> {
        // One folder at a time: a git folder that is gone is not made again.
        for folder in [&self.state, &self.journal()] {
            match DirBuilder::new().mode(0o700).create(folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => made?,
            }
        }
        Ok(())
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

/// Asks git for one path. Each by itself, because a path may contain anything, a newline too.
fn rev_parse(folder: &Path, what: &str) -> Result<PathBuf, Diagnostic> {
    let output = git(folder, &["rev-parse", "--path-format=absolute", what]);
    let output = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            Diagnostic::error(diagnostic::GIT_MISSING, "the command `git` was not found")
        }
        _ => Diagnostic::error(diagnostic::GIT_FAILED, format!("`git` could not be started: {error}")),
    })?;
    if let (true, Some(path)) = (output.status.success(), output.stdout.strip_suffix(b"\n")) {
        return Ok(PathBuf::from(OsStr::from_bytes(path)));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().next().unwrap_or_default();
    if said.contains("dubious ownership") {
        return Err(Diagnostic::error(diagnostic::GIT_FAILED, first)
            .with_help("do as git says, or use a repository of your own"));
    }
    let message =
        format!("{} is not in the work tree of a git repository", quoted(&folder.display().to_string()));
    Err(Diagnostic::error(diagnostic::PROJECT_NO_REPOSITORY, message))
}
