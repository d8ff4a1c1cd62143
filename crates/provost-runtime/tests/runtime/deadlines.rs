//! Times that lie ahead, and the driver between them. Deliveries have none yet, so the decider here is nothing else.

use std::collections::BTreeMap;

use provost_core::decider::{self, At, Decider, Impossible, Moment, Opening, Unreadable};
use provost_core::diagnostic::Diagnostic;
use provost_core::effects::{AfterCrash, Effect, EffectId, Effects};
use provost_core::record::Record;
use provost_core::time::Timestamp;
use provost_runtime::driver::{Cause, Driver, Identity, Performing, Submission};
use provost_runtime::journal::{Fate, Medium, MemoryJournal};

/// Times at which something rings, by name.
#[derive(Debug, Default, PartialEq)]
struct Alarms {
    set: BTreeMap<String, Timestamp>,
    rung: Vec<String>,
    effects: Effects<Nothing>,
}

#[derive(Clone, Debug, PartialEq)]
enum Command {
    Set(&'static str, Timestamp),
    Woken,
}

enum Event {
    Opened,
    Set(String, Timestamp),
    Rang(String),
}

#[derive(Clone, Debug, PartialEq)]
struct Nothing;

impl Effect for Nothing {
    fn after_crash(&self) -> AfterCrash {
        AfterCrash::Redo
    }
}

impl Decider for Alarms {
    type Command = Command;
    type Event = Event;
    type Effect = Nothing;

    fn decide(&self, command: &Command, moment: Moment) -> Result<Vec<Event>, Diagnostic> {
        Ok(match command {
            Command::Set(name, at) => vec![Event::Set((*name).to_owned(), *at)],
            Command::Woken => {
                let due = self.set.iter().filter(|(_, at)| **at <= moment.now);
                due.map(|(name, _)| Event::Rang(name.clone())).collect()
            }
        })
    }

    fn apply(&mut self, _at: At<'_>, event: &Event) -> Result<(), Impossible> {
        match event {
            Event::Opened => {}
            Event::Set(name, at) => drop(self.set.insert(name.clone(), *at)),
            Event::Rang(name) => {
                self.set.remove(name);
                self.rung.push(name.clone());
            }
        }
        Ok(())
    }

    fn due(&self) -> &Effects<Nothing> {
        &self.effects
    }

    fn wake(&self) -> Option<Timestamp> {
        self.set.values().min().copied()
    }

    fn opened(&self, _opening: Opening) -> Event {
        Event::Opened
    }

    fn woken() -> Command {
        Command::Woken
    }

    fn lost(_effect: EffectId) -> Command {
        Command::Woken
    }
}

impl decider::Event for Event {
    fn stream(&self) -> &'static str {
        "alarms"
    }

    fn event_type(&self) -> &'static str {
        match self {
            Event::Opened => "opened",
            Event::Set(..) => "set",
            Event::Rang(_) => "rang",
        }
    }

    fn details(&self) -> String {
        match self {
            Event::Opened => "{}".to_owned(),
            Event::Set(name, at) => format!("{{\"name\":\"{name}\",\"at\":{}}}", at.as_ms()),
            Event::Rang(name) => format!("{{\"name\":\"{name}\"}}"),
        }
    }

    fn read(record: &Record<'_>) -> Result<Event, Unreadable> {
        let details: serde_json::Value = serde_json::from_str(record.details).unwrap();
        let name = || details["name"].as_str().unwrap().to_owned();
        Ok(match record.event_type {
            "opened" => Event::Opened,
            "set" => Event::Set(name(), Timestamp::from_ms(details["at"].as_i64().unwrap())),
            _ => Event::Rang(name()),
        })
    }
}

fn at(ms: i64) -> Timestamp {
    Timestamp::from_ms(ms)
}

fn open(medium: &Medium, performing: Performing) -> Driver<Alarms, MemoryJournal> {
    let identity = Identity { session_id: "s".to_owned(), holder: "h".to_owned() };
    Driver::open(MemoryJournal::new(medium.clone()), identity, performing).unwrap()
}

fn set(name: &'static str, ms: i64) -> Submission<Command> {
    let (cause, command) = (Cause::Request(format!("set-{name}")), Command::Set(name, at(ms)));
    Submission { cause, actor: "test".to_owned(), command }
}

#[test]
fn a_time_that_lies_ahead_brings_nothing_and_one_that_has_come_all_of_it() {
    let mut driver = open(&Medium::default(), Performing::Yes);
    driver.turn(&[set("late", 300), set("early", 200)], at(100));
    assert_eq!((driver.wake(), driver.state().rung.len()), (Some(at(200)), 0));
    driver.turn(&[], at(199));
    assert_eq!(driver.state().rung.len(), 0);
    // In the turn of a command that comes at the same time.
    driver.turn(&[set("last", 400)], at(200));
    assert_eq!(driver.state().rung, ["early"]);
    driver.turn(&[], at(1_000));
    assert_eq!((driver.wake(), driver.state().rung.len()), (None, 3));
}

#[test]
fn a_clock_that_is_set_back_brings_nothing_twice_and_delays_nothing_on_the_record() {
    let mut driver = open(&Medium::default(), Performing::Yes);
    driver.turn(&[set("a", 100)], at(200));
    assert_eq!(driver.state().rung, ["a"]);
    driver.turn(&[set("b", 150)], at(0));
    assert_eq!(driver.state().rung, ["a", "b"], "the record is past that time");
}

#[test]
fn what_time_brought_and_the_disk_refused_is_brought_again() {
    for fate in [Fate::Lost, Fate::Torn, Fate::Kept] {
        let medium = Medium::default();
        let mut driver = open(&medium, Performing::Yes);
        driver.turn(&[set("a", 200)], at(100));
        medium.crash_at(medium.appends() + 1, fate);
        assert!(driver.turn(&[], at(200)).failed);
        assert!(driver.wake().is_some_and(|wake| wake <= at(200)), "{fate:?}");
        driver.turn(&[], at(200));
        assert_eq!((driver.wake(), driver.state().rung.clone()), (None, vec!["a".to_owned()]), "{fate:?}");
        assert_eq!(open(&medium, Performing::No).state(), driver.state(), "{fate:?}");
    }
}

#[test]
fn time_is_left_to_whoever_performs() {
    let medium = Medium::default();
    let mut driver = open(&medium, Performing::No);
    driver.turn(&[set("a", 200)], at(300));
    assert_eq!((driver.wake(), driver.state().rung.len()), (None, 0));
    let mut driver = open(&medium, Performing::Yes);
    driver.turn(&[], at(300));
    assert_eq!(driver.state().rung, ["a"]);
}
