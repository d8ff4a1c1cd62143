//! An effect that leaves a trace leaves one, however often its process ended; a turn is not begun again;
//! none ran twice at once; and what a delivery says has landed is what is on its branch, once.

use std::collections::BTreeSet;

use provost_core::delivery::Course;

use crate::world::World;

pub(crate) fn check(world: &World, run: &str) {
    assert!(world.doubled.is_empty(), "{run}: ran twice at once: {:?}", world.doubled);
    assert!(world.repeated.is_empty(), "{run}: repeated unseen: {:?}", world.repeated);
    let twice: Vec<_> = world.ground.traces.iter().filter(|(_, times)| **times != 1).collect();
    assert!(twice.is_empty(), "{run}: done more than once: {twice:?}");
    for (id, board) in &world.live.deliveries.boards {
        let commits = world.ground.branches.get(&board.branch).cloned().unwrap_or_default();
        let own: Vec<&String> = commits.iter().filter(|commit| commit.starts_with("commit-")).collect();
        let landed: BTreeSet<&String> =
            board.tasks.values().filter_map(|task| task.landed.as_ref()).collect();
        let on_branch: BTreeSet<&String> = own.iter().copied().collect();
        assert_eq!(own.len(), on_branch.len(), "{run}: {id} landed something twice");
        // Whoever cancels may do so between a landing and its report.
        let same = if board.course == Course::Cancelled {
            landed.is_subset(&on_branch)
        } else {
            landed == on_branch
        };
        assert!(same, "{run}: {id} says {landed:?}, its branch {on_branch:?}");
    }
}
