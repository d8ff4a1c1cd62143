//! The start of a supervised program: its pipes, its input, and in which words it failed.

use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::Pid;

use super::capture::Capture;
use crate::process::{Job, MARK_VARIABLE, Obstacle, Stdin};

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

/// Starts the job's program; its output goes to one capture, or to one for each stream.
pub(super) fn start(job: &Job) -> Result<(Pid, Vec<Capture>), NotStarted> {
    let Some((program, arguments)) = job.argv.split_first() else {
        return Err(NotStarted { obstacle: Obstacle::ProgramMissing, why: "no program is named".to_owned() });
    };
    if !job.cwd.is_dir() {
        let why = format!("`{}` is not a folder", job.cwd.display());
        return Err(NotStarted { obstacle: Obstacle::FolderMissing, why });
    }
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&job.cwd).env_clear().envs(&job.env).env(MARK_VARIABLE, &job.mark);
    // A group of its own: a program that signals its group must not reach the supervisor.
    command.process_group(0).stdin(input(&job.stdin)?);
    let (reader, writer) = io::pipe()?;
    let mut captures = vec![Capture::new(&job.stdout, reader)?];
    if job.stderr == job.stdout {
        command.stderr(writer.try_clone()?);
    } else {
        let (reader, writer) = io::pipe()?;
        captures.push(Capture::new(&job.stderr, reader)?);
        command.stderr(writer);
    }
    command.stdout(writer);
    // The command holds the writing ends; with it they are closed here.
    let child = command.spawn().map_err(|error| failed(program, &error))?;
    Ok((Pid::from_child(&child), captures))
}

/// Bytes are put into a file that only exists in memory, so that no program has to be fed while it runs.
fn input(stdin: &Stdin) -> io::Result<Stdio> {
    match stdin {
        Stdin::Null => Ok(Stdio::null()),
        Stdin::File(path) => Ok(File::open(path)?.into()),
        Stdin::Bytes(bytes) => {
            let mut file = File::from(memfd_create("stdin", MemfdFlags::CLOEXEC)?);
            file.write_all(bytes)?;
            file.rewind()?;
            Ok(file.into())
        }
    }
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
