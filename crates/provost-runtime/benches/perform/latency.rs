//! From a report that is handed to the driver to the next agent's own first instructions, in flushes of the same disk.
//!
//! A flush is 4 KiB appended to a file beside the journal and brought to the disk. Starting any program costs what it
//! costs, however fast the disk is: the same times stand beside that of the bare agent, and beside a bare exec.
//!
//! What lies between: the decision, the batch with the report and the dispatch, the worktree, the prompt as an
//! artifact, the record that the turn begins, and two processes, the supervisor and the agent. Where the agent is to
//! judge, or to begin a new task, git brings a worktree to a commit first; such turns are measured apart.

use std::time::Duration;

use provost_core::delivery::Outcome;
use provost_core::role::Role;

use crate::ratio::{Measured, Target, timed};
use crate::stage::{Floors, Scene, Stage};

/// Enough for a 99th percentile that is not the worst case.
const SAMPLES: usize = 200;

/// Enough for a median.
const SAMPLES_OF_GIT: usize = 25;

/// The most flushes from a report to the next agent.
const TARGET: Target = Target::Times(5.0);

pub(crate) fn measure() -> Vec<Measured> {
    let flush = |floors: &Floors| floors.flush;
    let objects = Outcome::Failed { feedback: "not yet".to_owned() };
    let passes = Outcome::Passed { summary: String::new() };
    let rework = turns(&Scene { performed: Role::Developer, critic: objects.clone() }, SAMPLES);
    let audit = turns(&Scene { performed: Role::Auditor, critic: passes }, SAMPLES_OF_GIT);
    let new = new_tasks(&Scene { performed: Role::Developer, critic: objects });
    vec![
        percentile("report to next agent, in flushes: median", 0.5, TARGET, flush, &rework),
        percentile("report to next agent, in flushes: p99", 0.99, TARGET, flush, &rework),
        percentile("  in flushes in place: median", 0.5, Target::Shown, |it| it.flush_in_place, &rework),
        percentile("  in flushes in place: p99", 0.99, Target::Shown, |it| it.flush_in_place, &rework),
        percentile("  in starts of the bare agent: median", 0.5, Target::Shown, |it| it.bare, &rework),
        percentile("  in starts of the bare agent: p99", 0.99, Target::Shown, |it| it.bare, &rework),
        percentile("  in bare execs of /bin/true: median", 0.5, Target::Shown, |it| it.exec, &rework),
        percentile("  in bare execs of /bin/true: p99", 0.99, Target::Shown, |it| it.exec, &rework),
        of_floors("bare agent, in flushes: median", 0.5, &rework),
        of_floors("bare agent, in flushes: p99", 0.99, &rework),
        percentile("report to auditor, after git: median", 0.5, Target::Shown, flush, &audit),
        percentile("report to new task's agent, after git: median", 0.5, Target::Shown, flush, &new),
    ]
}

/// Floors and times from report to agent.
type Samples = Vec<(Floors, Duration)>;

/// One task whose turns follow each other in one worktree.
fn turns(scene: &Scene, samples: usize) -> Samples {
    let mut stage = Stage::new(scene, &["agent", "{bell}", "{role}", "{task}"], 1);
    stage.deliver(1);
    // The first one makes the worktree.
    stage.arrival();
    (0..samples).map(|_| sample(&stage)).collect()
}

/// Deliveries of one task each, of which only the first turn counts.
fn new_tasks(scene: &Scene) -> Samples {
    (0..SAMPLES_OF_GIT)
        .map(|_| {
            let mut stage = Stage::new(scene, &["agent", "{bell}", "{role}", "{task}"], 1);
            stage.deliver(1);
            sample(&stage)
        })
        .collect()
}

fn sample(stage: &Stage) -> (Floors, Duration) {
    let arrived = stage.arrival();
    let times = *stage.times.lock().unwrap();
    (times.floors, arrived - times.handed)
}

/// A percentile of the times, beside the same percentile of a floor.
fn percentile(
    name: &'static str,
    part: f64,
    target: Target,
    floor: impl Fn(&Floors) -> Duration,
    samples: &Samples,
) -> Measured {
    let floors = samples.iter().map(|(floors, _)| floor(floors)).collect();
    timed(name, target, at(part, floors), at(part, samples.iter().map(|(_, time)| *time).collect()))
}

/// A percentile of starting the bare agent, beside the same percentile of a flush: what no record could make less.
fn of_floors(name: &'static str, part: f64, samples: &Samples) -> Measured {
    let all = |floor: fn(&Floors) -> Duration| samples.iter().map(|(floors, _)| floor(floors)).collect();
    timed(name, Target::Shown, at(part, all(|it| it.flush)), at(part, all(|it| it.bare)))
}

fn at(part: f64, mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is within the list")]
    let place = ((times.len() as f64 * part) as usize).min(times.len() - 1);
    times.swap_remove(place)
}
