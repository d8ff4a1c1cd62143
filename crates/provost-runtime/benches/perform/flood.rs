//! Fifty agents that write as fast as they can, and what the coordinator uses meanwhile: its own processor time and
//! memory. The supervisors are processes of their own and are not counted; that output does not pass through the
//! coordinator is what is measured.

use std::fs;
use std::io::{self, Write as _};
use std::thread;
use std::time::{Duration, Instant};

use provost_core::delivery::Outcome;
use provost_core::role::Role;
use provost_runtime::walls::Force;

use crate::ratio::{Measured, counted};
use crate::stage::{Scene, Stage};

const AGENTS: u32 = 50;
const WATCHED: Duration = Duration::from_secs(5);

/// The most of one processor that the coordinator may use.
const SHARE_MAX: f64 = 0.05;

/// The most memory that the coordinator may have had, in MiB.
const MEMORY_MAX_MIB: f64 = 64.0;

/// How many ticks of processor time a second has; the same on every Linux that shows them in `/proc`.
const TICKS: f64 = 100.0;

pub(crate) fn measure() -> Vec<Measured> {
    let scene = Scene {
        performed: Role::Developer,
        critic: Outcome::Failed { feedback: "not yet".to_owned() },
        force: Force::Nothing(String::new()),
    };
    let mut stage = Stage::new(&scene, &["flood", "{bell}"], AGENTS);
    stage.deliver(AGENTS as usize);
    for _ in 0..AGENTS {
        stage.bell.wait();
    }
    let (begin, before) = (Instant::now(), processor_s());
    thread::sleep(WATCHED);
    let share = (processor_s() - before) / begin.elapsed().as_secs_f64();
    vec![
        counted("coordinator's share of one core, 50 agents flooding", SHARE_MAX, share),
        counted("coordinator's largest memory, MiB", MEMORY_MAX_MIB, memory_mib()),
    ]
}

/// Writes until nobody takes it any more.
pub(crate) fn pour(bell: &str) {
    crate::bell::ring(bell);
    let line = "the same line again and again, as a program does that went wrong\n".repeat(100);
    while io::stdout().write_all(line.as_bytes()).is_ok() {}
}

/// Processor time of all threads of this process; that of the processes that it started is not in it.
fn processor_s() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let fields = stat.rsplit(')').next().unwrap().split_whitespace();
    fields.skip(11).take(2).map(|ticks| ticks.parse::<f64>().unwrap() / TICKS).sum()
}

/// The largest resident size that this process has had.
fn memory_mib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}
