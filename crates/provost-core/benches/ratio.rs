//! Measures work against a floor in the same run: a ratio means the same on every machine, microseconds do not.
//!
//! Rounds of floor and work alternate, so a slow moment of the machine hits both; the median ratio is the result.
//! A miss is measured again: a neighbour on the same core can only make the work slower, never faster.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const ROUNDS: usize = 101;
const ATTEMPTS: usize = 5;
const ROUND_MIN: Duration = Duration::from_micros(400);

/// One measurement beside its target.
pub(crate) struct Ratio {
    name: &'static str,
    floor: Duration,
    work: Duration,
    times: f64,
    target: f64,
}

/// Measures how many times the floor the work takes, and remembers how many times it may.
pub(crate) fn ratio<F, W>(
    name: &'static str,
    target: f64,
    mut floor: impl FnMut() -> F,
    mut work: impl FnMut() -> W,
) -> Ratio {
    let repeats = repeats(&mut floor);
    let mut best = Ratio { name, floor: Duration::ZERO, work: Duration::ZERO, times: f64::INFINITY, target };
    for _ in 0..ATTEMPTS {
        let mut rounds: Vec<Ratio> = (0..ROUNDS)
            .map(|_| {
                let (floor, work) = (time(repeats, &mut floor), time(repeats, &mut work));
                let times = work.as_secs_f64() / floor.as_secs_f64();
                Ratio { name, floor: floor / repeats, work: work / repeats, times, target }
            })
            .collect();
        rounds.sort_by(|one, other| one.times.total_cmp(&other.times));
        let median = rounds.swap_remove(ROUNDS / 2);
        if median.times < best.times {
            best = median;
        }
        if best.times <= target {
            break;
        }
    }
    best
}

/// Prints every measurement and fails when one misses its target.
pub(crate) fn report(ratios: &[Ratio]) -> ExitCode {
    println!("{:<44} {:>9} {:>9} {:>7} {:>7}", "name", "floor µs", "work µs", "ratio", "target");
    for Ratio { name, floor, work, times, target } in ratios {
        let (floor, work) = (floor.as_secs_f64() * 1e6, work.as_secs_f64() * 1e6);
        let verdict = if times <= target { "ok" } else { "MISSED" };
        println!("{name:<44} {floor:>9.1} {work:>9.1} {times:>7.2} {target:>7.2} {verdict}");
    }
    if ratios.iter().all(|one| one.times <= one.target) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How often the floor has to run to take long enough for the clock.
fn repeats<F>(floor: &mut impl FnMut() -> F) -> u32 {
    let mut repeats = 1;
    while time(repeats, floor) < ROUND_MIN {
        repeats *= 2;
    }
    repeats
}

fn time<T>(repeats: u32, work: &mut impl FnMut() -> T) -> Duration {
    let begin = Instant::now();
    for _ in 0..repeats {
        black_box(work());
    }
    begin.elapsed()
}
