//! What the simulation found to go wrong once, each as short as it can be told.

use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use provost_core::decider::Decider as _;
use provost_core::delivery::{self, CheckResult, Effect, Report, Verdict};
use provost_core::effects::EffectId;
use provost_core::project::{self, Preparation, Settings};
use provost_core::state::{Command, State};
use provost_core::time::Timestamp;
use provost_runtime::clock::Clock;
use provost_runtime::driver::{
    Cause, Driver, Identity, Perform, Performing, Reporter, Running, Start, Submission, run,
};
use provost_runtime::journal::{Fate, Medium, MemoryJournal};

use crate::plan;
use crate::random::Random;

fn open(medium: &Medium, performing: Performing) -> Driver<State, MemoryJournal> {
    let identity = Identity { session_id: "s".to_owned(), holder: "h".to_owned() };
    Driver::open(MemoryJournal::new(medium.clone()), identity, performing).unwrap()
}

/// A journal on which somebody who does not perform left work to be given out, and whose next append fails.
fn left_behind() -> Medium {
    let medium = Medium::default();
    let mut driver = open(&medium, Performing::No);
    let mut ask = |cause: Cause, command: Command| {
        let actor = "simulation".to_owned();
        let turn = driver.turn(&[Submission { cause, actor, command }], Timestamp::EPOCH);
        assert!(turn.answers.iter().all(Result::is_ok), "{:?}", turn.answers);
        driver.state().due().iter().next().map(|(effect, _)| effect)
    };
    let preparation = Preparation { project_id: "p".to_owned(), settings: Settings::default() };
    ask(Cause::Request("prepare".to_owned()), Command::Project(project::Command::Prepare(preparation)));
    let begin = delivery::Command::Begin(plan::begin(&mut Random::new(1), "plan", 4));
    let effect = ask(Cause::Request("begin".to_owned()), Command::Delivery(begin)).unwrap();
    let passed = CheckResult {
        check: "test".to_owned(),
        verdict: Verdict::Passed,
        exit: Some(0),
        expected: 0,
        output: None,
        tail: String::new(),
        required: true,
    };
    let report = delivery::Command::Report { effect, report: Report::Baseline(vec![passed]) };
    ask(Cause::Effect(effect), Command::Delivery(report));
    medium.crash_at(medium.appends() + 1, Fate::Lost);
    medium
}

#[test]
fn a_driver_whose_records_were_refused_wants_to_look_again() {
    let mut driver = open(&left_behind(), Performing::Yes);
    assert!(driver.turn(&[], Timestamp::EPOCH).failed);
    assert!(driver.wake().is_some(), "what time brought is not on the record");
    let turn = driver.turn(&[], Timestamp::EPOCH);
    assert!(!turn.start.is_empty(), "{turn:?}");
    assert_eq!(driver.wake(), None);
}

struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::EPOCH
    }
}

/// Tells what it was asked to begin.
struct Telling(Sender<EffectId>);

impl Perform<State> for Telling {
    fn start(&mut self, start: Start<Effect>, _reporter: Reporter<Command>) {
        let _ = self.0.send(start.id);
    }

    fn stop(&mut self, _id: EffectId) {}
}

#[test]
fn work_is_given_out_when_the_disk_takes_records_again_and_nobody_asks() {
    let running = Running::new(open(&left_behind(), Performing::Yes));
    let (sender, begun) = channel();
    let handle = running.handle();
    let turns = std::thread::spawn(move || run(running, &mut Telling(sender), &Still));
    // No answer is a failure; the time is only there so that it is told.
    begun.recv_timeout(Duration::from_mins(1)).unwrap();
    handle.close();
    turns.join().unwrap();
}
