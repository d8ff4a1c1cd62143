//! Once faults are past, everything that was asked comes to an end: deliveries end, or rest where people have left.

use provost_core::decider::Decider as _;

use crate::world::World;

pub(crate) fn check(world: &World, run: &str) {
    assert!(world.live.due().is_empty(), "{run}: still due");
    assert!(world.unanswered.is_empty(), "{run}: no answer to {:?}", world.unanswered);
    let boards = &world.live.deliveries.boards;
    assert!(!boards.is_empty(), "{run}: nothing was delivered");
    for (id, board) in boards {
        let rests = world.plan.people_leave.is_some() && board.rests();
        assert!(rests || board.has_ended(), "{run}: {id} is {:?}", board.course);
        let holds = board.tasks.iter().find(|(_, task)| task.slot && !rests);
        assert_eq!(holds.map(|(task, _)| task), None, "{run}: {id} keeps a slot");
    }
}
