//! A folder and a mark of its own for each test, and a look into the system's table of processes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use provost_runtime::process::{Ended, Job, Limits, MARK_VARIABLE, Stdin, Supervised};
use tempfile::TempDir;

/// How often to look for something that has to come; each look takes the system a while.
const LOOKS_MAX: u32 = 200_000;

/// Longer than any test takes.
const LONG_MS: u64 = 600_000;

/// One test's surroundings.
pub(crate) struct Scene {
    pub(crate) folder: TempDir,
    /// The project id in the marks.
    pub(crate) project: String,
}

/// The provost that supervises.
pub(crate) fn provost() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_provost"))
}

impl Scene {
    pub(crate) fn new() -> Scene {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Scene { folder: TempDir::new().unwrap(), project: format!("test-{}-{number}", std::process::id()) }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn mark(&self) -> String {
        format!("{}/17", self.project)
    }

    /// A job that takes as long as it likes.
    pub(crate) fn job(&self, argv: &[&str]) -> Job {
        let path = std::env::var("PATH").unwrap();
        Job {
            argv: argv.iter().map(|&part| part.to_owned()).collect(),
            cwd: self.folder.path().to_owned(),
            env: BTreeMap::from([("PATH".to_owned(), path)]),
            stdin: Stdin::Null,
            stdout: self.path("stdout"),
            stderr: self.path("stderr"),
            limits: Limits { wall_ms: LONG_MS, idle_ms: None, grace_ms: LONG_MS },
            mark: self.mark(),
            walls: None,
        }
    }

    /// A job for the shell.
    pub(crate) fn script(&self, text: &str) -> Job {
        self.job(&["sh", "-c", text])
    }

    pub(crate) fn run(&self, job: &Job) -> Ended {
        let ended = Supervised::start(provost(), job).unwrap().wait().unwrap();
        assert_eq!(self.marked(), Vec::<u32>::new(), "processes are left");
        assert_eq!(ended.survivors_left, 0);
        ended
    }

    /// Starts a job and waits until it has printed a line that is `ready`.
    pub(crate) fn start(&self, job: &Job) -> Supervised {
        let running = Supervised::start(provost(), job).unwrap();
        wait_until(|| self.printed().lines().any(|line| line == "ready"));
        running
    }

    /// What was kept of standard output.
    pub(crate) fn printed(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.path("stdout")).unwrap_or_default()).into_owned()
    }

    pub(crate) fn said(&self) -> String {
        fs::read_to_string(self.path("stderr")).unwrap()
    }

    /// The processes that carry this test's mark.
    pub(crate) fn marked(&self) -> Vec<u32> {
        let mark = format!("{MARK_VARIABLE}={}/", self.project);
        let carries = |pid: &u32| {
            let environ = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environ.split(|byte| *byte == 0).any(|variable| variable.starts_with(mark.as_bytes()))
        };
        let files = fs::read_dir("/proc").unwrap();
        let numbers = files.filter_map(|file| file.ok()?.file_name().to_str()?.parse().ok());
        numbers.filter(carries).collect()
    }

    pub(crate) fn wait_until_nothing_is_marked(&self) {
        wait_until(|| self.marked().is_empty());
    }
}

/// Looks again and again for something that has to come.
pub(crate) fn wait_until(mut condition: impl FnMut() -> bool) {
    for _ in 0..LOOKS_MAX {
        if condition() {
            return;
        }
        std::thread::yield_now();
    }
    panic!("what had to come did not come");
}

/// Whether a process is there and has not ended.
pub(crate) fn is_alive(pid: &str) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit_once(')').unwrap().1.trim_start().starts_with('Z'))
}
