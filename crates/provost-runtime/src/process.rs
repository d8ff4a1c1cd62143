//! Programs that Provost starts, from the side of the one who wants them: what to run, within which limits, and
//! how it ended. What runs beside the program is in `supervise`.
//!
//! Every agent and every check is started here and nowhere else. The program's output never comes through this
//! process: the supervisor writes it to files, so that a program that floods costs the coordinator nothing.

mod listening;
mod marked;
pub(crate) mod table;

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use provost_core::adapter::{Account, Asked, Conversation, Grant};
use serde::{Deserialize, Serialize};

use crate::walls::Walls;
use listening::Listening;

pub use marked::{end_marked, works_for};
pub(crate) use table::start_time;

/// The variable that tells whose work a process is; it holds `<project id>/<effect id>`.
pub const MARK_VARIABLE: &str = "PROVOST_MARK";

/// The most bytes that a line of a supervisor may have.
pub(crate) const TOLD_MAX: usize = 64 * 1024;

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
    /// A text, and then nothing more.
    Text(String),
    /// What an adapter says to it, answer by answer.
    Talk(Box<Talking>),
}

/// An agent that is talked with in a protocol of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Talking {
    /// The conversation.
    pub conversation: Conversation,
    /// What it is told first.
    pub prompt: String,
    /// Where the words are kept that it says, apart from the events that it says them in.
    pub said: PathBuf,
}

/// What was decided about something that an agent asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// What it refers to.
    pub request: String,
    /// Whether it may.
    pub grant: Grant,
}

/// What a supervisor tells, a line each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// An agent asks for something and waits.
    Asked(Asked),
    /// The program has ended, and all that it started.
    Ended(Box<Ended>),
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
    /// How much was not kept of what it said: of its words where it is talked with, else of standard output.
    pub said_cut_bytes: u64,
    /// From its start to its end.
    pub duration_ms: u64,
    /// Processes it had started that had to be ended as well.
    pub survivors_killed: u64,
    /// Processes that did not end although they were killed: they belong to another user or wait in the kernel.
    pub survivors_left: u64,
    /// What the conversation came to, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<Account>,
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
            said_cut_bytes: 0,
            duration_ms: 0,
            survivors_killed: 0,
            survivors_left: 0,
            account: None,
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
    /// What it says, once it has a job.
    told: Option<BufReader<Listening>>,
}

impl Supervised {
    /// Starts a program; `exe` is the `provost` to supervise it, for instance `std::env::current_exe()`.
    pub fn start(exe: &Path, job: &Job) -> io::Result<Supervised> {
        let mut supervised = Supervised::ready(exe, &job.mark)?;
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
        let stopper = Stopper { control, asked: Arc::default() };
        Ok(Supervised { supervisor, stopper, mark: mark.to_owned(), told: None })
    }

    /// Has a supervisor that is ready run its program. The job carries the mark that it was made ready for.
    pub fn begin(&mut self, job: &Job) -> io::Result<()> {
        let mut line = serde_json::to_vec(job).map_err(io::Error::other)?;
        line.push(b'\n');
        self.stopper.send(&line)?;
        let listen = |output| BufReader::new(Listening::new(output, self.stopper.clone(), job.limits));
        self.told = self.supervisor.stdout.take().map(listen);
        Ok(())
    }

    /// The same supervisor for a program with another mark; none when it has ended meanwhile.
    pub(crate) fn given(mut self, mark: &str) -> Option<Supervised> {
        mark.clone_into(&mut self.mark);
        matches!(self.supervisor.try_wait(), Ok(None)).then_some(self)
    }

    /// Ends a supervisor that was given no program, and waits until it is gone.
    pub(crate) fn dismiss(mut self) {
        // It has nobody below it and nothing to put away. Asking could take for ever: somebody may have stopped it.
        let _ = self.supervisor.kill();
        let _ = self.supervisor.wait();
    }

    /// Waits until the program's process was started, or never will be: within walls that is who builds them.
    pub(crate) fn begun(&mut self) {
        // What cannot be read now cannot be read by who waits for the end either, and is said there.
        let _ = self.told.as_mut().map(BufReader::fill_buf);
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
    pub fn wait(self) -> io::Result<Ended> {
        self.wait_answering(&mut |_| Grant::Deny { why: "nobody is there to decide it".to_owned() })
    }

    /// The same for a program that is talked with: `decide` says whether it may do what it asks for.
    pub fn wait_answering(mut self, decide: &mut dyn FnMut(&Asked) -> Grant) -> io::Result<Ended> {
        let heard = self.hear(decide);
        if heard.is_err() {
            // It would not end by itself.
            let _ = self.supervisor.kill();
        }
        let status = self.supervisor.wait()?;
        let why = match heard {
            Ok(Some(ended)) => return Ok(ended),
            Ok(None) => format!("the supervisor ended without a report ({status})"),
            Err(error) => error.to_string(),
        };
        end_marked(&self.mark)?;
        Err(io::Error::new(io::ErrorKind::UnexpectedEof, why))
    }

    /// Takes in all that the supervisor says; the last of it, if it says it, is how the program ended.
    fn hear(&mut self, decide: &mut dyn FnMut(&Asked) -> Grant) -> io::Result<Option<Ended>> {
        let Some(mut told) = self.told.take() else { return Ok(None) };
        let (mut ended, mut line) = (None, Vec::new());
        while told.by_ref().take(TOLD_MAX as u64).read_until(b'\n', &mut line)? > 0 {
            match serde_json::from_slice(&line) {
                Ok(Told::Asked(asked)) => self.answer(&asked, decide(&asked))?,
                Ok(Told::Ended(it)) => ended = Some(*it),
                // The empty line that says that the program was started, or a newer supervisor's word.
                Err(_) => {}
            }
            line.clear();
        }
        Ok(ended)
    }

    fn answer(&self, asked: &Asked, grant: Grant) -> io::Result<()> {
        let reply = Reply { request: asked.request.clone(), grant };
        let reply = serde_json::to_string(&reply).map_err(io::Error::other)?;
        // An error means that the supervisor has ended, which its last line or the lack of one tells.
        let _ = self.stopper.send(format!("{ANSWER}{reply}\n").as_bytes());
        Ok(())
    }
}

/// How a line to a supervisor begins that answers a request.
pub(crate) const ANSWER: &str = "answer ";

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
    asked: Arc<OnceLock<Instant>>,
}

impl Stopper {
    /// Asks the program to end, and kills it when its time to do so is over.
    pub fn stop(&self) {
        let _ = self.asked.set(Instant::now());
        // An error means that the supervisor has ended.
        let _ = self.send(b"stop\n");
    }

    /// When it was first asked to end.
    fn asked_at(&self) -> Option<Instant> {
        self.asked.get().copied()
    }

    /// Ends it without waiting any longer, when it has been asked before; otherwise the same as `stop`.
    pub fn close(&self) {
        let _ = self.asked.set(Instant::now());
        drop(self.control.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    fn send(&self, line: &[u8]) -> io::Result<()> {
        match self.control.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(control) => control.write_all(line),
            None => Ok(()),
        }
    }
}
