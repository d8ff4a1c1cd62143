//! The world around the driver: people who ask and cancel, jobs that take time and leave traces, a clock that
//! jumps from one happening to the next, and a process that can end at any append and begin again.

use std::collections::{BTreeMap, BTreeSet};

use provost_core::decider::Decider as _;
use provost_core::effects::EffectId;
use provost_core::record::Sequence;
use provost_core::time::Timestamp;
use provost_runtime::driver::{Answer, Cause, Driver, Identity, Launch, Performing, Start, Submission};
use provost_runtime::journal::{Fate, Medium, MemoryJournal};

use crate::errands::{Command, Errands, Job, Kind};

/// What makes one run different from another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    /// The append that fails, what becomes of its batch, and whether the process ends with it.
    pub(crate) fault: Option<Fault>,
}

/// An append that fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) append: u64,
    pub(crate) fate: Fate,
    /// The process ends; otherwise it goes on, as after a full disk.
    pub(crate) ends: bool,
}

/// A happening that lies ahead.
#[derive(Clone, Debug)]
enum Happening {
    Request(String, Command),
    Report(EffectId, Command),
    /// The job leaves its trace in the world; no report can be lost together with it.
    Trace(EffectId),
}

/// Which kinds of things a run has seen, so that a simulation which stopped exercising something is noticed.
#[derive(Debug, Default)]
pub(crate) struct Seen(BTreeSet<&'static str>);

const KINDS: &[&str] = &[
    "refusal",
    "late",
    "stop",
    "probe adopted",
    "probe done",
    "lost",
    "redone",
    "crash",
    "repeat",
    "expired",
    "batch",
];

impl Seen {
    pub(crate) fn add(&mut self, other: &Seen) {
        self.0.extend(&other.0);
    }

    pub(crate) fn missing(&self) -> Vec<&'static str> {
        KINDS.iter().copied().filter(|kind| !self.0.contains(kind)).collect()
    }
}

pub(crate) struct World {
    pub(crate) medium: Medium,
    pub(crate) crashes: u64,
    pub(crate) seen: Seen,
    /// What was acknowledged, by request.
    pub(crate) acknowledged: BTreeMap<String, Answer>,
    /// How often the effect of each job was brought about in the world.
    pub(crate) traces: BTreeMap<EffectId, u32>,
    /// Effects that were started before the record that asked for them was durable.
    pub(crate) premature: Vec<EffectId>,
    /// Effects that must not be repeated unseen, and were begun again after they had started.
    pub(crate) repeated: Vec<EffectId>,
    /// Effects that ran twice at the same time.
    pub(crate) doubled: Vec<EffectId>,
    pub(crate) state: Errands,
    random: Random,
    now: Timestamp,
    ahead: BTreeMap<(Timestamp, u64), Happening>,
    counter: u64,
    running: BTreeSet<EffectId>,
    process: u64,
}

impl World {
    /// Runs one plan to its end: everything asked, every fault past, nothing left to happen.
    pub(crate) fn run(plan: Plan) -> World {
        let medium = Medium::default();
        if let Some(fault) = plan.fault {
            medium.crash_at(fault.append, fault.fate);
        }
        let mut world = World {
            medium,
            crashes: 0,
            seen: Seen::default(),
            acknowledged: BTreeMap::new(),
            traces: BTreeMap::new(),
            premature: Vec::new(),
            repeated: Vec::new(),
            doubled: Vec::new(),
            state: Errands::default(),
            random: Random(plan.seed),
            now: Timestamp::from_ms(1_000_000),
            ahead: BTreeMap::new(),
            counter: 0,
            running: BTreeSet::new(),
            process: 0,
        };
        world.people();
        let mut driver = world.open();
        for _ in 0..10_000 {
            let Some(submissions) = world.next(&driver) else {
                world.state = driver.state().clone();
                return world;
            };
            let went_well = world.turn(&mut driver, &submissions);
            if !went_well && plan.fault.is_some_and(|fault| fault.ends) {
                driver = world.open();
            }
        }
        panic!("the run does not come to an end");
    }

    /// What people will ask, all of it laid out beforehand.
    fn people(&mut self) {
        for errand in 0..6 {
            let kind = match self.random.below(3) {
                0 => Kind::Redo,
                1 => Kind::Probe,
                _ => Kind::Lose,
            };
            let patience_ms = 200 + self.random.below(600);
            let at = self.random.below(400);
            let ask = Command::Ask { errand, kind, patience_ms };
            self.later(at, Happening::Request(format!("ask-{errand}"), ask.clone()));
            if self.random.below(4) == 0 {
                // The same request again, as a client does that lost its answer.
                let again = at + self.random.below(300);
                self.later(again, Happening::Request(format!("ask-{errand}"), ask));
            }
            if self.random.below(3) == 0 {
                let cancel = Command::Cancel { errand };
                let at = self.random.below(900);
                self.later(at, Happening::Request(format!("cancel-{errand}"), cancel));
            }
        }
    }

    fn later(&mut self, ms: u64, happening: Happening) {
        self.counter += 1;
        self.ahead.insert((self.now.plus_ms(ms), self.counter), happening);
    }

    /// Begins a process: whatever ran in the last one is gone, its reports with it; traces stay.
    fn open(&mut self) -> Driver<Errands, MemoryJournal> {
        self.process += 1;
        self.running.clear();
        self.ahead.retain(|_, happening| matches!(happening, Happening::Request(..)));
        let name = format!("process-{}", self.process);
        let identity = Identity { session_id: name.clone(), holder: name };
        let journal = MemoryJournal::new(self.medium.clone());
        let mut driver: Driver<Errands, _> = Driver::open(journal, identity, Performing::Yes).unwrap();
        let recovery = driver.recover();
        for lost in recovery.lost {
            let Cause::Effect(id) = lost.cause else { panic!("a loss is reported for an effect") };
            self.seen.0.insert("lost");
            self.later(0, Happening::Report(id, lost.command));
        }
        for start in recovery.starts {
            if start.launch == Launch::Do {
                self.seen.0.insert("redone");
            }
            let started = driver.state().due().get(start.id).is_some_and(|open| open.started);
            if start.effect.kind == Kind::Lose && started {
                self.repeated.push(start.id);
            }
            self.begin(&start, driver.chain().head.sequence);
        }
        driver
    }

    /// What goes into the next turn, or nothing when all is over.
    fn next(&mut self, driver: &Driver<Errands, MemoryJournal>) -> Option<Vec<Submission<Command>>> {
        let wake = driver.state().wake();
        let first = self.ahead.keys().next().map(|(at, _)| *at);
        self.now = [wake, first].into_iter().flatten().min()?.max(self.now);
        let mut submissions = Vec::new();
        // Sometimes several happenings fall into one turn.
        let window = self.now.plus_ms(self.random.below(30));
        while let Some(entry) = self.ahead.first_entry()
            && entry.key().0 <= window
        {
            let (cause, command) = match entry.remove() {
                Happening::Request(id, command) => (Cause::Request(id), command),
                Happening::Report(id, command) => (Cause::Effect(id), command),
                Happening::Trace(id) => {
                    *self.traces.entry(id).or_default() += 1;
                    continue;
                }
            };
            submissions.push(Submission { cause, actor: "simulation".to_owned(), command });
        }
        if wake.is_some_and(|at| at <= self.now) {
            self.seen.0.insert("expired");
        }
        if submissions.len() > 1 {
            self.seen.0.insert("batch");
        }
        Some(submissions)
    }

    /// Does a turn; says whether the process is still there.
    fn turn(
        &mut self,
        driver: &mut Driver<Errands, MemoryJournal>,
        submissions: &[Submission<Command>],
    ) -> bool {
        let late = driver.state().late;
        // Now and then the clock is set back.
        let expects_time = driver.wake().is_some_and(|at| at <= self.now);
        let set_back = !expects_time && self.random.below(8) == 0;
        let clock = if set_back { Timestamp::EPOCH } else { self.now };
        let turn = driver.turn(submissions, clock);
        if turn.failed {
            self.crashes += 1;
            self.seen.0.insert("crash");
            // Clients that got no answer ask again; reports are kept and sent again, unless their process ended.
            for Submission { cause, command, .. } in submissions.iter().cloned() {
                match cause {
                    Cause::Request(id) => self.later(50, Happening::Request(id, command)),
                    Cause::Effect(id) => self.later(50, Happening::Report(id, command)),
                    Cause::Time => {}
                }
            }
            return false;
        }
        if driver.state().late > late {
            self.seen.0.insert("late");
        }
        for (submission, answer) in submissions.iter().zip(turn.answers) {
            self.answered(&submission.cause, answer.ok());
        }
        for id in turn.stop {
            self.seen.0.insert("stop");
            self.stop(id);
        }
        for start in turn.start {
            self.begin(&start, driver.chain().head.sequence);
        }
        true
    }

    fn answered(&mut self, cause: &Cause, answer: Option<Answer>) {
        let Cause::Request(id) = cause else { return };
        let Some(answer) = answer else {
            assert!(!self.acknowledged.contains_key(id), "request {id} was acknowledged, then refused");
            self.seen.0.insert("refusal");
            return;
        };
        if let Some(before) = self.acknowledged.insert(id.clone(), answer.clone()) {
            self.seen.0.insert("repeat");
            assert_eq!(before, answer, "request {id} was answered twice, differently");
        }
    }

    fn begin(&mut self, start: &Start<Job>, durable: Sequence) {
        if start.id.0 > durable {
            self.premature.push(start.id);
        }
        if !self.running.insert(start.id) {
            self.doubled.push(start.id);
        }
        let id = start.id;
        if start.launch == Launch::Probe && self.traces.contains_key(&id) {
            self.seen.0.insert("probe adopted");
            self.later(5, Happening::Report(id, Command::Ended { effect: id, ok: true }));
            return;
        }
        if start.launch == Launch::Probe {
            self.seen.0.insert("probe done");
        }
        let (begin, work, tell) = (self.random.below(20), self.random.below(400), self.random.below(40));
        let ok = self.random.below(5) > 0;
        self.later(begin, Happening::Report(id, Command::Started(id)));
        if ok {
            self.later(begin + work, Happening::Trace(id));
        }
        self.later(begin + work + tell, Happening::Report(id, Command::Ended { effect: id, ok }));
    }

    /// Ends a job. What it had already sent arrives all the same, now and then.
    fn stop(&mut self, id: EffectId) {
        self.running.remove(&id);
        let keep = self.random.below(3) == 0;
        self.ahead.retain(|_, happening| match happening {
            Happening::Trace(other) => *other != id,
            Happening::Report(other, _) => *other != id || keep,
            Happening::Request(..) => true,
        });
    }
}

/// `SplitMix64`: all the randomness there is, from one seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}
