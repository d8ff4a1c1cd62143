//! Every call fails once, several times and for ever: no false acknowledgement, nothing acknowledged is lost, and
//! writing goes on when the fault is over.

use crate::crashes::{LONG, SHORT};
use crate::cuts::Dice;
use crate::disk::{Model, Plan, Trouble, Which, World};
use crate::history::{Process, Shared, Step, examine};

const SEED: u64 = 0x5eed_0002;

/// Plays the long script under a plan, heals the disk, and goes on in the same process. Returns the calls that
/// were counted, those that failed, and the crash states visited afterwards.
fn survive(plan: Plan) -> (u64, u64, usize) {
    let model = Model::new(World::default());
    let history = Shared::default();
    let mut process = Process::new(&model, &history);
    model.plan(plan);
    let finished = process.play(LONG, 9);
    let (counted, fired) = (model.counted(), model.fired());
    if !matches!(plan, Plan::Fail { times: 100.., .. }) {
        assert!(finished, "{plan:?}: the fault was over and writing did not go on");
    }
    assert_eq!(process.broken, None, "{plan:?}");
    let mut states = 0;
    let mut judge = |process: &Process| {
        for world in process.model.world().cuts(&mut Dice(SEED)) {
            states += 1;
            assert_eq!(examine(world, &process.history.borrow()), Ok(()), "{plan:?}");
        }
    };
    judge(&process);
    model.plan(Plan::Sound);
    assert!(process.play(LONG, 1), "{plan:?}: the disk is sound again and writing does not go on");
    assert!(process.play(&[Step::Turn(&["y", "z"])], 1), "{plan:?}");
    assert_eq!(process.broken, None, "{plan:?}");
    judge(&process);
    drop(process.driver.take());
    judge(&process);
    (counted, fired, states)
}

fn every_call(which: Which, error: Trouble, times: u64) {
    let (sound, _, _) = survive(Plan::Fail { from: u64::MAX, times: 0, error, which });
    let mut states = 0;
    for from in 1..=sound {
        let (_, fired, visited) = survive(Plan::Fail { from, times, error, which });
        assert!(fired > 0, "call {from} did not fail");
        states += visited;
    }
    println!("{which:?} {error:?} × {times}: {sound} calls, {states} states, seed {SEED:#x}");
}

#[test]
fn every_call_fails_once() {
    for error in [Trouble::Io, Trouble::Full, Trouble::Short] {
        every_call(Which::Every, error, 1);
    }
}

#[test]
fn every_call_fails_for_ever() {
    for error in [Trouble::Io, Trouble::Full, Trouble::Short] {
        every_call(Which::Every, error, u64::MAX);
    }
}

#[test]
fn every_flush_fails_again_and_again() {
    for times in [1, 2, 3, 4] {
        every_call(Which::Syncs, Trouble::Io, times);
    }
}

#[test]
fn several_calls_in_a_row_fail() {
    for times in [2, 3, 7] {
        every_call(Which::Every, Trouble::Io, times);
        every_call(Which::Every, Trouble::Short, times);
    }
}

/// A flush fails, the process goes on and ends somewhere, and a second one does the same.
#[test]
fn a_flush_fails_and_then_the_process_ends() {
    let mut states = 0;
    for (first, second) in [(3, 1), (4, 1), (4, 2), (5, 1), (5, 2)] {
        for (one, two) in (4..40).flat_map(|one| [6, 8, 9, 10, 11, 14, 40].map(|two| (one, two))) {
            let model = Model::new(World::default());
            let history = Shared::default();
            model.plan(Plan::FailAndStop { sync: first, at: one });
            Process::new(&model, &history).play(SHORT[0], 2);
            let model = Model::new(model.world().clone());
            model.plan(Plan::FailAndStop { sync: second, at: two });
            let mut process = Process::new(&model, &history);
            process.play(SHORT[1], 2);
            assert_eq!(process.broken, None, "flushes {first} and {second}, calls {one} and {two}");
            for world in model.world().cuts(&mut Dice(SEED)) {
                states += 1;
                let judged = examine(world, &history.borrow());
                assert_eq!(judged, Ok(()), "flushes {first} and {second}, calls {one} and {two}");
            }
        }
    }
    println!("failed flushes and crashes: {states} states, seed {SEED:#x}");
    assert!(states > 2_000);
}
