//! What walls this machine can build, found out once by building some, and which of them are in force.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use provost_core::diagnostic::{self, Diagnostic};

use super::{Builder, Sandbox, bubblewrap, confine};
use crate::detect::find_program;

/// The version of Landlock from which on it closes TCP.
const CLOSES_TCP: u8 = 4;

/// The version of Landlock from which on it closes signals and abstract sockets.
const CLOSES_SIGNALS: u8 = 6;

/// What walls this machine can build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Bubblewrap, or why there is none.
    pub bubblewrap: Result<Bubblewrap, String>,
    /// The version of Landlock, as far as it is known here; zero is none.
    pub landlock: u8,
}

/// A bubblewrap that was seen to work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bubblewrap {
    /// The program.
    pub program: PathBuf,
    /// What it says of its version.
    pub version: String,
}

/// What is in force around programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Force {
    /// Namespaces, and Landlock of that version inside.
    Namespaces(Bubblewrap, u8),
    /// Landlock of that version alone.
    Landlock(u8),
    /// Nothing, and why.
    Nothing(String),
}

impl Strength {
    /// What this machine can build; tried once in the life of this process.
    pub fn of_this_machine() -> &'static Strength {
        static FOUND: OnceLock<Strength> = OnceLock::new();
        FOUND.get_or_init(|| Strength::find(std::env::var_os("PATH").as_deref()))
    }

    /// What can be built with the programs of a search path.
    pub(crate) fn find(search: Option<&OsStr>) -> Strength {
        Strength { bubblewrap: try_bubblewrap(search), landlock: confine::landlock_version() }
    }

    /// What of it is in force; the best there is, or a refusal where that is not enough.
    pub fn force(&self, sandbox: Sandbox) -> Result<Force, Diagnostic> {
        match (&self.bubblewrap, sandbox) {
            (_, Sandbox::Off) => Ok(Force::Nothing("`sandbox` is off".to_owned())),
            (Ok(bubblewrap), _) => Ok(Force::Namespaces(bubblewrap.clone(), self.landlock)),
            (Err(why), Sandbox::Require) => {
                let message = format!("`sandbox` is `require`, and {why}");
                Err(Diagnostic::error(diagnostic::SANDBOX_MISSING, message))
            }
            (Err(_), Sandbox::Prefer) if self.landlock > 0 => Ok(Force::Landlock(self.landlock)),
            (Err(why), Sandbox::Prefer) => {
                Ok(Force::Nothing(format!("{why}, and the kernel has no Landlock")))
            }
        }
    }
}

impl Force {
    /// What builds the walls, if there are any.
    pub fn builder(&self) -> Option<Builder> {
        match self {
            Force::Namespaces(bubblewrap, _) => Some(Builder::Bubblewrap(bubblewrap.program.clone())),
            Force::Landlock(_) => Some(Builder::Landlock),
            Force::Nothing(_) => None,
        }
    }

    /// What is in force, in words.
    pub fn words(&self) -> String {
        match self {
            Force::Namespaces(bubblewrap, 0) => bubblewrap.version.clone(),
            Force::Namespaces(bubblewrap, landlock) => {
                format!("{} with Landlock (version {landlock})", bubblewrap.version)
            }
            Force::Landlock(landlock) => format!("Landlock alone (version {landlock})"),
            Force::Nothing(why) => format!("no walls: {why}"),
        }
    }

    /// What is left open because the machine cannot build better walls.
    pub fn open(&self) -> Vec<&'static str> {
        match self {
            Force::Namespaces(..) => Vec::new(),
            Force::Landlock(landlock) => {
                let mut open =
                    vec!["UDP", "sockets that are files", "shared memory", "the screen of terminals"];
                if *landlock < CLOSES_TCP {
                    open.push("TCP");
                }
                if *landlock < CLOSES_SIGNALS {
                    open.extend(["signals to other processes", "abstract sockets"]);
                }
                open.push("new protected files, which are found when the work is measured");
                open
            }
            Force::Nothing(_) => vec!["everything"],
        }
    }
}

/// Builds walls once around a program that does nothing: namespaces may be forbidden.
fn try_bubblewrap(search: Option<&OsStr>) -> Result<Bubblewrap, String> {
    // A name without a slash that is found in a relative part of the path may be anybody's.
    let found = find_program("bwrap", Path::new(""), search).filter(|program| program.is_absolute());
    let program = found.ok_or("bubblewrap (`bwrap`) was not found")?;
    let tried = Command::new(&program)
        .args(bubblewrap::trial())
        .arg("--")
        .arg(&program)
        .arg("--version")
        .env_clear()
        .stdin(Stdio::null())
        .output();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().next().unwrap_or_default().to_owned();
    match tried {
        Ok(output) if output.status.success() => Ok(Bubblewrap { program, version: said(&output.stdout) }),
        Ok(output) => Err(format!("bubblewrap cannot build walls here: {}", said(&output.stderr))),
        Err(error) => Err(format!("bubblewrap cannot be started: {error}")),
    }
}
