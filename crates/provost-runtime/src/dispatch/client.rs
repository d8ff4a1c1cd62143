//! The other side: a tool server that speaks for one turn, with what it was handed.

use std::io::{self, BufReader};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use provost_core::diagnostic::{self, Diagnostic, quoted};
use serde::{Deserialize, Serialize};

use super::{Call, Reply, Request};
use crate::regular;
use crate::socket::{self, REQUEST_MAX};

/// How long an answer may take that nobody has to think about.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long a decision about a tool may take; rules take milliseconds, and a person may be asked.
const DECISION: Duration = Duration::from_mins(30);

/// The most bytes of the file that are read.
const FILE_MAX: u64 = 4_096;

/// What lets a tool server speak for a turn.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ticket {
    pub(super) socket: PathBuf,
    pub(super) token: String,
}

impl std::fmt::Debug for Ticket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ticket").field("socket", &self.socket).finish_non_exhaustive()
    }
}

impl Ticket {
    /// Reads it from the file that the agent was started with.
    pub fn read(file: &Path) -> Result<Ticket, Diagnostic> {
        let wrong = |why: &str| {
            let message = format!("the dispatch {} {why}", quoted(&file.display().to_string()));
            Diagnostic::error(diagnostic::MCP_DISPATCH, message)
        };
        let bytes = regular::beginning(file, FILE_MAX).map_err(|unread| wrong(&unread.to_string()))?;
        serde_json::from_slice(&bytes).map_err(|_| wrong("is not one that Provost wrote"))
    }

    /// Makes one call, over a connection of its own: between two calls an agent may think for an hour.
    pub fn ask(&self, call: Call) -> io::Result<Reply> {
        let patience = if matches!(call, Call::Permission { .. }) { DECISION } else { PATIENCE };
        let request = Request { token: self.token.clone(), call };
        let length = serde_json::to_vec(&request).map_err(io::Error::other)?.len() as u64;
        if length >= REQUEST_MAX {
            let message = format!("The call has {length} bytes; at most {REQUEST_MAX} are taken. Say less.");
            return Ok(Reply::Refused(message));
        }
        socket::ask(&mut BufReader::new(UnixStream::connect(&self.socket)?), &request, patience)
    }
}
