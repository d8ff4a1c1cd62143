//! Processes by the mark that they or those above them carry: whose work one is, and, as the last resort, the end of
//! all that carry a mark although their supervisor is gone. Apart from supervising because it looks at what processes
//! say of themselves.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, geteuid, getpid};

use super::MARK_VARIABLE;
use super::table::{self, Doing, Process};

/// How long marked processes have to end by themselves.
const GRACE: Duration = Duration::from_secs(1);

/// How long to go on when killed processes do not go away.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to wait for an end before looking again.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Ends all processes of this user whose mark is `prefix` or begins with `prefix` and a `/`, and says how many
/// there were.
///
/// This process and those above it are never touched, nor is any process without such a mark.
pub fn end_marked(prefix: &str) -> io::Result<usize> {
    let begun = Instant::now();
    let mut asked = BTreeSet::new();
    loop {
        let found = find(prefix)?;
        if found.is_empty() {
            return Ok(asked.len());
        }
        let elapsed = begun.elapsed();
        if elapsed > GRACE + PATIENCE {
            let text = format!("{} processes marked `{prefix}` could not be ended", found.len());
            return Err(io::Error::new(io::ErrorKind::TimedOut, text));
        }
        let mut handles = Vec::new();
        for process in found {
            let signals: &[Signal] = match (asked.insert(process), elapsed < GRACE) {
                // A stopped process hears nothing until it goes on.
                (true, true) => &[Signal::TERM, Signal::CONT],
                (false, true) => &[],
                (_, false) => &[Signal::KILL],
            };
            handles.extend(table::signal(process, signals));
        }
        let mut waiting: Vec<PollFd<'_>> =
            handles.iter().map(|handle| PollFd::new(handle, PollFlags::IN)).collect();
        let timeout = Timespec::try_from(LOOK_AGAIN).ok();
        // Whatever interrupts the wait, looking again is what comes next.
        let _ = poll(&mut waiting, timeout.as_ref());
    }
}

/// The processes with such a mark.
fn find(prefix: &str) -> io::Result<Vec<Process>> {
    let table = table::all()?;
    let user = geteuid().as_raw();
    let own = ancestry(getpid());
    let candidates = table.filter(|entry| entry.doing != Doing::Over && !own.contains(&entry.process.pid));
    let marked = candidates.filter(|entry| {
        let folder = format!("/proc/{}", entry.process.pid);
        fs::metadata(&folder).is_ok_and(|meta| meta.uid() == user)
            && fs::read(format!("{folder}/environ")).is_ok_and(|environ| carries(&environ, prefix))
    });
    Ok(marked.map(|entry| entry.process).collect())
}

/// Whether an environment has a mark that is `prefix` or continues it with a `/`.
fn carries(environ: &[u8], prefix: &str) -> bool {
    let mut rests = marks(environ).filter_map(|mark| mark.strip_prefix(prefix.as_bytes()));
    !prefix.is_empty() && rests.any(|rest| rest.first().is_none_or(|next| *next == b'/'))
}

/// The marks in an environment.
fn marks(environ: &[u8]) -> impl Iterator<Item = &[u8]> {
    let variables = environ.split(|byte| *byte == 0);
    variables.filter_map(|variable| variable.strip_prefix(MARK_VARIABLE.as_bytes())?.strip_prefix(b"="))
}

/// The projects that a process works for, as an agent or a check: those whose marks it, or one above it, carries.
///
/// A program can take the mark out of what it starts, and start it so that nobody above answers for it; it then belongs
/// to the supervisor, which carries the mark too. `None` says that there is no such process.
pub fn works_for(pid: Pid) -> Option<BTreeSet<String>> {
    table::entry(pid.as_raw_nonzero().get())?;
    let mut projects = BTreeSet::new();
    for pid in ancestry(pid) {
        let environ = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let named = marks(&environ).map(|mark| String::from_utf8_lossy(mark).into_owned());
        projects.extend(named.filter_map(|mark| Some(mark.rsplit_once('/')?.0.to_owned())));
    }
    Some(projects)
}

/// A process and those above it.
fn ancestry(of: Pid) -> BTreeSet<i32> {
    let mut found = BTreeSet::new();
    let mut next = of.as_raw_nonzero().get();
    while next > 0 && found.insert(next) {
        next = table::entry(next).map_or(0, |entry| entry.parent);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_ends_where_a_part_of_the_mark_ends() {
        let environ = b"PATH=/bin\0PROVOST_MARK=project/17\0HOME=/\0";
        assert!(carries(environ, "project"));
        assert!(carries(environ, "project/17"));
        for other in ["project/1", "projec", "project/17/", "17", ""] {
            assert!(!carries(environ, other), "{other}");
        }
        assert!(!carries(b"NOT_PROVOST_MARK=project/17\0", "project"));
        assert!(!carries(b"PROVOST_MARKED=project/17\0", "project"));
    }

    #[test]
    fn this_process_and_the_first_one_are_never_touched() {
        let own = ancestry(getpid());
        assert!(own.contains(&getpid().as_raw_nonzero().get()));
        assert!(own.len() > 1);
    }
}
