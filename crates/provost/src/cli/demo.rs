//! `provost demo`: a whole delivery in a temporary repository, with everything in it that Provost is for, and proof of
//! each from the record.

mod evidence;
mod stage;

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use provost_core::diagnostic::{self, Diagnostic, Exit};
use serde::Serialize;

use super::{Context, Done};
use crate::failure::Failure;
use evidence::Evidence;
use stage::Stage;

/// Show a whole delivery, offline and without keys, and prove what happened.
///
/// Six tasks in parallel, one sent back by its critic, one false success refused, the coordinator killed and resumed,
/// and one byte of the record flipped and found. Ends with an error if any of it did not happen.
///
/// Example: `provost demo --keep /tmp/demo`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Without pauses for people to read.
    #[arg(long)]
    fast: bool,

    /// Work in this folder, which must not exist, and leave it there.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

#[derive(Serialize)]
struct Proven {
    ok: bool,
    folder: Option<String>,
    shown: Vec<Shown>,
}

/// One thing that was shown, and the records that prove it.
#[derive(Serialize)]
pub(crate) struct Shown {
    pub(crate) what: String,
    pub(crate) records: Vec<u64>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let stage = Stage::build(arguments.keep.as_deref(), arguments.fast)?;
    say(context, "a temporary repository, six tasks, agents that are a shell script; no network, no keys\n")?;
    deliver_until_killed(&stage, context)?;
    say(context, "\nthe coordinator is dead (SIGKILL); its agents ended with it. `provost resume`:\n")?;
    let resumed = perform(stage.provost(&["resume"]), None, context)?;
    if resumed != Some(0) {
        return Err(failed(format!("the delivery did not end well: exit status {resumed:?}")));
    }
    let mut shown = Evidence::gather(&stage)?.prove()?;
    shown.push(flip_a_byte(&stage)?);
    let folder = arguments.keep.as_ref().map(|keep| keep.display().to_string());
    if context.screen.is_json() {
        context.screen.document(&Proven { ok: true, folder, shown })?;
        return Ok(Exit::Done);
    }
    context.screen.line("\nwhat you saw, and the records that prove it:\n")?;
    for one in shown {
        let records: Vec<String> = one.records.iter().map(u64::to_string).collect();
        context.screen.line(format!("  {:<70}  {}", one.what, records.join(", ")))?;
    }
    if let Some(folder) = folder {
        context.screen.line(format!("\nlook around: cd {folder}/project && provost log"))?;
    }
    Ok(Exit::Done)
}

fn say(context: &mut Context, text: &str) -> Result<(), Failure> {
    if !context.screen.is_json() {
        context.screen.line(text)?;
        context.screen.flush()?;
    }
    Ok(())
}

/// Lets the delivery run until its first task has landed and the next is being worked on, then kills it.
fn deliver_until_killed(stage: &Stage, context: &mut Context) -> Result<(), Failure> {
    let ended = perform(stage.provost(&["run", "plan.md"]), Some("landed as"), context)?;
    match ended {
        None => Ok(()),
        Some(status) => {
            Err(failed(format!("the delivery ended with status {status} before it could be killed")))
        }
    }
}

/// Runs a command and shows what it prints; at a line that contains `kill_at` it is killed. Gives its exit status, none
/// if it was killed.
fn perform(
    mut command: Command,
    kill_at: Option<&str>,
    context: &mut Context,
) -> Result<Option<i32>, Failure> {
    let broken = |error: std::io::Error| failed(format!("provost cannot be started: {error}"));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().map_err(broken)?;
    let output = child.stdout.take();
    for line in output.into_iter().flat_map(|output| BufReader::new(output).lines().map_while(Result::ok)) {
        say(context, &line)?;
        if kill_at.is_some_and(|moment| line.contains(moment)) {
            child.kill().map_err(broken)?;
        }
    }
    Ok(child.wait().map_err(broken)?.code())
}

/// Changes one byte of the record, sees that `verify` names it, and puts it back.
fn flip_a_byte(stage: &Stage) -> Result<Shown, Failure> {
    let sequence = stage.flip()?;
    let output = stage.provost(&["verify"]).output();
    stage.flip()?;
    let output = output.map_err(|error| failed(error.to_string()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let named = said.contains(&format!("damaged at record {sequence},"));
    if output.status.code() != Some(i32::from(Exit::Unverified.number())) || !named {
        return Err(failed(format!("a flipped byte in record {sequence} was not found: {said}")));
    }
    let what = "one byte of the record was flipped; `verify` named the record".to_owned();
    Ok(Shown { what, records: vec![sequence] })
}

/// Something that had to happen did not.
pub(crate) fn failed(message: impl Into<String>) -> Failure {
    Diagnostic::error(diagnostic::DEMO_FAILED, message.into()).into()
}
