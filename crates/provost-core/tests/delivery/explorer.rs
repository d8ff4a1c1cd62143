//! Every state of small worlds, breadth first over the real rules, so that what is found first is shortest.
//!
//! States are compared by what can matter later; sequences, ids and texts only grow and are left out.

mod key;
mod moves;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use provost_core::delivery::{Board, Command};
use provost_core::effects::EffectId;
use provost_core::limits::Limit;
use provost_core::state;

use crate::invariants::{self, Ghosts, Step};
use crate::rows::Rows;
use crate::table::{NewTaskOf, Table};

/// A small world: tasks, limits, and how many states it has.
pub(crate) struct World {
    name: &'static str,
    tasks: &'static [NewTaskOf],
    /// The limit that is 2; all others that count are 1.
    twice: &'static [Limit],
    states: usize,
}

const fn task(id: &'static str, blocked_by: &'static [&'static str]) -> NewTaskOf {
    NewTaskOf { id, blocked_by, verify: false }
}

/// A chain beside a free task.
const CHAIN: &[NewTaskOf] = &[task("a", &[]), task("b", &["a"]), task("c", &[])];
/// A task that waits for two.
const JOIN: &[NewTaskOf] = &[task("a", &[]), task("b", &["a", "c"]), task("c", &[])];
/// One alone, so that all its counters can be told apart.
const ALONE: &[NewTaskOf] = &[task("a", &[])];
/// Two that find out on the way that they need each other.
const PAIR: &[NewTaskOf] = &[task("a", &[]), task("c", &[])];
/// A task that only verifies what another did.
const VERIFY: &[NewTaskOf] = &[task("a", &[]), NewTaskOf { id: "v", blocked_by: &["a"], verify: true }];

const WORLDS: &[World] = &[
    World { name: "chain", tasks: CHAIN, twice: &[Limit::CriticFailures], states: 50_393 },
    World { name: "join", tasks: JOIN, twice: &[], states: 6_848 },
    World { name: "alone", tasks: ALONE, twice: COUNTED, states: 12_224 },
    World { name: "pair", tasks: PAIR, twice: &[Limit::Incomplete], states: 8_684 },
    World { name: "verify", tasks: VERIFY, twice: &[Limit::AuditFailures], states: 535 },
];

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

/// A state that was reached, and how.
struct Node {
    /// Until what follows from it was looked at.
    table: Option<(Table, Ghosts)>,
    from: usize,
    by: String,
    ended: bool,
}

/// What a walk gave.
struct Walk {
    nodes: Vec<Node>,
    /// Steps that do not give up, from and to.
    edges: Vec<(usize, usize)>,
    rows: Rows,
}

impl World {
    fn limits(&self) -> Vec<(Limit, u32)> {
        let counted = COUNTED.iter().map(|limit| (*limit, 1 + u32::from(self.twice.contains(limit))));
        counted.chain([(Limit::Agents, 2)]).collect()
    }

    /// Walks to where nothing new is found, or to the first state that should not be.
    fn walk(&self) -> Result<Walk, String> {
        let start = Table::begun(self.tasks, &self.limits());
        let mut known = BTreeMap::from([(key::of(&start, &Ghosts::default()), 0)]);
        let first =
            Node { table: Some((start, Ghosts::default())), from: 0, by: String::new(), ended: false };
        let mut walk = Walk { nodes: vec![first], edges: Vec::new(), rows: Rows::default() };
        let mut next = 0;
        while next < walk.nodes.len() {
            let Some((table, ghosts)) = walk.nodes[next].table.take() else { break };
            for step in moves::of(&table) {
                let (mut after, mut seen) = (table.clone(), ghosts.clone());
                let events = after.attempt(&step.command, &mut |state, event| {
                    walk.rows.see(state, event);
                    seen.see(state, event);
                });
                let events = events.map_err(|why| walk.history(next, &step.label, &why))?;
                let (before, reporter) = (&table.state, step.reporter());
                let taken = Step { before, after: &after.state, reporter, events: &events, ghosts: &ghosts };
                invariants::hold(&taken).map_err(|why| walk.history(next, &step.label, &why))?;
                let found = walk.nodes.len();
                let to = *known.entry(key::of(&after, &seen)).or_insert(found);
                if to == found {
                    let ended = after.board().has_ended();
                    walk.nodes.push(Node { table: Some((after, seen)), from: next, by: step.label, ended });
                }
                if !step.gives_up {
                    walk.edges.push((next, to));
                }
            }
            next += 1;
        }
        walk.ends()?;
        Ok(walk)
    }
}

impl Walk {
    /// The shortest way to a state and one step from it.
    fn history(&self, mut at: usize, last: &str, why: &str) -> String {
        let mut steps = vec![last.to_owned()];
        while at != 0 {
            steps.push(self.nodes[at].by.clone());
            at = self.nodes[at].from;
        }
        steps.reverse();
        format!("{why}\n  after {}", steps.join("\n  then  "))
    }

    /// From every state the delivery can be completed, without anybody giving up.
    fn ends(&self) -> Result<(), String> {
        let mut into = vec![Vec::new(); self.nodes.len()];
        for (from, to) in &self.edges {
            into[*to].push(*from);
        }
        let mut can = vec![false; self.nodes.len()];
        let mut next: Vec<usize> = (0..self.nodes.len()).filter(|at| self.nodes[*at].ended).collect();
        while let Some(at) = next.pop() {
            if !std::mem::replace(&mut can[at], true) {
                next.extend(&into[at]);
            }
        }
        match can.iter().position(|can| !can) {
            Some(at) => Err(self.history(at, "nothing", "it cannot be completed any more")),
            None => Ok(()),
        }
    }
}

/// The delivery that a world is about.
impl Table {
    pub(crate) fn board(&self) -> &Board {
        self.state.deliveries.boards.values().next().unwrap()
    }
}

/// One thing that can be asked or reported in a state.
pub(crate) struct Move {
    label: String,
    command: state::Command,
    /// Whether a person ends the delivery with it.
    gives_up: bool,
}

impl Move {
    /// The effect that it is a report of.
    fn reporter(&self) -> Option<EffectId> {
        match self.command {
            state::Command::Delivery(Command::Report { effect, .. }) | state::Command::Lost(effect) => {
                Some(effect)
            }
            _ => None,
        }
    }
}

#[test]
fn every_state_of_small_worlds_keeps_the_invariants_and_every_built_row_is_taken() {
    let mut rows = Rows::default();
    let (mut found, mut broken) = (String::new(), String::new());
    let mut pinned = String::new();
    for world in WORLDS {
        let walk = match world.walk() {
            Ok(walk) => walk,
            Err(why) => {
                let _ = writeln!(broken, "{}: {why}", world.name);
                continue;
            }
        };
        let _ = writeln!(found, "{} {}", world.name, walk.nodes.len());
        let _ = writeln!(pinned, "{} {}", world.name, world.states);
        rows.add(&walk.rows);
    }
    assert!(broken.is_empty(), "{broken}");
    rows.assert_complete();
    assert_eq!(found, pinned, "more or fewer states than were pinned");
}
