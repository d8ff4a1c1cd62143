//! What an effect confirms is on the record when it goes on, even if the disk refuses it at first.

use std::sync::mpsc::{Sender, channel};
use std::thread;

use provost_core::delivery::{self, Begin, Effect, Report, Roles};
use provost_core::digest::Digest;
use provost_core::effects::EffectId;
use provost_core::project::{self, Preparation, Settings};
use provost_core::state::{Command, State};
use provost_runtime::clock::SystemClock;
use provost_runtime::driver::{
    Cause, Driver, Identity, Perform, Performing, Reporter, Running, Start, Submission, run,
};
use provost_runtime::journal::{Fate, Medium, MemoryJournal};

/// Confirms a report while the disk refuses the next append, and sends what the journal held when it went on.
struct Confirming {
    medium: Medium,
    seen: Sender<String>,
}

impl Perform<State> for Confirming {
    fn start(&mut self, start: Start<Effect>, reporter: Reporter<Command>) {
        let (medium, seen) = (self.medium.clone(), self.seen.clone());
        thread::spawn(move || {
            medium.crash_at(medium.appends() + 1, Fate::Lost);
            let report = delivery::Command::Report { effect: start.id, report: Report::Baseline(Vec::new()) };
            reporter.confirm(Command::Delivery(report)).unwrap();
            seen.send(String::from_utf8(medium.bytes()).unwrap()).unwrap();
        });
    }

    fn stop(&mut self, _: EffectId) {}
}

fn begin() -> [Command; 2] {
    let agent = || "agent".to_owned();
    let preparation = Preparation { project_id: "trial".to_owned(), settings: Settings::default() };
    let begin = Begin {
        bypassed: provost_core::delivery::Bypassed::default(),
        again: false,
        warrant: Box::default(),
        terms: Box::default(),
        plan: Digest::of(b"plan"),
        name: "plan.md".to_owned(),
        title: "A plan".to_owned(),
        base: "base".to_owned(),
        tasks: Vec::new(),
        checks: Vec::new(),
        roles: Roles { developer: agent(), critic: agent(), auditor: agent() },
    };
    [
        Command::Project(project::Command::Prepare(preparation)),
        Command::Delivery(delivery::Command::Begin(begin)),
    ]
}

#[test]
fn a_confirmed_report_is_on_the_record_although_the_disk_refused_it() {
    let medium = Medium::default();
    let identity = Identity { session_id: "trial".to_owned(), holder: "trial".to_owned() };
    let journal = MemoryJournal::new(medium.clone());
    let running = Running::new(Driver::open(journal, identity, Performing::Yes).unwrap());
    let handle = running.handle();
    let (seen, journals) = channel();
    let mut perform = Confirming { medium, seen };
    let driving = thread::spawn(move || drop(run(running, &mut perform, &SystemClock)));
    for (number, command) in begin().into_iter().enumerate() {
        let (cause, actor) = (Cause::Request(number.to_string()), "person:ada".to_owned());
        handle.submit(Submission { cause, actor, command }).unwrap();
    }
    let journal = journals.recv().unwrap();
    assert!(journal.contains("\"event_type\":\"pre_existing_baseline_captured\""), "{journal}");
    handle.close();
    driving.join().unwrap();
}
