//! Named pipes in a worktree where git wants to read a file: it would wait for ever for somebody to write. Apart because it
//! looks at a worktree, and only while a call of git takes long.

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// Files that git reads wherever they are in a worktree, without looking first what they are.
const READ: &[&str] = &[".gitignore", ".gitattributes", ".gitmodules", ".mailmap"];

/// How long git may take before it is looked at what it may be waiting for.
const PATIENCE: Duration = Duration::from_secs(1);

/// A call of git on a worktree.
pub(super) struct Watch {
    git: OwnedFd,
    work_tree: PathBuf,
}

impl Watch {
    pub(super) fn new(git: &Child, work_tree: PathBuf) -> io::Result<Watch> {
        Ok(Watch { git: pidfd_open(Pid::from_child(git), PidfdFlags::empty())?, work_tree })
    }

    /// Waits for the end of git, and takes away what it may be waiting for when that does not come.
    pub(super) fn run(&self) {
        let mut waiting = [PollFd::new(&self.git, PollFlags::IN)];
        let patience = Timespec::try_from(PATIENCE).ok();
        if poll(&mut waiting, patience.as_ref()).is_ok_and(|ended| ended == 0) {
            remove(&self.work_tree);
        }
    }
}

/// Removes the pipes; whoever waits at one of them then reads an empty file. Nobody works in the folder meanwhile.
fn remove(folder: &Path) {
    let mut opened: Vec<File> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        // What cannot be read here cannot be read by git either.
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_fifo() && READ.iter().any(|name| entry.file_name() == *name) {
                // Both ends, so that opening it does not wait.
                let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                opened.extend(rustix::fs::open(entry.path(), flags, Mode::empty()).map(File::from));
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}
