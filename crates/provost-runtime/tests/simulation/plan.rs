//! What makes one run different from another: how much there is to deliver, how much goes wrong with it, and which
//! appends fail.

use provost_core::delivery::{Begin, Bypassed, CheckSpec, NewTask, Roles};
use provost_core::digest::Digest;
use provost_core::limits::Limit;
use provost_core::project::Settings;
use provost_runtime::journal::Fate;

use crate::random::Random;

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    /// The most tasks of a delivery.
    pub(crate) tasks_max: u64,
    /// How many of a hundred effects go wrong, until enough have.
    pub(crate) trouble: u64,
    /// How many effects begin before nothing goes wrong any more.
    pub(crate) troubled: u64,
    /// How many effects begin before people leave for good; then nothing is answered.
    pub(crate) people_leave: Option<u64>,
    /// One after the other: each is counted from the one before.
    pub(crate) faults: Vec<Fault>,
}

/// An append that fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    /// Which one, counted from 1 after the fault before.
    pub(crate) append: u64,
    pub(crate) fate: Fate,
    /// The process ends; otherwise it goes on, as after a full disk.
    pub(crate) ends: bool,
}

pub(crate) const FATES: [Fate; 3] = [Fate::Lost, Fate::Torn, Fate::Kept];

/// The limits that count what goes wrong with a task.
const COUNTED: &[Limit] = &[
    Limit::CriticFailures,
    Limit::AuditFailures,
    Limit::LandingFailures,
    Limit::AgentFailures,
    Limit::CriticTimeouts,
    Limit::Incomplete,
    Limit::SignalRejections,
    Limit::SelfSolveAlone,
];

impl Plan {
    /// All that can happen, in a measure that the seed decides.
    pub(crate) fn of(seed: u64) -> Plan {
        let mut random = Random::new(!seed);
        let fault = |random: &mut Random| Fault {
            append: 1 + random.below(40),
            fate: random.pick(&FATES),
            ends: random.chance(70),
        };
        let faults = (0..random.below(4)).map(|_| fault(&mut random)).collect();
        let people_leave = random.chance(12).then(|| 10 + random.below(60));
        let (trouble, troubled) = (random.pick(&[10, 25, 40, 60]), 40 + random.below(60));
        Plan { seed, tasks_max: 8, trouble, troubled, people_leave, faults }
    }

    /// Little to do and little trouble, so that faults can be put at every append.
    pub(crate) fn small(seed: u64, faults: &[Fault]) -> Plan {
        let faults = faults.to_vec();
        Plan { seed, tasks_max: 4, trouble: 20, troubled: 12, people_leave: None, faults }
    }
}

/// Slots for two or three, and limits that are soon reached.
pub(crate) fn settings(random: &mut Random) -> Settings {
    let mut settings = Settings::default();
    settings.set(Limit::Agents, random.pick(&[2, 2, 3]));
    for limit in COUNTED {
        settings.set(*limit, random.pick(&[1, 2, 2, 3]));
    }
    settings
}

/// Something to deliver: tasks that wait for each other in ways that the seed decides, named in any order.
pub(crate) fn begin(random: &mut Random, name: &str, tasks_max: u64) -> Begin {
    let count = tasks_max / 2 + random.below(tasks_max / 2 + 1);
    let id = |number: u64| format!("t{number}");
    let mut tasks: Vec<NewTask> = Vec::new();
    for number in 0..count {
        let blocked_by: Vec<String> = (0..number).filter(|_| random.chance(25)).map(id).collect();
        let own = random.chance(15).then(|| check(&format!("own-{number}"), true));
        let new = NewTask {
            id: id(number),
            title: format!("Task {number}"),
            priority: u8::try_from(random.below(3)).unwrap(),
            downstream: u32::try_from(random.below(3)).unwrap(),
            blocked_by,
            verify: random.chance(15),
            checks: own.into_iter().collect(),
            files: if number % 3 == 0 { vec!["file".to_owned()] } else { Vec::new() },
            without_criteria: false,
        };
        let at = usize::try_from(random.below(number + 1)).unwrap();
        tasks.insert(at, new);
    }
    let role = |name: &str| name.to_owned();
    let bypassed = if random.chance(30) { Bypassed::Land } else { Bypassed::Ask };
    Begin {
        bypassed,
        again: false,
        warrant: Box::default(),
        terms: Box::default(),
        plan: Digest::of(name.as_bytes()),
        name: format!("{name}.md"),
        title: "A plan".to_owned(),
        base: format!("base-{name}"),
        tasks,
        checks: vec![check("test", true), check("lint", false)],
        roles: Roles { developer: role("dev"), critic: role("critic"), auditor: role("auditor") },
    }
}

fn check(name: &str, required: bool) -> CheckSpec {
    let argv = vec!["true".to_owned()];
    CheckSpec { name: name.to_owned(), argv, expect_exit: 0, limit_s: 60, required }
}
