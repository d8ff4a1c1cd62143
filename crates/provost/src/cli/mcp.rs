//! `provost mcp`: Provost as a tool server of the Model Context Protocol, on standard input and output.
//!
//! For an agent it speaks for one turn and nothing else; for people's own clients it reads the record and cannot change
//! it. Which of the two it is, is decided by how it was started, never by what is called.

mod agent;
mod people;
mod schema;
mod server;

use std::path::PathBuf;

use clap::Args;

use super::{Context, Done};
use agent::Agent;
use people::People;

/// Serve tools to agents and to your own client; docs/mcp.md has them.
///
/// The protocol is the Model Context Protocol, on standard input and output. Without --dispatch the tools read the
/// record of the project and change nothing. Agents are started with it configured for their turn.
///
/// Example: `claude mcp add provost -- provost mcp`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Speak for the turn that this file belongs to; Provost writes it for each.
    #[arg(long, value_name = "FILE")]
    dispatch: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    match &arguments.dispatch {
        Some(file) => server::serve(Agent::connect(file)?),
        None => server::serve(People::new(context.folder.clone())),
    }
}
