//! The command `provost`.

mod cli;
mod explain;
mod failure;
mod screen;
mod wording;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
