//! The values of single fields, apart because both forms of a plan accept exactly the same ones.

use std::str::FromStr;

use strum::VariantArray;

use crate::diagnostic::{self, Diagnostic, Span, quoted};

use super::TaskId;
use super::command::{self, NotWords};
use super::findings::Findings;
use super::id::NotATaskId;

/// Reads an id.
pub(super) fn id(text: &str, span: Span, findings: &mut Findings<'_>) -> Option<TaskId> {
    let refused = |why: &NotATaskId| format!("the id {} {why}", quoted(text));
    text.parse().inspect_err(|why| findings.error(diagnostic::PLAN_TASK_ID, span, refused(why))).ok()
}

/// Reads one of a few words.
pub(super) fn choice<T>(name: &str, text: &str, span: Span, findings: &mut Findings<'_>) -> Option<T>
where
    T: FromStr + VariantArray + Copy + Into<&'static str>,
{
    let found = text.parse().ok();
    if found.is_none() {
        let known: Vec<&str> = T::VARIANTS.iter().map(|it| (*it).into()).collect();
        let message = format!("{name} is {}, which is none of {}", quoted(text), known.join(", "));
        findings.report(
            span,
            Diagnostic::error(diagnostic::PLAN_VALUE, message)
                .with_help(format!("write one of {}", known.join(", "))),
        );
    }
    found
}

/// Reads whether a proposal comes first.
pub(super) fn mode(text: &str, span: Span, findings: &mut Findings<'_>) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "proposal" | "propose" | "yes" => Some(true),
        "implementation" | "implement" | "no" => Some(false),
        _ => {
            let message =
                format!("the mode is {}, which is neither proposal nor implementation", quoted(text));
            let help = "write `proposal` to see a proposal before the work, or `implementation`";
            findings.report(span, Diagnostic::error(diagnostic::PLAN_VALUE, message).with_help(help));
            None
        }
    }
}

/// Reads an environment; `all` is the same as none.
pub(super) fn environment(text: String) -> Option<String> {
    (!text.is_empty() && !text.eq_ignore_ascii_case("all")).then_some(text)
}

/// Reads a path or glob that may be written, in its one spelling.
pub(super) fn path(text: &str, span: Span, findings: &mut Findings<'_>) -> Option<String> {
    let text = text.trim();
    let refused = |why: &&str| format!("the path {} {why}", quoted(text));
    repository_path(text).inspect_err(|why| findings.error(diagnostic::PLAN_PATH, span, refused(why))).ok()
}

/// The one spelling of a path or glob below the top of the repository, or why it is none.
pub(crate) fn repository_path(text: &str) -> Result<String, &'static str> {
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let why = if text.starts_with(['/', '~']) {
        "is not below the top of the repository"
    } else if text.contains(['\n', '\t']) {
        "has a line end or a tab"
    } else if text.contains(diagnostic::is_hidden) {
        "has a character that cannot be seen"
    } else if text.contains('\\') {
        "has a backslash; folders are separated by `/`"
    } else if parts.contains(&"..") {
        "leads out of its folder"
    } else if parts.first().is_some_and(|first| first.eq_ignore_ascii_case(".git")) {
        "is inside of git's own folder"
    } else if parts.is_empty() {
        "names no file; `**` is everything"
    } else {
        let folder = if text.ends_with('/') { "/" } else { "" };
        return Ok(parts.join("/") + folder);
    };
    Err(why)
}

/// Reads the words of a command.
pub(super) fn argv(text: &str, span: Span, findings: &mut Findings<'_>) -> Option<Vec<String>> {
    let refused = |why: &NotWords| format!("the command {} {why}", quoted(text));
    command::words(text).inspect_err(|why| findings.error(diagnostic::PLAN_COMMAND, span, refused(why))).ok()
}
