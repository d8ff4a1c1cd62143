//! An effect that leaves a trace leaves one, however often its process ended; one that cannot be repeated
//! is not; and none ran twice at once.

use crate::errands::{Kind, Status};
use crate::world::World;

pub(crate) fn check(world: &World, run: &str) {
    assert!(world.doubled.is_empty(), "{run}: ran twice at once: {:?}", world.doubled);
    assert!(world.repeated.is_empty(), "{run}: repeated unseen: {:?}", world.repeated);
    for (errand, it) in &world.state.all {
        if it.kind == Kind::Probe && it.status == Status::Done {
            let effect = it.last_effect.unwrap();
            assert_eq!(world.traces.get(&effect), Some(&1), "{run}: errand {errand}, {effect}");
        }
    }
}
