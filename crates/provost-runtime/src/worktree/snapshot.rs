//! All files of a worktree as a tree, whatever its agent did to git in it.
//!
//! Which files are ignored is what a person's `git add --all` in the worktree would ignore: the `.gitignore` files
//! as they are there now, the repository's `info/exclude`, the person's own excludes. An agent that sets up a tool
//! adds its build folder to `.gitignore` itself, and with the rules of the base commit all of that would be
//! committed. It can hide only new files this way: those of the base commit are always taken, and a hidden file
//! that the work needs is missing from the joined tree, where the checks are run again.

use std::collections::BTreeSet;
use std::fs::{self, FileType};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::notes::Notes;
use super::{Label, Worktree};
use crate::git::{GitFault, Input, Oid, path, pieces};
use crate::repository::Repository;

/// The files of a worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// All of them as a tree.
    pub tree: Oid,
    /// What is not in the tree: repositories inside the worktree, submodules that were filled or moved, files that are
    /// neither regular nor links, and what git cannot reach. Work with any of these is to be sent back.
    pub refused: Vec<PathBuf>,
}

/// What taking the files into the index came to.
pub(super) struct TakenIn {
    pub(super) refused: Vec<PathBuf>,
}

impl Repository {
    /// Takes the worktree's files as they are, tracked and new, into a tree.
    pub fn snapshot(&self, worktree: &Worktree) -> Result<Snapshot, GitFault> {
        let notes = Notes::hold(self, &worktree.label)?;
        self.snapshot_held(&notes, worktree)
    }

    pub(super) fn snapshot_held(&self, notes: &Notes, worktree: &Worktree) -> Result<Snapshot, GitFault> {
        worktree.refuse_link()?;
        let TakenIn { refused } = self.take_in(notes, worktree)?;
        let said = self.content().env("GIT_INDEX_FILE", notes.index()?).args(["write-tree"]).ask()?;
        if said.status != Some(0) {
            return Err(said.fault());
        }
        let tree = Oid::from_line(&said.out).ok_or_else(|| said.strange("no name of a tree"))?;
        Ok(Snapshot { tree, refused })
    }

    /// Brings the index from the base commit to the worktree's files.
    pub(super) fn take_in(&self, notes: &Notes, worktree: &Worktree) -> Result<TakenIn, GitFault> {
        let root = &worktree.path;
        self.seed(notes, worktree)?;
        let asked =
            ["ls-files", "-z", "-t", "--cached", "--others", "--modified", "--deleted", "--exclude-standard"];
        let said = self.content().on(root, &notes.index()?).args(asked).ask()?;
        // Git passes over a folder that it cannot open, complains, and is content.
        let is_passed_over = !said.complaint().is_empty();
        let listed = said.success()?;
        let copied = notes.copied();
        let mut sorted = Sorted::default();
        for piece in pieces(&listed) {
            let (Some(&tag), Some(name)) = (piece.first(), piece.get(2..)) else { continue };
            sorted.take(root, tag, name, &copied);
        }
        sorted.look_for_repositories(root);
        if is_passed_over {
            sorted.look_for_closed_folders(root);
        }
        let input: Vec<u8> =
            sorted.taken.iter().flat_map(|name| [name.as_slice(), b"\0"]).flatten().copied().collect();
        if !input.is_empty() {
            let asked = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
            let call = self.content().on(root, &notes.index()?).args(asked);
            call.input(Input::Bytes(input)).run()?;
        }
        Ok(TakenIn { refused: sorted.refused.into_iter().collect() })
    }

    /// Makes the index that of the base commit again; what is known about unchanged files is kept.
    pub(super) fn seed(&self, notes: &Notes, worktree: &Worktree) -> Result<(), GitFault> {
        let seed = || -> Result<_, GitFault> {
            let call = self.content().on(&worktree.path, &notes.index()?);
            call.args(["read-tree", "--reset"]).oid(&worktree.base).ask()
        };
        let said = seed()?;
        if said.status == Some(0) {
            return Ok(());
        }
        // An index that a power cut damaged is made from nothing.
        super::notes::clear(&notes.index()?)?;
        seed()?.success().map(drop)
    }
}

/// The listed files by what becomes of them.
#[derive(Default)]
struct Sorted {
    /// To be taken into the index, or out of it.
    taken: BTreeSet<Vec<u8>>,
    /// Left out.
    refused: BTreeSet<PathBuf>,
    /// Folders with files in them.
    folders: BTreeSet<PathBuf>,
}

impl Sorted {
    fn take(&mut self, root: &Path, tag: u8, name: &[u8], copied: &[PathBuf]) {
        if let Some(name) = name.strip_suffix(b"/") {
            // Git lists a folder only if it is a repository of its own.
            self.refused.insert(path(name));
            return;
        }
        let file = path(name);
        if let Some(folder) = file.parent()
            && !self.folders.contains(folder)
        {
            self.folders.insert(folder.to_owned());
        }
        let is_new = tag == b'?';
        if tag == b'H' || (is_new && copied.contains(&file)) {
            return;
        }
        let meta = root.join(&file).symlink_metadata();
        let kind = meta.as_ref().ok().map(std::fs::Metadata::file_type);
        let is_too_long = meta.as_ref().is_err_and(|error| error.kind() == ErrorKind::InvalidFilename);
        let is_odd = |kind: FileType| !kind.is_file() && !kind.is_symlink() && !kind.is_dir();
        // A folder with `.git` in place of a file or a submodule would become a submodule of the agent's choice.
        let is_repository = kind.is_some_and(|kind| kind.is_dir()) && has_git(&root.join(&file));
        if is_repository || is_too_long || kind.is_some_and(is_odd) || has_git_part(&file) {
            self.refused.insert(file);
        } else {
            self.taken.insert(name.to_vec());
        }
    }

    /// Git passes over a `.git` beside tracked files without a word.
    fn look_for_repositories(&mut self, root: &Path) {
        for folder in &self.folders {
            if !folder.as_os_str().is_empty() && has_git(&root.join(folder)) {
                self.refused.insert(folder.join(".git"));
            }
        }
    }

    /// Finds folders that cannot be opened: their path is too long, or they are closed. Links are not followed.
    fn look_for_closed_folders(&mut self, root: &Path) {
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(root.join(&folder)) else {
                self.refused.insert(folder);
                continue;
            };
            let inner = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            let inner = inner.filter(|entry| !has_git_part(Path::new(&entry.file_name())));
            folders.extend(inner.map(|entry| folder.join(entry.file_name())));
        }
    }
}

fn has_git(folder: &Path) -> bool {
    folder.join(".git").symlink_metadata().is_ok()
}

/// A part that is `.git` on a system that does not tell upper from lower case.
fn has_git_part(file: &Path) -> bool {
    file.components().any(|part| part.as_os_str().as_bytes().eq_ignore_ascii_case(b".git"))
}

impl Snapshot {
    /// Whether the files are all in the tree.
    pub fn is_whole(&self) -> bool {
        self.refused.is_empty()
    }

    /// What of the rest may hold work. Pipes, sockets and devices are only names.
    pub(super) fn left_out(self, root: &Path) -> Vec<PathBuf> {
        let is_name = |kind: FileType| !kind.is_file() && !kind.is_symlink() && !kind.is_dir();
        let holds = |file: &PathBuf| {
            !root.join(file).symlink_metadata().is_ok_and(|found| is_name(found.file_type()))
        };
        self.refused.into_iter().filter(holds).collect()
    }
}

impl Label {
    /// The branch that work of this worktree is kept on before it is removed.
    pub fn salvage_branch(&self) -> String {
        format!("provost/salvage/{}/{}-{}", self.delivery, self.task, self.generation)
    }
}
