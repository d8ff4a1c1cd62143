//! What agents print and what is understood of it: by hand, hostile, and at random.
#![cfg(test)]

mod accepted;
mod bounds;
mod calls;
mod hostile;
mod roundtrip;

use provost_core::role::Role;
use provost_core::signal::{self, Expected, Heard, Outcome, Signal};

/// Reads what a role printed for task `t-1`.
fn heard(role: Role, output: &str) -> Heard {
    signal::read(&Expected { role, task_id: "t-1" }, output, false)
}

/// The outcome in one word: the signal's name, the reason of a rejection, or `silent`.
fn word(heard: &Heard) -> String {
    match &heard.outcome {
        Outcome::Signal(signal) => signal.name().to_string(),
        Outcome::Rejected(rejection) => rejection.reason.to_string(),
        Outcome::Silent => "silent".to_owned(),
    }
}

/// The signal of an output that must have one.
fn signal_of(heard: Heard) -> Signal {
    match heard.outcome {
        Outcome::Signal(signal) => signal,
        other => panic!("{other:?}"),
    }
}
