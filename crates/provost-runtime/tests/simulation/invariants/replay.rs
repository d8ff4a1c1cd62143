//! The record, read again, gives the state that was live.

use provost_core::state::State;
use provost_runtime::driver::{Driver, Identity, Performing};
use provost_runtime::journal::MemoryJournal;

use crate::world::World;

pub(crate) fn check(world: &World, run: &str) {
    let identity = Identity { session_id: "reader".to_owned(), holder: "reader".to_owned() };
    let journal = MemoryJournal::new(world.medium.clone());
    let driver: Driver<State, _> = Driver::open(journal, identity, Performing::No).unwrap();
    assert_eq!(driver.state(), &world.live, "{run}");
}
