//! Branches and the commits on them that are Provost's own. Every move is compare-and-swap: a branch that somebody
//! else moved is found, never overwritten.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use provost_core::effects::EffectId;
use provost_core::time::Timestamp;

use super::Repository;
use crate::git::{Call, GitFault, Input, Oid, Said};
use crate::home::Home;
use crate::kill_point::kill_point;

/// How many commits with the same mark are looked at.
const FOUND_MAX: usize = 64;

/// How an attempt to move a branch ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// The branch was moved.
    Done,
    /// The branch was there before.
    Already,
    /// The branch is at a third place and stays there.
    Elsewhere(Oid),
    /// There is no such branch.
    Gone,
}

/// The name of an effect as commits carry it, `<project id>/<sequence>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectName {
    /// The project, since a repository may be cloned and be two projects.
    pub project_id: String,
    /// The effect.
    pub effect: EffectId,
}

impl std::fmt::Display for EffectName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.project_id, self.effect.0)
    }
}

/// A commit that carries an effect's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The commit.
    pub commit: Oid,
    /// Its tree.
    pub tree: Oid,
    /// Its parents.
    pub parents: Vec<Oid>,
}

impl Found {
    /// Whether it is what the effect was to make. Anybody can write a trailer, so only such a commit is adopted.
    pub fn is(&self, tree: &Oid, parent: &Oid) -> bool {
        self.tree == *tree && self.parents.as_slice() == std::slice::from_ref(parent)
    }
}

impl Repository {
    /// Makes a branch at a commit; one that is there already is fine, at any other place it is a fault.
    pub fn create_branch(&self, name: &str, commit: &Oid) -> Result<(), GitFault> {
        kill_point("make branch: before");
        let made = self.swap(name, commit, &commit.zero(), "made")?;
        kill_point("make branch: after");
        match made {
            Moved::Done | Moved::Already => Ok(()),
            Moved::Elsewhere(found) => Err(GitFault::BranchTaken { name: name.to_owned(), found }),
            Moved::Gone => Err(GitFault::Strange {
                command: format!("git update-ref refs/heads/{name}"),
                what: "the branch was neither made nor found".to_owned(),
            }),
        }
    }

    /// Tries whether a branch could be made, and makes none: an error says what stands in the way.
    pub fn try_branch(&self, name: &str, commit: &Oid) -> Result<(), GitFault> {
        let asked = format!("start\ncreate refs/heads/{name} {commit}\nprepare\nabort\n");
        let call = self.references().args(["update-ref", "--no-deref", "--stdin"]);
        call.input(Input::Bytes(asked.into_bytes())).run().map(drop)
    }

    /// Moves a branch if it is where it is expected to be.
    pub fn move_branch(&self, name: &str, expected: &Oid, new: &Oid) -> Result<Moved, GitFault> {
        kill_point("move branch: before");
        let moved = self.swap(name, new, expected, "landed");
        kill_point("move branch: after");
        moved
    }

    /// The commit that a branch is at.
    pub fn branch_tip(&self, name: &str) -> Result<Option<Oid>, GitFault> {
        self.commit_at(&format!("refs/heads/{name}"))
    }

    /// The folder where a person has a branch checked out. What agents check out in their worktrees is their own affair.
    pub fn checked_out(&self, name: &str) -> Result<Option<PathBuf>, GitFault> {
        let listed = self.references().args(["worktree", "list", "--porcelain", "-z"]).run()?;
        let wanted = format!("branch refs/heads/{name}");
        let mut folder = None;
        // Each worktree is a few attributes, its folder first.
        for attribute in crate::git::pieces(&listed) {
            if let Some(found) = attribute.strip_prefix(b"worktree ") {
                folder = Some(crate::git::path(found));
            } else if attribute == wanted.as_bytes()
                && let Some(folder) = folder.take()
                && folder.is_dir()
                && !self.list().iter().any(|worktree| worktree.path == folder)
            {
                return Ok(Some(folder));
            }
        }
        Ok(None)
    }

    /// Whether a commit is another one or in its history.
    pub fn is_ancestor(&self, commit: &Oid, of: &Oid) -> Result<bool, GitFault> {
        let said = self.references().args(["merge-base", "--is-ancestor"]).oid(commit).oid(of).ask()?;
        match said.status {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(said.fault()),
        }
    }

    /// The commit that was kept under a name.
    pub fn kept(&self, name: &str) -> Result<Option<Oid>, GitFault> {
        self.commit_at(&format!("refs/provost/{name}"))
    }

    fn commit_at(&self, reference: &str) -> Result<Option<Oid>, GitFault> {
        let asked = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
        let said = self.references().args(asked).args([format!("{reference}^{{commit}}")]).ask()?;
        match said.status {
            Some(0) => Oid::from_line(&said.out).map(Some).ok_or_else(|| said.strange("no name of a commit")),
            Some(1) => Ok(None),
            _ => Err(said.fault()),
        }
    }

    fn swap(&self, name: &str, new: &Oid, expected: &Oid, why: &str) -> Result<Moved, GitFault> {
        let reference = format!("refs/heads/{name}");
        let lock = self.home.common().join(format!("{reference}.lock"));
        let before = inode(&lock);
        let said = self.try_swap(&reference, new, expected, why)?;
        if said.status == Some(0) {
            return Ok(Moved::Done);
        }
        // Git waited two seconds; a lock that was there all the time was left by a git that was killed.
        let is_stale = before.is_some() && inode(&lock) == before;
        if is_stale {
            fs::remove_file(&lock).map_err(GitFault::disk("remove", &lock))?;
            if self.try_swap(&reference, new, expected, why)?.status == Some(0) {
                return Ok(Moved::Done);
            }
        }
        match self.branch_tip(name)? {
            Some(found) if found == *new => Ok(Moved::Already),
            Some(found) if found == *expected => Err(said.fault()),
            Some(found) => Ok(Moved::Elsewhere(found)),
            None if *expected == new.zero() => Err(said.fault()),
            None => Ok(Moved::Gone),
        }
    }

    fn try_swap(&self, reference: &str, new: &Oid, expected: &Oid, why: &str) -> Result<Said, GitFault> {
        self.references()
            .set("core.filesRefLockTimeout=2000")
            .args([
                "update-ref",
                "--no-deref",
                "--create-reflog",
                "-m",
                &format!("provost: {why}"),
                reference,
            ])
            .oid(new)
            .oid(expected)
            .ask()
    }

    /// Keeps a commit from being collected as garbage until it is on a branch: `refs/provost/<name>`.
    pub fn keep(&self, name: &str, commit: &Oid) -> Result<(), GitFault> {
        let reference = format!("refs/provost/{name}");
        kill_point("keep: before");
        let kept =
            self.references().args(["update-ref", "--no-deref", &reference]).oid(commit).run().map(drop);
        kill_point("keep: after");
        kept
    }

    /// The commits that carry an effect's name, in all references and reflogs, made since a time.
    ///
    /// The time is that of the event that made the effect due; it spares the history before.
    pub fn find_effect(&self, name: &EffectName, since: Timestamp) -> Result<Vec<Found>, GitFault> {
        let seconds = since.as_ms() / 1_000 - 1;
        let mark = format!("{}: {name}", crate::worktree::EFFECT_TRAILER);
        let said = self
            .references()
            .args(["rev-list", "--all", "--reflog", "--fixed-strings", "--no-commit-header"])
            .args([
                format!("--since={seconds}"),
                format!("--max-count={FOUND_MAX}"),
                format!("--grep={mark}"),
            ])
            .args(["--format=%H %T %P%x00%(trailers:key=Provost-Effect,valueonly,unfold)%x00"])
            .ask()?;
        if said.status != Some(0) {
            return Err(said.fault());
        }
        let wanted = name.to_string();
        let mut pieces = said.out.split(|&byte| byte == 0);
        let mut found = Vec::new();
        while let (Some(names), Some(trailers)) = (pieces.next(), pieces.next()) {
            let trailers = String::from_utf8_lossy(trailers);
            // The mark in the text of a message is not a trailer.
            if trailers.lines().any(|line| line.trim() == wanted) {
                found.push(read_found(names).ok_or_else(|| said.strange("a commit without its names"))?);
            }
        }
        Ok(found)
    }
}

/// The branches that are Provost's. It reads and makes nothing, so that it can be asked where nothing may be written.
pub fn own_branches(home: &Home) -> Result<BTreeSet<String>, GitFault> {
    let asked = ["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/provost/"];
    let said = Call::within(home.common()).apart().args(asked).run()?;
    Ok(String::from_utf8_lossy(&said).lines().map(str::to_owned).collect())
}

fn read_found(names: &[u8]) -> Option<Found> {
    let text = str::from_utf8(names).ok()?;
    let mut names = text.split_whitespace().map(Oid::parse);
    let (commit, tree) = (names.next()??, names.next()??);
    Some(Found { commit, tree, parents: names.collect::<Option<_>>()? })
}

fn inode(path: &Path) -> Option<(u64, i64, i64)> {
    let meta = fs::symlink_metadata(path).ok()?;
    Some((meta.ino(), meta.mtime(), meta.mtime_nsec()))
}
