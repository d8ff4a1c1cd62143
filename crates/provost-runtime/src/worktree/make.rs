//! Worktrees made, and brought to a commit again. Doing it twice is the same as doing it once, wherever the first
//! time was interrupted.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::notes::{Notes, clear, make_folder, write_whole};
use super::{Label, Worktree};
use crate::git::{GitFault, Input, Oid};
use crate::kill_point::kill_point;
use crate::repository::Repository;

impl Repository {
    /// Makes a worktree of a commit, with HEAD detached there: one git process.
    ///
    /// One that was begun and not finished is made anew; a finished one of the same commit is left as it is, with
    /// whatever was done in it. Nothing that Provost did not begin itself is removed.
    pub fn add(&self, path: &Path, commit: &Oid, label: &Label) -> Result<Worktree, GitFault> {
        let notes = Notes::hold(self, label)?;
        let worktree = Worktree { label: label.clone(), path: path.to_owned(), base: commit.clone() };
        if let Some(made) = notes.made() {
            let same = made.base == *commit && made.path == path;
            return match worktree.is_there() {
                true if same => Ok(worktree),
                true => Err(occupied(path, "there is a worktree of another commit")),
                // Somebody removed the folder; there is nothing left to lose.
                false => self.populate(&notes, worktree),
            };
        }
        let is_ours = notes.begun().is_some_and(|begun| begun == path);
        if !is_ours && !is_free(path) {
            return Err(occupied(path, "it was not made by Provost"));
        }
        self.populate(&notes, worktree)
    }

    /// Makes a worktree of a commit for programs to run in and for nobody to work in: one git process.
    ///
    /// It is never noted as whole. Whatever a killed process left of it is therefore cleared away with all that was
    /// begun and not finished, and [`Self::remove_apart`] need not look for work.
    pub fn add_apart(&self, path: &Path, commit: &Oid, label: &Label) -> Result<Worktree, GitFault> {
        let notes = Notes::hold(self, label)?;
        let is_ours = notes.begun().is_some_and(|begun| begun == path);
        if notes.made().is_some() || (!is_ours && !is_free(path)) {
            return Err(occupied(path, "it was not made to run programs in"));
        }
        let worktree = Worktree { label: label.clone(), path: path.to_owned(), base: commit.clone() };
        self.fill(&notes, &worktree)?;
        self.enter(&notes, &worktree)?;
        kill_point("add worktree: apart");
        Ok(worktree)
    }

    fn populate(&self, notes: &Notes, worktree: Worktree) -> Result<Worktree, GitFault> {
        self.fill(notes, &worktree)?;
        self.settle(notes, &worktree)?;
        kill_point("add worktree: after");
        Ok(worktree)
    }

    /// Begins a worktree anew and writes its files.
    fn fill(&self, notes: &Notes, worktree: &Worktree) -> Result<(), GitFault> {
        let path = &worktree.path;
        kill_point("add worktree: before");
        notes.begin(path)?;
        notes.unmerge()?;
        clear(path)?;
        clear(&notes.index()?)?;
        make_folder(path).map_err(GitFault::disk("make", path))?;
        if !self.has_file_references() {
            self.register_by_git(worktree)?;
        }
        self.check_out(notes, path, &worktree.base)?;
        kill_point("add worktree: files written");
        Ok(())
    }

    /// Brings the files from what the index says to a commit or tree; files of neither are left alone.
    pub(super) fn check_out(&self, notes: &Notes, path: &Path, to: &Oid) -> Result<(), GitFault> {
        let call = self.content().on(path, &notes.index()?).args(["read-tree", "--reset", "-u"]).oid(to);
        call.input(Input::File(notes.lock()?)).run().map(drop)
    }

    /// Brings a worktree to a commit: tracked and new files; ignored ones, such as build caches, stay.
    pub fn reset_to(&self, worktree: &Worktree, commit: &Oid) -> Result<Worktree, GitFault> {
        self.bring(worktree, commit, commit)
    }

    /// Brings the files of a worktree to those of a commit as [`Self::reset_to`] does, and leaves the work based on
    /// what it was based on: the difference is still the task's.
    pub fn bring_to(&self, worktree: &Worktree, commit: &Oid) -> Result<Worktree, GitFault> {
        self.bring(worktree, commit, &worktree.base)
    }

    fn bring(&self, worktree: &Worktree, commit: &Oid, base: &Oid) -> Result<Worktree, GitFault> {
        let notes = Notes::hold(self, &worktree.label)?;
        notes.unmerge()?;
        kill_point("bring worktree: before");
        // Every file is put into the index first, so that those that the commit lacks are removed.
        let found = self.take_in(&notes, worktree)?;
        for planted in &found.refused {
            clear(&worktree.path.join(planted))?;
        }
        self.check_out(&notes, &worktree.path, commit)?;
        kill_point("bring worktree: files written");
        let worktree = Worktree { base: base.clone(), ..worktree.clone() };
        if base != commit {
            self.seed(&notes, &worktree)?;
        }
        self.settle(&notes, &worktree)?;
        kill_point("bring worktree: after");
        Ok(worktree)
    }

    /// Registers the worktree with its index, and notes that it is whole.
    pub(super) fn settle(&self, notes: &Notes, worktree: &Worktree) -> Result<(), GitFault> {
        self.enter(notes, worktree)?;
        notes.make(worktree)
    }

    /// Registers the worktree with its index.
    fn enter(&self, notes: &Notes, worktree: &Worktree) -> Result<(), GitFault> {
        let entry = if self.has_file_references() {
            self.register(worktree)?
        } else {
            self.move_head_by_git(worktree)?
        };
        // With Provost's own index the agent's git knows that no file has changed.
        let index = fs::read(notes.index()?);
        let copied = index.and_then(|bytes| write_whole(&entry.join("index"), &bytes));
        copied.map_err(GitFault::disk("write", &entry))
    }

    /// Writes the entry of a worktree as gitrepository-layout(5) describes it, which costs no process. Whatever an
    /// agent or a killed git left there is gone.
    fn register(&self, worktree: &Worktree) -> Result<PathBuf, GitFault> {
        let entry = self.home.common().join("worktrees").join(worktree.label.entry());
        clear(&entry)?;
        worktree.refuse_link()?;
        let pointer = worktree.path.join(".git");
        clear(&pointer)?;
        let line = |path: &Path| [path.as_os_str().as_bytes(), b"\n"].concat();
        let write = || -> io::Result<()> {
            DirBuilder::new().recursive(true).create(&entry)?;
            fs::write(entry.join("locked"), reason(&worktree.label))?;
            fs::write(entry.join("commondir"), "../..\n")?;
            fs::write(entry.join("gitdir"), line(&pointer))?;
            fs::write(entry.join("HEAD"), format!("{}\n", worktree.base))?;
            fs::write(&pointer, [b"gitdir: ".as_slice(), &line(&entry)].concat())
        };
        write().map_err(GitFault::disk("write", &entry))?;
        Ok(entry)
    }

    /// Where references are not files, git itself makes the entry. Forced twice: one that is locked and whose
    /// folder is gone is replaced.
    fn register_by_git(&self, worktree: &Worktree) -> Result<(), GitFault> {
        let asked =
            ["worktree", "add", "--quiet", "--force", "--force", "--no-checkout", "--detach", "--lock"];
        let call = self.references().args(asked).args(["--reason", &reason(&worktree.label)]);
        call.args([&worktree.path]).oid(&worktree.base).run().map(drop)
    }

    /// Such a HEAD can be written only from within its entry, so what leads from there is put right first.
    fn move_head_by_git(&self, worktree: &Worktree) -> Result<PathBuf, GitFault> {
        let entry = self.entry_by_git(worktree)?;
        worktree.refuse_link()?;
        let pointer = worktree.path.join(".git");
        clear(&pointer)?;
        clear(&entry.join("config.worktree"))?;
        let write = || -> io::Result<()> {
            write_whole(&entry.join("commondir"), b"../..\n")?;
            let text = [b"gitdir: ".as_slice(), entry.as_os_str().as_bytes(), b"\n"].concat();
            fs::write(&pointer, text)
        };
        write().map_err(GitFault::disk("write", &entry))?;
        let call = self.references().env("GIT_DIR", &entry).args(["update-ref", "--no-deref", "HEAD"]);
        call.oid(&worktree.base).run()?;
        Ok(entry)
    }

    /// Finds the entry that git made by the path that it leads to; the worktree's own word is not taken for it.
    pub(super) fn entry_by_git(&self, worktree: &Worktree) -> Result<PathBuf, GitFault> {
        let entries = self.home.common().join("worktrees");
        let wanted = worktree.path.join(".git");
        let read = fs::read_dir(&entries).map_err(GitFault::disk("read", &entries))?;
        let leads_here = |entry: &Path| {
            let found = fs::read(entry.join("gitdir")).unwrap_or_default();
            found.strip_suffix(b"\n") == Some(wanted.as_os_str().as_bytes())
        };
        let found = read.flatten().map(|entry| entry.path()).find(|entry| leads_here(entry));
        found.ok_or_else(|| occupied(&worktree.path, "git does not know it as a worktree"))
    }
}

fn reason(label: &Label) -> String {
    format!("provost: delivery {}, task {}", label.delivery, label.task)
}

pub(super) fn occupied(path: &Path, why: &'static str) -> GitFault {
    GitFault::Occupied { path: path.to_owned(), why }
}

/// Whether nothing, or an empty folder, is at a path.
fn is_free(path: &Path) -> bool {
    match path.symlink_metadata() {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(meta) => meta.is_dir() && fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none()),
    }
}
