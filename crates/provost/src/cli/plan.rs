//! `provost plan`: an intent, planned, judged and frozen.

use std::path::{Path, PathBuf};

use clap::Args;
use provost_core::diagnostic::{self, Diagnostic, quoted};
use provost_core::document::Document;
use provost_core::intent;
use provost_core::planning::{Inputs, Phase, Round};
use provost_runtime::home::Home;
use provost_runtime::planner::{self, Sources};

use super::{Context, Done};
use crate::failure::Failure;
use crate::performing;
use crate::planned::{self, Found, Going, Place, Shown};

/// Plan an intent: judge it by the rules, ask what is open, and freeze what comes of it.
///
/// The same inputs give the same run, which is then shown and not planned again. Ends with status 0 where the plan is
/// frozen, 3 where it is blocked and can be mended, 4 where it is aborted, and 5 where it waits for answers.
///
/// With --registry, --facts, --memory and --out no project is needed and nothing is written elsewhere.
///
/// Example: `provost plan intent.json`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The intent, in JSON, or in YAML where its name ends so; with --again that of the earlier run if left out.
    #[arg(value_name = "INTENT", required_unless_present = "again")]
    intent: Option<PathBuf>,

    /// The policy, instead of `[policy]` in provost.toml.
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    /// The facts, instead of a look at the repository.
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,

    /// The memory: a folder or a pack, instead of .provost/memory.
    #[arg(long, value_name = "PATH")]
    memory: Option<PathBuf>,

    /// The registry, instead of .provost/registry.
    #[arg(long, value_name = "DIR")]
    registry: Option<PathBuf>,

    /// Versions of registry content that have to be those found.
    #[arg(long, value_name = "FILE")]
    lock: Option<PathBuf>,

    /// Answers to the questions of this run; once for each pack of questions.
    #[arg(long, value_name = "FILE")]
    answers: Vec<PathBuf>,

    /// Write all documents to a folder that does not exist yet.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Make a successor of this run, which it replaces.
    #[arg(long, value_name = "RUN")]
    again: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let sources = Sources {
        policy: arguments.policy.clone(),
        registry: arguments.registry.clone(),
        facts: arguments.facts.clone(),
        memory: arguments.memory.clone(),
        lock: arguments.lock.clone(),
    };
    let alone = sources.are_complete() && arguments.out.is_some();
    let home = if alone { None } else { Some(context.home()?) };
    let answers = arguments.answers.iter().map(|path| planner::named(path)).collect::<Result<Vec<_>, _>>()?;
    let inputs = inputs(arguments, home.as_ref(), &sources, context)?;
    let intent = inputs.intent.clone();
    let before = existing(&inputs, home.as_ref(), arguments)?;
    let Planned { found, existing, refused } = plan(inputs, before, answers, home.as_ref(), arguments)?;
    if let Some(refused) = refused {
        return Err(refused);
    }
    let out = arguments.out.as_ref().map(|out| out.display().to_string());
    let places = places(&found, &intent);
    if context.screen.is_json() {
        context.screen.document(&Shown::of(&found).kept(out, existing).located(&places))?;
        return Ok(found.exit());
    }
    if existing {
        context.screen.line("planned before from the same inputs; `--again RUN` makes a successor")?;
    }
    planned::print_located(&found, &places, &mut context.screen)?;
    Ok(found.exit())
}

/// Where in the file everything is that is wrong with the intent. A run does not keep that: where something stands depends
/// on the order of keys, and nothing of a run does.
fn places(found: &Found, intent: &Document) -> Vec<Diagnostic> {
    let failed = found.account.failure.as_ref().map(|failure| failure.failed_at_state);
    if failed != Some(Phase::Prechecked) {
        return Vec::new();
    }
    let examined = intent::read(intent).map(|it| it.findings).unwrap_or_default();
    examined.into_iter().map(|finding| finding.diagnostic).collect()
}

fn inputs(
    arguments: &Arguments,
    home: Option<&Home>,
    sources: &Sources,
    context: &Context,
) -> Result<Inputs, Failure> {
    let earlier = arguments.again.as_ref().map(|name| Found::by_name(name, context)).transpose()?;
    let intent = match (&arguments.intent, &earlier) {
        (Some(path), _) if path.extension().is_some_and(|it| it.eq_ignore_ascii_case("md")) => {
            return Err(written_plan(path).into());
        }
        (Some(path), _) => planner::named(path)?,
        (None, Some(earlier)) => earlier.frozen()?.inputs.intent,
        (None, None) => {
            return Err(Diagnostic::error(diagnostic::CLI_USAGE, "no intent is named").into());
        }
    };
    let inputs = planner::gather(home, sources, intent)?;
    Ok(Inputs { supersedes: earlier.map(|it| it.run_id), ..inputs })
}

/// A plan that somebody has written needs no planning.
fn written_plan(path: &Path) -> Diagnostic {
    let shown = path.display().to_string();
    let message = format!("{} is a plan already, and an intent is to be planned", quoted(&shown));
    let help =
        format!("`provost run --dry-run {shown}` judges it; `provost intent new GOAL` writes an intent");
    Diagnostic::error(diagnostic::PLANNING_INPUT, message).with_help(help)
}

/// The run that the same inputs made before.
fn existing(inputs: &Inputs, home: Option<&Home>, arguments: &Arguments) -> Result<Option<Found>, Failure> {
    let run_id =
        inputs.run_id().map_err(|error| Diagnostic::error(diagnostic::PROVOST_BUG, error.to_string()))?;
    if let Some(home) = home {
        let state = performing::state(home)?;
        if !state.plans.runs.contains_key(&run_id) {
            return Ok(None);
        }
        return Found::on_record(home.clone(), &state, &run_id).map(Some);
    }
    let Some(out) = arguments.out.as_ref().filter(|out| planner::is_frozen(out)) else { return Ok(None) };
    let found = Found::in_folder(out)?;
    if found.run_id == run_id {
        // Anybody can write into a folder; what is said to be planned has to follow from what is in it.
        found.frozen()?;
        return Ok(Some(found));
    }
    let shown = out.display().to_string();
    let message = format!("{} holds the run {}", quoted(&shown), quoted(&found.run_id));
    Err(Diagnostic::error(diagnostic::PLANNING_OUT_TAKEN, message).into())
}

struct Planned {
    found: Found,
    /// Whether nothing was planned.
    existing: bool,
    /// Answers that do not fit; the run before them is kept.
    refused: Option<Failure>,
}

fn plan(
    inputs: Inputs,
    before: Option<Found>,
    answers: Vec<Document>,
    home: Option<&Home>,
    arguments: &Arguments,
) -> Result<Planned, Failure> {
    let mut going = match &before {
        Some(found) if answers.is_empty() || !found.waits() => None,
        Some(found) => Some(Going::again(found.frozen()?)?),
        None => Some(Going::begin(inputs)?),
    };
    let mut refused = None;
    if let Some(going) = &mut going {
        let known = going.rounds();
        for answers in answers.into_iter().skip(known) {
            if !going.waits() {
                break;
            }
            refused = going.take(Round::Answers(answers)).err();
            if refused.is_some() {
                break;
            }
        }
    }
    let (found, existing) = match (going, before) {
        (Some(going), before) => settle(&going, before.is_some(), home, arguments)?,
        (None, Some(found)) => (found, true),
        (None, None) => return Err(Diagnostic::error(diagnostic::PROVOST_BUG, "nothing was planned").into()),
    };
    if let (Some(out), Place::Record { .. }) = (&arguments.out, &found.place) {
        found.write_to(out)?;
    }
    Ok(Planned { found, existing, refused })
}

/// Keeps what was planned: on the record of the project, else in the folder.
fn settle(
    going: &Going,
    goes_on: bool,
    home: Option<&Home>,
    arguments: &Arguments,
) -> Result<(Found, bool), Failure> {
    if let Some(home) = home {
        let (found, changed) = planned::keep(home, &going.run, "provost plan")?;
        return Ok((found, !changed));
    }
    let out = arguments.out.clone().unwrap_or_default();
    if goes_on {
        planner::replace_folder(&out, &going.run.files)?;
    } else {
        planner::write_folder(&out, &going.run.files)?;
    }
    Ok((Found::in_folder(&out)?, false))
}
