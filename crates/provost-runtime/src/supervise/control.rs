//! Who may end a supervised program: the control pipe, by a line or by its end, and signals to the supervisor.

use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::net::UnixStream;

use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::low_level::pipe;

use super::ready;
use super::start::NotStarted;
use crate::process::{ANSWER, Job, Reply};

/// The most bytes that a job may have.
const JOB_MAX: usize = 64 * 1024 * 1024;

/// The pipe from the coordinator: a job, then lines that ask to stop.
pub(super) struct Control<'a> {
    /// Gone once it has ended.
    pipe: Option<BorrowedFd<'a>>,
    /// What was read and not yet looked at.
    read: Vec<u8>,
    /// Answers that nobody has taken yet.
    replies: Vec<Reply>,
}

impl<'a> Control<'a> {
    pub(super) fn new(pipe: BorrowedFd<'a>) -> Self {
        Control { pipe: Some(pipe), read: Vec::new(), replies: Vec::new() }
    }

    /// Reads the job, waiting for it.
    pub(super) fn job(&mut self) -> Result<Job, NotStarted> {
        let mut looked = 0;
        let end = loop {
            let fresh = self.read.get(looked..).unwrap_or_default();
            if let Some(at) = fresh.iter().position(|byte| *byte == b'\n') {
                break looked + at + 1;
            }
            looked = self.read.len();
            if looked > JOB_MAX {
                return Err(NotStarted::other("the job is too large"));
            }
            if !self.fill() {
                return Err(NotStarted::other("the control pipe ended before the job"));
            }
        };
        let rest = self.read.split_off(end);
        let line = std::mem::replace(&mut self.read, rest);
        serde_json::from_slice(&line)
            .map_err(|error| NotStarted::other(format!("the job is unreadable: {error}")))
    }

    /// What to wait for.
    pub(super) fn source(&self) -> Option<BorrowedFd<'a>> {
        self.pipe
    }

    /// Whether the end was asked for already.
    pub(super) fn poll_stop(&mut self) -> bool {
        let waiting = ready(&[self.pipe], std::time::Duration::ZERO).contains(&true);
        (waiting && self.read_stop()) || self.take_stop()
    }

    /// Reads what has come; true when it asks for the end, or is the end.
    pub(super) fn read_stop(&mut self) -> bool {
        !self.fill() || self.take_stop()
    }

    /// Looks at whole lines; those that are not understood were written by a newer coordinator.
    fn take_stop(&mut self) -> bool {
        let Some(end) = self.read.iter().rposition(|byte| *byte == b'\n') else { return false };
        let rest = self.read.split_off(end + 1);
        let lines = std::mem::replace(&mut self.read, rest);
        let mut stop = false;
        for line in lines.split(|byte| *byte == b'\n') {
            stop |= line == b"stop";
            let reply = line.strip_prefix(ANSWER.as_bytes());
            self.replies.extend(reply.and_then(|reply| serde_json::from_slice(reply).ok()));
        }
        stop
    }

    /// What was decided since the last time.
    pub(super) fn take_replies(&mut self) -> Vec<Reply> {
        std::mem::take(&mut self.replies)
    }

    /// Reads once; false at the end.
    fn fill(&mut self) -> bool {
        let Some(pipe) = self.pipe else { return false };
        let mut buffer = [0; 16 * 1024];
        loop {
            match rustix::io::read(pipe, &mut buffer) {
                Err(rustix::io::Errno::INTR) => {}
                Ok(count) if count > 0 => {
                    self.read.extend_from_slice(buffer.get(..count).unwrap_or_default());
                    return true;
                }
                _ => {
                    self.pipe = None;
                    return false;
                }
            }
        }
    }
}

/// Signals to this process, as bytes in pipes, so that they are waited for like everything else.
pub(super) struct Signals {
    end: UnixStream,
    child: UnixStream,
}

impl Signals {
    /// From now on signals that would end this process only ask for it.
    pub(super) fn catch() -> io::Result<Signals> {
        let (end, asks) = UnixStream::pair()?;
        for signal in [SIGTERM, SIGINT, SIGHUP, SIGQUIT] {
            pipe::register(signal, asks.try_clone()?)?;
        }
        let (child, tells) = UnixStream::pair()?;
        pipe::register(SIGCHLD, tells)?;
        end.set_nonblocking(true)?;
        child.set_nonblocking(true)?;
        Ok(Signals { end, child })
    }

    /// Readable when the end is asked for.
    pub(super) fn end(&self) -> BorrowedFd<'_> {
        self.end.as_fd()
    }

    /// Readable when a child has ended.
    pub(super) fn child(&self) -> BorrowedFd<'_> {
        self.child.as_fd()
    }

    /// Whether the end was asked for.
    pub(super) fn take_end(&self) -> bool {
        drain(&self.end)
    }

    /// Forgets that children ended; the table of processes says which.
    pub(super) fn take_child(&self) {
        drain(&self.child);
    }
}

/// Reads some of what is there; whether there was anything. What is left is seen on the next look: signals may come faster
/// than they are read.
fn drain(mut stream: &UnixStream) -> bool {
    let mut buffer = [0; 4_096];
    stream.read(&mut buffer).is_ok_and(|count| count > 0)
}
