//! What deciding and applying a delivery costs per task, with agents that answer at once: ten thousand tasks against one
//! thousand. Fails when the target is missed.
#![expect(clippy::unwrap_used, reason = "a bench fails by panicking")]
#![expect(clippy::print_stdout, reason = "a bench reports to whoever runs it")]
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a bench needs a clock; core has none"
)]

use std::process::ExitCode;
use std::time::Duration;

use provost_core::decider::{At, Decider, Moment};
use provost_core::delivery::{
    Begin, Bypassed, CheckResult, CheckSpec, Command, Course, Effect, Landing, Measurement, NewTask, Outcome,
    Report, Roles, TurnEnd, Verdict,
};
use provost_core::digest::Digest;
use provost_core::effects::EffectId;
use provost_core::role::Role;
use provost_core::state::{self, State};
use provost_core::time::Timestamp;

#[expect(dead_code, reason = "other benches count, this one only compares")]
mod ratio;

use ratio::{Target, compare, report, time};

fn main() -> ExitCode {
    let per_task = |tasks: u32| time(1, || deliver(tasks)) / tasks;
    report(&[compare(
        "deciding a delivery, per task: 10,000 tasks to 1,000",
        Target::Times(1.3),
        5,
        || per_task(1_000),
        || -> Duration { per_task(10_000) },
    )])
}

/// A delivery from its first event to its last.
fn deliver(tasks: u32) -> u64 {
    let mut table = Table { state: State::default(), sequence: 0 };
    table.ask(&state::Command::Delivery(Command::Begin(begin(tasks))));
    while let Some((id, effect)) = table.next() {
        if let Effect::Turn(_) = &effect {
            table.report(id, Report::Started { prompt: None, token: None });
        }
        table.report(id, answer(&effect));
    }
    let board = table.state.deliveries.boards.values().next().unwrap();
    assert_eq!(board.course, Course::Complete, "what is measured is a whole delivery");
    table.sequence
}

struct Table {
    state: State,
    sequence: u64,
}

impl Table {
    fn next(&self) -> Option<(EffectId, Effect)> {
        self.state.due().iter().next().map(|(id, effect)| (id, effect.clone()))
    }

    fn report(&mut self, effect: EffectId, report: Report) {
        self.ask(&state::Command::Delivery(Command::Report { effect, report }));
    }

    fn ask(&mut self, command: &state::Command) {
        self.take(command);
        while self.state.wake().is_some() {
            self.take(&State::woken());
        }
    }

    fn take(&mut self, command: &state::Command) {
        let moment = Moment { now: Timestamp::EPOCH, sequence: self.sequence + 1 };
        for event in self.state.decide(command, moment).unwrap() {
            self.sequence += 1;
            let at = At { sequence: self.sequence, timestamp: Timestamp::EPOCH, session_id: "bench" };
            self.state.apply(at, &event).unwrap();
        }
    }
}

/// What everything comes to when nothing goes wrong.
fn answer(effect: &Effect) -> Report {
    match effect {
        Effect::Baseline { .. } => Report::Baseline(vec![passed()]),
        Effect::Turn(turn) => {
            let outcome = match turn.role {
                Role::Developer => Outcome::Ready { summary: String::new() },
                Role::Critic | Role::Auditor => Outcome::Passed { summary: String::new() },
            };
            Report::Turn(TurnEnd {
                outcome,
                exit: Some(0),
                duration_ms: 1,
                output: None,
                results: Vec::new(),
                checkpoints: Vec::new(),
                account: None,
            })
        }
        Effect::Measure(_) => Report::Measured(Measurement::Committed {
            commit: "commit".to_owned(),
            tree: "tree".to_owned(),
            files: Vec::new(),
            results: vec![passed()],
        }),
        Effect::Land(_) => {
            Report::Landing(Landing::Landed { commit: "landed".to_owned(), results: vec![passed()] })
        }
        Effect::Clean { .. } => Report::Cleaned,
    }
}

fn passed() -> CheckResult {
    CheckResult {
        check: "test".to_owned(),
        verdict: Verdict::Passed,
        exit: Some(0),
        expected: 0,
        output: None,
        tail: String::new(),
        required: true,
    }
}

/// Tasks in chains of ten, so that some wait and some are free at any time.
fn begin(tasks: u32) -> Begin {
    let task = |number: u32| NewTask {
        id: format!("task-{number}"),
        title: format!("Task {number}"),
        priority: 2,
        downstream: 9 - number % 10,
        blocked_by: if number.is_multiple_of(10) { Vec::new() } else { vec![format!("task-{}", number - 1)] },
        verify: false,
        checks: Vec::<CheckSpec>::new(),
        files: Vec::new(),
        without_criteria: false,
    };
    let agent = || "agent".to_owned();
    Begin {
        plan: Digest::of(b"plan"),
        name: "plan.md".to_owned(),
        title: "A plan".to_owned(),
        base: "base".to_owned(),
        tasks: (0..tasks).map(task).collect(),
        checks: vec![CheckSpec {
            name: "test".to_owned(),
            argv: vec!["true".to_owned()],
            expect_exit: 0,
            limit_s: 60,
            required: true,
        }],
        roles: Roles { developer: agent(), critic: agent(), auditor: agent() },
        bypassed: Bypassed::Ask,
        again: false,
        warrant: Box::default(),
        terms: Box::default(),
    }
}
