//! `provost confine`: the last steps inside of walls before a program begins. Hidden: only the supervisor starts it,
//! and what it takes may change with any version.

use clap::Args;
use provost_core::diagnostic::{self, Diagnostic};
use provost_runtime::walls::{self, Walls};

use super::{Context, Done};

/// Give up everything that the walls do not allow and become the program.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The descriptor to tell the supervisor on.
    told: i32,
    /// The walls, as JSON.
    walls: String,
    /// The program and its arguments.
    #[arg(last = true)]
    argv: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments, _: &mut Context) -> Done {
    let usage =
        |error| Diagnostic::error(diagnostic::CLI_USAGE, format!("the walls are unreadable: {error}"));
    let walls: Walls = serde_json::from_str(&arguments.walls).map_err(usage)?;
    // It comes back only with an error.
    Err(walls::confine(arguments.told, &walls, &arguments.argv).into())
}
