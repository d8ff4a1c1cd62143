//! Folders for agents to work in, and what becomes of the work: snapshots, commits, merges, salvage.
//!
//! What Provost needs to know about a worktree is kept in its own notes, beside the record: the commit that the
//! work is based on, and an index. The files of the worktree are taken as they are; its `.git` file, its HEAD, its
//! index and whatever an agent committed there are for the agent's own use and are never read.

mod commit;
mod compare;
mod copy;
mod join;
mod make;
mod notes;
mod remove;
mod snapshot;

use std::path::PathBuf;

use crate::git::{GitFault, Oid};

pub use commit::{Author, EFFECT_TRAILER, HEAD_TRAILER, Marks, NewCommit, TASK_TRAILER};
pub use compare::{Changed, Op};
pub use copy::Copied;
pub use join::{Joined, Merged};
pub use notes::Readiness;
pub(crate) use notes::clear;
pub use remove::Removed;
pub use snapshot::Snapshot;

/// The most characters of each part of a label.
const PART_MAX: usize = 100;

/// Which worktree it is: of which delivery, for which task, and the how-manieth for it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    // INVARIANT: private, so that both parts are names of folders and branches on every system.
    delivery: String,
    task: String,
    generation: u32,
}

impl Label {
    /// Makes a label of letters, digits, `-` and `_`; a part with anything else is none.
    pub fn new(delivery: &str, task: &str, generation: u32) -> Option<Label> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_name = |part: &str| {
            (1..=PART_MAX).contains(&part.len()) && part.bytes().all(is_plain) && !part.starts_with('-')
        };
        let sound = is_name(delivery) && is_name(task);
        sound.then(|| Label { delivery: delivery.to_owned(), task: task.to_owned(), generation })
    }

    /// Makes the label of a worktree that is no task's. No task can have it: their ids have no `_`.
    pub fn apart(delivery: &str, purpose: &str, number: u32) -> Option<Label> {
        Label::new(delivery, &format!("_{purpose}"), number)
    }

    /// The delivery.
    pub fn delivery(&self) -> &str {
        &self.delivery
    }

    /// The task.
    pub fn task(&self) -> &str {
        &self.task
    }

    /// The number of the worktree among those of its task.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// The path under the folder of all worktrees.
    pub fn folder(&self) -> PathBuf {
        PathBuf::from(&self.delivery).join(format!("{}-{}", self.task, self.generation))
    }

    /// The name of its entry among the repository's worktrees; no two labels share one.
    fn entry(&self) -> String {
        format!("provost.{}.{}-{}", self.delivery, self.task, self.generation)
    }

    pub(crate) fn from_folder(delivery: &str, folder: &str) -> Option<Label> {
        let (task, generation) = folder.rsplit_once('-')?;
        Label::new(delivery, task, generation.parse().ok()?)
    }
}

/// A worktree. Plain data: it can be put together again from the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worktree {
    /// Which one it is.
    pub label: Label,
    /// Its folder.
    pub path: PathBuf,
    /// The commit that the work in it is based on.
    pub base: Oid,
}

impl Worktree {
    /// Whether its folder is there: not a link that an agent put in its place, which leads to somebody else's files.
    pub(crate) fn is_there(&self) -> bool {
        self.path.symlink_metadata().is_ok_and(|meta| meta.is_dir())
    }

    /// Refuses to work where a link leads.
    pub(crate) fn refuse_link(&self) -> Result<(), GitFault> {
        let is_link = self.path.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
        if is_link { Err(make::occupied(&self.path, "it was replaced by a link")) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_names_everywhere_and_come_back() {
        let label = Label::new("d-17", "auth-login-2", 3).unwrap();
        assert_eq!(label.folder(), PathBuf::from("d-17/auth-login-2-3"));
        assert_eq!(Label::from_folder("d-17", "auth-login-2-3"), Some(label));
        let apart = Label::apart("d-17", "landing", 3).unwrap();
        assert_eq!(Label::from_folder("d-17", "_landing-3"), Some(apart));
        for bad in ["", "..", "a/b", "a b", "-x", "a.lock", "é", &"x".repeat(101)] {
            assert_eq!(Label::new("d-17", bad, 1), None, "{bad}");
            assert_eq!(Label::new(bad, "t", 1), None, "{bad}");
        }
    }
}
