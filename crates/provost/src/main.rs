//! The command `provost`.

mod board;
mod cli;
mod explain;
mod failure;
mod performing;
mod planned;
mod screen;
mod subject;
mod wording;

use std::panic;
use std::process::ExitCode;

use provost_core::diagnostic::{self, Diagnostic, Exit};

fn main() -> ExitCode {
    // A contradiction that nobody caught is a bug, and ends like one.
    panic::set_hook(Box::new(|info| {
        failure::print(
            &Diagnostic::error(diagnostic::PROVOST_BUG, info.to_string().replace('\n', " ")),
            None,
        );
    }));
    panic::catch_unwind(cli::run).unwrap_or_else(|_| ExitCode::from(Exit::Bug.number()))
}
