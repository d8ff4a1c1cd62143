//! Nothing was started before the record that asked for it was durable.

use crate::world::World;

pub(crate) fn check(world: &World, run: &str) {
    assert!(world.premature.is_empty(), "{run}: started too early: {:?}", world.premature);
}
