//! The start of a supervised program: its pipes, its input, and in which words it failed.

use std::fs::{self, File};
use std::io::{self, Seek as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::Pid;

use super::capture::{Capture, Pipe};
use super::talk::Talk;
use crate::process::{Job, MARK_VARIABLE, Obstacle, Stdin};
use crate::walls::{Began, Raised, raise};

/// Why a program was not started.
pub(super) struct NotStarted {
    pub(super) obstacle: Obstacle,
    pub(super) why: String,
}

impl NotStarted {
    pub(super) fn other(why: impl Into<String>) -> Self {
        NotStarted { obstacle: Obstacle::Other, why: why.into() }
    }
}

/// Errors around the program, not of starting it.
impl From<io::Error> for NotStarted {
    fn from(error: io::Error) -> Self {
        NotStarted::other(error.to_string())
    }
}

/// A program that was started.
pub(super) struct Started {
    pub(super) child: Pid,
    /// Its output, in one capture or in one for each stream.
    pub(super) captures: Vec<Capture>,
    /// The walls that are being raised around it.
    pub(super) walls: Option<Raised>,
    /// The conversation with it.
    pub(super) talk: Option<Talk>,
}

/// Starts the job's program; its output comes through one of the pipes, or through both.
pub(super) fn start(job: &Job, [stdout, stderr]: [Pipe; 2]) -> Result<Started, NotStarted> {
    let Some((program, arguments)) = job.argv.split_first() else {
        return Err(NotStarted { obstacle: Obstacle::ProgramMissing, why: "no program is named".to_owned() });
    };
    if !job.cwd.is_dir() {
        let why = format!("`{}` is not a folder", job.cwd.display());
        return Err(NotStarted { obstacle: Obstacle::FolderMissing, why });
    }
    let mut walls = job.walls.as_ref().map(|walls| raise(walls, job)).transpose()?;
    let mut plain = Command::new(program);
    let command = match &mut walls {
        Some(raised) => &mut raised.command,
        None => plain.args(arguments),
    };
    command.current_dir(&job.cwd).env_clear().envs(&job.env).env(MARK_VARIABLE, &job.mark);
    command.envs(job.walls.iter().flat_map(|walls| walls.variables(&job.env)));
    // A group of its own: a program that signals its group must not reach the supervisor.
    let (stdin, talk) = input(&job.stdin)?;
    command.process_group(0).stdin(stdin);
    let (capture, writer) = Capture::new(&job.stdout, stdout)?;
    let mut captures = vec![capture];
    if job.stderr == job.stdout {
        command.stderr(writer.try_clone()?);
    } else {
        let (capture, writer) = Capture::new(&job.stderr, stderr)?;
        captures.push(capture);
        command.stderr(writer);
    }
    command.stdout(writer);
    // The command holds the writing ends; with it they are closed here.
    let child = Pid::from_child(&command.spawn().map_err(|error| failed(program, &error))?);
    if let Some(raised) = &mut walls {
        raised.started();
    }
    drop(plain);
    Ok(Started { child, captures, walls, talk })
}

/// Whether a program within walls began, once all within has ended.
pub(super) fn began(job: &Job, walls: Raised) -> Result<(), NotStarted> {
    match walls.began() {
        Began::Yes => Ok(()),
        Began::No(error) => Err(failed(job.argv.first().map_or("", String::as_str), &error)),
        Began::Unwalled => {
            let said = fs::read(&job.stderr).unwrap_or_default();
            let said = String::from_utf8_lossy(&said);
            let last = said.lines().last().unwrap_or("nothing was said");
            Err(NotStarted::other(format!("the walls around it could not be built: {last}")))
        }
    }
}

fn input(stdin: &Stdin) -> io::Result<(Stdio, Option<Talk>)> {
    match stdin {
        Stdin::Null => Ok((Stdio::null(), None)),
        Stdin::Text(text) => Ok((in_memory(text)?.into(), None)),
        Stdin::Talk(talking) => {
            let (talk, input) = Talk::open(talking)?;
            Ok((input.into(), Some(talk)))
        }
    }
}

/// A text in a file that only exists in memory: no program has to be fed while it runs.
fn in_memory(text: &str) -> io::Result<File> {
    let mut file = File::from(memfd_create("stdin", MemfdFlags::CLOEXEC)?);
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file)
}

fn failed(program: &str, error: &io::Error) -> NotStarted {
    let (obstacle, why) = match error.kind() {
        io::ErrorKind::NotFound => {
            (Obstacle::ProgramMissing, format!("`{program}`, or the interpreter it names, was not found"))
        }
        io::ErrorKind::PermissionDenied => (Obstacle::NotPermitted, format!("`{program}` may not be run")),
        io::ErrorKind::ArgumentListTooLong => {
            (Obstacle::TooLarge, "arguments and environment are larger than the system takes".to_owned())
        }
        _ => (Obstacle::Other, format!("`{program}` could not be started: {error}")),
    };
    NotStarted { obstacle, why }
}
