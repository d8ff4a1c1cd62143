//! Who may write: one process at a time, found out by a lock that ends with the process that holds it.
//!
//! The lock is the kernel's, on a file beside the journal; the file's content only tells others whom to ask. It
//! is closed on exec, so that no agent can inherit it, and its inode is compared with the path's, so that
//! somebody who removes the file does not make a second owner unnoticed.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::process;

/// The process that holds a project, as others see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process id.
    pub pid: u32,
    /// When it started, in the kernel's ticks since boot, so that a reused process id is not mistaken for it.
    pub started: Option<u64>,
    /// What it is doing, for people.
    pub command: String,
    /// Where it takes commands, if it does.
    pub socket: Option<PathBuf>,
}

impl Holder {
    /// Describes this process.
    pub fn this_process(command: &str, socket: Option<PathBuf>) -> Holder {
        let pid = std::process::id();
        Holder { pid, started: process::start_time(pid), command: command.to_owned(), socket }
    }
}

/// The right to write. It ends when this is dropped, or with the process.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
    inode: (u64, u64),
}

impl Lock {
    /// Tries to get the lock; `None` when somebody else has it.
    pub fn acquire(path: &Path, holder: &Holder) -> io::Result<Option<Lock>> {
        loop {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false).mode(0o600);
            let mut file = options.open(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            let meta = file.metadata()?;
            let lock =
                Lock { inode: (meta.dev(), meta.ino()), path: path.to_owned(), file: file.try_clone()? };
            // Between opening and locking the file may have been replaced; then this lock guards nothing.
            if lock.check().is_err() {
                continue;
            }
            // The lock is what counts; on a full disk nobody learns who has it, and that is all.
            let text = serde_json::to_vec(holder).map_err(io::Error::other)?;
            let _ = file.set_len(0).and_then(|()| file.write_all(&text));
            return Ok(Some(lock));
        }
    }

    /// Fails when the file at the lock's path is not the one that is locked.
    pub fn check(&self) -> io::Result<()> {
        let meta = fs::metadata(&self.path)?;
        if (meta.dev(), meta.ino()) == self.inode {
            return Ok(());
        }
        Err(io::Error::other("the lock file was replaced by another"))
    }

    /// Tells who holds a lock, as far as it can be read.
    pub fn holder(path: &Path) -> Option<Holder> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// Tells whether anybody holds a lock. It is taken for a moment, shared, to see; whoever wants it then tries again.
    pub fn is_held(path: &Path) -> bool {
        let Ok(file) = File::open(path) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The file stays: removing it would race with whoever opened it and is about to lock it.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}
