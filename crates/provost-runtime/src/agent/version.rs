//! What an agent's program says its version is: the one time that such a program runs without a turn. It is not
//! trusted to answer, or to end.

use std::fs;
use std::path::Path;

use crate::checks::Environment;
use crate::process::{Job, Limits, Stdin, Supervised};
use crate::regular;
use crate::worktree::clear;

/// How long a program may take to say it, and to end when asked.
const LIMITS: Limits = Limits { wall_ms: 10_000, idle_ms: None, grace_ms: 1_000 };

/// How much of what it says is looked at.
const SAID_MAX: u64 = 4 * 1024;

/// The most characters of a version.
const VERSION_MAX: usize = 80;

/// Asks a program for its version; one that says nothing in time has none. `exe` is the `provost` to supervise it.
pub fn version(exe: &Path, program: &Path) -> Option<String> {
    let id = uuid::Uuid::new_v4().simple().to_string();
    let folder = std::env::temp_dir().join(format!("provost-version-{id}"));
    fs::create_dir(&folder).ok()?;
    let said = said(exe, program, &folder, &id);
    // What cannot be removed there is the system's to remove.
    let _ = clear(&folder);
    let first: String = said?.lines().next()?.trim().chars().take(VERSION_MAX).collect();
    (!first.is_empty()).then_some(first)
}

/// The beginning of what it prints.
fn said(exe: &Path, program: &Path, folder: &Path, id: &str) -> Option<String> {
    let job = Job {
        argv: vec![program.to_str()?.to_owned(), "--version".to_owned()],
        cwd: folder.to_owned(),
        env: Environment::of_this_process(&[]).variables().clone(),
        stdin: Stdin::Null,
        stdout: folder.join("stdout"),
        stderr: folder.join("stderr"),
        limits: LIMITS,
        mark: format!("version/{id}"),
        walls: None,
    };
    Supervised::start(exe, &job).ok()?.wait().ok()?;
    let said = regular::beginning(&job.stdout, SAID_MAX).ok()?;
    Some(String::from_utf8_lossy(&said).into_owned())
}
