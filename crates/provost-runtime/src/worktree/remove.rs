//! Worktrees taken away, never together with work that is nowhere else.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::notes::{Notes, Readiness, clear};
use super::{Author, Label, NewCommit, Worktree};
use crate::git::{GitFault, Oid};
use crate::kill_point::kill_point;
use crate::repository::{Ended, Pruned, Repository};

/// How many branches are tried for one worktree's work.
const SALVAGES_MAX: u32 = 100;

/// How an attempt to remove a worktree ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removed {
    /// It is gone.
    Done,
    /// It stays: its files are a tree that is neither its base nor known to be kept.
    Unsaved(Oid),
    /// It stays: this in it can be in no commit, such as a repository of its own.
    Uncommittable(Vec<PathBuf>),
}

impl Repository {
    /// Commits what a worktree holds to a branch, if it differs from its base.
    pub fn salvage(
        &self,
        worktree: &Worktree,
        branch: &str,
        message: &str,
        author: &Author,
    ) -> Result<Option<Oid>, GitFault> {
        if !worktree.is_there() {
            return Ok(None);
        }
        let tree = self.snapshot(worktree)?.tree;
        if tree == self.tree_of(&worktree.base)? {
            return Ok(None);
        }
        let new = NewCommit { tree: &tree, parent: &worktree.base, message, marks: None, author };
        let commit = self.commit(new)?;
        self.create_branch(branch, &commit)?;
        Ok(Some(commit))
    }

    /// Removes a worktree whose files are those of its base or of one of the commits given, which the caller knows
    /// to be on a branch. One that is gone already is fine.
    pub fn remove(&self, worktree: &Worktree, kept: &[Oid]) -> Result<Removed, GitFault> {
        if worktree.is_there() {
            let snapshot = self.snapshot(worktree)?;
            let tree = snapshot.tree.clone();
            let left_out = snapshot.left_out(&worktree.path);
            if !left_out.is_empty() {
                return Ok(Removed::Uncommittable(left_out));
            }
            let mut safe = false;
            for commit in std::iter::once(&worktree.base).chain(kept) {
                safe = safe || self.tree_of(commit)? == tree;
            }
            if !safe {
                return Ok(Removed::Unsaved(tree));
            }
        }
        self.remove_with_all(worktree)?;
        Ok(Removed::Done)
    }

    /// Removes a worktree of which nothing is needed, with whatever is in it.
    pub fn remove_with_all(&self, worktree: &Worktree) -> Result<(), GitFault> {
        let notes = Notes::hold(self, &worktree.label)?;
        // From here on the folder is one that was begun: interrupted, the next attempt goes on.
        kill_point("remove worktree: before");
        notes.begin(&worktree.path)?;
        kill_point("remove worktree: begun");
        self.discard(notes, &worktree.path)?;
        kill_point("remove worktree: after");
        Ok(())
    }

    /// What of a worktree could be in no commit, and may be work.
    pub fn uncommittable(&self, worktree: &Worktree) -> Result<Vec<PathBuf>, GitFault> {
        if !worktree.is_there() {
            return Ok(Vec::new());
        }
        Ok(self.snapshot(worktree)?.left_out(&worktree.path))
    }

    /// Removes a worktree; work in it that is nowhere else is on the branch that is given back. One with work that no
    /// branch can have stays as it is.
    pub fn remove_salvaged(
        &self,
        worktree: &Worktree,
        author: &Author,
    ) -> Result<(Removed, Option<(String, Oid)>), GitFault> {
        let left_out = self.uncommittable(worktree)?;
        if !left_out.is_empty() {
            return Ok((Removed::Uncommittable(left_out), None));
        }
        let salvaged = self.salvage_anywhere(worktree, author)?;
        let kept: Vec<Oid> = salvaged.iter().map(|(_, commit)| commit.clone()).collect();
        Ok((self.remove(worktree, &kept)?, salvaged))
    }

    /// Removes a worktree that [`Self::add_apart`] made or began to make, with all that programs left in it.
    pub fn remove_apart(&self, label: &Label) -> Result<(), GitFault> {
        self.clear_begun(Notes::hold(self, label)?).map(drop)
    }

    /// Clears away a worktree that is not noted as whole; says whether it was such a one.
    fn clear_begun(&self, notes: Notes) -> Result<bool, GitFault> {
        if notes.made().is_some() {
            return Ok(false);
        }
        match notes.begun() {
            Some(path) => self.discard(notes, &path)?,
            None => notes.forget()?,
        }
        Ok(true)
    }

    fn discard(&self, notes: Notes, path: &Path) -> Result<(), GitFault> {
        clear(path)?;
        kill_point("remove worktree: files gone");
        if self.has_file_references() {
            clear(&self.home.common().join("worktrees").join(notes.label().entry()))?;
        } else {
            // Its folder is gone, and one that is locked is removed only when forced twice.
            let asked = ["worktree", "remove", "--force", "--force"];
            let said = self.references().args(asked).args([path]).ask()?;
            if said.status != Some(0) && self.is_listed(path)? {
                return Err(said.fault());
            }
        }
        // Only empty folders are removed: other worktrees of the delivery may be there.
        if let Some(delivery) = path.parent() {
            let _ = fs::remove_dir(delivery);
        }
        let delivery = self.notes().join(notes.label().delivery());
        notes.forget()?;
        let _ = fs::remove_dir(delivery);
        Ok(())
    }

    fn is_listed(&self, path: &Path) -> Result<bool, GitFault> {
        let listed = self.references().args(["worktree", "list", "--porcelain", "-z"]).run()?;
        let wanted = [b"worktree ".as_slice(), path.as_os_str().as_encoded_bytes()].concat();
        Ok(crate::git::pieces(&listed).any(|piece| piece == wanted))
    }

    /// All worktrees that Provost made and did not remove, finished or not, without a git process.
    ///
    /// One that was not finished has no base that its files could be compared with, and is left out; [`Self::add`]
    /// or [`Self::clear_unfinished`] deals with it.
    pub fn list(&self) -> Vec<Worktree> {
        self.labels().iter().filter_map(|label| self.worktree(label)).collect()
    }

    /// One worktree, if it is whole.
    pub fn worktree(&self, label: &Label) -> Option<Worktree> {
        let made = Notes::look(&self.notes().join(label.folder()))?;
        Some(Worktree { label: label.clone(), path: made.path, base: made.base })
    }

    /// Clears away what ended deliveries left: references as [`Self::prune_references`] does, then worktrees, whose work
    /// is salvaged if it is nowhere else. What cannot be cleared away does not stop the rest.
    pub fn prune(&self, ended: &BTreeMap<String, Ended>, force: bool, author: &Author) -> Pruned {
        // References first: what is salvaged now is not to be deleted in the same breath.
        let mut pruned = self
            .prune_references(ended, force)
            .unwrap_or_else(|fault| Pruned { failed: vec![fault.diagnostic()], ..Pruned::default() });
        if let Err(fault) = self.clear_unfinished(&|label| !ended.contains_key(label.delivery())) {
            pruned.failed.push(fault.diagnostic());
        }
        let left = self.list().into_iter().filter(|worktree| ended.contains_key(worktree.label.delivery()));
        for worktree in left {
            if let Err(fault) = self.prune_worktree(&worktree, force, author, &mut pruned) {
                let mut failed = fault.diagnostic();
                failed.message =
                    format!("the worktree {} stays: {}", worktree.path.display(), failed.message);
                pruned.failed.push(failed);
            }
        }
        pruned
    }

    fn prune_worktree(
        &self,
        worktree: &Worktree,
        force: bool,
        author: &Author,
        pruned: &mut Pruned,
    ) -> Result<(), GitFault> {
        let (removed, salvaged) = self.remove_salvaged(worktree, author)?;
        pruned.salvaged.extend(salvaged);
        let path = worktree.path.clone();
        match removed {
            Removed::Done => pruned.worktrees.push(path),
            Removed::Uncommittable(left_out) if force => {
                pruned.salvaged.extend(self.salvage_anywhere(worktree, author)?);
                self.remove_with_all(worktree)?;
                pruned.worktrees.push(path.clone());
                pruned.dropped.push((path, left_out));
            }
            Removed::Uncommittable(left_out) => pruned.left.push((path, left_out)),
            Removed::Unsaved(_) => {
                return Err(super::make::occupied(&path, "somebody changes its files at this moment"));
            }
        }
        Ok(())
    }

    /// Makes a worktree with the work of another one, which is salvaged and then removed.
    ///
    /// The other one goes last: wherever this is interrupted, doing it again finds the work.
    pub fn take_over(
        &self,
        lost: &Worktree,
        path: &Path,
        label: &Label,
        author: &Author,
    ) -> Result<Worktree, GitFault> {
        let salvaged = self.salvage_anywhere(lost, author)?.map(|(_, commit)| commit);
        let mut worktree = self.add(path, &lost.base, label)?;
        if let Some(commit) = &salvaged {
            worktree = self.bring_to(&worktree, commit)?;
        }
        Notes::hold(self, label)?.carry()?;
        kill_point("take over: carrying");
        self.remove(lost, salvaged.as_slice())?;
        Ok(worktree)
    }

    /// How far a worktree has come.
    pub fn readiness(&self, worktree: &Worktree) -> Result<Readiness, GitFault> {
        Ok(Notes::hold(self, &worktree.label)?.readiness())
    }

    /// Notes that a worktree has all that an agent needs beside the commit.
    pub fn mark_prepared(&self, worktree: &Worktree) -> Result<(), GitFault> {
        Notes::hold(self, &worktree.label)?.prepare()
    }

    /// Salvages to the worktree's own branch, or beside it where an earlier state of the work is.
    fn salvage_anywhere(
        &self,
        worktree: &Worktree,
        author: &Author,
    ) -> Result<Option<(String, Oid)>, GitFault> {
        let branch = worktree.label.salvage_branch();
        let message = format!("work of task {} that did not land", worktree.label.task());
        for name in salvage_names(&branch) {
            match self.salvage(worktree, &name, &message, author) {
                Err(GitFault::BranchTaken { .. }) => {}
                salvaged => return Ok(salvaged?.map(|commit| (name, commit))),
            }
        }
        self.salvage(worktree, &branch, &message, author).map(|it| it.map(|commit| (branch, commit)))
    }

    /// The branch that the work of a worktree would be on if it were removed now; none where it has none of its own.
    pub fn salvage_wanted(&self, worktree: &Worktree) -> Result<Option<String>, GitFault> {
        if !worktree.is_there() || self.snapshot(worktree)?.tree == self.tree_of(&worktree.base)? {
            return Ok(None);
        }
        let branch = worktree.label.salvage_branch();
        for name in salvage_names(&branch) {
            if self.branch_tip(&name)?.is_none() {
                return Ok(Some(name));
            }
        }
        Ok(Some(branch))
    }

    /// Removes what is left of worktrees that were begun and are not whole: no agent has worked in them.
    pub fn clear_unfinished(&self, keep: &dyn Fn(&Label) -> bool) -> Result<Vec<Label>, GitFault> {
        let (mut cleared, mut fault) = (Vec::new(), None);
        for label in self.labels().into_iter().filter(|label| !keep(label)) {
            match Notes::hold(self, &label).and_then(|notes| self.clear_begun(notes)) {
                Ok(true) => cleared.push(label),
                Ok(false) => {}
                // One that stays does not keep the others.
                Err(why) => drop(fault.get_or_insert(why)),
            }
        }
        fault.map_or(Ok(cleared), Err)
    }

    fn labels(&self) -> Vec<Label> {
        let names = |folder: &Path| -> Vec<String> {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
        };
        let top = self.notes();
        let of = |delivery: String| {
            let folders = names(&top.join(&delivery));
            folders.into_iter().filter_map(move |folder| Label::from_folder(&delivery, &folder))
        };
        let mut labels: Vec<Label> = names(&top).into_iter().flat_map(of).collect();
        labels.sort_unstable();
        labels
    }
}

/// The branches that are tried for one worktree's work.
fn salvage_names(branch: &str) -> impl Iterator<Item = String> {
    (1..SALVAGES_MAX).map(move |number| match number {
        1 => branch.to_owned(),
        _ => format!("{branch}.{number}"),
    })
}
