//! `provost status`: how deliveries and plans stand.

use std::collections::BTreeMap;

use clap::Args;
use provost_core::delivery::{Board, FrozenRun, Task};
use provost_core::diagnostic::{Exit, visible};
use provost_core::planning::Phase;
use provost_core::planning::runs::PlanRun;
use provost_runtime::agent::Agent;
use provost_runtime::config;
use provost_runtime::home::Home;
use provost_runtime::lock::Lock;
use provost_runtime::repository::own_branches;
use provost_runtime::walls::{Network, Strength};
use serde::Serialize;

use super::{Context, Done};
use crate::performing;
use crate::screen::Screen;
use crate::wording::{self, Paid};

/// Show how deliveries stand, and plans that are not delivered.
///
/// Example: `provost status`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only this delivery.
    pub(super) delivery: Option<String>,
}

#[derive(Serialize)]
struct Shown {
    /// Whether a process performs what is under way.
    performing: bool,
    deliveries: Vec<Delivery>,
    runs: Vec<Planned>,
    #[serde(skip_serializing_if = "Option::is_none")]
    walls: Option<Around>,
}

/// What stands around agents and checks.
#[derive(Serialize)]
struct Around {
    force: String,
    open: Vec<&'static str>,
    /// Agents that reach the network.
    network: Vec<String>,
}

impl Around {
    /// As far as it is configured; whoever has settings that cannot be read is told so by whatever uses them.
    fn of(home: &Home) -> Option<Around> {
        let config = config::read(&home.config(), config::NAME).ok()?;
        let reaches = |agent: &Agent| agent.reach.network.is_none_or(|network| network == Network::Open);
        let network =
            config.agents.iter().filter(|(_, agent)| reaches(agent)).map(|it| it.0.clone()).collect();
        Some(match Strength::of_this_machine().force(config.sandbox) {
            Ok(force) => Around { force: force.words(), open: force.open(), network },
            Err(refusal) => Around { force: refusal.message, open: Vec::new(), network },
        })
    }

    fn print(&self, screen: &mut Screen) -> std::io::Result<()> {
        let named = |what: &str, names: String| (!names.is_empty()).then(|| format!("; {what}: {names}"));
        let open = named("open", self.open.join(", ")).unwrap_or_default();
        let network = named("on the network", self.network.join(", ")).unwrap_or_default();
        screen.line(format!("walls: {}{open}{network}", visible(&self.force)))
    }
}

/// A run of planning that is not done with.
#[derive(Serialize)]
struct Planned {
    run_id: String,
    title: String,
    state: Phase,
    questions: usize,
    unapproved: Vec<String>,
}

#[derive(Serialize)]
struct Delivery {
    id: String,
    title: String,
    /// The frozen run that it delivers.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<FrozenRun>,
    course: &'static str,
    branch: String,
    /// Whether the branch of an ended delivery is no longer there.
    branch_gone: bool,
    tip: String,
    tasks: Vec<Line>,
    questions: Vec<String>,
    spent: Paid,
    /// The same for each agent.
    spent_by: BTreeMap<String, Paid>,
}

#[derive(Serialize)]
struct Line {
    id: String,
    title: String,
    status: &'static str,
    agent: Option<String>,
    commit: Option<String>,
    spent: Paid,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let state = performing::state(&home)?;
    if let Some(only) = &arguments.delivery {
        state.deliveries.board(only)?;
    }
    let wanted = |id: &String| arguments.delivery.as_ref().is_none_or(|only| only == id);
    let mut boards: Vec<(&String, &Board)> =
        state.deliveries.boards.iter().filter(|(id, _)| wanted(id)).collect();
    let runs: Vec<Planned> = match &arguments.delivery {
        None => state.undelivered().map(planned).collect(),
        Some(_) => Vec::new(),
    };
    let walls = if boards.is_empty() { None } else { Around::of(&home) };
    // The newest last, where eyes are; as text, d-10 comes before d-9.
    boards.sort_by_key(|(id, _)| (id.len(), id.as_str()));
    // Where git says nothing, nothing is said of branches.
    let ended = boards.iter().any(|(_, board)| board.has_ended());
    let branches = if ended { own_branches(&home).ok() } else { None };
    let is_gone = |board: &Board| {
        board.has_ended() && branches.as_ref().is_some_and(|branches| !branches.contains(&board.branch))
    };
    let performing = Lock::is_held(&home.lock());
    let screen = &mut context.screen;
    if screen.is_json() {
        let deliveries = boards.into_iter().map(|it| delivery(it, is_gone(it.1))).collect();
        screen.document(&Shown { performing, deliveries, runs, walls })?;
        return Ok(Exit::Done);
    }
    if boards.is_empty() && runs.is_empty() {
        screen.line("nothing is being delivered; `provost run PLAN.md` delivers a plan")?;
    }
    for (id, board) in boards {
        print(id, board, is_gone(board), screen)?;
        // What the record says was being done when its process ended is being done by nobody.
        if !performing && !board.rests() && !board.has_ended() {
            screen.line(format!("  nobody performs it: provost resume {id}"))?;
        }
    }
    if let Some(walls) = walls {
        walls.print(screen)?;
    }
    for run in runs {
        let wants = match (run.questions, run.unapproved.len()) {
            (0, 0) => String::new(),
            (0, _) => format!(", not approved: {}", visible(&run.unapproved.join(", "))),
            (count, _) => format!(", questions: {count}"),
        };
        let title = wording::one_line(&run.title);
        screen.line(format!("{}  {title}  ({}{wants})", run.run_id, run.state.label()))?;
    }
    Ok(Exit::Done)
}

fn planned((id, run): (&String, &PlanRun)) -> Planned {
    Planned {
        run_id: id.clone(),
        title: run.title.clone(),
        state: run.phase,
        questions: run.questions.len(),
        unapproved: run.unapproved().map(str::to_owned).collect(),
    }
}

fn print(id: &str, board: &Board, is_gone: bool, screen: &mut Screen) -> std::io::Result<()> {
    let branch =
        if is_gone { "its branch was removed".to_owned() } else { format!("branch {}", board.branch) };
    screen.line(format!(
        "{id}  {}  ({}, {branch})",
        wording::one_line(&board.title),
        wording::course(&board.course),
    ))?;
    if let Some(run) = &board.warrant.run {
        screen.line(format!("  delivers {}", run.id))?;
    }
    if let Some(words) = board.bill.words() {
        screen.line(format!("  used by agents: {words}"))?;
    }
    for (agent, bill) in board.bills.iter().filter(|_| board.bills.len() > 1) {
        if let Some(words) = bill.words() {
            screen.line(format!("    {agent}: {words}"))?;
        }
    }
    let mut tasks: Vec<(&String, &Task)> = board.tasks.iter().collect();
    tasks.sort_by_key(|(_, task)| task.order);
    for (name, task) in tasks {
        let agent = task.agent.as_ref().map(|agent| match agent.rests_until {
            Some(until) => format!("  [{} {} rests until {until}]", agent.role.name(), agent.name),
            None => format!("  [{} {}]", agent.role.name(), agent.name),
        });
        let title = wording::one_line(&task.title);
        screen.line(format!(
            "  {name:<20} {:<28} {title}{}",
            board.label_of(task),
            agent.unwrap_or_default()
        ))?;
    }
    for (question, _) in board.questions.values() {
        screen.line(format!("  {}: {}", question.id, wording::one_line(&question.text)))?;
    }
    Ok(())
}

fn delivery((id, board): (&String, &Board), branch_gone: bool) -> Delivery {
    let line = |(id, task): (&String, &Task)| Line {
        id: id.clone(),
        title: task.title.clone(),
        status: task.status.into(),
        agent: task.agent.as_ref().map(|agent| agent.name.clone()),
        commit: task.landed.clone(),
        spent: Paid::of(&task.bill),
    };
    Delivery {
        id: id.clone(),
        title: board.title.clone(),
        run: board.warrant.run.clone(),
        course: wording::course(&board.course),
        branch: board.branch.clone(),
        branch_gone,
        tip: board.tip.clone(),
        tasks: board.tasks.iter().map(line).collect(),
        questions: board.questions.keys().cloned().collect(),
        spent: Paid::of(&board.bill),
        spent_by: board.bills.iter().map(|(agent, bill)| (agent.clone(), Paid::of(bill))).collect(),
    }
}
