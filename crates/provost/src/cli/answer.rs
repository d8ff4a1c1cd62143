//! `provost answer`: answers to the questions of a run, which then goes on.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use provost_core::diagnostic::{self, Diagnostic, quoted};
use provost_core::digest::Digest;
use provost_core::planning::answers::{NotAnswers, build};
use provost_core::planning::{Round, manifest};
use provost_runtime::acting::person;
use provost_runtime::clock::{Clock as _, SystemClock};
use provost_runtime::planner;

use super::{Context, Done};
use crate::failure::Failure;
use crate::planned::{self, Found, Going, Place, Shown};

/// Answer the questions of a run, which then goes on.
///
/// Answers that do not fit their questions are refused with status 2, and the run goes on waiting. Ends as `provost plan`
/// does.
///
/// Example: `provost answer coord_run_17f0 q_0001="restore last night's copy"`
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true))]
pub(crate) struct Arguments {
    /// The run, by the beginning of its id, or the folder of one.
    #[arg(value_name = "RUN|DIR")]
    run: String,

    /// Answers, each as QUESTION=TEXT.
    #[arg(value_name = "QUESTION=TEXT", value_parser = answer, group = "what")]
    answers: Vec<(String, String)>,

    /// A sealed pack of answers.
    #[arg(long, value_name = "FILE", group = "what")]
    file: Option<PathBuf>,

    /// Wait no longer: every question takes what it says happens without an answer.
    #[arg(long, group = "what")]
    defaults: bool,

    /// Write all documents to a folder that does not exist yet; the folder of a run is else replaced.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn answer(text: &str) -> Result<(String, String), String> {
    let (question, answer) = text.split_once('=').ok_or("write QUESTION=TEXT, such as q_0001=yes")?;
    Ok((question.to_owned(), answer.to_owned()))
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let found = Found::by_name(&arguments.run, context)?;
    if !found.waits() {
        let message = format!("{} does not wait for answers", quoted(&found.run_id));
        return Err(Diagnostic::error(diagnostic::PLANNING_NOT_WAITING, message).into());
    }
    let round = round(arguments, &found)?;
    let mut going = Going::again(found.frozen()?)?;
    going
        .take(round)
        .map_err(|refused| if arguments.file.is_none() { refused.placeless() } else { refused })?;
    let found = settle(&going, &found.place, arguments)?;
    let out = arguments.out.as_ref().map(|out| out.display().to_string());
    if context.screen.is_json() {
        context.screen.document(&Shown::of(&found).kept(out, false))?;
    } else {
        planned::print(&found, &mut context.screen)?;
    }
    Ok(found.exit())
}

fn round(arguments: &Arguments, found: &Found) -> Result<Round, Failure> {
    if arguments.defaults {
        return Ok(Round::Silence);
    }
    if let Some(file) = &arguments.file {
        return Ok(Round::Answers(planner::named(file)?));
    }
    let Some(asked) = &found.account.questions else {
        return Err(Diagnostic::error(diagnostic::PLANNING_NOT_WAITING, "the run asks nothing").into());
    };
    let given: Vec<(&str, &str)> =
        arguments.answers.iter().map(|(question, text)| (question.as_str(), text.as_str())).collect();
    let pack = build(asked, &given, &person(), SystemClock.now()).map_err(|error| match error {
        NotAnswers::Unfit(defects) => Failure::from(defects),
        NotAnswers::NotCanonical(error) => {
            Diagnostic::error(diagnostic::PROVOST_BUG, error.to_string()).into()
        }
    })?;
    Ok(Round::Answers(planner::handed_in(&pack)?))
}

fn settle(going: &Going, place: &Place, arguments: &Arguments) -> Result<Found, Failure> {
    let run = &going.run;
    let home = match (place, &arguments.out) {
        (Place::Record { home, .. }, _) => home,
        (Place::Folder(_), Some(out)) => {
            planner::write_folder(out, &run.files)?;
            return Found::in_folder(out);
        }
        (Place::Folder(folder), None) => {
            planner::replace_folder(folder, &run.files)?;
            return Found::in_folder(folder);
        }
    };
    let (found, _) = planned::keep(home, run, "provost answer")?;
    let ours = run.file(manifest::FILE).map(Digest::of);
    let is_ours = matches!(&found.place, Place::Record { run, .. } if run.kept.map(|it| it.manifest) == ours);
    if !is_ours {
        let message = format!("{} was answered by somebody else meanwhile", quoted(&found.run_id));
        return Err(Diagnostic::error(diagnostic::PLANNING_NOT_WAITING, message).into());
    }
    if let Some(out) = &arguments.out {
        found.write_to(out)?;
    }
    Ok(found)
}
