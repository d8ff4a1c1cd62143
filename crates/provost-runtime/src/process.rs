//! Programs that Provost starts, from the side of the one who wants them: what to run, within which limits, and
//! how it ended. What runs beside the program is in `supervise`.
//!
//! Every agent and every check is started here and nowhere else. The program's output never comes through this
//! process: the supervisor writes it to files, so that a program that floods costs the coordinator nothing.

mod marked;
pub(crate) mod table;

use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::walls::Walls;

pub use marked::{end_marked, works_for};
pub(crate) use table::start_time;

/// The variable that tells whose work a process is; it holds `<project id>/<effect id>`.
pub const MARK_VARIABLE: &str = "PROVOST_MARK";

/// The most bytes that a report may have.
const REPORT_MAX: u64 = 64 * 1024;

/// A program to run once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The program and its arguments; no shell reads them.
    pub argv: Vec<String>,
    /// The folder to run in.
    pub cwd: PathBuf,
    /// All variables that the program sees, but for the mark, which is added.
    pub env: BTreeMap<String, String>,
    /// What the program reads.
    pub stdin: Stdin,
    /// Where standard output is kept.
    pub stdout: PathBuf,
    /// Where standard error is kept; the same path as for standard output keeps both as they come.
    pub stderr: PathBuf,
    /// How long it may take.
    pub limits: Limits,
    /// Whose work it is: `<project id>/<effect id>`.
    pub mark: String,
    /// What it can reach; without walls all that this process can.
    #[serde(default)]
    pub walls: Option<Walls>,
}

/// What a program reads from its standard input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stdin {
    /// Nothing.
    Null,
    /// These bytes, and then nothing more.
    Bytes(Vec<u8>),
    /// A file.
    File(PathBuf),
}

/// How long a program may take, on a clock that nobody can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// From its start to its end.
    pub wall_ms: u64,
    /// Without a byte of output.
    pub idle_ms: Option<u64>,
    /// Between being asked to end and being killed.
    pub grace_ms: u64,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Its exit status, if it exited.
    pub exit: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// Why it is no longer running; only `exited` was its own doing.
    pub ended_by: EndedBy,
    /// What it wrote to standard output, kept or not.
    pub stdout_bytes: u64,
    /// What it wrote to standard error, kept or not.
    pub stderr_bytes: u64,
    /// How much of both was not kept.
    pub cut_bytes: u64,
    /// From its start to its end.
    pub duration_ms: u64,
    /// Processes it had started that had to be ended as well.
    pub survivors_killed: u64,
    /// Processes that did not end although they were killed: they belong to another user or wait in the kernel.
    pub survivors_left: u64,
}

impl Ended {
    /// What became of a program that never ran.
    pub(crate) fn without_start(ended_by: EndedBy) -> Ended {
        Ended {
            exit: None,
            signal: None,
            ended_by,
            stdout_bytes: 0,
            stderr_bytes: 0,
            cut_bytes: 0,
            duration_ms: 0,
            survivors_killed: 0,
            survivors_left: 0,
        }
    }
}

/// Why a program is no longer running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndedBy {
    /// By itself, or by a signal that Provost did not send.
    Exited,
    /// It took too long.
    Wall,
    /// It wrote nothing for too long.
    Idle,
    /// Somebody asked for it, or the coordinator is gone.
    Stopped,
    /// It never ran.
    NotStarted {
        /// What stood in the way.
        obstacle: Obstacle,
        /// The same, for people.
        why: String,
    },
}

/// What stood in the way of starting a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    /// There is no such program, or none of the interpreter that its first line names.
    ProgramMissing,
    /// It may not be run.
    NotPermitted,
    /// The folder to run in is not there.
    FolderMissing,
    /// Arguments and environment are larger than the system takes.
    TooLarge,
    /// Anything else.
    Other,
}

/// A program that runs under its supervisor. Dropping it ends the program.
#[derive(Debug)]
pub struct Supervised {
    supervisor: Child,
    stopper: Stopper,
    mark: String,
}

impl Supervised {
    /// Starts a program; `exe` is the `provost` to supervise it, for instance `std::env::current_exe()`.
    pub fn start(exe: &Path, job: &Job) -> io::Result<Supervised> {
        let supervised = Supervised::ready(exe, &job.mark)?;
        supervised.begin(job)?;
        Ok(supervised)
    }

    /// Starts a supervisor that waits for its program, so that whoever has something to wait for first need not wait
    /// for it as well. Dropped, it ends without having run anything.
    pub fn ready(exe: &Path, mark: &str) -> io::Result<Supervised> {
        let mut supervisor = Command::new(exe)
            .arg("supervise")
            .env_clear()
            // Also the supervisor is found by the mark: one that has not yet started its program counts as work.
            .env(MARK_VARIABLE, mark)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let control = Arc::new(Mutex::new(supervisor.stdin.take()));
        Ok(Supervised { supervisor, stopper: Stopper { control }, mark: mark.to_owned() })
    }

    /// Has a supervisor that is ready run its program. The job carries the same mark.
    pub fn begin(&self, job: &Job) -> io::Result<()> {
        let mut line = serde_json::to_vec(job).map_err(io::Error::other)?;
        line.push(b'\n');
        self.stopper.send(&line)
    }

    /// The process id of the supervisor.
    pub fn id(&self) -> u32 {
        self.supervisor.id()
    }

    /// A way to end it from elsewhere.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Waits until the program and all that it started have ended.
    ///
    /// An error means that the supervisor was killed; whatever carries the mark has then been ended.
    pub fn wait(mut self) -> io::Result<Ended> {
        let mut report = Vec::new();
        if let Some(output) = self.supervisor.stdout.take() {
            output.take(REPORT_MAX).read_to_end(&mut report)?;
        }
        let status = self.supervisor.wait()?;
        if let Ok(ended) = serde_json::from_slice(&report) {
            return Ok(ended);
        }
        end_marked(&self.mark)?;
        let text = format!("the supervisor ended without a report ({status})");
        Err(io::Error::new(io::ErrorKind::UnexpectedEof, text))
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        self.stopper.close();
        // Most often it has ended; otherwise it ends by itself now, and with this process its entry goes.
        let _ = self.supervisor.try_wait();
    }
}

/// Ends a program from another thread.
#[derive(Clone, Debug)]
pub struct Stopper {
    control: Arc<Mutex<Option<ChildStdin>>>,
}

impl Stopper {
    /// Asks the program to end, and kills it when its time to do so is over.
    pub fn stop(&self) {
        // An error means that the supervisor has ended.
        let _ = self.send(b"stop\n");
    }

    /// Ends it without waiting any longer, when it has been asked before; otherwise the same as `stop`.
    pub fn close(&self) {
        drop(self.control.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    fn send(&self, line: &[u8]) -> io::Result<()> {
        match self.control.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(control) => control.write_all(line),
            None => Ok(()),
        }
    }
}
