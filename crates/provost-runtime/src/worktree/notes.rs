//! What Provost keeps about each worktree, in files beside the record: out of an agent's reach, and enough to tell
//! a finished worktree from one that was being made when everything stopped.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::{Label, Worktree};
use crate::git::{GitFault, Oid, path};
use crate::repository::Repository;

/// The notes on one worktree, held by one thread at a time.
#[derive(Debug)]
pub(super) struct Notes {
    folder: PathBuf,
    label: Label,
    /// Locked. It is git's standard input while git writes files, so the lock is released only when the last git
    /// has ended, even if this process is killed before.
    lock: File,
}

/// What is written when a worktree is whole.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Made {
    /// The commit that its work is based on.
    pub(super) base: Oid,
    /// Its folder.
    pub(super) path: PathBuf,
}

/// How far a worktree has come that is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Readiness {
    /// It has the files of its base, and perhaps some of what it is to take over.
    Made,
    /// It has all that was to be taken over; the worktree that had it may be gone.
    Carrying,
    /// It has all that an agent needs, and one may have worked in it.
    Prepared,
}

impl Notes {
    /// Opens the notes and waits until nobody else works on the same worktree.
    pub(super) fn hold(repository: &Repository, label: &Label) -> Result<Notes, GitFault> {
        let folder = repository.notes().join(label.folder());
        let open = || loop {
            make_folder(&folder)?;
            let mut options = OpenOptions::new();
            let lock = options.read(true).write(true).create(true).truncate(false).mode(0o600);
            let lock = match lock.open(folder.join("lock")) {
                // Whoever forgets the worktree took the folder away again.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                opened => opened?,
            };
            lock.lock()?;
            // Whoever had it may have forgotten the worktree: then this lock is on a file that nobody else finds.
            if is_at(&lock, &folder.join("lock"))? {
                return Ok(lock);
            }
        };
        let lock = open().map_err(GitFault::disk("use", &folder))?;
        Ok(Notes { folder, label: label.clone(), lock })
    }

    /// The lock, for git to keep.
    pub(super) fn lock(&self) -> Result<File, GitFault> {
        self.lock.try_clone().map_err(GitFault::disk("use", &self.folder))
    }

    /// The index of the worktree's files. A lock that a killed git left on it is removed: this thread is alone.
    pub(super) fn index(&self) -> Result<PathBuf, GitFault> {
        let index = self.folder.join("index");
        remove_if_there(&self.folder.join("index.lock"))?;
        Ok(index)
    }

    /// The folder that a worktree is being made in.
    pub(super) fn begun(&self) -> Option<PathBuf> {
        fs::read(self.folder.join("begun")).ok().map(|bytes| path(&bytes))
    }

    /// Notes that a worktree is being made.
    pub(super) fn begin(&self, path: &Path) -> Result<(), GitFault> {
        for note in ["made", "carrying", "prepared"] {
            remove_if_there(&self.folder.join(note))?;
        }
        self.write("begun", path.as_os_str())
    }

    /// The worktree, if it is whole.
    pub(super) fn made(&self) -> Option<Made> {
        Notes::look(&self.folder)
    }

    /// The same for whoever only looks and need not wait for a git that is at work.
    pub(super) fn look(folder: &Path) -> Option<Made> {
        let bytes = fs::read(folder.join("made")).ok()?;
        let base = Oid::from_line(&bytes)?;
        let rest = bytes.get(base.as_str().len() + 1..)?;
        Some(Made { base, path: path(rest) })
    }

    /// Notes that the worktree is whole.
    pub(super) fn make(&self, worktree: &Worktree) -> Result<(), GitFault> {
        let mut text = worktree.base.as_str().as_bytes().to_vec();
        text.push(b'\n');
        text.extend_from_slice(worktree.path.as_os_str().as_bytes());
        self.write("made", OsStr::from_bytes(&text))
    }

    /// How far the worktree has come.
    pub(super) fn readiness(&self) -> Readiness {
        let has = |note: &str| self.folder.join(note).exists();
        if has("prepared") {
            Readiness::Prepared
        } else if has("carrying") {
            Readiness::Carrying
        } else {
            Readiness::Made
        }
    }

    /// Notes that all that was to be taken over is in the worktree.
    pub(super) fn carry(&self) -> Result<(), GitFault> {
        self.write("carrying", OsStr::new(""))
    }

    /// Notes that all that an agent needs beside the commit was put into the worktree.
    pub(super) fn prepare(&self) -> Result<(), GitFault> {
        self.write("prepared", OsStr::new(""))
    }

    /// Files that were copied into the worktree and are not part of its work.
    pub(super) fn copied(&self) -> Vec<PathBuf> {
        let bytes = fs::read(self.folder.join("copied")).unwrap_or_default();
        crate::git::pieces(&bytes).map(path).collect()
    }

    /// Notes files that are about to be copied into the worktree.
    pub(super) fn copy(&self, files: &[&Path]) -> Result<(), GitFault> {
        let mut all = self.copied();
        all.extend(files.iter().map(|&file| file.to_owned()));
        all.sort_unstable();
        all.dedup();
        let mut text = Vec::new();
        for file in all {
            text.extend_from_slice(file.as_os_str().as_bytes());
            text.push(0);
        }
        self.write("copied", OsStr::from_bytes(&text))
    }

    /// The tree that the worktree had before a commit was merged into work based on another.
    pub(super) fn merging(&self, base: &Oid, tip: &Oid) -> Option<Oid> {
        let text = fs::read_to_string(self.folder.join("merging")).ok()?;
        let mut names = text.split_whitespace().map(Oid::parse);
        let (from, to, tree) = (names.next()??, names.next()??, names.next()??);
        (from == *base && to == *tip).then_some(tree)
    }

    /// Notes that a commit is being merged into the worktree's tree.
    pub(super) fn merge(&self, base: &Oid, tip: &Oid, tree: &Oid) -> Result<(), GitFault> {
        self.write("merging", OsStr::new(&format!("{base} {tip} {tree}\n")))
    }

    /// Forgets a merge: the worktree is brought elsewhere, and the same merge again would be another one.
    pub(super) fn unmerge(&self) -> Result<(), GitFault> {
        remove_if_there(&self.folder.join("merging"))
    }

    /// Forgets the worktree.
    pub(super) fn forget(self) -> Result<(), GitFault> {
        clear(&self.folder)
    }

    /// Whose notes these are.
    pub(super) fn label(&self) -> &Label {
        &self.label
    }

    /// Writes a note so that it is there whole or not at all, also after a power cut.
    fn write(&self, name: &str, text: &OsStr) -> Result<(), GitFault> {
        let file = self.folder.join(name);
        write_whole(&file, text.as_bytes()).map_err(GitFault::disk("write", &file))
    }
}

/// Whether an open file is the one at a path.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let own = file.metadata()?;
    let found = path.symlink_metadata();
    Ok(found.is_ok_and(|found| (found.dev(), found.ino()) == (own.dev(), own.ino())))
}

/// How often a folder is made when one above it goes away at the same moment.
const MAKE_MAX: usize = 100;

/// Makes a folder and those above it. Whoever removes another worktree of the delivery also removes what is empty
/// above it, perhaps just before something is put there; then it is made again.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    let make = || DirBuilder::new().mode(0o700).recursive(true).create(folder);
    let is_over =
        |made: &io::Result<()>| !matches!(made, Err(error) if error.kind() == io::ErrorKind::NotFound);
    (1..MAKE_MAX).map(|_| make()).find(is_over).unwrap_or_else(make)
}

/// Writes a file beside its place, flushes it, and puts it there.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&beside, path)?;
    // Without this a power cut could bring the old state back after an agent has worked in the new one.
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// Removes a file that may not be there.
pub(super) fn remove_if_there(path: &Path) -> Result<(), GitFault> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(GitFault::disk("remove", path)(error)),
        _ => Ok(()),
    }
}

/// Removes a folder with all that is in it, or a file; links are removed, not followed.
pub(crate) fn clear(path: &Path) -> Result<(), GitFault> {
    let is_folder = match path.symlink_metadata() {
        Err(_) => return Ok(()),
        Ok(meta) => meta.is_dir(),
    };
    if !is_folder {
        return remove_if_there(path);
    }
    if fs::remove_dir_all(path).is_err() {
        // Tools that guard their caches make folders that cannot be written; they are still ours to remove.
        open_up(path);
        fs::remove_dir_all(path).map_err(GitFault::disk("remove", path))?;
    }
    Ok(())
}

fn open_up(folder: &Path) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread;

    use super::*;
    use crate::home::Home;

    /// Whether somebody waits for a lock on a file.
    fn is_awaited(file: &File) -> bool {
        let inode = format!(":{} ", file.metadata().unwrap().ino());
        let locks = fs::read_to_string("/proc/locks").unwrap();
        locks.lines().any(|line| line.contains("->") && line.contains(&inode))
    }

    #[test]
    fn whoever_waited_for_notes_that_were_forgotten_holds_the_new_ones() {
        let folder = tempfile::TempDir::new().unwrap();
        let git = Command::new("git").arg("init").arg("--quiet").arg(folder.path()).status();
        assert!(git.unwrap().success());
        let repository = Repository::open(&Home::find(folder.path()).unwrap()).unwrap();
        let label = Label::new("d-1", "one", 1).unwrap();
        let first = Notes::hold(&repository, &label).unwrap();
        let held = thread::scope(|scope| {
            let second = scope.spawn(|| Notes::hold(&repository, &label).unwrap());
            while !is_awaited(&first.lock) {
                thread::yield_now();
            }
            first.forget().unwrap();
            second.join().unwrap()
        });
        assert!(is_at(&held.lock, &held.folder.join("lock")).unwrap());
    }
}
