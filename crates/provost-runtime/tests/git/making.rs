//! Worktrees made, made again, and brought to a commit.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use provost_runtime::git::GitFault;
use provost_runtime::worktree::Worktree;

use crate::ground::{Ground, label, run, write};

/// What an agent sees: a checkout of the base with nothing changed.
fn is_pristine(ground: &Ground, worktree: &Worktree) {
    assert_eq!(run(&worktree.path, &["status", "--porcelain", "--ignored"]), "");
    assert_eq!(run(&worktree.path, &["rev-parse", "HEAD"]).trim(), worktree.base.as_str());
    assert_eq!(fs::read_to_string(worktree.path.join("src/b.txt")).unwrap(), "b\n");
    run(&worktree.path, &["fsck", "--no-progress"]);
    let snapshot = ground.repository.snapshot(worktree).unwrap();
    assert!(snapshot.is_whole());
    assert_eq!(snapshot.tree, ground.repository.tree_of(&worktree.base).unwrap());
}

fn entry(ground: &Ground) -> std::path::PathBuf {
    ground.root().join(".git/worktrees/provost.d-1.T1-1")
}

#[test]
fn a_worktree_is_a_locked_checkout_outside_the_repository() {
    let ground = Ground::new();
    let before = ground.untouched();
    let worktree = ground.worktree();
    is_pristine(&ground, &worktree);
    let listed = ground.git(&["worktree", "list", "--porcelain"]);
    assert!(listed.contains("detached\nlocked provost: delivery d-1, task T1"), "{listed}");
    ground.git(&["worktree", "prune", "--expire=now"]);
    assert!(entry(&ground).exists());
    assert_eq!(ground.untouched(), before);
    assert_eq!(fs::metadata(&worktree.path).unwrap().permissions().mode() & 0o077, 0);
}

#[test]
fn made_twice_it_keeps_what_was_done_in_it() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    write(&worktree.path.join("work"), "work\n");
    assert_eq!(ground.worktree(), worktree);
    assert!(worktree.path.join("work").exists());
    let commit = ground.commit_of(&worktree);
    let other = ground.repository.add(&worktree.path, &commit, &worktree.label);
    assert!(matches!(other, Err(GitFault::Occupied { .. })));
}

#[test]
fn what_provost_did_not_begin_is_left_alone() {
    let ground = Ground::new();
    let path = ground.path_of(&label("T1"));
    write(&path.join("mine"), "mine\n");
    let refused = ground.repository.add(&path, &ground.head, &label("T1")).unwrap_err();
    assert_eq!(refused.diagnostic().code.name(), "worktree::occupied");
    assert!(path.join("mine").exists());
}

/// Everything that a kill can leave while a worktree is being made; the last word is always the same.
#[test]
fn interrupted_at_any_point_it_is_made_anew() {
    type Interruption = fn(&Ground, &Path);
    let cases: [(&str, Interruption); 7] = [
        ("nothing but the note", |_, path| fs::remove_dir_all(path).unwrap()),
        ("a folder without an entry", |ground, _| fs::remove_dir_all(entry(ground)).unwrap()),
        ("an entry without a folder", |_, path| fs::remove_dir_all(path).unwrap()),
        ("half of the files", |_, path| fs::remove_dir_all(path.join("src")).unwrap()),
        ("half of a file", |_, path| fs::write(path.join("a.txt"), "on").unwrap()),
        ("half of an entry", |ground, _| fs::remove_file(entry(ground).join("commondir")).unwrap()),
        ("stale locks", |ground, _| {
            File::create(entry(ground).join("index.lock")).unwrap();
            let notes = ground.root().join(".git/provost/worktrees/d-1/T1-1");
            File::create(notes.join("index.lock")).unwrap();
            fs::write(notes.join("index"), "garbage").unwrap();
        }),
    ];
    for (name, interrupt) in cases {
        let ground = Ground::new();
        let worktree = ground.worktree();
        interrupt(&ground, &worktree.path);
        // The note that it is whole is written last.
        fs::remove_file(ground.root().join(".git/provost/worktrees/d-1/T1-1/made")).unwrap();
        assert_eq!(ground.repository.list(), [], "{name}");
        assert_eq!(ground.worktree(), worktree, "{name}");
        is_pristine(&ground, &worktree);
    }
}

#[test]
fn a_folder_that_somebody_removed_is_made_again() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    fs::remove_dir_all(&worktree.path).unwrap();
    assert_eq!(ground.worktree(), worktree);
    is_pristine(&ground, &worktree);
}

#[test]
fn a_reset_takes_away_work_and_leaves_what_is_ignored() {
    let mut ground = Ground::new();
    write(&ground.root().join(".gitignore"), "cache/\n");
    ground.commit_all("ignore");
    let worktree = ground.worktree();
    write(&worktree.path.join("cache/big"), "kept\n");
    write(&worktree.path.join("new/deep/file"), "gone\n");
    write(&worktree.path.join("a.txt"), "gone\n");
    fs::remove_file(worktree.path.join("src/b.txt")).unwrap();
    run(&ground.outside(""), &["init", "--quiet", worktree.path.join("planted").to_str().unwrap()]);
    write(&worktree.path.join(".git"), "gitdir: /nowhere\n");
    let reset = ground.repository.reset_to(&worktree, &ground.head).unwrap();
    assert_eq!(reset, worktree);
    assert!(worktree.path.join("cache/big").exists());
    assert!(!worktree.path.join("new").exists() && !worktree.path.join("planted").exists());
    fs::remove_dir_all(worktree.path.join("cache")).unwrap();
    is_pristine(&ground, &worktree);
}

#[test]
fn a_reset_leads_to_another_commit() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    write(&worktree.path.join("more/c.txt"), "c\n");
    let commit = ground.commit_of(&worktree);
    let there = ground.repository.reset_to(&worktree, &commit).unwrap();
    assert_eq!(there.base, commit);
    is_pristine(&ground, &there);
    assert_eq!(ground.repository.list(), vec![there.clone()]);
    let back = ground.repository.reset_to(&there, &ground.head).unwrap();
    assert!(!back.path.join("more").exists());
    is_pristine(&ground, &back);
}

#[test]
fn repositories_with_other_formats() {
    for init in [["--object-format=sha256"], ["--ref-format=reftable"]] {
        let supported = std::process::Command::new("git")
            .args(["init", "--quiet", init[0], "probe"])
            .current_dir(tempfile::tempdir().unwrap().path())
            .status();
        if !supported.unwrap().success() {
            continue;
        }
        let ground = Ground::with(&init);
        let before = ground.untouched();
        ground.repository.create_branch("provost/d-1", &ground.head).unwrap();
        let worktree = ground.worktree();
        is_pristine(&ground, &worktree);
        fs::remove_file(ground.root().join(".git/provost/worktrees/d-1/T1-1/made")).unwrap();
        assert_eq!(ground.worktree(), worktree);
        write(&worktree.path.join("new"), "new\n");
        let commit = ground.commit_of(&worktree);
        let moved = ground.repository.move_branch("provost/d-1", &ground.head, &commit).unwrap();
        assert_eq!(moved, provost_runtime::repository::Moved::Done);
        let there = ground.repository.reset_to(&worktree, &commit).unwrap();
        is_pristine(&ground, &there);
        let removed = ground.repository.remove(&there, &[]).unwrap();
        assert_eq!(removed, provost_runtime::worktree::Removed::Done);
        assert_eq!(ground.git(&["worktree", "list"]).lines().count(), 1, "{init:?}");
        assert_eq!(ground.untouched(), before);
    }
}

#[test]
fn files_are_copied_and_are_no_part_of_the_work() {
    let mut ground = Ground::new();
    std::os::unix::fs::symlink("/etc", ground.root().join("conf")).unwrap();
    ground.commit_all("a link");
    write(&ground.root().join("local/.env.test"), "KEY=1\n");
    fs::set_permissions(ground.root().join("local/.env.test"), fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", ground.root().join("leads-out")).unwrap();
    let worktree = ground.worktree();
    let copy = |file: &str| ground.repository.copy_files(&worktree, &[file.to_owned()]);
    assert_eq!(copy("local/.env.test").unwrap().files, ["local/.env.test"]);
    assert_eq!(copy("local/.env.test").unwrap().files, ["local/.env.test"]);
    assert_eq!(copy("not/there").unwrap().missing, ["not/there"]);
    let target = worktree.path.join("local/.env.test");
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
    for bad in ["../x", "/etc/passwd", ".git/config", "a/../b", "leads-out", "conf/passwd", "src", ""] {
        let refused = copy(bad).unwrap_err().diagnostic();
        assert_eq!(refused.code.name(), "worktree::copy", "{bad}");
    }
    let snapshot = ground.repository.snapshot(&worktree).unwrap();
    assert_eq!(snapshot.tree, ground.repository.tree_of(&ground.head).unwrap());
    ground.repository.reset_to(&worktree, &ground.head).unwrap();
    assert!(target.exists());
}
