//! The system's table of processes, read from `/proc`: who started whom, and signals that reach the process that
//! was meant and never another one that got its number since.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// A process, told apart from a later one of the same number by its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Process {
    /// Its number.
    pub(crate) pid: i32,
    /// When it started, in the kernel's ticks since boot.
    pub(crate) started: u64,
}

/// A process in the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The process.
    pub(crate) process: Process,
    /// The number of the process that answers for it.
    pub(crate) parent: i32,
    /// What it is doing.
    pub(crate) doing: Doing,
}

/// What a process is doing, as far as it matters to whoever wants it to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// It runs or waits, and may start others.
    Something,
    /// It was stopped, and starts nobody until it goes on.
    Nothing,
    /// It has ended and only waits for its parent to notice.
    Over,
}

/// When a process started, in the kernel's ticks since boot.
pub(crate) fn start_time(pid: u32) -> Option<u64> {
    Some(entry(i32::try_from(pid).ok()?)?.process.started)
}

/// One process, if it is there.
pub(crate) fn entry(pid: i32) -> Option<Entry> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The second field is a name that may contain anything, so counting starts behind it.
    let stat = String::from_utf8_lossy(&stat);
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let doing = match fields.next()? {
        "Z" | "X" => Doing::Over,
        "T" | "t" => Doing::Nothing,
        _ => Doing::Something,
    };
    let parent = fields.next()?.parse().ok()?;
    let started = fields.nth(17)?.parse().ok()?;
    Some(Entry { process: Process { pid, started }, parent, doing })
}

/// Every process that can be seen.
pub(crate) fn all() -> io::Result<impl Iterator<Item = Entry>> {
    let numbers = fs::read_dir("/proc")?.filter_map(|file| file.ok()?.file_name().to_str()?.parse().ok());
    Ok(numbers.filter_map(entry))
}

/// The processes below one, not counting itself nor those that are over; those that are found within a time.
pub(crate) fn descendants(of: i32, patience: Duration) -> io::Result<Vec<Entry>> {
    let begun = Instant::now();
    let mut children: BTreeMap<i32, Vec<Entry>> = BTreeMap::new();
    for entry in all()?.take_while(|_| begun.elapsed() < patience) {
        children.entry(entry.parent).or_default().push(entry);
    }
    let mut found = Vec::new();
    let mut next = vec![of];
    while let Some(parent) = next.pop() {
        for entry in children.remove(&parent).unwrap_or_default() {
            next.push(entry.process.pid);
            if entry.doing != Doing::Over {
                found.push(entry);
            }
        }
    }
    Ok(found)
}

/// Signals a process and gives a handle that becomes readable at its end; `None` when it is gone or out of reach.
pub(crate) fn signal(process: Process, signals: &[Signal]) -> Option<OwnedFd> {
    let handle = pidfd_open(Pid::from_raw(process.pid)?, PidfdFlags::empty()).ok()?;
    // Looked at after opening: if the number has the same start, the handle is that of the process meant.
    if entry(process.pid)?.process != process {
        return None;
    }
    for signal in signals {
        pidfd_send_signal(&handle, *signal).ok()?;
    }
    Some(handle)
}
