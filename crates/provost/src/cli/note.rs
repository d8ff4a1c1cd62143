//! `provost note`: a person's remark, on the record.

use std::io::{self, BufRead, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use provost_core::decider::Event as _;
use provost_core::diagnostic::{self, Diagnostic, Exit, quoted};
use provost_core::project::{self, Attachment, NOTE_MAX, Preparation};
use provost_core::record::Record;
use provost_core::state::{self, Event};
use provost_runtime::acting::{Actor, folder_trouble, new_id, person};
use provost_runtime::artifacts::{ARTIFACT_MAX, Artifacts as _, FileArtifacts};
use provost_runtime::config;
use provost_runtime::driver::Answer;
use provost_runtime::home::Home;
use provost_runtime::regular;
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
    let preparation = Preparation { project_id: new_id(), settings: config.settings };
    let mut notes = Notes { actor: Actor::new(home, person(), "provost note"), preparation, attached };
    if arguments.text != "-" {
        let answer = notes.record(arguments.text.clone())?;
        report(&answer, context)?;
        return Ok(Exit::Done);
    }
    if io::stdin().is_terminal() && !context.screen.is_json() {
        context.screen.line("one remark a line; end with Ctrl-D")?;
        context.screen.flush()?;
    }
    let mut input = io::stdin().lock();
    let mut number = 0;
    while let Some(text) = next_line(&mut input, &mut number)? {
        if text.trim().is_empty() {
            continue;
        }
        let answer = notes.record(text)?;
        // What comes in is recorded also when nobody reads what is printed any more.
        match report(&answer, context).and_then(|()| Ok(context.screen.flush()?)) {
            Ok(()) | Err(Failure::NobodyReads) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(Exit::Done)
}

/// Remarks on their way to the record; the project is held from the first one on, and others go through this process.
struct Notes {
    actor: Actor,
    preparation: Preparation,
    attached: Vec<Attachment>,
}

impl Notes {
    fn record(&mut self, text: String) -> Result<Answer, Failure> {
        let (preparation, attached) = (self.preparation.clone(), self.attached.clone());
        let command = project::Command::Note { preparation, text, attached };
        let answer = self.actor.submit(vec![state::Command::Project(command)]).into_iter().next();
        if let Some(cut) = self.actor.take_cut() {
            failure::print(&Diagnostic::warning(diagnostic::JOURNAL_CUT, wording::cut_off(&cut)), None);
        }
        Ok(answer.unwrap_or_else(|| Ok(Answer::default()))?)
    }
}

/// Reads a line, but never more of it than a remark may have and a little, which then shows that it is too long.
fn next_line(input: &mut impl BufRead, number: &mut u64) -> Result<Option<String>, Diagnostic> {
    let mut bytes = Vec::new();
    let read = input.take(NOTE_MAX as u64 + 2).read_until(b'\n', &mut bytes);
    read.map_err(|error| Diagnostic::error(diagnostic::INPUT_FAILED, error.to_string()))?;
    if bytes.is_empty() {
        return Ok(None);
    }
    *number += 1;
    let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    if text.len() > NOTE_MAX {
        let message =
            format!("line {number} has more than {NOTE_MAX} bytes; it and what follows are not recorded");
        return Err(Diagnostic::error(diagnostic::NOTE_TOO_LONG, message));
    }
    let encoding = |_| {
        let message = format!("line {number} is not UTF-8; it and what follows are not recorded");
        Diagnostic::error(diagnostic::NOTE_ENCODING, message)
    };
    str::from_utf8(text).map(|text| Some(text.to_owned())).map_err(encoding)
}

fn report(answer: &Answer, context: &mut Context) -> Result<(), Failure> {
    let mut project_made = false;
    for line in &answer.records {
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
    home.make().map_err(|error| folder_trouble(&error))?;
    let artifacts = FileArtifacts::new(home.reading(), new_id());
    let mut attached = Vec::new();
    for (path, bytes) in paths.iter().zip(contents) {
        let sha256 = artifacts.put(&bytes).map_err(|error| folder_trouble(&error))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        attached.push(Attachment { name, sha256, bytes: bytes.len() as u64 });
    }
    Ok(attached)
}

fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let name = path.display().to_string();
    let unusable =
        |why: String| Diagnostic::error(diagnostic::NOTE_ATTACHMENT, format!("{} {why}", quoted(&name)));
    let bytes = regular::named(path, ARTIFACT_MAX as u64 + 1).map_err(|why| unusable(why.to_string()))?;
    if bytes.len() > ARTIFACT_MAX {
        return Err(unusable(format!("has more than {ARTIFACT_MAX} bytes")));
    }
    Ok(bytes)
}
