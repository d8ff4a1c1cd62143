//! Merges, computed from objects alone. No work tree, index or merge state takes part, so that one that is
//! interrupted leaves nothing behind and one that conflicts disturbs nobody.

use std::path::PathBuf;

use provost_core::time::Timestamp;

use super::Worktree;
use super::commit::Author;
use super::notes::Notes;
use crate::git::{GitFault, Oid, Said, path, pieces};
use crate::kill_point::kill_point;
use crate::repository::{Identity, Repository};

/// The exit status of a git that does not know an option.
const USAGE: i32 = 129;

/// How a merge came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Joined {
    /// Both sides fit together.
    Clean(Oid),
    /// They do not.
    Conflict {
        /// The files in which they do not.
        files: Vec<PathBuf>,
        /// The merge with markers in these files.
        tree: Oid,
    },
}

impl Joined {
    /// The tree, with or without markers.
    pub fn tree(&self) -> &Oid {
        match self {
            Joined::Clean(tree) | Joined::Conflict { tree, .. } => tree,
        }
    }
}

/// What merging into a worktree left for its agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The files with markers in them; empty when both sides fit together.
    pub conflicts: Vec<PathBuf>,
    /// The worktree, now based on the commit that was merged.
    pub worktree: Worktree,
}

impl Repository {
    /// Merges what a commit changed since a base into a tip.
    ///
    /// Attributes such as `merge=union` are those of the tip; programs that they name are not run.
    pub fn join(&self, tip: &Oid, commit: &Oid, base: &Oid) -> Result<Joined, GitFault> {
        kill_point("join: before");
        let said = self.merge_tree(tip, &[&format!("--merge-base={base}")], tip, commit)?;
        kill_point("join: after");
        match said.status {
            // Git before 2.40 finds the base itself and cannot be told.
            Some(USAGE) => self.join_by_history(tip, commit, base),
            _ => read_joined(&said),
        }
    }

    /// The same for a git that cannot be told the base: as a history in which it is the only one possible.
    pub(super) fn join_by_history(&self, tip: &Oid, commit: &Oid, base: &Oid) -> Result<Joined, GitFault> {
        let nobody = nobody();
        let stand_in = |of: &Oid, parent: Option<&Oid>| {
            self.commit_tree(&format!("{of}^{{tree}}"), parent, &nobody, "stands in for a side of a merge\n")
        };
        let root = stand_in(base, None)?;
        let (ours, theirs) = (stand_in(tip, Some(&root))?, stand_in(commit, Some(&root))?);
        read_joined(&self.merge_tree(tip, &[], &ours, &theirs)?)
    }

    fn merge_tree(
        &self,
        attributes: &Oid,
        options: &[&str],
        ours: &Oid,
        theirs: &Oid,
    ) -> Result<Said, GitFault> {
        let call = self.content().env("GIT_ATTR_SOURCE", attributes.as_str());
        let call = call.args(["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"]);
        call.args(options).oid(ours).oid(theirs).ask()
    }

    /// Merges a tip into the work of a worktree and leaves markers where both do not fit together; the first part
    /// between markers is the worktree's, the second the tip's.
    ///
    /// The merge is computed from a snapshot and then checked out, so no merge is in progress afterwards: HEAD is
    /// at the tip, and the difference to it is the task's own work. Interrupted, it is done again from the same
    /// snapshot, so that markers are never merged a second time.
    pub fn merge_into(&self, worktree: &Worktree, tip: &Oid) -> Result<Merged, GitFault> {
        let notes = Notes::hold(self, &worktree.label)?;
        worktree.refuse_link()?;
        let work = if let Some(tree) = notes.merging(&worktree.base, tip) {
            tree
        } else {
            let tree = self.snapshot_held(&notes, worktree)?.tree;
            notes.merge(&worktree.base, tip, &tree)?;
            tree
        };
        let side = self.commit_tree(work.as_str(), Some(&worktree.base), &nobody(), "work in progress\n")?;
        let joined = self.join(&side, tip, &worktree.base)?;
        // Files that an interrupted attempt wrote are taken in too, so that the check-out replaces or removes them.
        self.take_in(&notes, worktree)?;
        kill_point("merge: before the files");
        self.check_out(&notes, &worktree.path, joined.tree())?;
        kill_point("merge: after the files");
        let worktree = Worktree { base: tip.clone(), ..worktree.clone() };
        self.seed(&notes, &worktree)?;
        self.settle(&notes, &worktree)?;
        kill_point("merge: settled");
        let conflicts = match joined {
            Joined::Clean(_) => Vec::new(),
            Joined::Conflict { files, .. } => files,
        };
        Ok(Merged { conflicts, worktree })
    }
}

/// For commits that only stand for a side of a merge: always the same, so that doing it again makes nothing new.
fn nobody() -> Author {
    Author { identity: Identity::default(), time: Timestamp::EPOCH }
}

fn read_joined(said: &Said) -> Result<Joined, GitFault> {
    let mut parts = pieces(&said.out);
    let tree = parts.next().and_then(Oid::from_line);
    match (said.status, tree) {
        (Some(0), Some(tree)) => Ok(Joined::Clean(tree)),
        (Some(1), Some(tree)) => {
            let mut files: Vec<PathBuf> = parts.map(path).collect();
            files.sort_unstable();
            files.dedup();
            Ok(Joined::Conflict { files, tree })
        }
        (Some(0 | 1), None) => Err(said.strange("no name of a tree")),
        _ => Err(said.fault()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::git::Call;
    use crate::home::Home;

    /// A commit of one file, without a parent.
    fn commit(repository: &Repository, folder: &Path, text: &str) -> Oid {
        std::fs::write(folder.join("file"), text).unwrap();
        let call = || repository.content().on(folder, &folder.join("index"));
        call().args(["update-index", "--add", "file"]).run().unwrap();
        let tree = Oid::from_line(&call().args(["write-tree"]).run().unwrap()).unwrap();
        repository.commit_tree(tree.as_str(), None, &nobody(), "x\n").unwrap()
    }

    #[test]
    fn a_git_that_cannot_be_told_the_base_comes_to_the_same() {
        let folder = tempfile::tempdir().unwrap();
        Call::looking(folder.path()).args(["init", "--quiet"]).run().unwrap();
        let repository = Repository::open(&Home::find(folder.path()).unwrap()).unwrap();
        let at = |text: &str| commit(&repository, folder.path(), text);
        let (base, tip) = (at("1\n2\n3\n4\n"), at("one\n2\n3\n4\n"));
        for other in [at("1\n2\n3\nfour\n"), at("eins\n2\n3\n4\n")] {
            let told = repository.join(&tip, &other, &base).unwrap();
            let found = repository.join_by_history(&tip, &other, &base).unwrap();
            // Markers name the commits, which differ; all else is the same.
            match (told, found) {
                (Joined::Clean(told), Joined::Clean(found)) => assert_eq!(told, found),
                (Joined::Conflict { files: told, .. }, Joined::Conflict { files: found, .. }) => {
                    assert_eq!(told, found);
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
