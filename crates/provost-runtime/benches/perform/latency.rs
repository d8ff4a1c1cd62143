//! From a report that is handed to the driver to the next agent's process, in flushes of the same disk.
//!
//! A flush is 4 KiB appended to a file beside the journal and brought to the disk. Floors are medians: a slow moment of
//! the disk is one of the time that is measured, and does not excuse it. A process says its first word when
//! its loader and its own beginning are done; what it has used of a processor until then is its own and is taken off, so
//! that too little is taken off rather than too much: whatever it waited for stays. The same program, started just before
//! by nobody's supervisor and without a record, is the floor for a process. Until its first word the times stand beside
//! those of the bare one.
//!
//! What lies between: the decision, the batch with the report and the dispatch, its flush, the worktree, the prompt, and
//! a process that starts another. Where the agent is to judge, or to begin a new task, git brings a worktree to a commit
//! first; such turns are measured apart. So are those within the best walls that this machine can build: the process is
//! the same from their first step to the agent's first word, so that only the latter says anything.

use std::time::Duration;

use provost_core::delivery::Outcome;
use provost_core::role::Role;
use provost_runtime::walls::{Force, Sandbox, Strength};

use crate::ratio::{Measured, Target, timed};
use crate::stage::{Floors, Scene, Stage, Times};

/// Enough for a 99th percentile that a few bad moments of the machine do not make.
const SAMPLES: usize = 1_000;

/// Walls take longer than all else together, and vary less.
const SAMPLES_OF_WALLS: usize = 200;

/// Enough for a median.
const SAMPLES_OF_GIT: usize = 25;

/// The most flushes from a report to the next agent.
const TARGET: Target = Target::Times(5.0);

pub(crate) fn measure() -> Vec<Measured> {
    let (flush, bare) = (|floors: &Floors| floors.flush, |floors: &Floors| floors.speaking);
    let objects = Outcome::Failed { feedback: "not yet".to_owned() };
    let passes = Outcome::Passed { summary: String::new() };
    let open = Force::Nothing(String::new());
    let rework = Scene { performed: Role::Developer, critic: objects, force: open.clone() };
    let audit = turns(&Scene { performed: Role::Auditor, critic: passes, force: open }, SAMPLES_OF_GIT);
    let force = Strength::of_this_machine().force(Sandbox::Prefer).unwrap();
    let walled = turns(&Scene { force, ..rework.clone() }, SAMPLES_OF_WALLS);
    let new = new_tasks(&rework);
    let rework = turns(&rework, SAMPLES);
    let (there, speaking) = (|it: &Sample| it.there, |it: &Sample| it.speaking);
    let shown = Target::Shown;
    vec![
        percentile("report to agent's process, in flushes: median", 0.5, shown, (flush, there), &rework),
        percentile("report to agent's process, in flushes: p99", 0.99, TARGET, (flush, there), &rework),
        percentile(
            "bare agent's process, in flushes: median",
            0.5,
            shown,
            (flush, |it| it.floors.there),
            &rework,
        ),
        percentile(
            "bare agent's process, in flushes: p99",
            0.99,
            shown,
            (flush, |it| it.floors.there),
            &rework,
        ),
        percentile("report to first word, in bare starts: median", 0.5, shown, (bare, speaking), &rework),
        percentile("report to first word, in bare starts: p99", 0.99, shown, (bare, speaking), &rework),
        percentile("same within walls, in bare starts: median", 0.5, shown, (bare, speaking), &walled),
        percentile("same within walls, in bare starts: p99", 0.99, shown, (bare, speaking), &walled),
        percentile("report to auditor's process, after git: median", 0.5, shown, (flush, there), &audit),
        percentile("report to new task's process, after git: median", 0.5, shown, (flush, there), &new),
    ]
}

/// Floors, and times from report to agent.
struct Sample {
    floors: Floors,
    there: Duration,
    speaking: Duration,
}

type Samples = Vec<Sample>;
type OfFloors = fn(&Floors) -> Duration;
type OfSample = fn(&Sample) -> Duration;

/// One task whose turns follow each other in one worktree.
fn turns(scene: &Scene, samples: usize) -> Samples {
    let mut stage = Stage::new(scene, &["agent", "{bell}", "{role}", "{task}"], 1);
    stage.deliver(1);
    // The first one makes the worktree.
    stage.bell.wait();
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

fn sample(stage: &Stage) -> Sample {
    loop {
        let rung = stage.bell.wait();
        let Times { handed, floors } = *stage.times.lock().unwrap();
        // Whoever looks too late finds the times of the next report; those are nobody's sample.
        if let (Some(there), Some(speaking)) =
            (rung.there.checked_sub(handed), rung.speaking.checked_sub(handed))
        {
            return Sample { floors, there, speaking };
        }
    }
}

/// A percentile of a time, beside what a floor usually is.
fn percentile(
    name: &'static str,
    part: f64,
    target: Target,
    (floor, time): (OfFloors, OfSample),
    samples: &Samples,
) -> Measured {
    let floors = samples.iter().map(|sample| floor(&sample.floors)).collect();
    timed(name, target, at(0.5, floors), at(part, samples.iter().map(time).collect()))
}

fn at(part: f64, mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is within the list")]
    let place = ((times.len() as f64 * part) as usize).min(times.len() - 1);
    times.swap_remove(place)
}
