//! Merges of commits, and of a tip into a worktree.

use std::fs;
use std::path::PathBuf;

use provost_runtime::git::Oid;
use provost_runtime::worktree::{Joined, Worktree};

use crate::ground::{Ground, label, run, write};

/// Two tasks from the same base that both change `a.txt`.
fn two(ground: &Ground, first: &str, second: &str) -> (Worktree, Worktree, Oid) {
    let (one, two) = (ground.add(&label("T1")), ground.add(&label("T2")));
    write(&one.path.join("a.txt"), first);
    write(&two.path.join("a.txt"), second);
    let tip = ground.commit_of(&one);
    (one, two, tip)
}

#[test]
fn changes_that_fit_are_joined() {
    let ground = Ground::new();
    let (_, other, tip) = two(&ground, "1\ntwo\nthree\nfour\nfive\n", "one\ntwo\nthree\nfour\n5\n");
    let commit = ground.commit_of(&other);
    let joined = ground.repository.join(&tip, &commit, &ground.head).unwrap();
    let Joined::Clean(tree) = &joined else { panic!("{joined:?}") };
    assert_eq!(ground.text(tree, "a.txt"), "1\ntwo\nthree\nfour\n5\n");
}

#[test]
fn changes_that_do_not_fit_are_named() {
    let ground = Ground::new();
    let (_, other, tip) = two(&ground, "1\n", "2\n");
    let odd = "odd\n\"name\"";
    write(&other.path.join(odd), "x\n");
    let commit = ground.commit_of(&other);
    let joined = ground.repository.join(&tip, &commit, &ground.head).unwrap();
    let Joined::Conflict { files, tree } = joined else { panic!("{joined:?}") };
    assert_eq!(files, [PathBuf::from("a.txt")]);
    assert!(ground.text(&tree, "a.txt").contains("<<<<<<<"));
    assert_eq!(ground.text(&tree, odd), "x\n");
}

#[test]
fn the_base_is_the_one_that_is_given() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    write(&worktree.path.join("a.txt"), "1\ntwo\nthree\nfour\nfive\n");
    let first = ground.commit_of(&worktree);
    write(&worktree.path.join("src/b.txt"), "later\n");
    let tree = ground.repository.snapshot(&worktree).unwrap().tree;
    let second = ground.commit(&tree, &first);
    // The first commit taken back from the second: its parent joined with it as the base.
    let joined = ground.repository.join(&second, &ground.head, &first).unwrap();
    let Joined::Clean(tree) = &joined else { panic!("{joined:?}") };
    assert!(ground.text(tree, "a.txt").starts_with("one\n"));
    assert_eq!(ground.text(tree, "src/b.txt"), "later\n");
}

#[test]
fn attributes_of_the_tip_decide_how_files_are_merged() {
    let mut ground = Ground::new();
    write(&ground.root().join(".gitattributes"), "a.txt merge=union\n");
    ground.commit_all("union");
    let (_, other, tip) = two(&ground, "1\n", "2\n");
    let commit = ground.commit_of(&other);
    let joined = ground.repository.join(&tip, &commit, &ground.head).unwrap();
    let Joined::Clean(tree) = &joined else { panic!("{joined:?}") };
    assert_eq!(ground.text(tree, "a.txt"), "1\n2\n");
}

#[test]
fn a_tip_is_merged_into_a_worktree_and_markers_are_left() {
    let ground = Ground::new();
    let (one, other, _) = two(&ground, "first\n", "second\n");
    write(&one.path.join("landed.txt"), "landed\n");
    fs::remove_file(one.path.join("src/b.txt")).unwrap();
    let tip = ground.commit_of(&one);
    write(&other.path.join("mine.txt"), "mine\n");
    let before = ground.untouched();
    let merged = ground.repository.merge_into(&other, &tip).unwrap();
    assert_eq!(merged.conflicts, [PathBuf::from("a.txt")]);
    assert_eq!(merged.worktree.base, tip);
    let text = fs::read_to_string(other.path.join("a.txt")).unwrap();
    let (first, last) = (text.find("second").unwrap(), text.find("first").unwrap());
    assert!(text.starts_with("<<<<<<< ") && first < last, "{text}");
    assert!(other.path.join("landed.txt").exists() && !other.path.join("src").exists());
    // No merge is in progress: what differs from the tip is the task's own work.
    assert_eq!(run(&other.path, &["status", "--porcelain"]), " M a.txt\n?? mine.txt\n");
    assert_eq!(run(&other.path, &["rev-parse", "HEAD"]).trim(), tip.as_str());
    assert_eq!(ground.untouched(), before);

    // Done again, as after a crash, it comes to the same: markers are not merged with markers.
    fs::remove_file(other.path.join("landed.txt")).unwrap();
    assert_eq!(ground.repository.merge_into(&other, &tip).unwrap(), merged);
    assert_eq!(fs::read_to_string(other.path.join("a.txt")).unwrap(), text);
    assert!(other.path.join("landed.txt").exists());

    // The agent resolves it; the commit that follows has the tip as its parent and lands without a conflict.
    write(&other.path.join("a.txt"), "both\n");
    let commit = ground.commit_of(&merged.worktree);
    let joined = ground.repository.join(&tip, &commit, &tip).unwrap();
    let Joined::Clean(tree) = &joined else { panic!("{joined:?}") };
    assert_eq!(ground.text(tree, "a.txt"), "both\n");
    assert_eq!(ground.files(tree), ["100644 a.txt", "100644 landed.txt", "100644 mine.txt"]);
}

#[test]
fn after_a_reset_the_same_merge_is_a_new_one() {
    let ground = Ground::new();
    let (_, other, tip) = two(&ground, "first\n", "second\n");
    let merged = ground.repository.merge_into(&other, &tip).unwrap();
    let back = ground.repository.reset_to(&merged.worktree, &ground.head).unwrap();
    write(&back.path.join("later.txt"), "later\n");
    let merged = ground.repository.merge_into(&back, &tip).unwrap();
    assert_eq!(merged.conflicts, Vec::<PathBuf>::new());
    assert!(back.path.join("later.txt").exists());
    assert_eq!(fs::read_to_string(back.path.join("a.txt")).unwrap(), "first\n");
}
