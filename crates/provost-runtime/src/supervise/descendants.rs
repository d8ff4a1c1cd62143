//! The program and everything it started, down to the last process: asked to end, killed, counted, buried.
//!
//! This process is their subreaper: whoever loses its parent becomes a child of this process, so that when there
//! are no children left, nothing is left, however often it forked or made a session of its own.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process, setpriority_process, wait,
};

use crate::process::table::{self, Doing, Entry, Process};

/// How many are buried before anything else is looked at.
const BURIED_MAX: usize = 256;

/// How often to look for somebody who is not stopped yet, before those that are get killed.
const HOLDS_MAX: usize = 64;

/// How long to look for those who are to be asked.
const ASKING_MAX: Duration = Duration::from_millis(500);

/// The priority of who goes before all others.
const FIRST: i32 = -20;

/// What a look at those that ended has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Buried {
    /// Nobody had ended.
    None,
    /// Some had, and others are left.
    Some,
    /// Many had, and more may have.
    Many,
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
    /// Everybody who was killed.
    killed: BTreeSet<Process>,
}

impl Descendants {
    pub(super) fn new(child: Pid, walled: bool) -> Self {
        Descendants { child, walled, status: None, told: BTreeSet::new(), killed: BTreeSet::new() }
    }

    /// Buries those that ended, or many of them: whoever forks faster than they can be buried must not keep this process
    /// from looking at its clock.
    pub(super) fn reap(&mut self) -> Buried {
        let mut buried = Buried::None;
        for _ in 0..BURIED_MAX {
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
        Buried::Many
    }

    /// Asks everybody to end who was not asked before.
    pub(super) fn ask(&mut self) {
        hurry();
        // Where there are too many to be counted, some are asked; all are killed.
        let all = below(ASKING_MAX);
        // Walls that fall take everybody with them at once; they are left standing while there is somebody inside.
        let child = self.child.as_raw_nonzero().get();
        let spared = (self.walled && all.len() > 1).then_some(child);
        for process in all.iter().map(|it| it.process).filter(|process| Some(process.pid) != spared) {
            if self.told.insert(process) {
                // A stopped process hears nothing until it goes on.
                table::signal(process, &[Signal::TERM, Signal::CONT]);
            }
        }
    }

    /// Kills everybody there is now, and says whether there was anybody new; whoever was just being started is found the
    /// next time.
    pub(super) fn kill(&mut self) -> bool {
        hurry();
        if self.walled && self.status.is_none() {
            // Nobody inside outlives the walls, however many there are. Not buried yet, its number is still its own.
            let _ = kill_process(self.child, Signal::KILL);
        }
        // Stopped first: whoever is killed makes room for others, and whoever is stopped starts none.
        let mut held = BTreeSet::new();
        for _ in 0..HOLDS_MAX {
            let mut all = below(Duration::MAX);
            all.retain(|it| it.doing == Doing::Something && held.insert(it.process));
            if all.is_empty() {
                break;
            }
            for it in all {
                table::signal(it.process, &[Signal::STOP]);
            }
        }
        let mut is_new = false;
        for Entry { process, .. } in below(Duration::MAX) {
            is_new |= self.killed.insert(process);
            self.told.insert(process);
            table::signal(process, &[Signal::KILL]);
        }
        is_new
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
    below(Duration::MAX).len() as u64
}

/// Goes before those who are to end, where the system lets it: among hundreds that never wait, a look at them would take
/// minutes. Nobody is started from here any more who would go before others too.
fn hurry() {
    let _ = setpriority_process(None, FIRST);
    // Sessions come before processes where the kernel groups by them.
    let _ = fs::write("/proc/self/autogroup", FIRST.to_string());
}

/// Without a table nobody is found; the next look may have one.
fn below(patience: Duration) -> Vec<Entry> {
    table::descendants(getpid().as_raw_nonzero().get(), patience).unwrap_or_default()
}
