//! Files of the checkout that are not in the repository and that a worktree needs, such as `.env.test`.
//!
//! Both ends are walked folder by folder without following links: a link in the checkout must not bring in a file
//! from elsewhere, and a link in the repository must not lead the copy out of the worktree.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path};

use rustix::fs::{AtFlags, Mode, OFlags, mkdirat, open, openat, unlinkat};
use rustix::io::Errno;

use super::Worktree;
use super::notes::Notes;
use crate::git::GitFault;
use crate::repository::Repository;

/// The most files that are copied.
const FILES_MAX: usize = 1_000;
/// The most bytes that they may have together.
const BYTES_MAX: u64 = 64 << 20;

/// What was copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Files that are now in the worktree.
    pub files: Vec<String>,
    /// Files that the checkout does not have.
    pub missing: Vec<String>,
}

impl Repository {
    /// Copies files of the checkout into a worktree. They are never part of a snapshot, unless the base has them.
    pub fn copy_files(&self, worktree: &Worktree, files: &[String]) -> Result<Copied, GitFault> {
        let refused = |path: &str, why: &str| GitFault::Copy { path: path.to_owned(), why: why.to_owned() };
        if let Some(first_too_many) = files.get(FILES_MAX) {
            return Err(refused(first_too_many, "too many files are named"));
        }
        for file in files {
            check(file).map_err(|why| refused(file, why))?;
        }
        let notes = Notes::hold(self, &worktree.label)?;
        notes.copy(&files.iter().map(Path::new).collect::<Vec<_>>())?;
        let mut copied = Copied::default();
        let mut left = BYTES_MAX;
        for file in files {
            match copy_one(self.root(), &worktree.path, Path::new(file), left) {
                Ok(bytes) => {
                    left = left.saturating_sub(bytes);
                    copied.files.push(file.clone());
                }
                Err(Failure::Missing) => copied.missing.push(file.clone()),
                Err(Failure::Other(why)) => return Err(refused(file, &why)),
            }
        }
        Ok(copied)
    }
}

/// Whether a path leads to a place inside, by its spelling alone.
fn check(file: &str) -> Result<(), &'static str> {
    let path = Path::new(file);
    if file.is_empty() || file.contains('\0') {
        return Err("it is not a path");
    }
    for part in path.components() {
        match part {
            Component::Normal(name) if name.eq_ignore_ascii_case(".git") => return Err("it is git's own"),
            Component::Normal(_) => {}
            _ => return Err("it leads out of the checkout"),
        }
    }
    Ok(())
}

enum Failure {
    Missing,
    Other(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Other(error.to_string())
    }
}

fn copy_one(from: &Path, to: &Path, file: &Path, bytes_max: u64) -> Result<u64, Failure> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let name = file.file_name().ok_or_else(|| Failure::Other("it has no name".to_owned()))?;
    let source = match walk(from, folder, false) {
        Err(Errno::NOENT) => return Err(Failure::Missing),
        folder => folder.map_err(explain)?,
    };
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let source = match openat(&source, name, flags, Mode::empty()) {
        Err(Errno::NOENT) => return Err(Failure::Missing),
        file => File::from(file.map_err(explain)?),
    };
    let meta = source.metadata()?;
    if !meta.is_file() {
        return Err(Failure::Other("it is not a regular file".to_owned()));
    }
    if meta.len() > bytes_max {
        return Err(Failure::Other("the files have more than 64 MiB together".to_owned()));
    }
    let target = walk(to, folder, true).map_err(explain)?;
    match unlinkat(&target, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => {}
        Err(error) => return Err(explain(error)),
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(meta.permissions().mode() & 0o777);
    let mut target = File::from(openat(&target, name, flags, mode).map_err(explain)?);
    Ok(io::copy(&mut source.take(bytes_max), &mut target)?)
}

/// Opens a folder under a root, part by part; a link on the way is an error.
fn walk(root: &Path, folder: &Path, make: bool) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut at = open(root, flags, Mode::empty())?;
    for part in folder.components() {
        let flags = flags | OFlags::NOFOLLOW;
        at = match openat(&at, part.as_os_str(), flags, Mode::empty()) {
            Err(Errno::NOENT) if make => {
                mkdirat(&at, part.as_os_str(), Mode::from_raw_mode(0o755))?;
                openat(&at, part.as_os_str(), flags, Mode::empty())?
            }
            opened => opened?,
        };
    }
    Ok(at)
}

fn explain(error: Errno) -> Failure {
    Failure::Other(match error {
        Errno::LOOP | Errno::NOTDIR => "a symbolic link is on the way".to_owned(),
        other => io::Error::from(other).to_string(),
    })
}
