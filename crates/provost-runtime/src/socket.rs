//! The socket of the process that holds a project: how every other process's commands reach it.
//!
//! One JSON line a request, one an answer. The folder is open to its owner alone and the peer's user is checked
//! all the same; a line that is too long or not a request ends the connection.

mod client;
mod lines;
mod server;

use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use provost_core::diagnostic::{self, Diagnostic};
use provost_core::digest::Digest;
use provost_core::state::Command;
use serde::{Deserialize, Serialize};

pub use client::Client;
pub(crate) use client::ask;
pub(crate) use lines::Lines;
pub use server::{Host, serve};

/// The most bytes that a request may have.
pub(crate) const REQUEST_MAX: u64 = 1024 * 1024;

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

/// What a process gets that works for the project: it is an agent or a check, and no person.
pub fn not_a_person() -> Diagnostic {
    let message = "an agent or a check of this project asks, and only people may";
    Diagnostic::error(diagnostic::ACTOR_AGENT, message)
}

/// A path for this process's socket, in a folder that only this user can enter; `None` where there is no such folder.
///
/// It is not in the project, because a socket's path must be short and a project's need not be.
pub fn path_for(state: &Path) -> Option<PathBuf> {
    let project = Digest::of(state.as_os_str().as_encoded_bytes()).to_string();
    let name = format!("{}-{}.sock", project.get(..16).unwrap_or_default(), std::process::id());
    private_folder(name.len()).map(|folder| folder.join(name))
}

/// A folder that only this user can enter, in which a socket may have a name of so many bytes.
pub fn private_folder(name_len: usize) -> Option<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    // What the session gives, what everybody can make, and what nobody can have made before.
    let candidates = [
        folder(),
        Some(std::env::temp_dir().join(format!("provost-{user}"))),
        Some(std::env::temp_dir().join(format!("provost-{user}-{}", uuid::Uuid::new_v4().simple()))),
    ];
    candidates.into_iter().flatten().find(|folder| {
        let _ = DirBuilder::new().mode(0o700).create(folder);
        is_private(folder) && folder.as_os_str().len() + 1 + name_len <= PATH_MAX
    })
}

/// The folder that sockets of this user's session are in, if it gives one.
pub(crate) fn folder() -> Option<PathBuf> {
    let given = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|it| is_private(it));
    given.map(|it| it.join("provost"))
}

/// The most bytes that every system takes for the path of a socket.
pub(crate) const PATH_MAX: usize = 100;

#[expect(clippy::verbose_bit_mask, reason = "permissions are read as octal digits")]
fn is_private(folder: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    let meta = fs::symlink_metadata(folder);
    meta.is_ok_and(|meta| {
        let closed = meta.mode() & 0o077 == 0;
        folder.is_absolute() && meta.is_dir() && meta.uid() == user && closed
    })
}
