//! How a process that the bench has started says since when it is there.
//!
//! Times are those of the system's monotonic clock, which is one for all processes.

use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// What is sent: two times in nanoseconds.
const RUNG: usize = 16;

/// When a process came to be, and when it said so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rung {
    /// At the latest: what it had used of a processor by its first word is taken off, and nothing of what it waited.
    pub(crate) there: Duration,
    /// When it said its first word.
    pub(crate) speaking: Duration,
}

/// Where processes say that they are there.
pub(crate) struct Bell {
    pub(crate) path: PathBuf,
    socket: UnixDatagram,
}

impl Bell {
    pub(crate) fn new(path: &Path) -> Bell {
        Bell { path: path.to_owned(), socket: UnixDatagram::bind(path).unwrap() }
    }

    /// Waits for the next one.
    pub(crate) fn wait(&self) -> Rung {
        let mut bytes = [0; RUNG];
        self.socket.recv(&mut bytes).unwrap();
        let [there, speaking] = [&bytes[..8], &bytes[8..]]
            .map(|part| Duration::from_nanos(u64::from_le_bytes(part.try_into().unwrap())));
        Rung { there, speaking }
    }
}

/// Says that this process is there.
pub(crate) fn ring(path: &str) {
    let used = time(ClockId::ProcessCPUTime);
    let now = now();
    let bytes = [now.saturating_sub(used), now]
        .map(|time| u64::try_from(time.as_nanos()).unwrap().to_le_bytes())
        .concat();
    UnixDatagram::unbound().unwrap().send_to(&bytes, path).unwrap();
}

/// The time.
pub(crate) fn now() -> Duration {
    time(ClockId::Monotonic)
}

fn time(clock: ClockId) -> Duration {
    clock_gettime(clock).try_into().unwrap()
}
