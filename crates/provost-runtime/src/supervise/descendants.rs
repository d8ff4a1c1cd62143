//! The program and everything it started, down to the last process: asked to end, killed, counted, buried.
//!
//! This process is their subreaper: whoever loses its parent becomes a child of this process, so that when there
//! are no children left, nothing is left, however often it forked or made a session of its own.

use std::collections::BTreeSet;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, getpid, wait};

use crate::process::table::{self, Process};

/// What a look at those that ended has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Buried {
    /// Nobody had ended.
    None,
    /// Some had, and others are left.
    Some,
    /// Nobody is left.
    All,
}

/// All processes below this one.
pub(super) struct Descendants {
    child: Pid,
    /// Whether the child is what holds walls up around the program.
    walled: bool,
    status: Option<WaitStatus>,
    /// Everybody who was told to end.
    told: BTreeSet<Process>,
}

impl Descendants {
    pub(super) fn new(child: Pid, walled: bool) -> Self {
        Descendants { child, walled, status: None, told: BTreeSet::new() }
    }

    /// Buries those that ended.
    pub(super) fn reap(&mut self) -> Buried {
        let mut buried = Buried::None;
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) => {
                    buried = Buried::Some;
                    if pid == self.child {
                        self.status = Some(status);
                    }
                }
                Err(Errno::INTR) => {}
                Ok(None) => return buried,
                Err(_) => return Buried::All,
            }
        }
    }

    /// Asks everybody to end who was not asked before.
    pub(super) fn ask(&mut self) {
        let all = below();
        // Walls that fall take everybody with them at once; they are left standing while there is somebody inside.
        let child = self.child.as_raw_nonzero().get();
        let spared = (self.walled && all.len() > 1).then_some(child);
        for process in all.into_iter().filter(|process| Some(process.pid) != spared) {
            if self.told.insert(process) {
                // A stopped process hears nothing until it goes on.
                table::signal(process, &[Signal::TERM, Signal::CONT]);
            }
        }
    }

    /// Kills everybody there is now; whoever was just being started is found the next time.
    pub(super) fn kill(&mut self) {
        for process in below() {
            self.told.insert(process);
            table::signal(process, &[Signal::KILL]);
        }
    }

    /// Whether the program itself has ended.
    pub(super) fn child_is_over(&self) -> bool {
        self.status.is_some()
    }

    /// The program's exit status.
    pub(super) fn exit(&self) -> Option<i32> {
        self.status?.exit_status()
    }

    /// The signal that ended the program.
    pub(super) fn signal(&self) -> Option<i32> {
        self.status?.terminating_signal()
    }

    /// How many besides the program had to be told.
    pub(super) fn survivors(&self) -> u64 {
        let child = self.child.as_raw_nonzero().get();
        self.told.iter().filter(|process| process.pid != child).count() as u64
    }
}

/// How many are still there.
pub(super) fn left() -> u64 {
    below().len() as u64
}

/// Without a table nobody is found; the next look may have one.
fn below() -> Vec<Process> {
    table::descendants(getpid().as_raw_nonzero().get()).unwrap_or_default()
}
