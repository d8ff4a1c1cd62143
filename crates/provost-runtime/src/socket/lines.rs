//! Requests and answers as lines over a socket, one thread a connection: who may connect, how many, how much each may
//! say. Apart because a project's socket and a turn's differ only in what they answer.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, geteuid};
use serde::Serialize;

/// How long a client may keep silent.
const SILENCE_MAX: Duration = Duration::from_mins(1);

/// A socket that is listened on until it is closed.
#[derive(Debug)]
pub(crate) struct Lines {
    listener: UnixListener,
    /// How many clients are served at once; more are turned away and try again.
    clients_max: usize,
    /// The most bytes that a request may have.
    request_max: u64,
    closed: AtomicBool,
    clients: Mutex<BTreeMap<u64, Arc<UnixStream>>>,
}

/// What is done with a client: its connection, and the process at its other end.
type Serve = dyn Fn(&UnixStream, Pid) -> io::Result<()> + Send + Sync;

impl Lines {
    /// Begins to listen.
    pub(crate) fn bind(path: &Path, clients_max: usize, request_max: u64) -> io::Result<Arc<Lines>> {
        Ok(Arc::new(Lines {
            listener: UnixListener::bind(path)?,
            clients_max,
            request_max,
            closed: AtomicBool::new(false),
            clients: Mutex::default(),
        }))
    }

    /// Lets clients in until it is closed.
    pub(crate) fn accept(self: &Arc<Lines>, serve: &Arc<Serve>) {
        for number in 0_u64.. {
            let stream = self.listener.accept();
            if self.is_closed() {
                return;
            }
            let Ok((stream, _)) = stream else {
                // Out of descriptors, most likely: those who hang on go away in time.
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            let has_room = self.clients().len() < self.clients_max;
            let Some(peer) = peer(&stream).filter(|_| has_room) else { continue };
            let stream = Arc::new(stream);
            self.clients().insert(number, Arc::clone(&stream));
            let (lines, serve) = (Arc::clone(self), Arc::clone(serve));
            let served = thread::Builder::new().name("client".to_owned()).spawn(move || {
                // A client that breaks the rules or goes away only ends its own connection.
                let _ = serve(&stream, peer);
                lines.clients().remove(&number);
            });
            if served.is_err() {
                self.clients().remove(&number);
            }
        }
    }

    /// Answers a client's requests until it goes away, breaks the rules or gets no answer.
    pub(crate) fn converse<T: Serialize>(
        &self,
        stream: &UnixStream,
        mut answer: impl FnMut(&[u8]) -> Option<T>,
    ) -> io::Result<()> {
        stream.set_read_timeout(Some(SILENCE_MAX))?;
        stream.set_write_timeout(Some(SILENCE_MAX))?;
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while !self.is_closed() {
            line.clear();
            reader.by_ref().take(self.request_max).read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                return Ok(());
            }
            let Some(reply) = answer(&line) else { return Ok(()) };
            let mut text = serde_json::to_vec(&reply).map_err(io::Error::other)?;
            text.push(b'\n');
            (&mut &*stream).write_all(&text)?;
        }
        Ok(())
    }

    /// Lets nobody in any more and ends every connection.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        // Whoever waits in `accept` is woken by this.
        let _ = rustix::net::shutdown(&self.listener, rustix::net::Shutdown::Both);
        for stream in self.clients().values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    fn clients(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<UnixStream>>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The process at the other end, if it is one of this user.
fn peer(stream: &UnixStream) -> Option<Pid> {
    let peer = rustix::net::sockopt::socket_peercred(stream).ok()?;
    (peer.uid == geteuid()).then_some(peer.pid)
}
