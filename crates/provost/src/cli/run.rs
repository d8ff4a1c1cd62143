//! `provost run`: a plan, delivered.

mod approval;
mod dry;
mod frozen;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use provost_core::delivery::{self, Begin, CheckSpec, NewTask, Warrant};
use provost_core::diagnostic::{self, Diagnostic, quoted};
use provost_core::intent;
use provost_core::limits::Limit;
use provost_core::plan::{self, Plan, Shape, TaskId};
use provost_core::project::{self, Preparation};
use provost_core::record::Record;
use provost_core::state;
use provost_runtime::acting::{Actor, folder_trouble, new_id, person};
use provost_runtime::artifacts::{Artifacts as _, FileArtifacts};
use provost_runtime::config::{self, Config};
use provost_runtime::home::Home;
use provost_runtime::regular::{self, Unread};
use provost_runtime::repository::{HeadState, Preflight};

use super::watch::{self, Watched};
use super::{Context, Done};
use crate::failure::{self, Failure};
use crate::performing;

/// Deliver a plan: agents implement, review and verify its tasks in parallel.
///
/// The plan is a file, or a run of `provost plan` that is frozen and approved. Work lands on a branch of its own,
/// provost/DELIVERY; your branches, index and files are not touched. Killed at any point, `provost resume` goes on
/// where it was.
///
/// Example: `provost run plan.md --dry-run`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The plan: a file, or the beginning of a run's id.
    #[arg(value_name = "RUN|PLAN.md")]
    plan: PathBuf,

    /// Only say what would be done.
    #[arg(long)]
    dry_run: bool,

    /// How many tasks may be worked on at once.
    #[arg(long, value_name = "N", value_parser = agents)]
    max_agents: Option<u32>,

    /// Deliver a plan once more that was delivered already.
    #[arg(long)]
    again: bool,

    /// Who approves what has to be approved in a file, where nobody can be asked.
    #[arg(long, value_name = "NAME")]
    approve_by: Option<String>,

    /// Deliver a run although what it rests on has moved; that is recorded with your name.
    #[arg(long)]
    accept_drift: bool,
}

/// The same numbers that provost.toml may set.
fn agents(typed: &str) -> Result<u32, String> {
    let range = Limit::Agents.range();
    let number = typed.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("it is not a whole number from {} to {}", range.start(), range.end()))
}

/// What is to be delivered, and by what right.
struct Wanted {
    name: String,
    plan: Plan,
    /// Tasks that only verify.
    verifying: Vec<TaskId>,
    warrant: Warrant,
    /// What was decided on it, a line each, for a dry run.
    judgement: Vec<String>,
    /// What a person would have to approve first, for a dry run.
    asks: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let mut config = config::read(&home.config(), config::NAME)?;
    if let Some(agents) = arguments.max_agents {
        config.settings.set(Limit::Agents, agents);
    }
    let wanted = match frozen::named(&arguments.plan) {
        Some(name) => frozen::wanted(name, arguments, &home, &config)?,
        None => written(arguments, &home, &config, context)?,
    };
    if arguments.dry_run {
        return dry::run(&wanted, &config, &home, context);
    }
    let (project_id, tools) = performing::tools(&home, &config)?;
    let preflight = tools.repository.preflight().map_err(|fault| fault.diagnostic())?;
    let base = base_of(&preflight)?;
    if !context.screen.is_json() {
        for unseen in unseen(&preflight) {
            context.screen.line(format!("note: {unseen}"))?;
        }
    }
    let begin = Begin { again: arguments.again, ..begin(wanted, &config, &home, base)? };
    let preparation = Preparation { project_id, settings: config.settings };
    let mut actor = Actor::new(home.clone(), person(), "provost run").performing(tools);
    let since = watch::head(&home)?;
    let commands = [
        state::Command::Project(project::Command::Prepare(preparation)),
        state::Command::Delivery(delivery::Command::Begin(begin)),
    ];
    let answers = watch::asked(&commands, &mut actor, context)?;
    let first = answers.last().and_then(|answer| answer.records.first());
    let delivery =
        first.and_then(|line| Record::parse(line.as_bytes()).ok()).map(|it| format!("d-{}", it.sequence));
    let delivery =
        delivery.ok_or_else(|| Diagnostic::error(diagnostic::PROVOST_BUG, "the delivery has no record"))?;
    watch::until_rest(&Watched { home: &home, delivery: &delivery, since }, &mut actor, context)
}

/// A plan that somebody wrote: judged, and approved where it has to be.
fn written(
    arguments: &Arguments,
    home: &Home,
    config: &Config,
    context: &mut Context,
) -> Result<Wanted, Failure> {
    if arguments.accept_drift {
        let message = "`--accept-drift` is about frozen runs; a file is delivered as it is";
        return Err(Diagnostic::error(diagnostic::CLI_USAGE, message).into());
    }
    let plan = read(&arguments.plan, context)?;
    let digest =
        plan.digest().map_err(|error| Diagnostic::error(diagnostic::PROVOST_BUG, error.to_string()))?;
    let name = arguments.plan.display().to_string();
    let approval::Judged { approved, judgement, asks } =
        approval::of(&plan, digest, &name, arguments, home, config, context)?;
    let warrant = Warrant { approved, ..Warrant::default() };
    Ok(Wanted { name, plan, verifying: Vec::new(), warrant, judgement, asks })
}

fn read(path: &Path, context: &mut Context) -> Result<Plan, Failure> {
    let name = path.display().to_string();
    // One byte more than is accepted, so that the reader says that it is too large.
    let bytes = regular::named(path, u64::from(plan::BYTES_MAX) + 1).map_err(|unread| {
        let message = format!("{} {unread}", quoted(&name));
        let unreadable = Diagnostic::error(diagnostic::PLAN_UNREADABLE, message);
        match unread {
            Unread::Refused(error) if error.kind() == io::ErrorKind::NotFound => {
                unreadable.with_help("name a file that is there; `provost init` writes a sample `plan.md`")
            }
            _ => unreadable,
        }
    })?;
    let source = String::from_utf8_lossy(&bytes).into_owned();
    match plan::read(&name, &bytes) {
        Ok(read) => {
            context.screen.flush()?;
            for warning in &read.warnings {
                failure::print(warning, Some(&source));
            }
            Ok(read.plan)
        }
        Err(_) if intent::is_one(&name, &bytes) => Err(unplanned(&name).into()),
        Err(unreadable) => Err(Failure::Said { diagnostics: unreadable.defects, source: Some(source) }),
    }
}

/// An intent has to become a plan first.
fn unplanned(name: &str) -> Diagnostic {
    let message = format!("{} is an intent, and a plan is to be delivered", quoted(name));
    let help = format!("`provost plan {name}` makes a plan of it, and prints how that is delivered");
    Diagnostic::error(diagnostic::PLAN_UNREADABLE, message).with_help(help)
}

fn base_of(preflight: &Preflight) -> Result<String, Diagnostic> {
    match &preflight.head {
        HeadState::Born { commit, .. } => Ok(commit.to_string()),
        HeadState::Unborn => Err(Diagnostic::error(
            diagnostic::RUN_UNBORN,
            "the repository has no commit yet, so there is nothing to begin from",
        )),
    }
}

/// Agents see what is committed; what is not is said before anything starts.
fn unseen(preflight: &Preflight) -> Vec<String> {
    let mut told = Vec::new();
    match preflight.dirty.len() {
        0 => {}
        1 => told.push("1 changed file is not committed; agents do not see the change".to_owned()),
        count => {
            told.push(format!("{count} changed files are not committed; agents do not see the changes"));
        }
    }
    if let HeadState::Born { branch: None, .. } = &preflight.head {
        told.push("HEAD is detached; the work begins from the commit that is checked out".to_owned());
    }
    if !preflight.submodules.is_empty() {
        told.push("submodules are not checked out for agents".to_owned());
    }
    told
}

fn begin(wanted: Wanted, config: &Config, home: &Home, base: String) -> Result<Begin, Failure> {
    let Wanted { name, plan, verifying, warrant, judgement: _, asks: _ } = wanted;
    let not_canonical = |error: provost_core::canonical::NotCanonical| {
        Diagnostic::error(diagnostic::PROVOST_BUG, error.to_string())
    };
    let bytes = plan.canonical().map_err(not_canonical)?;
    home.make().map_err(|error| folder_trouble(&error))?;
    let kept = FileArtifacts::new(home.reading(), new_id()).put(&bytes);
    let digest = kept.map_err(|error| folder_trouble(&error))?;
    Ok(Begin {
        plan: digest,
        name,
        title: plan.title.clone(),
        base,
        tasks: planned_tasks(&plan, &verifying, config),
        checks: config.checks.clone(),
        roles: performing::roles(config)?,
        bypassed: config.landing.bypassed,
        again: false,
        warrant: Box::new(warrant),
        terms: Box::new(performing::terms(config)),
    })
}

/// The tasks of a plan as they are begun.
fn planned_tasks(plan: &Plan, verifying: &[TaskId], config: &Config) -> Vec<NewTask> {
    let shape = Shape::of(plan);
    let limit_s = config.settings.limit(Limit::CheckS);
    let tasks = plan.tasks.iter().zip(&shape.downstream);
    let tasks = tasks.map(|(task, downstream)| NewTask {
        id: task.id.to_string(),
        title: task.title.clone(),
        priority: task.priority as u8,
        downstream: *downstream,
        blocked_by: task.blocked_by.iter().map(ToString::to_string).collect(),
        verify: verifying.contains(&task.id),
        checks: task
            .verify
            .iter()
            .map(|verify| CheckSpec {
                name: verify.name.clone(),
                argv: verify.argv.clone(),
                expect_exit: verify.expect_exit,
                limit_s,
                required: true,
            })
            .collect(),
        files: task.files.clone(),
        without_criteria: task.criteria.is_empty(),
    });
    tasks.collect()
}
