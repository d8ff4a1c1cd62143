//! The world around the driver: a clock that jumps from one happening to the next, and a process that can end at any
//! append and begin again. What effects do is in `performers`, what people ask in `people`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use provost_core::delivery::Effect;
use provost_core::diagnostic;
use provost_core::effects::EffectId;
use provost_core::record::Sequence;
use provost_core::state::{Command, State};
use provost_core::time::Timestamp;
use provost_runtime::driver::{Answer, Cause, Driver, Identity, Launch, Performing, Start, Submission};
use provost_runtime::journal::{Medium, MemoryJournal};

use crate::people::People;
use crate::performers::{Ground, Work};
use crate::plan::{Fault, Plan};
use crate::random::Random;
use crate::watch::Watch;

/// The real driver over the real rules.
type Process = Driver<State, MemoryJournal>;

/// How many turns a run may take; it comes to an end long before.
const TURNS_MAX: u32 = 10_000;

/// A happening that lies ahead.
#[derive(Clone, Debug)]
pub(crate) enum Happening {
    Request(String, Command),
    Report(EffectId, Command),
    /// An effect leaves its trace in the world; the report is another happening and can be lost by itself.
    Work(EffectId, Work),
}

/// Which kinds of things a run has seen, so that a simulation which stopped exercising something is noticed.
#[derive(Debug, Default)]
pub(crate) struct Seen(BTreeSet<&'static str>);

const KINDS: &[&str] = &[
    "adopted by probing",
    "batch",
    "crash",
    "done after probing",
    "fault survived",
    "late report",
    "lost turn",
    "people left",
    "recorded without performing",
    "redone",
    "refusal",
    "repeated request",
    "stop",
    "two deliveries",
];

impl Seen {
    pub(crate) fn note(&mut self, kind: &'static str) {
        self.0.insert(kind);
    }

    pub(crate) fn add(&mut self, other: &Seen) {
        self.0.extend(&other.0);
    }

    /// What was not seen, or is not on the list.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        let all: BTreeSet<&str> = KINDS.iter().copied().collect();
        all.symmetric_difference(&self.0).copied().collect()
    }
}

pub(crate) struct World {
    pub(crate) plan: Plan,
    pub(crate) medium: Medium,
    pub(crate) seen: Seen,
    pub(crate) crashes: u64,
    /// The record as somebody else reads it.
    pub(crate) watch: Watch,
    /// The state as the last process had it.
    pub(crate) live: State,
    /// What was acknowledged, by request.
    pub(crate) acknowledged: BTreeMap<String, Answer>,
    /// What was asked and got neither an answer nor a refusal.
    pub(crate) unanswered: BTreeSet<String>,
    /// What effects changed in the world.
    pub(crate) ground: Ground,
    /// Effects that were started before the record that asked for them was durable.
    pub(crate) premature: Vec<EffectId>,
    /// Turns that were begun again: they may have begun before.
    pub(crate) repeated: Vec<EffectId>,
    /// Effects that ran twice at the same time.
    pub(crate) doubled: Vec<EffectId>,
    pub(crate) people: People,
    pub(crate) random: Random,
    now: Timestamp,
    ahead: BTreeMap<(Timestamp, u64), Happening>,
    counter: u64,
    running: BTreeSet<EffectId>,
    /// How many effects were begun.
    pub(crate) begun: u64,
    processes: u64,
    faults: VecDeque<Fault>,
    fault: Option<Fault>,
}

impl World {
    /// Runs one plan to its end: everything asked, every fault past, nothing left to happen.
    pub(crate) fn run(plan: Plan) -> World {
        let mut world = World {
            medium: Medium::default(),
            seen: Seen::default(),
            crashes: 0,
            watch: Watch::default(),
            live: State::default(),
            acknowledged: BTreeMap::new(),
            unanswered: BTreeSet::new(),
            ground: Ground::default(),
            premature: Vec::new(),
            repeated: Vec::new(),
            doubled: Vec::new(),
            people: People::default(),
            random: Random::new(plan.seed),
            now: Timestamp::from_ms(1_000_000),
            ahead: BTreeMap::new(),
            counter: 0,
            running: BTreeSet::new(),
            begun: 0,
            processes: 0,
            faults: plan.faults.iter().copied().collect(),
            fault: None,
            plan,
        };
        world.arm();
        world.ask_first();
        let mut driver = world.open();
        for _ in 0..TURNS_MAX {
            let Some(submissions) = world.next(&driver) else {
                world.live = driver.state().clone();
                return world;
            };
            if !world.turn(&mut driver, &submissions) && world.fault_ends() {
                driver = world.open();
            }
        }
        panic!("{:?}: the run does not come to an end", world.plan);
    }

    pub(crate) fn later(&mut self, ms: u64, happening: Happening) {
        self.counter += 1;
        if let Happening::Request(id, _) = &happening {
            self.unanswered.insert(id.clone());
        }
        self.ahead.insert((self.now.plus_ms(ms), self.counter), happening);
    }

    /// Lets the next fault lie ahead.
    fn arm(&mut self) {
        self.fault = self.faults.pop_front();
        if let Some(fault) = self.fault {
            self.medium.crash_at(self.medium.appends() + fault.append, fault.fate);
        }
    }

    /// Says whether the process ended with the append that failed, and lets the next fault lie ahead.
    fn fault_ends(&mut self) -> bool {
        let ends = self.fault.is_some_and(|fault| fault.ends);
        self.seen.note(if ends { "crash" } else { "fault survived" });
        self.crashes += 1;
        self.arm();
        ends
    }

    fn process(&mut self, performing: Performing) -> Process {
        self.processes += 1;
        let name = format!("process-{}", self.processes);
        let identity = Identity { session_id: name.clone(), holder: name };
        let journal = MemoryJournal::new(self.medium.clone());
        let driver: Process = Driver::open(journal, identity, performing).unwrap();
        self.look_at_the_record(driver.state());
        driver
    }

    /// Begins a process: whatever ran in the last one is gone, its reports with it; traces stay.
    fn open(&mut self) -> Process {
        self.running.clear();
        self.ahead.retain(|_, happening| matches!(happening, Happening::Request(..)));
        if self.random.chance(30) {
            self.record_only();
        }
        let mut driver = self.process(Performing::Yes);
        let recovery = driver.recover();
        for lost in recovery.lost {
            let Cause::Effect(id) = lost.cause else { panic!("a loss is reported for an effect") };
            self.seen.note("lost turn");
            self.later(0, Happening::Report(id, lost.command));
        }
        for start in recovery.starts {
            if matches!(start.effect, Effect::Turn(_)) {
                self.repeated.push(start.id);
            }
            if start.launch == Launch::Do {
                self.seen.note("redone");
            }
            self.start(&start, driver.chain().head.sequence);
        }
        self.look(driver.state());
        driver
    }

    /// Somebody's command finds nobody who performs, records what it came for, and leaves the rest.
    fn record_only(&mut self) {
        let mut requests = self.ahead.iter().filter(|(_, it)| matches!(it, Happening::Request(..)));
        let Some(key) = requests.next().map(|(key, _)| *key) else { return };
        let Some(Happening::Request(id, command)) = self.ahead.remove(&key) else { return };
        self.now = self.now.max(key.0);
        let mut driver = self.process(Performing::No);
        let cause = Cause::Request(id);
        let submissions = [Submission { cause, actor: "simulation".to_owned(), command }];
        if self.turn(&mut driver, &submissions) {
            self.seen.note("recorded without performing");
        } else {
            self.fault_ends();
        }
    }

    /// What goes into the next turn, or nothing when all is over.
    fn next(&mut self, driver: &Process) -> Option<Vec<Submission<Command>>> {
        let wake = driver.wake();
        let first = self.ahead.keys().next().map(|(at, _)| *at);
        self.now = [wake, first].into_iter().flatten().min()?.max(self.now);
        // Sometimes several happenings fall into one turn.
        let window = self.now.plus_ms(self.random.below(30));
        let mut submissions: Vec<Submission<Command>> = Vec::new();
        while let Some(entry) = self.ahead.first_entry()
            && entry.key().0 <= window
        {
            let cause = match entry.get() {
                Happening::Request(id, _) => Cause::Request(id.clone()),
                Happening::Report(id, _) | Happening::Work(id, _) => Cause::Effect(*id),
            };
            if submissions.iter().any(|submission| submission.cause == cause) {
                // Whoever reads the record could not tell the two apart.
                break;
            }
            match entry.remove() {
                Happening::Request(_, command) | Happening::Report(_, command) => {
                    submissions.push(Submission { cause, actor: "simulation".to_owned(), command });
                }
                Happening::Work(id, work) => self.work(id, work),
            }
        }
        if submissions.len() > 1 {
            self.seen.note("batch");
        }
        Some(submissions)
    }

    /// Does a turn; says whether its records are durable.
    fn turn(&mut self, driver: &mut Process, submissions: &[Submission<Command>]) -> bool {
        // Now and then the clock is set back.
        let clock = if self.random.chance(12) { Timestamp::EPOCH } else { self.now };
        let turn = driver.turn(submissions, clock);
        if turn.failed {
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
        for (submission, answer) in submissions.iter().zip(turn.answers) {
            if let Err(refusal) = &answer {
                let (plan, why) = (&self.plan, &refusal.message);
                assert!(refusal.code != diagnostic::PROVOST_BUG, "{plan:?}: {why}");
            }
            self.answered(&submission.cause, answer.ok());
        }
        self.look_at_the_record(driver.state());
        for id in turn.stop {
            self.seen.note("stop");
            self.stop(id);
        }
        for start in turn.start {
            self.start(&start, driver.chain().head.sequence);
        }
        self.look(driver.state());
        true
    }

    /// What is durable gives the state that is live, and every step to it was right.
    fn look_at_the_record(&mut self, live: &State) {
        let plan = &self.plan;
        self.watch.catch_up(&self.medium).unwrap_or_else(|why| panic!("{plan:?}: {why}"));
        assert_eq!(live, &self.watch.state, "{plan:?}: what is live is not what is on the record");
        if self.watch.late > 0 {
            self.seen.note("late report");
        }
    }

    fn answered(&mut self, cause: &Cause, answer: Option<Answer>) {
        let Cause::Request(id) = cause else { return };
        self.unanswered.remove(id);
        self.heard_back(id);
        let Some(answer) = answer else {
            assert!(!self.acknowledged.contains_key(id), "request {id} was acknowledged, then refused");
            self.seen.note("refusal");
            return;
        };
        if let Some(before) = self.acknowledged.insert(id.clone(), answer.clone()) {
            self.seen.note("repeated request");
            assert_eq!(before, answer, "request {id} was answered twice, differently");
        }
    }

    fn start(&mut self, start: &Start<Effect>, durable: Sequence) {
        if start.id.0 > durable {
            self.premature.push(start.id);
        }
        if !self.running.insert(start.id) {
            self.doubled.push(start.id);
        }
        self.begun += 1;
        self.begin(start);
    }

    /// Ends an effect. What it had already begun to do or say arrives all the same, now and then.
    fn stop(&mut self, id: EffectId) {
        self.running.remove(&id);
        let keep = self.random.chance(33);
        self.ahead.retain(|_, happening| match happening {
            Happening::Report(other, _) | Happening::Work(other, _) => *other != id || keep,
            Happening::Request(..) => true,
        });
    }
}
