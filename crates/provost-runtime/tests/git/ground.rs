//! A repository of its own for each test, with a person's checkout that must stay as it is.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use provost_core::digest::Digest;
use provost_core::effects::EffectId;
use provost_core::record::Head;
use provost_core::time::Timestamp;
use provost_runtime::git::Oid;
use provost_runtime::home::Home;
use provost_runtime::repository::{EffectName, Identity, Repository};
use provost_runtime::worktree::{Author, Label, Marks, NewCommit, Worktree};
use tempfile::TempDir;

pub(crate) struct Ground {
    folder: TempDir,
    pub(crate) repository: Repository,
    pub(crate) head: Oid,
}

/// All of the checkout that must not change.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Untouched {
    index: Vec<u8>,
    head: Vec<u8>,
    config: Vec<u8>,
    status: String,
    branches: String,
}

impl Ground {
    /// A repository with two text files, one of them in a folder.
    pub(crate) fn new() -> Ground {
        Ground::with(&[])
    }

    pub(crate) fn with(init: &[&str]) -> Ground {
        let folder = TempDir::new().unwrap();
        let root = folder.path().join("checkout");
        fs::create_dir(&root).unwrap();
        run(&root, &[&["init", "--quiet", "--initial-branch=main"], init].concat());
        run(&root, &["config", "user.name", "Ada"]);
        run(&root, &["config", "user.email", "ada@example.org"]);
        write(&root.join("a.txt"), "one\ntwo\nthree\nfour\nfive\n");
        write(&root.join("src/b.txt"), "b\n");
        run(&root, &["add", "--all"]);
        run(&root, &["commit", "--quiet", "-m", "begin"]);
        let head = Oid::parse(run(&root, &["rev-parse", "HEAD"]).trim()).unwrap();
        let repository = Repository::open(&Home::find(&root).unwrap()).unwrap();
        Ground { folder, repository, head }
    }

    /// The same with the configuration read again.
    pub(crate) fn reopened(self) -> Ground {
        let repository = Repository::open(&Home::find(&self.root()).unwrap()).unwrap();
        Ground { repository, ..self }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("checkout")
    }

    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        run(&self.root(), arguments)
    }

    /// Commits all of the checkout's files.
    pub(crate) fn commit_all(&mut self, message: &str) -> Oid {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "-m", message]);
        self.head = Oid::parse(self.git(&["rev-parse", "HEAD"]).trim()).unwrap();
        self.head.clone()
    }

    pub(crate) fn path_of(&self, label: &Label) -> PathBuf {
        self.outside("worktrees").join(label.folder())
    }

    pub(crate) fn add(&self, label: &Label) -> Worktree {
        self.repository.add(&self.path_of(label), &self.head, label).unwrap()
    }

    /// A worktree of HEAD for one task.
    pub(crate) fn worktree(&self) -> Worktree {
        self.add(&label("T1"))
    }

    /// Commits a worktree's files as they are.
    pub(crate) fn commit_of(&self, worktree: &Worktree) -> Oid {
        let tree = self.repository.snapshot(worktree).unwrap().tree;
        self.commit(&tree, &worktree.base)
    }

    pub(crate) fn commit(&self, tree: &Oid, parent: &Oid) -> Oid {
        let (marks, author) = (marks(7), author());
        let new = NewCommit { tree, parent, message: "do it", marks: Some(&marks), author: &author };
        self.repository.commit(new).unwrap()
    }

    /// The paths in a tree, with their modes.
    pub(crate) fn files(&self, tree: &Oid) -> Vec<String> {
        let listed = self.git(&["ls-tree", "-r", "-z", tree.as_str()]);
        let line = |line: &str| {
            let (mode, path) = line.split_once('\t').unwrap();
            format!("{} {path}", mode.split(' ').next().unwrap())
        };
        listed.split_terminator('\0').map(line).collect()
    }

    pub(crate) fn text(&self, tree: &Oid, path: &str) -> String {
        self.git(&["cat-file", "blob", &format!("{tree}:{path}")])
    }

    pub(crate) fn untouched(&self) -> Untouched {
        let read = |name: &str| fs::read(self.root().join(".git").join(name)).unwrap();
        // Looking must not refresh the index that is compared.
        let status = self.git(&["--no-optional-locks", "status", "--porcelain=v2", "--branch", "--ignored"]);
        let branches = self.git(&["for-each-ref", "refs/heads/main", "refs/tags", "refs/remotes"]);
        Untouched { index: read("index"), head: read("HEAD"), config: read("config"), status, branches }
    }
}

pub(crate) fn label(task: &str) -> Label {
    Label::new("d-1", task, 1).unwrap()
}

pub(crate) fn effect(sequence: u64) -> EffectName {
    EffectName { project_id: "p-1".to_owned(), effect: EffectId(sequence) }
}

pub(crate) fn marks(sequence: u64) -> Marks {
    let head = Head { sequence, hash: Digest::of(b"record") };
    Marks { task: "T1".to_owned(), effect: effect(sequence), head }
}

pub(crate) fn author() -> Author {
    let identity = Identity { name: "Ada Lovelace".to_owned(), email: "ada@example.org".to_owned() };
    Author { identity, time: Timestamp::from_ms(1_794_772_263_250) }
}

pub(crate) fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A program that leaves a file behind when it is run, and passes its input on as a filter would.
pub(crate) fn trap(at: &Path) -> (String, PathBuf) {
    let (program, trace) = (at.with_extension("sh"), at.with_extension("ran"));
    write(&program, &format!("#!/bin/sh\ntouch '{}'\ncat\n", trace.display()));
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (program.display().to_string(), trace)
}

/// Runs git as a person or an agent would.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    // One test runs in an environment that only Provost is to stand.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"GIT_")) {
        command.env_remove(name);
    }
    let output = command
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {complaint}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
