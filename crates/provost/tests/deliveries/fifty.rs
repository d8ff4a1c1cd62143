//! Fifty tasks whose agents do not want to end, and five that are done like any others: one delivery, real processes.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use crate::project::{Project, plan};

/// How many do not want to end.
const BAD: usize = 50;
/// How many work.
const GOOD: usize = 5;

/// The most memory that the coordinator may ever have had.
const MEMORY_MAX_KIB: u64 = 128 * 1024;

/// The most that may be kept of it all: what nine print without end is cut to 4 MiB each.
const KEPT_MAX: u64 = 48 * 1024 * 1024;

/// The most that the record itself may take.
const RECORD_MAX: u64 = 1024 * 1024;

/// Each sixth does the same.
const AGENT: &str = r#"#!/bin/sh
cat > /dev/null
case "$PROVOST_TASK" in bad-*)
  echo "$PROVOST_TASK" >> "$HOME/told/begun"
  case $((${PROVOST_TASK#bad-} % 6)) in
    0) trap '' TERM HUP INT; while :; do sleep 1000; done ;;
    1) exec yes 'a line that is printed for ever' ;;
    2) for i in 1 2 3 4 5 6 7 8 9; do (setsid sleep 1000 &); done; exec sleep 1000 ;;
    3) (setsid sh -c '(setsid env -i sleep 1000 &); trap "" TERM HUP; sleep 1000; sleep 1000' &); exit 0 ;;
    4) kill -STOP $$; sleep 1000 ;;
    5) exec python3 "$HOME/bomb.py" ;;
  esac ;;
esac
case "$PROVOST_ROLE" in
  developer) echo done > "$PROVOST_TASK.txt"; printf 'READY_FOR_REVIEW: %s\nSummary: wrote the file\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

/// Whoever is killed is replaced by another, up to a few; after a minute it is over, whatever the test came to.
const BOMB: &str = r#"
import fcntl, os, random, signal, tempfile, time
end = time.monotonic() + 60
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
locks = tempfile.TemporaryFile("w")
while time.monotonic() < end:
    slot = random.randrange(6)
    if os.fork() == 0:
        os.setsid()
        random.seed()
        try:
            fcntl.lockf(locks, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, slot)
        except OSError:
            os._exit(0)
"#;

#[test]
fn fifty_that_do_not_want_to_end_disturb_nobody_within_walls() {
    deliver("require");
}

#[test]
fn fifty_that_do_not_want_to_end_disturb_nobody_without_walls() {
    deliver("off");
}

fn deliver(sandbox: &str) {
    let names: Vec<String> = (0..BAD)
        .map(|number| format!("bad-{number}"))
        .chain((0..GOOD).map(|number| format!("good-{number}")))
        .collect();
    let tasks: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "none")).collect();
    let limits = format!(
        "agents = {}\ndeveloper_s = 8\nidle_s = 6\nkill_grace_s = 1\nagent_failures = 1\n\
         [policy]\nsandbox = \"{sandbox}\"\n",
        names.len()
    );
    let project = Project::with(&plan(&tasks), AGENT, "#!/bin/sh\n", &limits);
    fs::write(project.folder().join("bomb.py"), BOMB).unwrap();
    let mut command = project.command(&["run", "plan.md"]);
    let mut running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let peak_kib = peak_until_the_end(&mut running);
    // Each of the fifty waits for a person now.
    assert_eq!(running.wait().unwrap().code(), Some(5));
    assert_eq!(project.processes(), Vec::<String>::new());
    let landed = project.git(&["ls-tree", "--name-only", "provost/d-4"]);
    let done = |name: &&String| landed.lines().any(|line| *line == format!("{name}.txt"));
    let done: Vec<&String> = names.iter().filter(done).collect();
    assert_eq!(done, names.iter().skip(BAD).collect::<Vec<_>>());
    let begun = fs::read_to_string(project.folder().join("told/begun")).unwrap();
    assert_eq!(begun.lines().collect::<std::collections::BTreeSet<_>>().len(), BAD);
    assert!(peak_kib < MEMORY_MAX_KIB, "{peak_kib} KiB");
    let state = project.root().join(".git/provost");
    let (kept, record) = (bytes_in(&state), bytes_in(&state.join("journal")));
    assert!(kept < KEPT_MAX && record < RECORD_MAX, "{kept} bytes, {record} of them the record");
    assert_eq!(bytes_in(&state.join("running")), 0);
    assert!(project.run(&["verify"]).out.starts_with("verified: "));
}

/// The most memory that a process had, looked at until it is over.
fn peak_until_the_end(running: &mut Child) -> u64 {
    let pid = Pid::from_raw(running.id().cast_signed()).unwrap();
    let handle = pidfd_open(pid, PidfdFlags::empty()).unwrap();
    let look_again = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
    let mut peak_kib = 0;
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", running.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let seen =
            line.and_then(|line| line.split_whitespace().next()).map(|kib| kib.parse::<u64>().unwrap());
        peak_kib = seen.unwrap_or_default().max(peak_kib);
        if poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&look_again)).unwrap() > 0 {
            return peak_kib;
        }
    }
}

fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().map(Result::unwrap);
    let bytes = |entry: fs::DirEntry| {
        if entry.file_type().unwrap().is_dir() {
            bytes_in(&entry.path())
        } else {
            entry.metadata().unwrap().len()
        }
    };
    entries.map(bytes).sum()
}
