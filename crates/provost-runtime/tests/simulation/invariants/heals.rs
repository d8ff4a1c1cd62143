//! Once faults are past, everything that was asked comes to an end.

use provost_core::decider::Decider as _;

use crate::errands::Status;
use crate::world::World;

pub(crate) fn check(world: &World, run: &str) {
    assert!(world.state.due().is_empty(), "{run}: still due");
    let open = world.state.all.iter().find(|(_, it)| it.status == Status::Open);
    assert_eq!(open, None, "{run}");
    for errand in 0..6 {
        assert!(world.state.all.contains_key(&errand), "{run}: errand {errand} was never asked");
        assert!(world.acknowledged.contains_key(&format!("ask-{errand}")), "{run}: {errand} got no answer");
    }
}
