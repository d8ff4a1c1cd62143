//! Landing: a task's commit joined with what has landed, measured, and only then the branch moved.

use provost_core::delivery::{CheckResult, Land, Landing, Leftovers, Verdict};
use provost_core::time::Timestamp;

use super::measure::apart;
use super::{Unavailable, Work, oid};
use crate::driver::Launch;
use crate::git::Oid;
use crate::repository::Moved;
use crate::worktree::{Joined, Label, NewCommit};

impl Work {
    /// Joins a task's commit with what has landed, and moves the branch there if all checks pass.
    pub(super) fn land(&self, land: &Land) -> Result<Landing, Unavailable> {
        let repository = &self.tools.repository;
        let (tip, base, commit) = (oid(&land.tip)?, oid(&land.base)?, oid(&land.commit)?);
        let tree = match repository.join(&tip, &commit, &base)? {
            Joined::Clean(tree) => tree,
            Joined::Conflict { files, .. } => {
                let files = files.iter().map(|file| file.display().to_string()).collect();
                return Ok(Landing::Conflict { files });
            }
        };
        let (head, time) = self.origin()?;
        if let Some(commit) = self.landed_before(land, &tree, &tip, time)? {
            // The branch was moved, so its checks had passed.
            return Ok(Landing::Landed { commit: commit.to_string(), results: Vec::new() });
        }
        let (marks, author) = (self.marks(&land.task, head), self.author(time));
        let message = format!("{}\n\nTask {} of {}.", land.title, land.task, land.delivery);
        let new =
            NewCommit { tree: &tree, parent: &tip, message: &message, marks: Some(&marks), author: &author };
        let joined = repository.commit(new)?;
        // What passed on the same tree need not be measured again.
        let results =
            if tree.as_str() == land.measured_tree { Vec::new() } else { self.joined_checks(land, &joined)? };
        if let Some(broken) = results.iter().find(|it| it.required && it.verdict.is_environment()) {
            return Err(Unavailable(format!("the check {} cannot be run: {}", broken.check, broken.tail)));
        }
        if results.iter().any(|it| it.required && it.verdict != Verdict::Passed) {
            return Ok(Landing::ChecksFailed { results });
        }
        if let Some(folder) = repository.checked_out(&land.branch)? {
            return Ok(Landing::CheckedOut { folder: folder.display().to_string() });
        }
        Ok(match repository.move_branch(&land.branch, &tip, &joined)? {
            Moved::Done | Moved::Already => Landing::Landed { commit: joined.to_string(), results },
            // Joining goes on from a branch that somebody moved on; one that lost what has landed is for a person.
            Moved::Elsewhere(found) if repository.is_ancestor(&tip, &found)? => {
                Landing::Moved { tip: found.to_string() }
            }
            Moved::Elsewhere(found) => Landing::Gone {
                found: format!("the branch is at {found}, which does not have what has landed"),
            },
            Moved::Gone => Landing::Gone { found: "the branch does not exist".to_owned() },
        })
    }

    /// The commit of this landing, if a process that was killed had moved the branch there; others may have moved it
    /// on since.
    fn landed_before(
        &self,
        land: &Land,
        tree: &Oid,
        tip: &Oid,
        since: Timestamp,
    ) -> Result<Option<Oid>, Unavailable> {
        let repository = &self.tools.repository;
        if self.launch == Launch::Do {
            return Ok(None);
        }
        let Some(branch) = repository.branch_tip(&land.branch)? else { return Ok(None) };
        for found in repository.find_effect(&self.effect_name(), since)? {
            if found.is(tree, tip) && repository.is_ancestor(&found.commit, &branch)? {
                return Ok(Some(found.commit));
            }
        }
        Ok(None)
    }

    fn joined_checks(&self, land: &Land, joined: &Oid) -> Result<Vec<CheckResult>, Unavailable> {
        let label = apart(&land.delivery, "landing", u32::try_from(self.id.0).unwrap_or(u32::MAX))?;
        self.checks_apart(&label, joined, &land.checks)
    }

    /// Removes what is left of a task.
    pub(super) fn clean(&self, label: &Label, leftovers: Leftovers) -> Result<(), Unavailable> {
        let repository = &self.tools.repository;
        let found = repository.list().into_iter().find(|worktree| worktree.label == *label);
        let Some(worktree) = found else { return Ok(()) };
        match leftovers {
            Leftovers::Dropped => repository.remove_with_all(&worktree)?,
            Leftovers::Salvaged => {
                let (_, time) = self.origin()?;
                repository.remove_salvaged(&worktree, &self.author(time))?;
            }
        }
        Ok(())
    }
}
