//! `provost scripted-agent`: an agent that follows a script, as a real process.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use provost_core::diagnostic::{self, Diagnostic, Exit, quoted};
use provost_runtime::scripted::{self, End, Given};

use super::{Context, Done};
use crate::failure::Failure;

/// Play one turn of an agent from a script; docs/scripted-agent.md has the format.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The script.
    #[arg(value_name = "FILE")]
    script: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, _: &mut Context) -> Done {
    let given = given()?;
    let script = scripted::read(&arguments.script)?;
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    match scripted::play(&script, &given, Path::new("."), &mut out, &mut err)? {
        End::Exit(0) => Ok(Exit::Done),
        // The status is the script's, not one of Provost's own.
        End::Exit(status) => std::process::exit(i32::from(status)),
        End::Crash => {
            scripted::crash()?;
            Ok(Exit::Bug)
        }
    }
}

/// The turn, as every agent is told it.
fn given() -> Result<Given, Failure> {
    let wrong = |name: &str| {
        let message = format!("the environment has no {} that can be used", quoted(name));
        Diagnostic::error(diagnostic::SCRIPTED_TURN, message)
    };
    let read = |name: &str| std::env::var(name).map_err(|_| wrong(name));
    Ok(Given {
        role: read("PROVOST_ROLE")?.parse().map_err(|_| wrong("PROVOST_ROLE"))?,
        task: read("PROVOST_TASK")?,
        attempt: read("PROVOST_ATTEMPT")?.parse().map_err(|_| wrong("PROVOST_ATTEMPT"))?,
    })
}
