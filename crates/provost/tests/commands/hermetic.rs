//! Programs with nothing of the machine around them, the same for every test that starts one.

use std::path::Path;
use std::process::{Command, Stdio};

/// Provost in a folder, typed by a person whose home is `home`.
pub(crate) fn provost(folder: &Path, home: &Path, arguments: &[&str]) -> Command {
    let mut command = alone(env!("CARGO_BIN_EXE_provost"), folder, home);
    command.args(arguments).env("XDG_RUNTIME_DIR", home).env("USER", "ada");
    command
}

/// Git in a folder, with no configuration but the repository's.
pub(crate) fn git(folder: &Path, home: &Path, arguments: &[&str]) -> Command {
    let mut command = alone("git", folder, home);
    command.args(arguments).env("GIT_CONFIG_NOSYSTEM", "1");
    command
}

fn alone(program: &str, folder: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", home);
    command.stdin(Stdio::null());
    command
}
