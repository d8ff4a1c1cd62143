//! A seeded simulation of whole deliveries: the real driver and the real rules over a memory journal, virtual time,
//! scripted effects and people, and faults at any append. The same seed gives the same journal, byte for byte.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod found;
mod invariants;
mod people;
mod performers;
mod plan;
mod random;
mod watch;
mod world;

// What holds of every step, and which rows there are to take, is said once, where the rules are tested.
#[path = "../../../provost-core/tests/delivery/rows.rs"]
mod rows;
#[path = "../../../provost-core/tests/delivery/invariants.rs"]
mod steps;

use plan::{FATES, Fault, Plan};
use provost_core::digest::Digest;
use provost_runtime::journal::Fate;
use world::World;

/// How many seeds a plain run takes.
const SEEDS: u64 = 200;

#[test]
fn the_same_seed_gives_the_same_journal() {
    for seed in 0..20 {
        let runs = [(); 2].map(|()| Digest::of(&World::run(Plan::of(seed)).medium.bytes()));
        assert_eq!(runs[0], runs[1], "seed {seed}");
    }
}

#[test]
fn every_seed_ends_well_and_together_they_take_every_row() {
    let (mut rows, mut seen) = (rows::Rows::default(), world::Seen::default());
    for seed in 0..SEEDS {
        let world = World::run(Plan::of(seed));
        invariants::check(&world);
        rows.add(&world.watch.rows);
        seen.add(&world.seen);
    }
    rows.assert_complete();
    assert_eq!(seen.missing(), Vec::<&str>::new());
}

#[test]
fn nothing_breaks_and_everything_ends_with_a_fault_at_any_append() {
    let mut crashes = 0;
    for seed in 0..4 {
        let appends = World::run(Plan::small(seed, &[])).medium.appends();
        for append in 1..=appends {
            for fate in FATES {
                for ends in [true, false] {
                    let world = World::run(Plan::small(seed, &[Fault { append, fate, ends }]));
                    invariants::check(&world);
                    crashes += world.crashes;
                }
            }
        }
    }
    assert!(crashes > 500, "only {crashes} crashes happened");
}

#[test]
fn nothing_breaks_and_everything_ends_with_a_second_fault_soon_after_the_first() {
    for seed in 0..4 {
        let appends = World::run(Plan::small(seed, &[])).medium.appends();
        for append in 1..=appends {
            for soon in 1..=3 {
                let first = Fault { append, fate: Fate::Kept, ends: true };
                let second = Fault { append: soon, fate: Fate::Lost, ends: false };
                invariants::check(&World::run(Plan::small(seed, &[first, second])));
            }
        }
    }
}
