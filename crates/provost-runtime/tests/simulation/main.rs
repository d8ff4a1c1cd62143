//! A seeded simulation of the driver: real turns over a memory journal, virtual time, scripted effects, and a
//! crash at any append. The same seed gives the same journal, byte for byte.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod errands;
mod invariants;
mod world;

use provost_core::digest::Digest;
use provost_runtime::journal::Fate;
use world::{Fault, Plan, World};

/// How many seeds a plain run takes.
const SEEDS: u64 = 200;

#[test]
fn the_same_seed_gives_the_same_journal() {
    for seed in 0..20 {
        let plan = Plan { seed, fault: Some(Fault { append: seed % 7 + 1, fate: Fate::Torn, ends: true }) };
        let runs = [World::run(plan), World::run(plan)].map(|world| Digest::of(&world.medium.bytes()));
        assert_eq!(runs[0], runs[1], "seed {seed}");
    }
}

#[test]
fn nothing_breaks_and_everything_ends_without_crashes() {
    for seed in 0..SEEDS {
        let world = World::run(Plan { seed, fault: None });
        invariants::check(&world, &format!("seed {seed}"));
    }
}

#[test]
fn nothing_breaks_and_everything_ends_with_a_fault_at_any_append() {
    let mut crashes = 0;
    for seed in 0..12 {
        let appends = World::run(Plan { seed, fault: None }).medium.appends();
        for append in 1..=appends {
            for fate in [Fate::Lost, Fate::Torn, Fate::Kept] {
                for ends in [true, false] {
                    let fault = Fault { append, fate, ends };
                    let world = World::run(Plan { seed, fault: Some(fault) });
                    invariants::check(&world, &format!("seed {seed}, {fault:?}"));
                    crashes += world.crashes;
                }
            }
        }
    }
    assert!(crashes > 500, "only {crashes} crashes happened");
}

#[test]
fn every_kind_of_thing_happens() {
    let mut seen = world::Seen::default();
    for seed in 0..SEEDS {
        let fate = if seed % 2 == 0 { Fate::Kept } else { Fate::Lost };
        let fault = Some(Fault { append: seed % 40 + 1, fate, ends: true });
        seen.add(&World::run(Plan { seed, fault }).seen);
    }
    assert_eq!(seen.missing(), Vec::<&str>::new());
}
