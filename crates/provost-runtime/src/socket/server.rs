//! The holder's side: requests of other processes go into the same inbox as its own.

use std::fs;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use provost_core::diagnostic::{self, Diagnostic};
use provost_core::record::is_word;
use provost_core::state::Command;
use rustix::process::{Pid, getpid};

use super::lines::Lines;
use super::{REQUEST_MAX, Reply, Request, not_a_person};
use crate::driver::{Cause, Handle, Submission};
use crate::process;

/// How many clients are served at once.
const CLIENTS_MAX: usize = 256;

/// The process that serves, as its clients have to know it.
#[derive(Clone, Debug)]
pub struct Host {
    /// The project whose agents and checks are not served.
    pub project_id: Option<String>,
    /// What clients are told once this process is about to end.
    pub stopping: String,
    /// Whether it is: what has to be performed is then for whoever comes next.
    pub is_stopping: Arc<AtomicBool>,
}

/// Takes requests until the process ends, but for those of processes that work for the project.
pub fn serve(path: &Path, handle: &Handle<Command>, host: Host) -> io::Result<()> {
    // A name with this process's id in it is a leftover of an earlier process with the same id.
    let _ = fs::remove_file(path);
    let lines = Lines::bind(path, CLIENTS_MAX, REQUEST_MAX)?;
    let (handle, within) = (handle.clone(), Arc::clone(&lines));
    thread::Builder::new().name("socket".to_owned()).spawn(move || {
        lines.accept(
            &(Arc::new(move |stream: &UnixStream, peer| {
                // Judged when it connects: whoever it hands the connection to is no more than it was.
                let is_person =
                    host.project_id.as_deref().is_none_or(|project_id| is_person(peer, project_id));
                within.converse(stream, |line| Some(answer(line, &handle, &host, is_person)))
            }) as _),
        );
    })?;
    Ok(())
}

fn answer(line: &[u8], handle: &Handle<Command>, host: &Host, is_person: bool) -> Reply {
    let answer = read(line).and_then(|request| {
        if !is_person {
            return Err(not_a_person());
        }
        let Request { id, actor, command } = request;
        if host.is_stopping.load(Ordering::Acquire) && command.wants_performing() {
            return Err(Diagnostic::error(diagnostic::PROJECT_STOPPING, host.stopping.clone()));
        }
        handle.submit(Submission { cause: Cause::Request(id), actor, command })
    });
    match answer {
        Ok(answer) => Reply::Records(answer.records),
        Err(refusal) => Reply::Refused(refusal),
    }
}

/// Reads a request. Whoever comes through the socket is a person; what Provost does by itself does not.
fn read(line: &[u8]) -> Result<Request, Diagnostic> {
    let unknown = |why: &str| {
        let message = format!("the request is not one that this version of Provost knows: {why}");
        Diagnostic::error(diagnostic::SOCKET_REQUEST, message)
    };
    let request: Request = serde_json::from_slice(line).map_err(|error| unknown(&error.to_string()))?;
    let named = is_word(&request.id) && is_word(&request.actor) && request.actor.starts_with("person");
    if named { Ok(request) } else { Err(unknown("its id or actor is not valid")) }
}

/// Whether a process does not work for the project. One that is gone may have, and left somebody else to ask.
fn is_person(peer: Pid, project_id: &str) -> bool {
    match process::works_for(peer) {
        Some(projects) => !projects.contains(project_id),
        // Where not even this process is to be seen, nobody is.
        None => process::works_for(getpid()).is_none(),
    }
}
