//! The process between Provost and a program: it keeps the limits, writes the output to files, and leaves no
//! process behind, whoever dies first.
//!
//! It is a process of its own, because only a process can be the parent that orphans fall back to, and because
//! it has to outlive a coordinator that is killed. It has one thread: everything it waits for is in one `poll`.
//! The kernel's signal at a parent's death is not used: it is sent when the *thread* that started a process
//! ends. What tells the coordinator's death is the end of the control pipe.

mod capture;
mod control;
mod descendants;
mod start;

use std::os::fd::{AsFd, AsRawFd as _};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{getpid, set_child_subreaper, setsid};

use crate::process::{Ended, EndedBy, Job, Limits};
use crate::walls::close_descriptors;

pub use capture::{CUT_MARK_PREFIX, HEAD_MAX, TAIL_MAX};

use capture::Capture;
use control::{Control, Signals};
use descendants::{Buried, Descendants};
use start::{NotStarted, Started, began, start};

/// How long to go on when killed processes do not go away.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to wait for the end of killed processes before looking for new ones.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// How often an output is read after its program has ended; a full pipe of the largest size takes sixteen.
const DRAIN_MAX: usize = 64;

/// Runs the job that the control pipe names until it and all its descendants have ended.
pub fn run(control: impl AsFd) -> Ended {
    // It fails only for the leader of a group, which a coordinator never makes of it.
    let _ = setsid();
    // Whatever was open where Provost was started is not for programs to have.
    let _ = close_descriptors(&[control.as_fd().as_raw_fd()]);
    let mut control = Control::new(control.as_fd());
    match control.job().and_then(|job| supervise(&job, &mut control)) {
        Ok(ended) => ended,
        Err(NotStarted { obstacle, why }) => Ended::without_start(EndedBy::NotStarted { obstacle, why }),
    }
}

fn supervise(job: &Job, control: &mut Control<'_>) -> Result<Ended, NotStarted> {
    let signals = Signals::catch()?;
    set_child_subreaper(Some(getpid())).map_err(std::io::Error::from)?;
    if control.poll_stop() {
        return Ok(Ended::without_start(EndedBy::Stopped));
    }
    let Started { child, captures, walls } = start(job)?;
    let begun = Instant::now();
    let mut watch = Watch {
        limits: job.limits,
        begun,
        output_at: begun,
        descendants: Descendants::new(child, walls.is_some()),
        captures,
        phase: Phase::Running,
        ended_by: EndedBy::Exited,
        child_ended: None,
    };
    while watch.step() {
        if watch.wait(control, &signals) {
            watch.stop();
        }
    }
    let ended = watch.end();
    // A program that was stopped before it began was stopped all the same.
    match walls {
        Some(walls) if ended.ended_by == EndedBy::Exited => began(job, walls).map(|()| ended),
        _ => Ok(ended),
    }
}

/// How far the end has come.
#[derive(Clone, Copy, Debug)]
enum Phase {
    Running,
    /// Everybody was asked to end; at that time they are killed.
    Asked(Instant),
    /// Everybody is killed, again and again; at that time it is given up.
    Killing(Instant),
}

/// A program being watched.
struct Watch {
    limits: Limits,
    begun: Instant,
    /// When output last came.
    output_at: Instant,
    descendants: Descendants,
    captures: Vec<Capture>,
    phase: Phase,
    ended_by: EndedBy,
    child_ended: Option<Instant>,
}

impl Watch {
    /// Does what is due now; false when nothing is left to be watched.
    fn step(&mut self) -> bool {
        let buried = self.descendants.reap();
        let now = Instant::now();
        if self.descendants.child_is_over() && self.child_ended.is_none() {
            self.child_ended = Some(now);
        }
        if buried == Buried::All {
            return false;
        }
        match self.phase {
            Phase::Running if self.child_ended.is_some() => self.ask(EndedBy::Exited),
            Phase::Running if now >= self.wall_at() => self.ask(EndedBy::Wall),
            Phase::Running if self.idle_at().is_some_and(|idle_at| now >= idle_at) => self.ask(EndedBy::Idle),
            Phase::Asked(kill_at) if now >= kill_at => self.kill(),
            // Left by whoever just ended, and perhaps too young to have been asked. While the program itself is
            // there, what it starts may be what it needs to tidy up.
            Phase::Asked(_) if buried == Buried::Some && self.child_ended.is_some() => {
                self.descendants.ask();
            }
            Phase::Killing(give_up_at) if now >= give_up_at => return false,
            Phase::Killing(_) => self.descendants.kill(),
            _ => {}
        }
        true
    }

    /// Somebody wants it to end; wanting it twice means now.
    fn stop(&mut self) {
        match self.phase {
            Phase::Running => self.ask(EndedBy::Stopped),
            Phase::Asked(_) => self.kill(),
            Phase::Killing(_) => {}
        }
    }

    fn ask(&mut self, ended_by: EndedBy) {
        self.ended_by = ended_by;
        self.phase = Phase::Asked(later(Instant::now(), self.limits.grace_ms));
        self.descendants.ask();
    }

    fn kill(&mut self) {
        self.phase = Phase::Killing(Instant::now() + PATIENCE);
        self.descendants.kill();
    }

    fn wall_at(&self) -> Instant {
        later(self.begun, self.limits.wall_ms)
    }

    fn idle_at(&self) -> Option<Instant> {
        Some(later(self.output_at, self.limits.idle_ms?))
    }

    /// Waits for whatever comes next and takes output in; true when the end is wanted.
    fn wait(&mut self, control: &mut Control<'_>, signals: &Signals) -> bool {
        let until = match self.phase {
            Phase::Running => self.idle_at().map_or(self.wall_at(), |idle_at| idle_at.min(self.wall_at())),
            Phase::Asked(kill_at) => kill_at,
            Phase::Killing(_) => Instant::now() + LOOK_AGAIN,
        };
        let (mut wanted, mut output) = (false, false);
        {
            let sources = [control.source(), Some(signals.end()), Some(signals.child())];
            let captured = self.captures.iter().map(Capture::source);
            let sources: Vec<_> = sources.into_iter().chain(captured).collect();
            let mut states = ready(&sources, until.saturating_duration_since(Instant::now())).into_iter();
            let mut next = || states.next().unwrap_or_default();
            if next() {
                wanted |= control.read_stop();
            }
            if next() {
                wanted |= signals.take_end();
            }
            if next() {
                signals.take_child();
            }
            for capture in &mut self.captures {
                output |= next() && capture.read();
            }
        }
        if output {
            self.output_at = Instant::now();
        }
        wanted
    }

    fn end(mut self) -> Ended {
        // Nobody below writes any more; whoever else was handed the pipe is not waited for.
        for capture in &mut self.captures {
            let mut reads = 0..DRAIN_MAX;
            while reads.next().is_some()
                && ready(&[capture.source()], Duration::ZERO).contains(&true)
                && capture.read()
            {}
        }
        let left = if self.descendants.reap() == Buried::All { 0 } else { descendants::left() };
        let mut kept = self.captures.into_iter().map(Capture::finish);
        let (stdout, stderr) = (kept.next().unwrap_or_default(), kept.next().unwrap_or_default());
        let ended_at = self.child_ended.unwrap_or_else(Instant::now);
        let taken = ended_at.saturating_duration_since(self.begun).as_millis();
        Ended {
            exit: self.descendants.exit(),
            signal: self.descendants.signal(),
            ended_by: self.ended_by,
            stdout_bytes: stdout.bytes,
            stderr_bytes: stderr.bytes,
            cut_bytes: stdout.cut_bytes + stderr.cut_bytes,
            duration_ms: u64::try_from(taken).unwrap_or(u64::MAX),
            survivors_killed: self.descendants.survivors(),
            survivors_left: left,
        }
    }
}

/// A time so much later, or one so late that it never comes.
fn later(time: Instant, ms: u64) -> Instant {
    const NEVER: Duration = Duration::from_hours(100 * 365 * 24);
    let wait = Duration::from_millis(ms).min(NEVER);
    time.checked_add(wait).unwrap_or(time)
}

/// Which of the sources have something to read or are at their end; those that are absent never are.
fn ready(sources: &[Option<std::os::fd::BorrowedFd<'_>>], timeout: Duration) -> Vec<bool> {
    let mut waiting: Vec<PollFd<'_>> =
        sources.iter().flatten().map(|source| PollFd::from_borrowed_fd(*source, PollFlags::IN)).collect();
    let timeout = Timespec::try_from(timeout).ok();
    if poll(&mut waiting, timeout.as_ref()).is_err() {
        // A signal came; what it means is found on the next look.
        return vec![false; sources.len()];
    }
    let mut states = waiting.iter().map(|state| !state.revents().is_empty());
    sources.iter().map(|source| source.is_some() && states.next().unwrap_or_default()).collect()
}
