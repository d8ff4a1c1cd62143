//! What performing costs beside the bare disk: from a report to the next agent's process, and what the coordinator
//! itself uses while agents flood. Fails when a target is missed.
//!
//! Driver, journal, performer, supervisor and git are the real ones; the supervisor and the agents are this program.

#![expect(clippy::unwrap_used, reason = "a bench fails by panicking")]
#![expect(clippy::print_stdout, reason = "a bench reports to whoever runs it")]
#![expect(clippy::cast_precision_loss, reason = "counts here are small")]

mod bell;
mod flood;
mod latency;
#[path = "../../../provost-core/benches/ratio.rs"]
#[expect(dead_code, reason = "other benches compare rounds, this one has percentiles")]
mod ratio;
mod stage;

use std::io::{self, Write as _};
use std::process::ExitCode;

use provost_core::role::Role;
use provost_runtime::process::Told;
use provost_runtime::{supervise, walls};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["supervise"] => {
            let told = Told::Ended(Box::new(supervise::run(io::stdin(), io::stdout())));
            println!("{}", serde_json::to_string(&told).unwrap());
        }
        ["confine", told, walls, "--", argv @ ..] => {
            let argv: Vec<String> = argv.iter().map(|&word| word.to_owned()).collect();
            walls::confine(told.parse().unwrap(), &serde_json::from_str(walls).unwrap(), &argv);
        }
        ["agent", bell, role, task] => agent(bell, role, task),
        ["flood", bell] => flood::pour(bell),
        _ => {
            let mut measured = latency::measure();
            measured.extend(flood::measure());
            return ratio::report(&measured);
        }
    }
    ExitCode::SUCCESS
}

/// An agent that says that it is there, and then what leads to its next turn.
fn agent(bell: &str, role: &str, task: &str) {
    bell::ring(bell);
    let said = if role == <&str>::from(Role::Auditor) {
        format!("AUDIT_FAILED: {task}\nFailed Criteria:\n- not yet\n")
    } else {
        format!("READY_FOR_REVIEW: {task}\nSummary: done\n")
    };
    io::stdout().write_all(said.as_bytes()).unwrap();
}
