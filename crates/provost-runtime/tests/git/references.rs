//! Branches, compare-and-swap, and commits found again by their effect.

use std::collections::BTreeMap;
use std::fs::File;

use provost_core::time::Timestamp;
use provost_runtime::git::Oid;
use provost_runtime::repository::{Ended, Moved};
use provost_runtime::worktree::NewCommit;

use crate::ground::{Ground, author, effect, marks, write};

fn commits(ground: &Ground) -> (Oid, Oid) {
    let worktree = ground.worktree();
    write(&worktree.path.join("1"), "1\n");
    let first = ground.commit_of(&worktree);
    write(&worktree.path.join("2"), "2\n");
    (first, ground.commit_of(&worktree))
}

#[test]
fn a_branch_is_made_once() {
    let ground = Ground::new();
    let (other, _) = commits(&ground);
    let before = ground.untouched();
    ground.repository.create_branch("provost/d-1", &ground.head).unwrap();
    ground.repository.create_branch("provost/d-1", &ground.head).unwrap();
    let taken = ground.repository.create_branch("provost/d-1", &other).unwrap_err().diagnostic();
    assert_eq!(taken.code.name(), "git::branch_taken");
    assert_eq!(ground.repository.branch_tip("provost/d-1").unwrap(), Some(ground.head.clone()));
    assert_eq!(ground.repository.branch_tip("provost/d-2").unwrap(), None);
    assert_eq!(ground.untouched(), before);
}

#[test]
fn a_branch_moves_only_from_where_it_is_expected() {
    let ground = Ground::new();
    let (first, second) = commits(&ground);
    let moves =
        |expected: &Oid, new: &Oid| ground.repository.move_branch("provost/d-1", expected, new).unwrap();
    assert_eq!(moves(&ground.head, &first), Moved::Gone);
    ground.repository.create_branch("provost/d-1", &ground.head).unwrap();
    assert_eq!(moves(&ground.head, &first), Moved::Done);
    assert_eq!(moves(&ground.head, &first), Moved::Already);
    assert_eq!(moves(&ground.head, &second), Moved::Elsewhere(first));
}

#[test]
fn of_many_that_move_a_branch_at_once_one_succeeds() {
    let ground = Ground::new();
    ground.repository.create_branch("provost/d-1", &ground.head).unwrap();
    let tree = ground.repository.tree_of(&ground.head).unwrap();
    let new = |number: u64| {
        let (marks, author) = (marks(number), author());
        let new = NewCommit {
            tree: &tree,
            parent: &ground.head,
            message: "x",
            marks: Some(&marks),
            author: &author,
        };
        ground.repository.commit(new).unwrap()
    };
    let commits: Vec<Oid> = (0..6).map(new).collect();
    let moves = |commit| ground.repository.move_branch("provost/d-1", &ground.head, commit).unwrap();
    let ends: Vec<Moved> = std::thread::scope(|scope| {
        let threads: Vec<_> = commits.iter().map(|commit| scope.spawn(|| moves(commit))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let tip = ground.repository.branch_tip("provost/d-1").unwrap().unwrap();
    assert_eq!(ends.iter().filter(|end| **end == Moved::Done).count(), 1);
    assert_eq!(ends.iter().filter(|end| **end == Moved::Elsewhere(tip.clone())).count(), 5);
}

#[test]
fn a_lock_that_a_killed_git_left_is_removed() {
    let ground = Ground::new();
    let (first, _) = commits(&ground);
    ground.repository.create_branch("provost/d-1", &ground.head).unwrap();
    File::create(ground.root().join(".git/refs/heads/provost/d-1.lock")).unwrap();
    let moved = ground.repository.move_branch("provost/d-1", &ground.head, &first).unwrap();
    assert_eq!(moved, Moved::Done);
}

#[test]
fn a_commit_is_found_by_its_effect() {
    let ground = Ground::new();
    let worktree = ground.worktree();
    write(&worktree.path.join("new"), "new\n");
    let commit = ground.commit_of(&worktree);
    let find = || ground.repository.find_effect(&effect(7), author().time).unwrap();
    assert_eq!(find(), []);
    ground.repository.create_branch("provost/d-1", &ground.head).unwrap();
    ground.repository.move_branch("provost/d-1", &ground.head, &commit).unwrap();
    let tree = ground.repository.tree_of(&commit).unwrap();
    let found = find();
    assert_eq!(found.len(), 1);
    assert!(found[0].commit == commit && found[0].is(&tree, &ground.head));
    assert!(!found[0].is(&tree, &commit));
    // Moved away, it is still in the reflog; another effect, or one with more digits, is not it.
    ground.repository.move_branch("provost/d-1", &commit, &ground.head).unwrap();
    assert_eq!(find(), found);
    for other in [70, 1] {
        assert_eq!(ground.repository.find_effect(&effect(other), Timestamp::EPOCH).unwrap(), []);
    }
}

#[test]
fn a_mark_in_a_text_is_not_a_trailer_and_a_kept_commit_is_found() {
    let ground = Ground::new();
    let tree = ground.repository.tree_of(&ground.head).unwrap();
    let message = "quotes\n\nProvost-Effect: p-1/7\n\nand goes on";
    let new = NewCommit { tree: &tree, parent: &ground.head, message, marks: None, author: &author() };
    let quoting = ground.repository.commit(new).unwrap();
    ground.repository.keep("d-1/T1", &quoting).unwrap();
    assert_eq!(ground.repository.find_effect(&effect(7), Timestamp::EPOCH).unwrap(), []);
    let real = ground.commit(&tree, &ground.head);
    ground.repository.keep("d-1/T1", &real).unwrap();
    let found = ground.repository.find_effect(&effect(7), author().time).unwrap();
    assert_eq!(found.iter().map(|it| &it.commit).collect::<Vec<_>>(), [&real]);
}

#[test]
fn branches_of_ended_deliveries_are_deleted_when_their_work_is_elsewhere() {
    let ground = Ground::new();
    let (first, second) = commits(&ground);
    for (name, at) in [
        ("provost/d-1", &ground.head),
        ("provost/d-2", &first),
        ("provost/d-3", &ground.head),
        ("provost/salvage/d-1/T1-1", &second),
    ] {
        ground.repository.create_branch(name, at).unwrap();
    }
    let ended = BTreeMap::from(["d-1", "d-2"].map(|id| (id.to_owned(), Ended::default())));
    let pruned = ground.repository.prune_references(&ended, false).unwrap();
    assert_eq!(pruned.branches, [("provost/d-1".to_owned(), ground.head.clone())]);
    assert_eq!(pruned.kept, ["provost/d-2", "provost/salvage/d-1/T1-1"]);
    let pruned = ground.repository.prune_references(&ended, true).unwrap();
    let names: Vec<&str> = pruned.branches.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["provost/d-2", "provost/salvage/d-1/T1-1"]);
    assert_eq!(ground.repository.branch_tip("provost/d-3").unwrap(), Some(ground.head.clone()));
}

#[test]
fn what_was_kept_and_salvaged_of_a_task_goes_once_it_landed_where_somebody_holds_it() {
    let ground = Ground::new();
    let (first, second) = commits(&ground);
    ground.repository.create_branch("provost/salvage/d-1/T1-1.2", &second).unwrap();
    ground.repository.create_branch("provost/salvage/d-1/T2-1", &second).unwrap();
    for name in ["d-1/T1", "d-1/T2", "d-2/T1"] {
        ground.repository.keep(name, &second).unwrap();
    }
    let landed = Ended { tip: Some(first.clone()), landed: ["T1".to_owned()].into() };
    let ended = BTreeMap::from([("d-1".to_owned(), landed)]);
    // The branch that it landed on is gone, and nothing else has the work.
    let kept = ground.repository.prunable_references(&ended, false).unwrap();
    assert_eq!((kept.branches.len(), kept.measured.len(), kept.kept.len()), (0, 0, 4));
    ground.repository.create_branch("provost/d-1", &first).unwrap();
    let pruned = ground.repository.prune_references(&ended, false).unwrap();
    assert_eq!(pruned.branches, [("provost/salvage/d-1/T1-1.2".to_owned(), second.clone())]);
    assert_eq!(pruned.measured, [("refs/provost/d-1/T1".to_owned(), second)]);
    assert_eq!(pruned.kept, ["provost/d-1", "provost/salvage/d-1/T2-1", "refs/provost/d-1/T2"]);
    let left = ground.git(&["for-each-ref", "--format=%(refname)", "refs/provost/"]);
    assert_eq!(left, "refs/provost/d-1/T2\nrefs/provost/d-2/T1\n");
}
