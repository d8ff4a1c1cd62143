//! `provost scan`: what a repository is, as planning will see it.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use provost_core::diagnostic::{self, Diagnostic, Exit, quoted, visible};
use provost_core::planning::facts::{Category, FactPack, Language};
use provost_runtime::clock::{Clock as _, SystemClock};
use provost_runtime::scan;

use super::{Context, Done};

/// Look at the repository and say what it is: files, parts, checks, documents.
///
/// Nothing is run but git, and nothing of the repository is changed. The same files give the same facts; `--json` and
/// `--out` give them as a document that others can read.
///
/// Example: `provost scan --out facts.json`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Write the facts to a file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let facts = scan::look(&home, SystemClock.now())?;
    if let Some(out) = &arguments.out {
        let shown = out.display().to_string();
        let text = serde_json::to_string_pretty(&facts).map_err(std::io::Error::from)?;
        fs::write(out, text + "\n").map_err(|error| {
            let message = format!("{} cannot be written: {error}", quoted(&shown));
            Diagnostic::error(diagnostic::SCAN_OUTPUT, message)
        })?;
    }
    if context.screen.is_json() {
        context.screen.document(&facts)?;
        return Ok(Exit::Done);
    }
    for line in lines(&facts) {
        context.screen.line(visible(&line))?;
    }
    if let Some(out) = &arguments.out {
        context.screen.line(format!("wrote {}", visible(&out.display().to_string())))?;
    }
    Ok(Exit::Done)
}

fn lines(facts: &FactPack) -> Vec<String> {
    let commit = facts.repo_fingerprint.as_ref().and_then(|it| it.git_commit.as_deref());
    let at = commit.map_or_else(|| "without a commit".to_owned(), |commit| format!("at commit {commit}"));
    let listed = facts.files.as_deref().map_or(0, <[_]>::len);
    let mut lines = vec![
        format!("project    {} {at}", facts.project_id),
        format!("files      {} tracked, {listed} digested", facts.files_total.unwrap_or_default()),
    ];
    if facts.truncated {
        lines.push("           not all of it was looked at; what is left out counts as unknown".to_owned());
    }
    let language = |it: &Language| format!("{} ({})", it.name, it.files);
    if !facts.languages.is_empty() {
        lines.push(format!(
            "languages  {}",
            facts.languages.iter().map(language).collect::<Vec<_>>().join(", ")
        ));
    }
    for part in &facts.detected_projects {
        let kind: &str = part.kind.into();
        let language = part.language.as_deref().unwrap_or("an unknown language");
        lines.push(format!("part       {}: {kind} in {language}, {}", part.root_path, part.framework));
    }
    for (name, command) in &facts.commands {
        lines.push(format!("check      {name}: `{command}`"));
    }
    let (pages, others): (Vec<_>, Vec<_>) =
        facts.evidence.iter().partition(|it| it.category == Category::Documentation);
    for evidence in others {
        let category: &str = evidence.category.into();
        lines.push(format!("{}      {category}: {}", evidence.id, evidence.source_file));
    }
    if let [first, .., last] = pages.as_slice() {
        lines.push(format!("{}      … {}: {} documents", first.id, last.id, pages.len()));
    } else if let [only] = pages.as_slice() {
        lines.push(format!("{}      documentation: {}", only.id, only.source_file));
    }
    lines.push(format!("digest     {}", facts.content_digest()));
    lines
}
