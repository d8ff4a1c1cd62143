//! Salvage, removal, and what is left of worktrees.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions, TryLockError};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use provost_runtime::home::Home;
use provost_runtime::repository::{Ended, HeadState, Repository};
use provost_runtime::worktree::{Label, Removed};

use crate::ground::{Ground, author, label, run, write};

#[test]
fn a_clean_worktree_is_removed_and_leaves_nothing() {
    let ground = Ground::new();
    let before = ground.untouched();
    let worktree = ground.worktree();
    let message = "salvaged";
    let none =
        ground.repository.salvage(&worktree, &worktree.label.salvage_branch(), message, &author()).unwrap();
    assert_eq!(none, None);
    assert_eq!(ground.repository.remove(&worktree, &[]).unwrap(), Removed::Done);
    assert_eq!(ground.repository.remove(&worktree, &[]).unwrap(), Removed::Done);
    assert!(!ground.outside("worktrees/d-1").exists());
    assert_eq!(fs::read_dir(ground.root().join(".git/worktrees")).unwrap().count(), 0);
    assert_eq!(fs::read_dir(ground.root().join(".git/provost/worktrees")).unwrap().count(), 0);
    assert_eq!(ground.untouched(), before);
}

#[test]
fn work_is_salvaged_before_its_worktree_is_removed() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    write(&worktree.path.join("work"), "work\n");
    let unsaved = ground.repository.remove(&worktree, &[]).unwrap();
    assert!(matches!(unsaved, Removed::Unsaved(_)));
    assert!(worktree.path.join("work").exists());
    let branch = worktree.label.salvage_branch();
    assert_eq!(branch, "provost/salvage/d-1/T1-1");
    let salvage = || ground.repository.salvage(&worktree, &branch, "salvaged", &author()).unwrap().unwrap();
    let commit = salvage();
    assert_eq!(salvage(), commit);
    assert_eq!(ground.text(&commit, "work"), "work\n");
    // Folders that a tool made read-only, and links that lead out, do not stop it.
    let sealed = worktree.path.join("cache/sealed");
    write(&sealed.join("x"), "");
    write(&worktree.path.join(".gitignore"), "cache\n");
    fs::set_permissions(&sealed, Permissions::from_mode(0o500)).unwrap();
    std::os::unix::fs::symlink(ground.root(), worktree.path.join("cache/out")).unwrap();
    fs::remove_file(worktree.path.join(".gitignore")).unwrap();
    write(&ground.root().join(".git/info/exclude"), "cache\n");
    assert_eq!(ground.repository.remove(&worktree, &[commit]).unwrap(), Removed::Done);
    assert!(!worktree.path.exists() && ground.root().join("a.txt").exists());
}

#[test]
fn the_next_attempt_starts_from_what_was_salvaged() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    write(&worktree.path.join("work"), "work\n");
    let branch = worktree.label.salvage_branch();
    let commit = ground.repository.salvage(&worktree, &branch, "salvaged", &author()).unwrap().unwrap();
    let next = Label::new("d-1", "T1", 2).unwrap();
    let next = ground.repository.add(&ground.path_of(&next), &commit, &next).unwrap();
    assert_eq!(fs::read_to_string(next.path.join("work")).unwrap(), "work\n");
}

#[test]
fn an_interrupted_removal_goes_on() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    // Killed after the note and some of the files.
    let notes = ground.root().join(".git/provost/worktrees/d-1/T1-1");
    fs::remove_file(notes.join("made")).unwrap();
    fs::remove_file(worktree.path.join("a.txt")).unwrap();
    assert_eq!(ground.repository.clear_unfinished(&|_| false).unwrap(), [label("T1")]);
    assert!(!worktree.path.exists() && !notes.exists());
    assert!(!ground.git(&["worktree", "list"]).contains("T1"));
}

#[test]
fn a_worktree_for_programs_alone_goes_with_all_that_is_in_it_and_so_does_one_that_was_left() {
    let ground = Ground::new();
    let label = Label::apart("d-1", "baseline", 1).unwrap();
    let path = ground.path_of(&label);
    let add = || ground.repository.add_apart(&path, &ground.head, &label).unwrap();
    let calls = ground.repository.calls();
    write(&add().path.join("built"), "by a check\n");
    assert_eq!(ground.repository.list(), [], "it is nobody's work");
    ground.repository.remove_apart(&label).unwrap();
    assert_eq!(ground.repository.calls(), calls + 1);
    assert!(!path.exists());
    // Left by a process that was killed: another begins anew, and so does the next opening.
    write(&add().path.join("built"), "by a check\n");
    assert!(!add().path.join("built").exists());
    assert_eq!(ground.repository.clear_unfinished(&|_| false).unwrap(), [label]);
    assert!(!path.exists());
    assert_eq!(ground.git(&["worktree", "list"]).lines().count(), 1);
}

#[test]
fn a_worktree_of_a_task_is_never_taken_for_one_of_programs_alone() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    let foreign = Label::apart("d-1", "landing", 1).unwrap();
    fs::create_dir_all(ground.path_of(&foreign)).unwrap();
    write(&ground.path_of(&foreign).join("mine"), "mine\n");
    assert!(ground.repository.add_apart(&ground.path_of(&foreign), &ground.head, &foreign).is_err());
    assert!(ground.repository.add_apart(&worktree.path, &ground.head, &worktree.label).is_err());
    ground.repository.remove_apart(&worktree.label).unwrap();
    ground.repository.remove_apart(&foreign).unwrap();
    assert!(worktree.path.is_dir() && ground.path_of(&foreign).join("mine").is_file());
}

#[test]
fn worktrees_are_listed_and_unfinished_ones_cleared_unless_they_are_wanted() {
    let ground = Ground::new();
    let (one, two) = (ground.add(&label("T1")), ground.add(&label("T2")));
    assert_eq!(ground.repository.list(), [one.clone(), two.clone()]);
    fs::remove_file(ground.root().join(".git/provost/worktrees/d-1/T2-1/made")).unwrap();
    assert_eq!(ground.repository.clear_unfinished(&|label| label.task() == "T2").unwrap(), []);
    assert_eq!(ground.repository.clear_unfinished(&|_| false).unwrap(), [two.label]);
    assert_eq!(ground.repository.list(), [one]);
}

#[test]
fn what_ended_deliveries_left_is_cleared_away_and_their_work_is_not() {
    let ground = Ground::new();
    let before = ground.untouched();
    let (clean, dirty) = (ground.add(&label("T1")), ground.add(&label("T2")));
    let other = Label::new("d-2", "T1", 1).unwrap();
    let other = ground.add(&other);
    ground.repository.create_branch("provost/d-1", &ground.head).unwrap();
    write(&dirty.path.join("work"), "earlier\n");
    let branch = dirty.label.salvage_branch();
    ground.repository.salvage(&dirty, &branch, "earlier", &author()).unwrap();
    write(&dirty.path.join("work"), "later\n");
    let pruned =
        ground.repository.prune(&BTreeMap::from([("d-1".to_owned(), Ended::default())]), false, &author());
    assert_eq!(pruned.failed, []);
    assert_eq!(pruned.worktrees, [clean.path, dirty.path]);
    assert_eq!(pruned.branches, [("provost/d-1".to_owned(), ground.head.clone())]);
    assert_eq!(pruned.kept, vec![branch.clone()]);
    assert_eq!(pruned.salvaged.len(), 1);
    let (name, commit) = &pruned.salvaged[0];
    assert_eq!(
        (name.as_str(), ground.text(commit, "work").as_str()),
        ("provost/salvage/d-1/T2-1.2", "later\n")
    );
    assert_eq!(ground.repository.list(), vec![other]);
    assert_eq!(ground.untouched(), before);
}

/// Makes a worktree in a process that the test below kills.
#[test]
fn made_by_a_process_that_is_killed() {
    let Some(root) = std::env::var_os("PROVOST_TEST_ROOT") else { return };
    let repository = Repository::open(&Home::find(Path::new(&root)).unwrap()).unwrap();
    let HeadState::Born { commit, .. } = repository.preflight().unwrap().head else { return };
    let path = PathBuf::from(std::env::var_os("PROVOST_TEST_WORKTREE").unwrap());
    repository.add(&path, &commit, &label("T1")).unwrap();
}

/// Git lives on when the process that started it is killed, and writes files. Whoever does the work again waits.
#[test]
fn killed_in_the_middle_it_is_done_again_after_the_last_git_has_ended() {
    let mut ground = Ground::new();
    write(&ground.root().join(".gitattributes"), "a.txt filter=lfs\n");
    ground.commit_all("a filter to wait in");
    let (begun, go) = (ground.outside("begun"), ground.outside("go"));
    assert!(Command::new("mkfifo").args([&begun, &go]).status().unwrap().success());
    let wait = format!("echo > '{}'; read x < '{}'; cat", begun.display(), go.display());
    ground.git(&["config", "filter.lfs.smudge", &wait]);
    let path = ground.path_of(&label("T1"));
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "leaving::made_by_a_process_that_is_killed"])
        .env("PROVOST_TEST_ROOT", ground.root())
        .env("PROVOST_TEST_WORKTREE", &path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // Opening waits for the filter, so git is now in the middle of its work.
    fs::read(&begun).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let lock = File::open(ground.root().join(".git/provost/worktrees/d-1/T1-1/lock")).unwrap();
    assert!(matches!(lock.try_lock(), Err(TryLockError::WouldBlock)));
    assert_eq!(ground.repository.list(), []);
    fs::write(&go, "\n").unwrap();
    lock.lock().unwrap();
    drop(lock);
    ground.git(&["config", "filter.lfs.smudge", "cat"]);
    let ground = ground.reopened();
    let worktree = ground.worktree();
    assert_eq!(run(&worktree.path, &["status", "--porcelain"]), "");
    assert!(ground.repository.snapshot(&worktree).unwrap().is_whole());
}
