//! Measures work against a floor in the same run: a ratio means the same on every machine, microseconds do not.
//!
//! Rounds of floor and work alternate, so a slow moment of the machine hits both; the median of the rounds' ratios is
//! the result.

use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What a measurement has to reach.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// The work takes at most this many times the floor's time.
    Times(f64),
    /// The work is done at no less than this share of the floor's rate.
    Rate(f64),
    /// Something counted is at most this.
    Count(f64),
    /// It is only shown, as what it is beside the floor.
    Shown,
}

/// One measurement beside its target.
pub(crate) struct Measured {
    name: &'static str,
    floor: Option<Duration>,
    work: Option<Duration>,
    value: f64,
    target: Target,
}

/// Compares times: each call of `floor` and of `work` does one round and says how long one unit of it took.
pub(crate) fn compare(
    name: &'static str,
    target: Target,
    rounds: usize,
    mut floor: impl FnMut() -> Duration,
    mut work: impl FnMut() -> Duration,
) -> Measured {
    let mut measured: Vec<Measured> = (0..rounds)
        .map(|_| {
            let (floor, work) = (floor(), work());
            let times = work.as_secs_f64() / floor.as_secs_f64();
            let value = if matches!(target, Target::Rate(_)) { 1.0 / times } else { times };
            Measured { name, floor: Some(floor), work: Some(work), value, target }
        })
        .collect();
    measured.sort_by(|one, other| one.value.total_cmp(&other.value));
    measured.swap_remove(rounds / 2)
}

/// Compares two times that were measured in one run.
pub(crate) fn timed(name: &'static str, target: Target, floor: Duration, work: Duration) -> Measured {
    let value = work.as_secs_f64() / floor.as_secs_f64();
    Measured { name, floor: Some(floor), work: Some(work), value, target }
}

/// A figure that was counted, not timed.
pub(crate) fn counted(name: &'static str, most: f64, value: f64) -> Measured {
    Measured { name, floor: None, work: None, value, target: Target::Count(most) }
}

/// Times `repeats` calls and gives the time of one.
pub(crate) fn time<T>(repeats: u32, mut work: impl FnMut() -> T) -> Duration {
    let begin = Instant::now();
    for _ in 0..repeats {
        std::hint::black_box(work());
    }
    begin.elapsed() / repeats
}

/// Prints every measurement beside its target and fails when one misses it.
pub(crate) fn report(measured: &[Measured]) -> ExitCode {
    println!("{:<52} {:>11} {:>11} {:>8}   target", "", "floor µs", "work µs", "measured");
    for one in measured {
        let micros = |time: Option<Duration>| {
            time.map_or_else(String::new, |time| format!("{:.1}", time.as_secs_f64() * 1e6))
        };
        let (text, verdict) = match one.target {
            Target::Times(most) => (format!("≤ {most} times the floor"), one.value <= most),
            Target::Rate(least) => (format!("≥ {least} of its rate"), one.value >= least),
            Target::Count(most) => (format!("≤ {most}"), one.value <= most),
            Target::Shown => ("none".to_owned(), true),
        };
        let verdict = if verdict { "ok" } else { "MISSED" };
        let (floor, work) = (micros(one.floor), micros(one.work));
        println!("{:<52} {floor:>11} {work:>11} {:>8.3}   {text}  {verdict}", one.name, one.value);
    }
    let reached = |one: &Measured| match one.target {
        Target::Times(most) | Target::Count(most) => one.value <= most,
        Target::Rate(least) => one.value >= least,
        Target::Shown => true,
    };
    if measured.iter().all(reached) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
