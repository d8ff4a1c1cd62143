//! `provost intent`: from a goal in words to a document that can be planned, and its seal.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use provost_core::diagnostic::{self, Diagnostic, Exit, Severity, quoted, visible};
use provost_core::intent::draft::{Drafted, Wish, draft};
use provost_core::intent::{self, UNSEALED};
use provost_runtime::acting::person;
use provost_runtime::clock::{Clock as _, SystemClock};
use provost_runtime::content::{self, REGISTRY};
use provost_runtime::{planner, scan};
use serde::Serialize;

use super::{Context, Done};
use crate::failure::{self, Failure};

/// Write an intent for a goal, or seal one that you wrote.
///
/// An intent says what shall be, with content of the registry and evidence from the repository; `provost plan` makes a
/// plan of it.
///
/// Example: `provost intent new "the parser accepts comments" --files 'src/parser/**'`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

impl Arguments {
    /// What its document is called.
    pub(super) const fn name(&self) -> &'static str {
        match self.command {
            Command::New(_) => "intent-new",
            Command::Seal(_) => "intent-seal",
        }
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a sealed intent for a goal.
    New(New),
    /// Write the checksum that an intent has to have into its file.
    Seal(Seal),
}

#[derive(Debug, Args)]
struct New {
    /// What shall be the case, in a sentence.
    goal: String,
    /// The workflow to follow, instead of the one that the goal speaks of.
    #[arg(long, value_name = "WORKFLOW")]
    workflow: Option<String>,
    /// A path or pattern of files that may change; may be given several times.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    files: Vec<String>,
    /// What it is called, instead of the goal.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The file to write, instead of one named after the goal.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct Seal {
    /// The intent.
    file: PathBuf,
}

#[derive(Serialize)]
struct Written<'a> {
    file: &'a str,
    #[serde(flatten)]
    drafted: &'a Drafted,
}

#[derive(Serialize)]
struct Sealed<'a> {
    file: &'a str,
    /// The profile of the checksum that it had, where that was right.
    before: Option<&'a str>,
    changed: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    match &arguments.command {
        Command::New(arguments) => new(arguments, context),
        Command::Seal(arguments) => seal(arguments, context),
    }
}

fn new(arguments: &New, context: &mut Context) -> Done {
    let home = context.home()?;
    let registry = content::registry(&home.root.join(REGISTRY), REGISTRY)?;
    let now = SystemClock.now();
    let facts = scan::look(&home, now)?;
    let by = person();
    let wish = Wish {
        goal: &arguments.goal,
        title: arguments.title.as_deref(),
        workflow: arguments.workflow.as_deref(),
        files: &arguments.files,
        by: by.strip_prefix("person:").unwrap_or(&by),
        at: now,
    };
    let drafted = draft(&wish, &registry, &facts)?;
    let path = arguments.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.json", drafted.id)));
    content::hand_out(&path, &drafted.bytes)?;
    let file = path.display().to_string();
    if context.screen.is_json() {
        context.screen.document(&Written { file: &file, drafted: &drafted })?;
        return Ok(Exit::Done);
    }
    let screen = &mut context.screen;
    screen.line(visible(&format!("wrote {file}")))?;
    screen.line(format!("workflow  {}: {}", drafted.workflow, drafted.reason))?;
    screen.line(format!("commands  {}", drafted.commands.join(", ")))?;
    if !drafted.files.is_empty() {
        screen.line(visible(&format!("files     {}", drafted.files.join(", "))))?;
    }
    for note in &drafted.notes {
        screen.line(visible(&format!("note: {note}")))?;
    }
    screen.line(visible(&format!("next: provost plan {}", typed(&file))))?;
    Ok(Exit::Done)
}

/// A name as one would type it.
fn typed(name: &str) -> String {
    let plain = name.chars().all(|it| it.is_alphanumeric() || "./_-".contains(it));
    if plain { name.to_owned() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

fn seal(arguments: &Seal, context: &mut Context) -> Done {
    let file = arguments.file.display().to_string();
    let ending = arguments.file.extension().and_then(|it| it.to_str()).unwrap_or_default();
    if ending.eq_ignore_ascii_case("yaml") || ending.eq_ignore_ascii_case("yml") {
        let message = format!("{} is YAML, and a sealed intent is written as JSON", quoted(&file));
        let help = "convert the file to JSON first; nothing was changed";
        return Err(Diagnostic::error(diagnostic::INTENT_OUTPUT, message).with_help(help).into());
    }
    let (bytes, document) = planner::opened(&arguments.file)?;
    let source = String::from_utf8_lossy(&bytes).into_owned();
    let said = |diagnostics: Vec<Diagnostic>| Failure::Said { diagnostics, source: Some(source.clone()) };
    let examined = intent::read(&document).map_err(|it| said(vec![it]))?;
    UNSEALED.check(&document).map_err(|it| said(it.defects))?;
    let missing = |error: intent::NotSealed| Diagnostic::error(diagnostic::INTENT_SCHEMA, error.to_string());
    let sealed = intent::seal(&document.root).map_err(missing)?;
    let changed = sealed != bytes;
    if changed {
        content::replace(&arguments.file, &sealed)?;
    }
    let before = examined.sealed.map(|profile| -> &'static str { profile.into() });
    if context.screen.is_json() {
        context.screen.document(&Sealed { file: &file, before, changed })?;
        return Ok(Exit::Done);
    }
    let was = match before {
        Some(profile) => format!("it was sealed in the profile {profile}"),
        None => "its checksum was not that of its content in any profile".to_owned(),
    };
    context.screen.line(visible(&format!("sealed {file}; {was}")))?;
    context.screen.flush()?;
    for finding in examined.findings.iter().filter(|it| it.diagnostic.code != diagnostic::INTENT_CHECKSUM) {
        if finding.diagnostic.code != diagnostic::INTENT_SCHEMA {
            failure::print(
                &Diagnostic { severity: Severity::Warning, ..finding.diagnostic.clone() },
                Some(&source),
            );
        }
    }
    context.screen.line(visible(&format!("next: provost plan {}", typed(&file))))?;
    Ok(Exit::Done)
}
