//! What a supervisor says while its program runs. Whoever listens may have no time for it, and a supervisor that waits
//! keeps no limit: so nothing here waits until the program has ended.

use std::os::fd::BorrowedFd;

use provost_core::adapter::Asked;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::process::{TOLD_MAX, Told};

/// How much can wait to be said: enough for what an agent asks for at once, and for no flood.
const PENDING_MAX: usize = 1024 * 1024;

/// A pipe that can be written to takes at least so much without waiting (`PIPE_BUF`).
const PIECE: usize = 4096;

/// What is said, and what has still to be.
pub(super) struct Telling<'a> {
    told: BorrowedFd<'a>,
    pending: Vec<u8>,
}

impl<'a> Telling<'a> {
    pub(super) fn new(told: BorrowedFd<'a>) -> Self {
        Telling { told, pending: Vec::new() }
    }

    /// Says that the program was started.
    pub(super) fn begun(&mut self) {
        self.pending.push(b'\n');
        self.write();
    }

    /// Hands on what an agent asks for; false where nobody would hear of it.
    pub(super) fn ask(&mut self, asked: &Asked) -> bool {
        let Ok(line) = serde_json::to_vec(&Told::Asked(asked.clone())) else { return false };
        if line.len() >= TOLD_MAX || self.pending.len() + line.len() >= PENDING_MAX {
            return false;
        }
        self.pending.extend(line);
        self.pending.push(b'\n');
        self.write();
        true
    }

    /// Where something has still to be written to.
    pub(super) fn unwritten(&self) -> Option<BorrowedFd<'a>> {
        (!self.pending.is_empty()).then_some(self.told)
    }

    /// Writes as much as goes without waiting.
    pub(super) fn write(&mut self) {
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        while self.unwritten().is_some() {
            let mut state = [PollFd::new(&self.told, PollFlags::OUT)];
            match poll(&mut state, Some(&now)) {
                Ok(1..) => self.write_piece(),
                _ => return,
            }
        }
    }

    /// Writes all that is left.
    pub(super) fn finish(mut self) {
        while self.unwritten().is_some() {
            self.write_piece();
        }
    }

    fn write_piece(&mut self) {
        let piece = self.pending.get(..PIECE).unwrap_or(&self.pending);
        match rustix::io::write(self.told, piece) {
            Ok(count) => drop(self.pending.drain(..count)),
            Err(rustix::io::Errno::INTR) => {}
            // Whoever does not listen any more has closed the control pipe too.
            Err(_) => self.pending.clear(),
        }
    }
}
