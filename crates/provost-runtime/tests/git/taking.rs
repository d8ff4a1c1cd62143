//! Snapshots, commits and differences.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use provost_core::time::Timestamp;
use provost_runtime::repository::Identity;
use provost_runtime::worktree::{Author, Changed, NewCommit, Op};

use crate::ground::{Ground, author, marks, run, write};

/// Names that break what is careless about them.
const NAMES: &[&str] =
    &["new\nline", "quo\"te", "ünï", "-dash", "--all", "sp ace ", ":(top)x", "back\\slash", "*"];

#[test]
fn all_files_are_taken_as_they_are() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    let at = |name: &str| worktree.path.join(name);
    for name in NAMES {
        write(&at(name), name);
    }
    fs::remove_file(at("a.txt")).unwrap();
    fs::rename(at("src/b.txt"), at("src/moved.txt")).unwrap();
    write(&at("run.sh"), "#!/bin/sh\n");
    fs::set_permissions(at("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("/etc/passwd", at("link")).unwrap();
    fs::write(at("binary"), [0, 159, 146, 150, 0]).unwrap();
    let before = ground.untouched();
    let snapshot = ground.repository.snapshot(&worktree).unwrap();
    assert!(snapshot.is_whole());
    let mut expected: Vec<String> = NAMES.iter().map(|name| format!("100644 {name}")).collect();
    expected
        .extend(["100644 binary", "120000 link", "100755 run.sh", "100644 src/moved.txt"].map(str::to_owned));
    expected.sort_by_key(|line| line.as_bytes()[7..].to_vec());
    assert_eq!(ground.files(&snapshot.tree), expected);
    assert_eq!(ground.repository.snapshot(&worktree).unwrap(), snapshot);
    assert_eq!(ground.untouched(), before);
}

#[test]
fn what_the_agent_did_to_git_does_not_matter() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    write(&worktree.path.join("new"), "new\n");
    let expected = ground.repository.snapshot(&worktree).unwrap();
    run(&worktree.path, &["add", "new"]);
    run(&worktree.path, &["-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "-m", "mine"]);
    assert_eq!(ground.repository.snapshot(&worktree).unwrap(), expected);
    run(&worktree.path, &["checkout", "--quiet", "-b", "elsewhere"]);
    run(&worktree.path, &["rm", "--quiet", "--cached", "a.txt"]);
    assert_eq!(ground.repository.snapshot(&worktree).unwrap(), expected);
    fs::remove_file(worktree.path.join(".git")).unwrap();
    assert_eq!(ground.repository.snapshot(&worktree).unwrap(), expected);
}

#[test]
fn folders_and_files_that_change_places() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    fs::remove_file(worktree.path.join("a.txt")).unwrap();
    write(&worktree.path.join("a.txt/inside"), "x\n");
    fs::remove_dir_all(worktree.path.join("src")).unwrap();
    write(&worktree.path.join("src"), "file\n");
    let snapshot = ground.repository.snapshot(&worktree).unwrap();
    assert_eq!(ground.files(&snapshot.tree), ["100644 a.txt/inside", "100644 src"]);
    let back = ground.repository.reset_to(&worktree, &ground.head).unwrap();
    assert_eq!(run(&back.path, &["status", "--porcelain"]), "");
}

#[test]
fn ignored_files_are_those_that_are_ignored_now() {
    let mut ground = Ground::new();
    write(&ground.root().join(".gitignore"), "old/\n");
    write(&ground.root().join("tracked.log"), "1\n");
    ground.commit_all("ignore");
    write(&ground.root().join(".git/info/exclude"), "private\n");
    let worktree = ground.worktree();
    write(&worktree.path.join("old/x"), "");
    write(&worktree.path.join("private"), "");
    write(&worktree.path.join("node_modules/x/.git/HEAD"), "ref: refs/heads/x\n");
    write(&worktree.path.join("fresh.log"), "");
    // Taken once before the rule existed: the second snapshot does not remember it.
    let first = ground.repository.snapshot(&worktree).unwrap();
    assert!(ground.files(&first.tree).contains(&"100644 fresh.log".to_owned()));
    write(&worktree.path.join(".gitignore"), "old/\nnode_modules/\n*.log\n");
    write(&worktree.path.join("tracked.log"), "2\n");
    let snapshot = ground.repository.snapshot(&worktree).unwrap();
    assert!(snapshot.is_whole());
    assert_eq!(
        ground.files(&snapshot.tree),
        ["100644 .gitignore", "100644 a.txt", "100644 src/b.txt", "100644 tracked.log"]
    );
    assert_eq!(ground.text(&snapshot.tree, "tracked.log"), "2\n");
}

#[test]
fn line_endings_are_the_persons() {
    let ground = Ground::new();
    ground.git(&["config", "core.autocrlf", "true"]);
    ground.git(&["config", "commit.gpgsign", "true"]);
    ground.git(&["config", "gpg.program", "false"]);
    let ground = ground.reopened();
    let worktree = ground.worktree();
    assert_eq!(fs::read_to_string(worktree.path.join("src/b.txt")).unwrap(), "b\r\n");
    write(&worktree.path.join("new"), "x\r\n");
    let commit = ground.commit_of(&worktree);
    assert_eq!(ground.text(&commit, "new"), "x\n");
    let changed = ground.repository.changed(&ground.head, &commit).unwrap();
    assert_eq!(changed, [Changed { path: "new".into(), op: Op::Create, lines: Some((1, 0)) }]);
}

#[test]
fn the_same_commit_has_the_same_name() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    write(&worktree.path.join("new"), "new\n");
    let tree = ground.repository.snapshot(&worktree).unwrap().tree;
    let (marks, author) = (marks(42), author());
    let new = NewCommit {
        tree: &tree,
        parent: &ground.head,
        message: "add it",
        marks: Some(&marks),
        author: &author,
    };
    let commit = ground.repository.commit(new).unwrap();
    assert_eq!(ground.repository.commit(new).unwrap(), commit);
    let text = ground.git(&["cat-file", "commit", commit.as_str()]);
    let expected = format!(
        "tree {tree}\nparent {}\nauthor Ada Lovelace <ada@example.org> 1794772263 +0000\n\
         committer Ada Lovelace <ada@example.org> 1794772263 +0000\n\nadd it\n\nProvost-Task: T1\n\
         Provost-Effect: p-1/42\nProvost-Head: 42 {}\n",
        ground.head, marks.head.hash
    );
    assert_eq!(text, expected);
}

#[test]
fn odd_names_and_messages_are_committed_all_the_same() {
    let ground = Ground::new();
    let tree = ground.repository.tree_of(&ground.head).unwrap();
    for (name, message) in [("", ""), ("<>", "a\0b"), ("x\ny <z>", "\n\nProvost-Effect: p-1/9\n\n")] {
        let identity = Identity { name: name.to_owned(), email: name.to_owned() };
        let author = Author { identity, time: Timestamp::EPOCH };
        let new =
            NewCommit { tree: &tree, parent: &ground.head, message, marks: Some(&marks(1)), author: &author };
        let commit = ground.repository.commit(new).unwrap();
        let trailers =
            ground.git(&["log", "-1", "--format=%(trailers:key=Provost-Effect,valueonly)", commit.as_str()]);
        assert_eq!(trailers.trim(), "p-1/1");
    }
}

#[test]
fn changes_are_listed_and_shown() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    write(&worktree.path.join("a.txt"), "one\n2\nthree\nfour\nfive\nsix\n");
    fs::rename(worktree.path.join("src/b.txt"), worktree.path.join("b\n\"é\".txt")).unwrap();
    fs::write(worktree.path.join("binary"), [0, 1, 2]).unwrap();
    let commit = ground.commit_of(&worktree);
    let change = |path: &str, op, lines| Changed { path: PathBuf::from(path), op, lines };
    assert_eq!(
        ground.repository.changed(&ground.head, &commit).unwrap(),
        [
            change("a.txt", Op::Modify, Some((2, 1))),
            change("b\n\"é\".txt", Op::Create, Some((1, 0))),
            change("binary", Op::Create, None),
            change("src/b.txt", Op::Delete, Some((0, 1))),
        ]
    );
    let (text, cut) = ground.repository.diff(&ground.head, &commit, 1 << 20).unwrap();
    assert!(!cut && text.contains("+six\n") && text.contains("rename from src/b.txt"), "{text}");
    let (short, cut) = ground.repository.diff(&ground.head, &commit, 40).unwrap();
    assert!(cut && short.len() <= 40 && text.starts_with(&short));
    assert_eq!(ground.repository.changed(&commit, &commit).unwrap(), []);
}

#[test]
fn a_mode_alone_is_a_change() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    fs::set_permissions(worktree.path.join("a.txt"), fs::Permissions::from_mode(0o755)).unwrap();
    let commit = ground.commit_of(&worktree);
    let changed = ground.repository.changed(&ground.head, &commit).unwrap();
    assert_eq!(changed, [Changed { path: "a.txt".into(), op: Op::Modify, lines: Some((0, 0)) }]);
}

#[test]
fn faults_name_the_command_and_what_git_said() {
    let ground = Ground::new();
    let nothing = ground.head.zero();
    let fault = ground.repository.changed(&nothing, &ground.head).unwrap_err().diagnostic();
    assert_eq!(fault.code.name(), "git::failed");
    assert!(fault.message.starts_with("`git diff-tree -r "), "{}", fault.message);
    assert!(
        fault.message.contains("status 128: fatal: ") && !fault.message.contains('\n'),
        "{}",
        fault.message
    );
}
