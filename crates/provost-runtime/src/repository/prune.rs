//! References of deliveries that have ended, cleared away: never the last one to work that did not land, unless that is
//! asked for.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use provost_core::diagnostic::Diagnostic;

use super::Repository;
use crate::git::{GitFault, Input, Oid};
use crate::worktree::Label;

/// Where all branches of Provost are.
const BRANCHES: &str = "refs/heads/provost/";

/// Where commits are kept that were measured.
const MEASURED: &str = "refs/provost/";

/// A delivery that has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// The last commit that landed, or the one that the delivery began from.
    pub tip: Option<Oid>,
    /// The tasks that landed; what was kept and salvaged of them on the way is in what landed, or was given up for it.
    pub landed: BTreeSet<String>,
}

/// What was cleared away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Branches that were deleted, with the commit that they were at.
    pub branches: Vec<(String, Oid)>,
    /// References to commits that were measured, deleted, with the commit that they were at.
    pub measured: Vec<(String, Oid)>,
    /// What stays since its work is nowhere else.
    pub kept: Vec<String>,
    /// Worktrees that were removed.
    pub worktrees: Vec<PathBuf>,
    /// Branches that now hold the work of removed worktrees.
    pub salvaged: Vec<(String, Oid)>,
    /// Branches that would hold the work of worktrees, where nothing is removed yet.
    pub to_salvage: Vec<String>,
    /// Worktrees that stay, with what in them can be in no commit.
    pub left: Vec<(PathBuf, Vec<PathBuf>)>,
    /// Worktrees that were removed by force, with what went with them and was nowhere else.
    pub dropped: Vec<(PathBuf, Vec<PathBuf>)>,
    /// What could not be cleared away, and why.
    pub failed: Vec<Diagnostic>,
}

/// What a reference of Provost is of.
enum Of {
    /// All that landed of a delivery.
    Delivery(String),
    /// Work on a task of a delivery, on its way.
    Task(String, String),
}

impl Repository {
    /// Deletes the references of ended deliveries whose work is elsewhere as well, or, with `force`, all of them.
    pub fn prune_references(&self, ended: &BTreeMap<String, Ended>, force: bool) -> Result<Pruned, GitFault> {
        let mut pruned = self.prunable_references(ended, force)?;
        let branches = pruned.branches.iter().map(|(name, oid)| (format!("refs/heads/{name}"), oid.clone()));
        let all: Vec<(String, Oid)> = branches.chain(pruned.measured.iter().cloned()).collect();
        if all.is_empty() || self.delete(&all).is_ok() {
            return Ok(pruned);
        }
        // One that is locked or was moved keeps all of them; by itself it keeps nothing else.
        for one in all {
            if let Err(fault) = self.delete(std::slice::from_ref(&one)) {
                let name = one.0.strip_prefix("refs/heads/").unwrap_or(&one.0);
                pruned.branches.retain(|(branch, _)| branch != name);
                pruned.measured.retain(|(reference, _)| *reference != one.0);
                pruned.failed.push(fault.diagnostic());
            }
        }
        Ok(pruned)
    }

    /// Deletes references that are where they were found; all of them or none.
    fn delete(&self, references: &[(String, Oid)]) -> Result<(), GitFault> {
        let order = |(reference, oid): &(String, Oid)| format!("delete {reference} {oid}\n");
        let orders: String = references.iter().map(order).collect();
        let call = self.references().args(["update-ref", "--no-deref", "--stdin"]);
        call.input(Input::Bytes(orders.into_bytes())).run().map(drop)
    }

    /// What [`Self::prune_references`] would delete, and what it would leave.
    pub fn prunable_references(
        &self,
        ended: &BTreeMap<String, Ended>,
        force: bool,
    ) -> Result<Pruned, GitFault> {
        let format = "--format=%(objectname) %(refname) %(worktreepath)";
        let all = self.references().args(["for-each-ref", format, BRANCHES, MEASURED]).run()?;
        let head = self.checkout().args(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).ask()?;
        let head = Oid::from_line(&head.out);
        let mut reached: BTreeMap<String, bool> = BTreeMap::new();
        let mut pruned = Pruned::default();
        for line in String::from_utf8_lossy(&all).lines() {
            let Some((oid, rest)) = line.split_once(' ') else { continue };
            let (reference, checked_out) = rest.split_once(' ').unwrap_or((rest, ""));
            let (Some(oid), Some(of)) = (Oid::parse(oid), of(reference)) else { continue };
            let (Of::Delivery(delivery) | Of::Task(delivery, _)) = &of;
            let Some(known) = ended.get(delivery) else { continue };
            let is_safe = match &of {
                Of::Delivery(_) => self.is_held_elsewhere(&oid)?,
                Of::Task(delivery, task) if known.landed.contains(task) => {
                    match reached.entry(delivery.clone()) {
                        Entry::Occupied(looked) => *looked.get(),
                        Entry::Vacant(new) => {
                            *new.insert(self.holds_what_landed(delivery, known, head.as_ref())?)
                        }
                    }
                }
                Of::Task(..) => false,
            };
            let branch = reference.strip_prefix("refs/heads/");
            // What somebody has checked out is theirs, whatever is forced.
            match ((is_safe || force) && checked_out.is_empty(), branch) {
                (true, Some(branch)) => pruned.branches.push((branch.to_owned(), oid)),
                (true, None) => pruned.measured.push((reference.to_owned(), oid)),
                (false, branch) => pruned.kept.push(branch.unwrap_or(reference).to_owned()),
            }
        }
        Ok(pruned)
    }

    /// Whether a branch or tag that is not Provost's has a commit: HEAD may be the very branch that would go.
    fn is_held_elsewhere(&self, oid: &Oid) -> Result<bool, GitFault> {
        let call = self.references().args(["for-each-ref", "--format=%(refname)", "--contains"]).oid(oid);
        let holding = call.args(["refs/heads", "refs/remotes", "refs/tags"]).run()?;
        Ok(String::from_utf8_lossy(&holding).lines().any(|name| !name.starts_with(BRANCHES)))
    }

    /// Whether HEAD or the delivery's own branch has all that landed.
    fn holds_what_landed(&self, delivery: &str, ended: &Ended, head: Option<&Oid>) -> Result<bool, GitFault> {
        let branch = self.branch_tip(&format!("provost/{delivery}"))?;
        // A commit that is no longer there is a fault to git; then nobody holds what landed.
        let holds = |tip: &Oid, holder: &Oid| matches!(self.is_ancestor(tip, holder), Ok(true));
        let tip = ended.tip.as_ref();
        Ok(tip.is_some_and(|tip| head.into_iter().chain(&branch).any(|holder| holds(tip, holder))))
    }
}

/// Reads the name of a reference; what has another form was made by somebody else.
fn of(reference: &str) -> Option<Of> {
    let task = |rest: &str| {
        let (delivery, task) = rest.split_once('/')?;
        Some((delivery.to_owned(), task.to_owned()))
    };
    if let Some(rest) = reference.strip_prefix(MEASURED) {
        return task(rest).map(|(delivery, task)| Of::Task(delivery, task));
    }
    let rest = reference.strip_prefix(BRANCHES)?;
    let Some(salvaged) = rest.strip_prefix("salvage/") else {
        return (!rest.contains('/')).then(|| Of::Delivery(rest.to_owned()));
    };
    let (delivery, folder) = task(salvaged)?;
    // A second state of the same worktree's work is numbered behind a period.
    let label = Label::from_folder(&delivery, folder.split('.').next()?)?;
    Some(Of::Task(delivery, label.task().to_owned()))
}
