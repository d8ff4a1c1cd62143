//! Calls of `git`. There is one way to make them, so that there is one place where they are made safe.

use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs git in a folder and gives back what it said.
pub fn git(folder: &Path, arguments: &[&str]) -> io::Result<Output> {
    let mut command = Command::new("git");
    // What a hook or an alias of the user's git passes on is about another repository than the one that is named here.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command
        .arg("-C")
        .arg(folder)
        // Nothing in a repository may run a program of its choice when Provost only looks at it.
        .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
        .args(arguments)
        .env("LC_ALL", "C")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .output()
}
