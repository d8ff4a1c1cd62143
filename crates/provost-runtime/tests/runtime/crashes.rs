//! Every way a short run can be cut off: each call, each legal state of the disk, over one opening and over
//! several with a process crash between them.

use crate::cuts::Dice;
use crate::disk::{Kind, Model, Plan, Site, World};
use crate::history::{Process, Shared, Step, examine};

const SEED: u64 = 0x5eed_0001;

/// Batches of several sizes, a sealed segment, a second opening, two artifacts in one folder and in another.
pub(crate) const LONG: &[Step] = &[
    Step::Turn(&["init"]),
    Step::Put(b"the first artifact"),
    Step::Turn(&["a", "b", "c"]),
    Step::Turn(&["d"]),
    Step::Turn(&["e"]),
    Step::Turn(&["f", "g"]),
    Step::Reopen,
    Step::Turn(&["a", "h"]),
    Step::Put(b"the second artifact"),
    Step::Turn(&["i"]),
];

/// What each of several processes does; requests that an earlier one made are asked again.
pub(crate) const SHORT: [&[Step]; 3] = [
    &[Step::Turn(&["init", "a"]), Step::Turn(&["b", "c", "d"]), Step::Turn(&["e"])],
    &[Step::Turn(&["init", "b", "c", "d"]), Step::Turn(&["f"]), Step::Turn(&["g", "h"])],
    &[Step::Turn(&["init", "c", "f"]), Step::Turn(&["k"])],
];

/// A batch of more sectors than can be combined in all ways.
const WIDE: &[Step] = &[
    Step::Turn(&["init", "a"]),
    Step::Turn(&["b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"]),
    Step::Turn(&["n"]),
];

/// What was visited, and the first broken promise.
#[derive(Debug, Default)]
pub(crate) struct Visited {
    pub(crate) points: usize,
    pub(crate) states: usize,
    pub(crate) broken: Option<String>,
}

/// How a search is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    /// A place whose flushes are ignored.
    pub(crate) deaf: Option<Site>,
    /// How many bytes of a write that is under way reach the cache.
    pub(crate) parts: &'static [usize],
    /// Whether to end at the first broken promise.
    pub(crate) first_only: bool,
}

pub(crate) const FULL: Search = Search {
    deaf: None,
    parts: &[0, 1, 100, 511, 512, 513, 600, 700, 1024, 1100, 1300, 1536, usize::MAX],
    first_only: false,
};

impl Search {
    /// Runs `scripts` one after the other, each in a process that ends at every call, and cuts the power.
    pub(crate) fn run(&self, scripts: &[&[Step]], visited: &mut Visited) {
        self.descend(&World::default(), &Shared::default(), scripts, visited);
    }

    fn descend(&self, world: &World, history: &Shared, scripts: &[&[Step]], visited: &mut Visited) {
        let Some((script, rest)) = scripts.split_first() else { return };
        for at in 1.. {
            let mut is_write = false;
            for (index, part) in self.parts.iter().enumerate() {
                if index > 0 && !is_write {
                    break;
                }
                if self.first_only && visited.broken.is_some() {
                    return;
                }
                let model = Model::new(world.clone());
                model.ignore(self.deaf);
                model.plan(Plan::Stop { at, part: *part });
                let history = Shared::new(history.borrow().clone().into());
                let mut process = Process::new(&model, &history);
                let finished = process.play(script, 1);
                is_write =
                    model.log().last().is_some_and(|call| call.kind == Kind::Write) && model.has_stopped();
                if let Some(broken) = process.broken.take() {
                    visited.broken.get_or_insert(format!("call {at}: {broken}"));
                }
                drop(process);
                visited.points += 1;
                let place = format!("{} left, call {at}, part {part}", rest.len());
                self.cut(&model, &history, &place, visited);
                self.descend(&model.world().clone(), &history, rest, visited);
                if !model.has_stopped() {
                    if !finished {
                        visited.broken.get_or_insert(format!("{place}: not done"));
                    }
                    return;
                }
            }
        }
    }

    fn cut(&self, model: &Model, history: &Shared, place: &str, visited: &mut Visited) {
        let mut dice = Dice(SEED ^ visited.points as u64);
        for world in model.world().cuts(&mut dice) {
            if self.first_only && visited.broken.is_some() {
                return;
            }
            visited.states += 1;
            if let Err(why) = examine(world, &history.borrow()) {
                visited.broken.get_or_insert(format!("{place}: {why}"));
            }
        }
    }
}

fn check(name: &str, search: Search, scripts: &[&[Step]], at_least: usize) {
    let mut visited = Visited::default();
    search.run(scripts, &mut visited);
    println!("{name}: {} points, {} states, seed {SEED:#x}", visited.points, visited.states);
    assert_eq!(visited.broken, None, "{name}");
    assert!(visited.states >= at_least, "{name}: {visited:?}");
}

#[test]
fn a_power_cut_at_any_call_loses_nothing() {
    check("one opening and a second", FULL, &[LONG], 1_000);
}

#[test]
fn a_power_cut_in_a_wide_batch_loses_nothing() {
    check("a wide batch", FULL, &[WIDE], 400);
    check(
        "a wide batch and a second process",
        Search { parts: &[0, 3000], ..FULL },
        &[WIDE, SHORT[2]],
        2_000,
    );
}

#[test]
fn a_crash_and_then_a_power_cut_lose_nothing() {
    check("two processes", FULL, &SHORT[..2], 20_000);
}

#[test]
fn two_crashes_and_then_a_power_cut_lose_nothing() {
    let search = Search { parts: &[0, 1, 600, 1100], ..FULL };
    check("three processes", search, &SHORT, 100_000);
}
