//! `provost explain`: the page of an error code.

use clap::Args;
use provost_core::diagnostic::{self, CODES, Code, Diagnostic, Exit, quoted};
use serde::Serialize;

use super::{Context, Done};
use crate::explain::page;

/// Explain an error code.
///
/// Without a code, all of them are listed.
///
/// Example: `provost explain journal::damaged`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The code as it was printed.
    code: Option<String>,
}

#[derive(Serialize)]
struct Explained<'a> {
    code: Code,
    exit: Exit,
    help: &'a str,
    page: &'a str,
}

#[derive(Serialize)]
struct Listed<'a> {
    codes: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Line<'a> {
    code: Code,
    exit: Exit,
    help: &'a str,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let screen = &mut context.screen;
    let Some(name) = &arguments.code else {
        let line = |code: &'static Code| Line { code: *code, exit: code.exit(), help: code.help() };
        let codes: Vec<Line<'_>> = CODES.iter().map(line).collect();
        if screen.is_json() {
            screen.document(&Listed { codes })?;
            return Ok(Exit::Done);
        }
        for line in codes {
            screen.line(format!("{:<28} exit {:>3}  {}", line.code, line.exit.number(), line.help))?;
        }
        screen.flush()?;
        return Ok(Exit::Done);
    };
    let unknown = || {
        // Somebody may have kept only what stands behind the colons.
        let behind = CODES.iter().filter(|code| code.name().ends_with(&format!("::{}", name.trim())));
        let known = || CODES.iter().map(Code::name);
        let message = format!("there is no code {}", quoted(name));
        let unknown = Diagnostic::error(diagnostic::EXPLAIN_UNKNOWN, message);
        match behind.map(Code::name).collect::<Vec<_>>().as_slice() {
            [] => unknown.meaning(name.trim(), known()),
            found => unknown.with_help(format!("did you mean `{}`?", found.join("` or `"))),
        }
    };
    let code = Code::named(name.trim()).ok_or_else(unknown)?;
    let page = page(code).ok_or_else(unknown)?;
    if screen.is_json() {
        screen.document(&Explained { code: *code, exit: code.exit(), help: code.help(), page })?;
        return Ok(Exit::Done);
    }
    screen.text(page)?;
    screen.flush()?;
    Ok(Exit::Done)
}
