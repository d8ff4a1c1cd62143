//! The holder's side: requests of other processes go into the same inbox as its own.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use provost_core::diagnostic::{self, Diagnostic};
use provost_core::record::is_word;
use provost_core::state::Command;
use rustix::process::{Pid, geteuid, getpid};

use super::{REQUEST_MAX, Reply, Request, not_a_person};
use crate::driver::{Cause, Handle, Submission};
use crate::process;

/// How many clients are served at once; more are turned away and try again.
const CLIENTS_MAX: usize = 256;

/// How long a client may keep silent.
const SILENCE_MAX: Duration = Duration::from_mins(1);

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
    let listener = UnixListener::bind(path)?;
    let handle = handle.clone();
    thread::Builder::new()
        .name("socket".to_owned())
        .spawn(move || accept(&listener, &handle, &Arc::new(host)))?;
    Ok(())
}

fn accept(listener: &UnixListener, handle: &Handle<Command>, host: &Arc<Host>) {
    let clients = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Out of descriptors, most likely: those who hang on go away in time.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        let Some(peer) = peer(&stream).filter(|_| clients.load(Ordering::Relaxed) < CLIENTS_MAX) else {
            continue;
        };
        // Judged when it connects: whoever it hands the connection to is no more than it was.
        let is_person = host.project_id.as_deref().is_none_or(|project_id| is_person(peer, project_id));
        clients.fetch_add(1, Ordering::Relaxed);
        let (handle, count, host) = (handle.clone(), Arc::clone(&clients), Arc::clone(host));
        let served = thread::Builder::new().name("client".to_owned()).spawn(move || {
            // A client that breaks the rules or goes away only ends its own connection.
            let _ = converse(&stream, &handle, &host, is_person);
            count.fetch_sub(1, Ordering::Relaxed);
        });
        if served.is_err() {
            clients.fetch_sub(1, Ordering::Relaxed);
        }
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

/// The process at the other end, if it is one of this user.
fn peer(stream: &UnixStream) -> Option<Pid> {
    let peer = rustix::net::sockopt::socket_peercred(stream).ok()?;
    (peer.uid == geteuid()).then_some(peer.pid)
}

/// Whether a process does not work for the project. One that is gone may have, and left somebody else to ask.
fn is_person(peer: Pid, project_id: &str) -> bool {
    match process::works_for(peer) {
        Some(projects) => !projects.contains(project_id),
        // Where not even this process is to be seen, nobody is.
        None => process::works_for(getpid()).is_none(),
    }
}

fn converse(stream: &UnixStream, handle: &Handle<Command>, host: &Host, is_person: bool) -> io::Result<()> {
    stream.set_read_timeout(Some(SILENCE_MAX))?;
    stream.set_write_timeout(Some(SILENCE_MAX))?;
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        reader.by_ref().take(REQUEST_MAX).read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            return Ok(());
        }
        let answer = read(&line).and_then(|request| {
            if !is_person {
                return Err(not_a_person());
            }
            let Request { id, actor, command } = request;
            if host.is_stopping.load(Ordering::Acquire) && command.wants_performing() {
                return Err(Diagnostic::error(diagnostic::PROJECT_STOPPING, host.stopping.clone()));
            }
            handle.submit(Submission { cause: Cause::Request(id), actor, command })
        });
        let reply = match answer {
            Ok(answer) => Reply::Records(answer.records),
            Err(refusal) => Reply::Refused(refusal),
        };
        let mut text = serde_json::to_vec(&reply).map_err(io::Error::other)?;
        text.push(b'\n');
        (&mut &*stream).write_all(&text)?;
    }
}
