//! The socket of the process that holds a project: how every other process's commands reach it.
//!
//! One JSON line a request, one an answer. The folder is open to its owner alone and the peer's user is checked
//! all the same; a line that is too long or not a request ends the connection.

mod client;
mod server;

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use provost_core::diagnostic::Diagnostic;
use provost_core::digest::Digest;
use provost_core::state::Command;
use serde::{Deserialize, Serialize};

pub use client::Client;
pub use server::serve;

/// The most bytes that a request may have.
const REQUEST_MAX: u64 = 1024 * 1024;

/// What a client sends.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The client's name for it; sending it again gives the first answer.
    pub id: String,
    /// Who asks.
    pub actor: String,
    /// What is asked.
    pub command: Command,
}

/// What it gets.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The records that the command led to.
    Records(Vec<String>),
    /// Why there are none.
    Refused(Diagnostic),
}

/// A path for this process's socket, in a folder that only this user can enter.
///
/// It is not in the project, because a socket's path must be short and a project's need not be.
pub fn path_for(state: &Path) -> io::Result<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let folder = match std::env::var_os("XDG_RUNTIME_DIR") {
        Some(runtime) => Path::new(&runtime).join("provost"),
        None => std::env::temp_dir().join(format!("provost-{user}")),
    };
    DirBuilder::new().mode(0o700).recursive(true).create(&folder)?;
    let meta = fs::symlink_metadata(&folder)?;
    if !meta.is_dir() || meta.uid() != user || meta.mode() & 0o077 != 0 {
        let text = format!("{} must be a folder that belongs to you alone", folder.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    let project = Digest::of(state.as_os_str().as_encoded_bytes()).to_string();
    let name = format!("{}-{}.sock", project.get(..16).unwrap_or_default(), std::process::id());
    Ok(folder.join(name))
}
