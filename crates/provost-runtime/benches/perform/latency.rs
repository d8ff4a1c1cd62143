//! From a report that is handed to the driver to the next agent's own first instruction, in flushes of the same disk.
//!
//! What lies between: the decision, the batch with the report and the dispatch, the worktree, the prompt as an
//! artifact, the record that the turn begins, and two processes, the supervisor and the agent. Where the agent is to
//! judge, or to begin a new task, git brings a worktree to a commit first; such turns are measured apart.

use std::time::Duration;

use provost_core::delivery::Outcome;
use provost_core::role::Role;

use crate::ratio::{Measured, Target, timed};
use crate::stage::{Scene, Stage};

/// Enough for a 99th percentile that is not the worst case.
const SAMPLES: usize = 200;

/// Enough for a median.
const SAMPLES_OF_GIT: usize = 25;

/// The most flushes from a report to the next agent.
const TARGET: Target = Target::Times(5.0);

pub(crate) fn measure() -> Vec<Measured> {
    let objects = Outcome::Failed { feedback: "not yet".to_owned() };
    let passes = Outcome::Passed { summary: String::new() };
    let rework = turns(&Scene { performed: Role::Developer, critic: objects.clone() }, SAMPLES);
    let audit = turns(&Scene { performed: Role::Auditor, critic: passes }, SAMPLES_OF_GIT);
    let new = new_tasks(&Scene { performed: Role::Developer, critic: objects });
    vec![
        percentile("report to next agent, same worktree: median", 0.5, TARGET, &rework),
        percentile("report to next agent, same worktree: p99", 0.99, TARGET, &rework),
        percentile("report to auditor, after git: median", 0.5, Target::Shown, &audit),
        percentile("report to new task's agent, after git: median", 0.5, Target::Shown, &new),
    ]
}

/// Flushes and times from report to agent.
type Samples = Vec<(Duration, Duration)>;

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

fn sample(stage: &Stage) -> (Duration, Duration) {
    let arrived = stage.arrival();
    let times = *stage.times.lock().unwrap();
    (times.flush, arrived - times.handed)
}

/// A percentile of the times, beside the same percentile of the flushes.
fn percentile(name: &'static str, part: f64, target: Target, samples: &Samples) -> Measured {
    let at = |mut times: Vec<Duration>| {
        times.sort_unstable();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is within the list")]
        let place = ((times.len() as f64 * part) as usize).min(times.len() - 1);
        times.swap_remove(place)
    };
    let (flushes, works): (Vec<_>, Vec<_>) = samples.iter().copied().unzip();
    timed(name, target, at(flushes), at(works))
}
