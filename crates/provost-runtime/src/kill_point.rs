//! Points at which a test ends or holds this process, so that a crash can be tried at each of them in turn, and what
//! others do meanwhile.
//!
//! Builds without debug assertions have none. In the others variables are read, once: `PROVOST_KILL_COUNT_FILE` gets a
//! line with the name of every point passed; at the point whose number is `PROVOST_KILL_AT`, counted from 1, the process
//! kills itself as `kill -9` would; at points whose name is `PROVOST_HOLD_AT` it waits for somebody to write into the
//! pipe `PROVOST_HOLD_PIPE`, if that is there.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Signal, getpid, kill_process};

/// How many points this process has passed.
static PASSED: AtomicU64 = AtomicU64::new(0);

/// What the environment asks for.
static ASKED: OnceLock<Asked> = OnceLock::new();

struct Asked {
    kill_at: Option<u64>,
    count_file: Option<OsString>,
    hold_at: Option<String>,
    hold_pipe: Option<OsString>,
}

/// Passes a point; the process may end here.
pub(crate) fn kill_point(name: &'static str) {
    if !cfg!(debug_assertions) {
        return;
    }
    let asked = ASKED.get_or_init(|| Asked {
        kill_at: std::env::var("PROVOST_KILL_AT").ok().and_then(|text| text.parse().ok()),
        count_file: std::env::var_os("PROVOST_KILL_COUNT_FILE"),
        hold_at: std::env::var("PROVOST_HOLD_AT").ok(),
        hold_pipe: std::env::var_os("PROVOST_HOLD_PIPE"),
    });
    let number = PASSED.fetch_add(1, Ordering::Relaxed) + 1;
    if let Some(file) = &asked.count_file
        && let Ok(mut file) = OpenOptions::new().append(true).create(true).open(file)
    {
        // One write, so that lines of several threads do not mix.
        let _ = file.write_all(format!("{name}\n").as_bytes());
    }
    if asked.kill_at == Some(number) {
        let _ = kill_process(getpid(), Signal::KILL);
    }
    if let (true, Some(pipe)) = (asked.hold_at.as_deref() == Some(name), &asked.hold_pipe) {
        let _ = std::fs::read(pipe);
    }
}
