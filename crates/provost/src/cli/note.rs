//! `provost note`: a person's remark, on the record.

use std::fs::File;
use std::io::{self, BufRead, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use provost_core::decider::Event as _;
use provost_core::diagnostic::{self, Diagnostic, Exit, quoted};
use provost_core::project::{self, Attachment, NOTE_MAX};
use provost_core::record::Record;
use provost_core::state::{self, Event};
use provost_runtime::acting::{Actor, new_id, person};
use provost_runtime::artifacts::{ARTIFACT_MAX, Artifacts as _, FileArtifacts};
use provost_runtime::config;
use provost_runtime::driver::Answer;
use provost_runtime::home::Home;
use serde::Serialize;

use super::{Context, Done};
use crate::failure::{self, Failure};
use crate::wording;

/// Record a remark.
///
/// In a repository without a project, one is made. While another command holds the project, the remark goes
/// through it.
///
/// Example: `provost note "the flaky test is known, see the log" --attach build.log`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The remark; `-` records each line of standard input as a remark of its own, as it arrives.
    text: String,

    /// A file to keep with the remark, of at most 4 MiB.
    #[arg(long, value_name = "FILE")]
    attach: Vec<PathBuf>,
}

#[derive(Serialize)]
struct Noted {
    sequence: u64,
    hash: String,
    project_made: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let config = config::read(&home.config(), ".provost/provost.toml")?;
    let attached = keep(&arguments.attach, &home)?;
    let mut actor = Actor::new(home, person(), "provost note");
    let prepare = project::Command::Prepare { project_id: new_id(), settings: config.settings };
    if arguments.text == "-" {
        return stream(prepare, &attached, &mut actor, context);
    }
    let note = project::Command::Note { text: arguments.text.clone(), attached };
    let prepared = submit(&mut actor, vec![prepare, note], context)?;
    report(&prepared, context)?;
    Ok(Exit::Done)
}

/// Records lines until there are no more; the project is held in the meantime, and others go through this process.
fn stream(
    prepare: project::Command,
    attached: &[Attachment],
    actor: &mut Actor,
    context: &mut Context,
) -> Done {
    report(&submit(actor, vec![prepare], context)?, context)?;
    if io::stdin().is_terminal() && !context.screen.is_json() {
        context.screen.line("one remark a line; end with Ctrl-D")?;
    }
    context.screen.flush()?;
    let mut input = io::stdin().lock();
    while let Some(text) = next_line(&mut input)? {
        if text.trim().is_empty() {
            continue;
        }
        let note = project::Command::Note { text, attached: attached.to_vec() };
        report(&submit(actor, vec![note], context)?, context)?;
        context.screen.flush()?;
    }
    Ok(Exit::Done)
}

/// Reads a line, but never more of it than a remark may have and one byte, which then shows that it is too long.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    input.take(NOTE_MAX as u64 + 2).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}

fn submit(
    actor: &mut Actor,
    commands: Vec<project::Command>,
    context: &mut Context,
) -> Result<Vec<Answer>, Failure> {
    let commands = commands.into_iter().map(state::Command::Project).collect();
    let answers = actor.submit(commands).into_iter().collect::<Result<Vec<_>, _>>()?;
    if let Some(cut) = actor.take_cut() {
        context.screen.flush()?;
        failure::print(&Diagnostic::warning(diagnostic::JOURNAL_CUT, wording::cut_off(&cut)), None);
    }
    Ok(answers)
}

fn report(answers: &[Answer], context: &mut Context) -> Result<(), Failure> {
    let mut project_made = false;
    for line in answers.iter().flat_map(|answer| &answer.records) {
        let Ok(record) = Record::parse(line.as_bytes()) else { continue };
        let Ok(Event::Project(event)) = Event::read(&record) else { continue };
        match event {
            project::Event::Initialised { .. } => {
                project_made = true;
                if !context.screen.is_json() {
                    context.screen.line("made a project: its record is in the repository's git folder")?;
                }
            }
            project::Event::Noted(_) if context.screen.is_json() => {
                let (sequence, hash) = (record.sequence, record.hash.to_string());
                context.screen.document(&Noted { sequence, hash, project_made })?;
            }
            project::Event::Noted(_) => {
                context.screen.line(format!("noted as record {}", record.sequence))?;
            }
            other if !context.screen.is_json() => {
                context.screen.line(wording::sentence(&Event::Project(other)))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Keeps files as artifacts, before the record that will name them.
fn keep(paths: &[PathBuf], home: &Home) -> Result<Vec<Attachment>, Failure> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let contents = paths.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let folder = |error: io::Error| Diagnostic::error(diagnostic::PROJECT_FOLDER, error.to_string());
    home.make().map_err(folder)?;
    let artifacts = FileArtifacts::new(home.reading(), new_id());
    let mut attached = Vec::new();
    for (path, bytes) in paths.iter().zip(contents) {
        let sha256 = artifacts.put(&bytes).map_err(folder)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        attached.push(Attachment { name, sha256, bytes: bytes.len() as u64 });
    }
    Ok(attached)
}

fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let name = path.display().to_string();
    let unusable =
        |why: String| Diagnostic::error(diagnostic::NOTE_ATTACHMENT, format!("{} {why}", quoted(&name)));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| unusable(format!("cannot be read: {error}")))?;
    if !file.metadata().is_ok_and(|meta| meta.is_file()) {
        return Err(unusable("is not a file".to_owned()));
    }
    let read = file.take(ARTIFACT_MAX as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| unusable(format!("cannot be read: {error}")))?;
    if bytes.len() > ARTIFACT_MAX {
        return Err(unusable(format!("has more than {ARTIFACT_MAX} bytes")));
    }
    Ok(bytes)
}
