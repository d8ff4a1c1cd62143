//! A supervisor that is up and waits for its program, so that whoever begins a turn does not wait for one to start.
//!
//! It is there only while something runs: the next turn follows the end of this one, and a delivery that waits for a
//! person has no process. It holds nothing but pipes and what it reads into, and the end of one of them is its own.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::process::Supervised;

/// What the mark of a supervisor without a program has in place of an effect.
const NOBODY: &str = "spare";

/// At most one supervisor without a program; shared by the performer and the threads of the effects.
#[derive(Clone, Debug, Default)]
pub(super) struct Spare {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    /// Whether something runs. An effect that was told to stop may still be about to keep one when nothing does.
    wanted: bool,
    supervisor: Option<Supervised>,
}

impl Spare {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note that something runs.
    pub(super) fn want(&self) {
        self.lock().wanted = true;
    }

    /// A supervisor for a program with this mark: the one that waits, or a new one.
    pub(super) fn take(&self, exe: &Path, mark: &str) -> io::Result<Supervised> {
        let kept = self.lock().supervisor.take();
        match kept.and_then(|supervisor| supervisor.given(mark)) {
            Some(supervisor) => Ok(supervisor),
            None => Supervised::ready(exe, mark),
        }
    }

    /// Starts one for whoever is next, unless there is one. Without it the next one starts its own.
    pub(super) fn renew(&self, exe: &Path, project_id: &str) {
        let is_due = |kept: &Kept| kept.wanted && kept.supervisor.is_none();
        if !is_due(&self.lock()) {
            return;
        }
        // Not under the lock, which the next turn waits for.
        let Ok(fresh) = Supervised::ready(exe, &format!("{project_id}/{NOBODY}")) else { return };
        let mut kept = self.lock();
        if is_due(&kept) {
            kept.supervisor = Some(fresh);
        } else {
            drop(kept);
            fresh.dismiss();
        }
    }

    /// Ends it, as nothing runs any more.
    pub(super) fn end(&self) {
        let kept = {
            let mut kept = self.lock();
            kept.wanted = false;
            kept.supervisor.take()
        };
        if let Some(supervisor) = kept {
            supervisor.dismiss();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;

    use rustix::process::{Pid, Signal, kill_process, test_kill_process};
    use tempfile::TempDir;

    use super::*;

    /// A program that waits for its standard input to end, as a supervisor without a program does.
    fn waiting() -> (TempDir, PathBuf) {
        let folder = TempDir::new().unwrap();
        let exe = folder.path().join("supervisor");
        fs::write(&exe, "#!/bin/sh\nread -r job\n").unwrap();
        fs::set_permissions(&exe, fs::Permissions::from_mode(0o700)).unwrap();
        (folder, exe)
    }

    fn kept(spare: &Spare) -> Option<Pid> {
        spare.lock().supervisor.as_ref().map(pid)
    }

    fn pid(supervisor: &Supervised) -> Pid {
        Pid::from_raw(i32::try_from(supervisor.id()).unwrap()).unwrap()
    }

    #[test]
    fn one_is_kept_while_something_runs_and_given_to_the_next() {
        let (_folder, exe) = waiting();
        let spare = Spare::default();
        spare.renew(&exe, "project");
        assert_eq!(kept(&spare), None, "nothing runs");
        spare.want();
        spare.renew(&exe, "project");
        let first = kept(&spare).unwrap();
        spare.renew(&exe, "project");
        assert_eq!(kept(&spare), Some(first));
        let taken = spare.take(&exe, "project/17").unwrap();
        assert_eq!((pid(&taken), kept(&spare)), (first, None));
        spare.renew(&exe, "project");
        let second = kept(&spare).unwrap();
        assert_ne!(second, first);
        spare.end();
        assert!(test_kill_process(second).is_err(), "it is still there");
        spare.renew(&exe, "project");
        assert_eq!(kept(&spare), None, "nothing runs any more");
        taken.dismiss();
    }

    #[test]
    fn one_that_was_killed_is_replaced_and_one_that_was_stopped_is_ended() {
        let (_folder, exe) = waiting();
        let spare = Spare::default();
        spare.want();
        spare.renew(&exe, "project");
        let first = kept(&spare).unwrap();
        kill_process(first, Signal::KILL).unwrap();
        // Until the system says that it has ended it still counts as one that waits.
        let ended = |pid: Pid| {
            let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap();
            stat.rsplit(')').next().unwrap().trim_start().starts_with('Z')
        };
        while !ended(first) {
            std::thread::yield_now();
        }
        let taken = spare.take(&exe, "project/17").unwrap();
        assert_ne!(pid(&taken), first);
        taken.dismiss();
        spare.renew(&exe, "project");
        let second = kept(&spare).unwrap();
        kill_process(second, Signal::STOP).unwrap();
        spare.end();
        assert!(test_kill_process(second).is_err(), "it is still there");
    }
}
