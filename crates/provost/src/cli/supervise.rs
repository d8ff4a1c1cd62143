//! `provost supervise`: the process that Provost puts between itself and every program it starts. Hidden: nobody
//! types it, and what it reads and prints may change with any version.

use std::io;

use clap::Args;
use provost_core::diagnostic::Exit;
use provost_runtime::supervise;

use super::{Context, Done};

/// Run one program within limits and leave nothing behind.
///
/// Reads a job as one line of JSON from standard input, which has to stay open: its end ends the program. Prints
/// an empty line when the program runs, and then how it ended as one line of JSON.
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments, context: &mut Context) -> Done {
    let ended = supervise::run(io::stdin(), io::stdout());
    context.screen.line(serde_json::to_string(&ended).map_err(io::Error::other)?)?;
    context.screen.flush()?;
    Ok(Exit::Done)
}
