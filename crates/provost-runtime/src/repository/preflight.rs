//! What is said before anything starts: where HEAD is, and what agents will not see of the checkout.

use std::path::PathBuf;

use super::Repository;
use crate::git::{GitFault, Oid, Said};

/// How many changed files are named; the rest is counted.
const DIRTY_MAX: usize = 100;

/// Files in the git folder that exist only while something is unfinished, and what it is called.
const UNFINISHED: &[(&str, &str)] = &[
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
    ("BISECT_LOG", "bisect"),
];

/// Where HEAD is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeadState {
    /// There is a commit.
    Born {
        /// The commit.
        commit: Oid,
        /// The branch; `None` when HEAD is detached.
        branch: Option<String>,
    },
    /// The repository has no commit on this branch yet.
    Unborn,
}

/// The state of the person's checkout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preflight {
    /// Where HEAD is.
    pub head: HeadState,
    /// Tracked files that differ from HEAD: agents see the committed ones. At most 100.
    pub dirty: Vec<PathBuf>,
    /// How many tracked files differ in all.
    pub dirty_count: usize,
    /// How many files and folders are neither tracked nor ignored: agents do not see them.
    pub untracked_count: usize,
    /// Paths of submodules: their folders are empty in worktrees.
    pub submodules: Vec<PathBuf>,
    /// The checkout shows only a part of the files; agents see all.
    pub sparse: bool,
    /// History is cut off.
    pub shallow: bool,
    /// Objects may be missing and have to be fetched from elsewhere, which Provost does not do.
    pub partial: bool,
    /// What is unfinished: merge, cherry-pick, revert, rebase, bisect.
    pub in_progress: Option<&'static str>,
}

impl Repository {
    /// Looks at the checkout: one git process, two where there are submodules.
    pub fn preflight(&self) -> Result<Preflight, GitFault> {
        let asked = [
            "status",
            "--porcelain=v2",
            "--branch",
            "-z",
            "--untracked-files=normal",
            "--no-renames",
            "--no-ahead-behind",
            // More would run git inside each submodule, with that submodule's configuration.
            "--ignore-submodules=dirty",
        ];
        let said = self.checkout().args(asked).ask()?;
        if said.status != Some(0) {
            return Err(said.fault());
        }
        let unfinished = UNFINISHED.iter().find(|(file, _)| self.home.git.join(file).exists());
        let mut preflight = Preflight {
            head: HeadState::Unborn,
            dirty: Vec::new(),
            dirty_count: 0,
            untracked_count: 0,
            submodules: self.submodules()?,
            sparse: self.configured.is_on("core.sparsecheckout"),
            shallow: self.home.common().join("shallow").exists(),
            partial: self.configured.is_partial(),
            in_progress: unfinished.map(|(_, name)| *name),
        };
        preflight.take(&said)?;
        Ok(preflight)
    }

    fn submodules(&self) -> Result<Vec<PathBuf>, GitFault> {
        let list = self.home.root.join(".gitmodules");
        // A link could lead to any file; git itself refuses such a list too.
        if !list.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
            return Ok(Vec::new());
        }
        let call = self.references().args(["config", "--no-includes", "-z", "--file"]).args([&list]);
        let said = call.args(["--get-regexp", r"^submodule\..*\.path$"]).ask()?;
        match said.status {
            Some(0) => Ok(crate::git::pieces(&said.out)
                .filter_map(|piece| piece.splitn(2, |&byte| byte == b'\n').nth(1))
                .map(crate::git::path)
                .collect()),
            Some(1) => Ok(Vec::new()),
            _ => Err(said.fault()),
        }
    }
}

impl Preflight {
    /// Reads what `git status` said.
    fn take(&mut self, said: &Said) -> Result<(), GitFault> {
        let mut commit = None;
        let mut branch = None;
        for piece in crate::git::pieces(&said.out) {
            if let Some(name) = piece.strip_prefix(b"# branch.oid ") {
                commit = Oid::from_line(name);
            } else if let Some(name) = piece.strip_prefix(b"# branch.head ") {
                let name = String::from_utf8_lossy(name).into_owned();
                branch = (name != "(detached)").then_some(name);
            } else if piece.starts_with(b"# ") {
                // Further headers say nothing that is asked for.
            } else if piece.starts_with(b"? ") {
                self.untracked_count += 1;
            } else {
                let fields = match piece.first() {
                    Some(b'1') => 9,
                    Some(b'u') => 11,
                    _ => return Err(said.strange("a line of an unknown kind")),
                };
                let path = piece.splitn(fields, |&byte| byte == b' ').nth(fields - 1);
                let path = path.ok_or_else(|| said.strange("a line that is too short"))?;
                self.dirty_count += 1;
                if self.dirty.len() < DIRTY_MAX {
                    self.dirty.push(crate::git::path(path));
                }
            }
        }
        if let Some(commit) = commit {
            self.head = HeadState::Born { commit, branch };
        }
        Ok(())
    }
}
