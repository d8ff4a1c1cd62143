//! Waiting for what a supervisor says, as long as it can be expected to say something: apart, because the supervisor keeps
//! a program's limits, and only this keeps the supervisor's. One that was stopped, or that hangs in starting a program,
//! would be waited for without end.

use std::io;
use std::process::ChildStdout;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::{Limits, Stopper};

/// How long starting a program may take; what it is read from may be far away.
const START: Duration = Duration::from_mins(1);

/// How long a supervisor that starts a program may take to notice that nobody wants it.
const START_STOPPED: Duration = Duration::from_secs(5);

/// How much longer than its program a supervisor may take: whoever starts others all the time is not killed at once.
const MARGIN: Duration = Duration::from_secs(30);

/// How often it is looked whether the end was asked for meanwhile.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// The output of a supervisor that has a job.
#[derive(Debug)]
pub(super) struct Listening {
    output: ChildStdout,
    stopper: Stopper,
    limits: Limits,
    since: Instant,
    /// Whether it has said anything: its first word is that the program was started.
    begun: bool,
}

impl Listening {
    pub(super) fn new(output: ChildStdout, stopper: Stopper, limits: Limits) -> Listening {
        Listening { output, stopper, limits, since: Instant::now(), begun: false }
    }

    /// When nothing more can be expected.
    fn until(&self) -> Option<Instant> {
        let grace = Duration::from_millis(self.limits.grace_ms);
        let (whole, stopped) = if self.begun {
            (Duration::from_millis(self.limits.wall_ms).checked_add(grace + MARGIN), grace + MARGIN)
        } else {
            (Some(START), START_STOPPED)
        };
        let whole = whole.and_then(|whole| self.since.checked_add(whole));
        let stopped = self.stopper.asked_at().and_then(|asked| asked.checked_add(stopped));
        whole.into_iter().chain(stopped).min()
    }
}

impl io::Read for Listening {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let left = self.until().map(|until| until.saturating_duration_since(Instant::now()));
            let patience = left.map_or(LOOK_AGAIN, |left| left.min(LOOK_AGAIN));
            let mut waiting = [PollFd::new(&self.output, PollFlags::IN)];
            let timeout = Timespec::try_from(patience).map_err(io::Error::other)?;
            match poll(&mut waiting, Some(&timeout)) {
                Ok(0) if left.is_some_and(|left| left.is_zero()) => {
                    return Err(io::Error::new(io::ErrorKind::TimedOut, "the supervisor does not move"));
                }
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => {
                    let count = self.output.read(buffer)?;
                    if !self.begun {
                        (self.begun, self.since) = (true, Instant::now());
                    }
                    return Ok(count);
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}
