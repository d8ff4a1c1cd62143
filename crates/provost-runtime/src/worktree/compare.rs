//! What one commit changes in another: as a list for rules and boards, as text for readers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::git::{GitFault, Oid, Said, path, pieces};
use crate::repository::Repository;

/// What happened to a file. A rename is a deletion and a creation, since both paths are touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// It is new.
    Create,
    /// Its content, mode or kind is another.
    Modify,
    /// It is gone.
    Delete,
}

/// A file that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its path from the top.
    pub path: PathBuf,
    /// What happened to it.
    pub op: Op,
    /// Lines added and removed; `None` for a binary file.
    pub lines: Option<(u64, u64)>,
}

impl Repository {
    /// The files that differ between two commits or trees, by path.
    pub fn changed(&self, base: &Oid, commit: &Oid) -> Result<Vec<Changed>, GitFault> {
        let asked =
            ["diff-tree", "-r", "-z", "--raw", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"];
        let said = self.content().args(asked).oid(base).oid(commit).ask()?;
        if said.status != Some(0) {
            return Err(said.fault());
        }
        read_changed(&said)
    }

    /// The difference between two commits or trees as text of at most so many bytes, and whether it was cut.
    pub fn diff(&self, base: &Oid, commit: &Oid, bytes_max: usize) -> Result<(String, bool), GitFault> {
        let asked = ["diff-tree", "-r", "-p", "-M", "--no-color", "--no-ext-diff", "--no-textconv"];
        let call = self.content().args(asked).oid(base).oid(commit);
        let said = call.at_most(bytes_max).ask()?;
        if said.status != Some(0) && !said.cut {
            return Err(said.fault());
        }
        let mut text = String::from_utf8_lossy(&said.out).into_owned();
        // A character that the limit went through, or bytes that are not UTF-8, may have made it longer.
        while text.len() > bytes_max {
            text.pop();
        }
        Ok((text, said.cut))
    }

    /// The tree of a commit.
    pub fn tree_of(&self, commit: &Oid) -> Result<Oid, GitFault> {
        self.name_of(format!("{commit}^{{tree}}"))
    }

    /// The first parent of a commit.
    pub fn parent_of(&self, commit: &Oid) -> Result<Oid, GitFault> {
        self.name_of(format!("{commit}^1"))
    }

    fn name_of(&self, what: String) -> Result<Oid, GitFault> {
        let call = self.content().args(["rev-parse", "--verify", "--end-of-options"]);
        let said = call.args([what]).ask()?;
        if said.status != Some(0) {
            return Err(said.fault());
        }
        Oid::from_line(&said.out).ok_or_else(|| said.strange("no name of an object"))
    }
}

/// Both lists in one answer: `:mode mode oid oid X`, path; then `added removed path`.
fn read_changed(said: &Said) -> Result<Vec<Changed>, GitFault> {
    let mut changed = BTreeMap::new();
    let mut parts = pieces(&said.out);
    while let Some(part) = parts.next() {
        if part.starts_with(b":") {
            let op = match part.last() {
                Some(b'A') => Op::Create,
                Some(b'D') => Op::Delete,
                _ => Op::Modify,
            };
            let name = parts.next().ok_or_else(|| said.strange("a change without a path"))?;
            changed.insert(name, Changed { path: path(name), op, lines: None });
        } else {
            let mut fields = part.splitn(3, |&byte| byte == b'\t');
            let mut number = || str::from_utf8(fields.next()?).ok()?.parse().ok();
            let (added, removed) = (number(), number());
            if let Some(entry) = fields.next().and_then(|name| changed.get_mut(name)) {
                entry.lines = added.zip(removed);
            }
        }
    }
    Ok(changed.into_values().collect())
}
