//! Raising walls around a program that is about to start, from the outside: what has to be there for them, how the
//! program is started within, and what became of it.

use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::io::{self, PipeReader, PipeWriter, Read as _};
use std::os::fd::AsRawFd as _;
use std::path::PathBuf;
use std::process::Command;

use rustix::io::FdFlags;

use super::{Access, Builder, Walls, bubblewrap};
use crate::process::Job;

/// The most bytes that are told from the inside.
const TOLD_MAX: u64 = 64;

/// What the inside tells when the walls stand, just before the program begins.
pub(super) const STANDING: &str = "standing\n";

/// Walls that are being raised.
#[derive(Debug)]
pub(crate) struct Raised {
    /// Starts the program inside; it lacks all that a job says beside its program.
    pub(crate) command: Command,
    told: PipeReader,
    /// Open until the program is started, so that it is handed on.
    tell: Option<PipeWriter>,
    _placeholders: Placeholders,
}

/// What became of the program before it began.
#[derive(Debug)]
pub(crate) enum Began {
    /// It ran.
    Yes,
    /// It could not be started.
    No(io::Error),
    /// The walls could not be built.
    Unwalled,
}

/// Raises walls around a job's program; without a program there is nothing to raise them around.
pub(crate) fn raise(walls: &Walls, job: &Job) -> io::Result<Raised> {
    let exe = own_program()?;
    let (told, tell) = io::pipe()?;
    // It has to outlive the program that builds the walls; what is inside them closes it.
    rustix::io::fcntl_setfd(&tell, FdFlags::empty())?;
    let placeholders = Placeholders::put(walls)?;
    let confine: [OsString; 5] = [
        exe.clone().into(),
        "confine".into(),
        tell.as_raw_fd().to_string().into(),
        serde_json::to_string(walls).map_err(io::Error::other)?.into(),
        "--".into(),
    ];
    let command = match &walls.by {
        Builder::Bubblewrap(program) => {
            let mut seen = walls.clone();
            seen.places.entry(exe.clone()).or_insert(Access::ReadOnly);
            let mut command = Command::new(program);
            command.args(bubblewrap::arguments(&seen, &job.cwd)).args(confine);
            command
        }
        Builder::Landlock => {
            let mut command = Command::new(&exe);
            command.args(confine.into_iter().skip(1));
            command
        }
    };
    let mut raised = Raised { command, told, tell: Some(tell), _placeholders: placeholders };
    raised.command.args(&job.argv);
    Ok(raised)
}

/// This program, by the name that it was started with: one that was replaced since has no other.
fn own_program() -> io::Result<PathBuf> {
    let named = std::env::args_os().next().map(PathBuf::from);
    named.filter(|named| named.is_absolute() && named.exists()).map_or_else(std::env::current_exe, Ok)
}

impl Raised {
    /// Says that the program was started, and is no longer waited for here.
    pub(crate) fn started(&mut self) {
        self.tell = None;
    }

    /// What became of the program, once all inside has ended.
    pub(crate) fn began(self) -> Began {
        let mut told = String::new();
        // Nobody is left who could write; what cannot be read was not told.
        let _ = self.told.take(TOLD_MAX).read_to_string(&mut told);
        let Some(rest) = told.strip_prefix(STANDING) else { return Began::Unwalled };
        rest.trim_end().parse().map_or(Began::Yes, |number| Began::No(io::Error::from_raw_os_error(number)))
    }
}

/// Empty folders where something must not be made: git does not see them, and what is mounted on them cannot be changed.
#[derive(Debug)]
struct Placeholders {
    put: Vec<PathBuf>,
    /// The program's scratch folder, which goes when nobody waits for it.
    aside: PathBuf,
}

impl Placeholders {
    fn put(walls: &Walls) -> io::Result<Placeholders> {
        let mut placeholders = Placeholders { put: Vec::new(), aside: walls.scratch.clone() };
        if walls.by == Builder::Landlock {
            // Landlock cannot keep one name from being made, and an empty folder alone keeps nobody.
            return Ok(placeholders);
        }
        let sealed = walls.places.iter().filter(|(_, access)| **access == Access::Sealed);
        for (path, _) in sealed {
            match DirBuilder::new().create(path) {
                // One that is there and empty was left by a supervisor that was killed, or is of no use to anybody.
                Ok(()) => placeholders.put.push(path.clone()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    placeholders.put.push(path.clone());
                }
                // Without the folder that it would be in, it cannot be made either.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(placeholders)
    }
}

impl Drop for Placeholders {
    fn drop(&mut self) {
        for (number, path) in self.put.iter().enumerate() {
            let is_empty = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
            // Only an empty folder goes: neither a file nor anybody's work. Moving one costs nothing, where removing one
            // can take the file system milliseconds; it cannot be moved to another one.
            if is_empty && fs::rename(path, self.aside.join(format!("placeholder-{number}"))).is_err() {
                let _ = fs::remove_dir(path);
            }
        }
    }
}
