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
mod talk;
mod telling;

use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd};
use std::time::{Duration, Instant};

use provost_core::adapter::{Asked, Grant};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{getpid, set_child_subreaper, setsid};

use crate::process::{Ended, EndedBy, Limits, Reply};
use crate::walls::close_descriptors;

pub use capture::{CUT_MARK_PREFIX, HEAD_MAX, TAIL_MAX};

use capture::{Capture, Pipe};
use control::{Control, Signals};
use descendants::{Buried, Descendants};
use start::{NotStarted, Started, began, start};
use talk::Talk;
use telling::Telling;

/// How long to go on when killed processes do not go away.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to wait for the end of killed processes before looking for new ones.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// How long an agent may stay after it said that it is done.
const LINGER: Duration = Duration::from_secs(5);

/// How often an output is read after its program has ended; a full pipe of the largest size takes sixteen.
const DRAIN_MAX: usize = 64;

/// Runs the job that the control pipe names until it and all its descendants have ended. An empty line to `told` says
/// that its process, within walls the one that builds them, has been started.
pub fn run(control: impl AsFd, told: impl AsFd) -> Ended {
    // It fails only for the leader of a group, which a coordinator never makes of it.
    let _ = setsid();
    // Whatever was open where Provost was started is not for programs to have.
    let _ = close_descriptors(&[control.as_fd().as_raw_fd(), told.as_fd().as_raw_fd()]);
    let mut control = Control::new(control.as_fd());
    match supervise(&mut control, told.as_fd()) {
        Ok(ended) => ended,
        Err(NotStarted { obstacle, why }) => Ended::without_start(EndedBy::NotStarted { obstacle, why }),
    }
}

fn supervise(control: &mut Control<'_>, told: BorrowedFd<'_>) -> Result<Ended, NotStarted> {
    // Before the job is there: whoever is kept ready has time for it.
    let signals = Signals::catch()?;
    set_child_subreaper(Some(getpid())).map_err(std::io::Error::from)?;
    let pipes = [Pipe::open()?, Pipe::open()?];
    let stopped = || Ok(Ended::without_start(EndedBy::Stopped));
    if !job_comes(control, &signals) {
        return stopped();
    }
    let job = &control.job()?;
    if control.poll_stop() {
        return stopped();
    }
    let Started { child, captures, walls, talk } = start(job, pipes)?;
    let mut telling = Telling::new(told);
    telling.begun();
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
        talk,
        over_at: None,
        crowded: false,
    };
    while watch.step() {
        if watch.wait(control, &signals, &mut telling) {
            watch.stop();
        }
    }
    telling.finish();
    let ended = watch.end();
    // A program that was stopped before it began was stopped all the same.
    match walls {
        Some(walls) if ended.ended_by == EndedBy::Exited => began(job, walls).map(|()| ended),
        _ => Ok(ended),
    }
}

/// Waits for the job, or for its pipe to end; false when a signal asks for the end first.
fn job_comes(control: &Control<'_>, signals: &Signals) -> bool {
    loop {
        let states = ready(&[Some(signals.end()), control.source()], Duration::MAX);
        match states.as_slice() {
            [true, _] if signals.take_end() => return false,
            [_, true] => return true,
            _ => {}
        }
    }
}

/// How far the end has come.
#[derive(Clone, Copy, Debug)]
enum Phase {
    Running,
    /// The agent was asked in its own words to break off; at that time everybody is asked.
    Interrupted(Instant),
    /// Everybody was asked to end; at that time they are killed.
    Asked(Instant),
    /// Everybody is killed, again and again; at that time it is given up, unless somebody new comes.
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
    talk: Option<Talk>,
    /// When the agent said that it is done.
    over_at: Option<Instant>,
    /// Whether more may have ended than were looked at.
    crowded: bool,
}

impl Watch {
    /// Does what is due now; false when nothing is left to be watched.
    fn step(&mut self) -> bool {
        let buried = self.descendants.reap();
        self.crowded = buried == Buried::Many;
        let now = Instant::now();
        if self.descendants.child_is_over() && self.child_ended.is_none() {
            self.child_ended = Some(now);
        }
        if buried == Buried::All {
            return false;
        }
        match self.phase {
            Phase::Running if self.child_ended.is_some() => self.ask(EndedBy::Exited),
            // Some stay when nothing is left to be said.
            Phase::Running if self.over_at.is_some_and(|over_at| now >= over_at + LINGER) => {
                self.ask(EndedBy::Exited);
            }
            Phase::Interrupted(until) if now >= until || self.child_ended.is_some() => {
                self.ask(EndedBy::Stopped);
            }
            Phase::Running if now >= self.wall_at() => self.ask(EndedBy::Wall),
            Phase::Running if self.idle_at().is_some_and(|idle_at| now >= idle_at) => self.ask(EndedBy::Idle),
            Phase::Asked(kill_at) if now >= kill_at => self.kill(),
            // Left by whoever just ended, and perhaps too young to have been asked. While the program itself is
            // there, what it starts may be what it needs to tidy up.
            Phase::Asked(_) if buried != Buried::None && self.child_ended.is_some() => {
                self.descendants.ask();
            }
            Phase::Killing(give_up_at) if now >= give_up_at => return false,
            Phase::Killing(_) => self.kill_again(),
            _ => {}
        }
        true
    }

    /// Somebody wants it to end; wanting it twice means now.
    fn stop(&mut self) {
        match self.phase {
            Phase::Running if self.talk.as_mut().is_some_and(Talk::interrupt) => {
                self.phase = Phase::Interrupted(later(Instant::now(), self.limits.grace_ms / 2));
            }
            Phase::Running => self.ask(EndedBy::Stopped),
            Phase::Interrupted(_) => {
                self.ended_by = EndedBy::Stopped;
                self.kill();
            }
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
        self.kill_again();
    }

    /// Whoever still starts others is never given up.
    fn kill_again(&mut self) {
        if self.descendants.kill() {
            self.phase = Phase::Killing(Instant::now() + PATIENCE);
        }
    }

    fn wall_at(&self) -> Instant {
        later(self.begun, self.limits.wall_ms)
    }

    fn idle_at(&self) -> Option<Instant> {
        Some(later(self.output_at, self.limits.idle_ms?))
    }

    /// When there is something to do even if nothing happens.
    fn until(&self) -> Instant {
        match self.phase {
            Phase::Running => {
                let lingers = self.over_at.map(|over_at| over_at + LINGER);
                let earliest = [self.idle_at(), lingers].into_iter().flatten().min();
                earliest.map_or(self.wall_at(), |earliest| earliest.min(self.wall_at()))
            }
            Phase::Asked(at) | Phase::Interrupted(at) => at,
            Phase::Killing(_) => Instant::now() + LOOK_AGAIN,
        }
    }

    /// Waits for whatever comes next and takes output in; true when the end is wanted.
    fn wait(&mut self, control: &mut Control<'_>, signals: &Signals, telling: &mut Telling<'_>) -> bool {
        let until = if self.crowded { Instant::now() } else { self.until() };
        let (mut wanted, mut output) = (false, false);
        {
            let sources = [control.source(), Some(signals.end()), Some(signals.child())];
            let captured = self.captures.iter().map(Capture::source);
            let sources: Vec<_> = sources.into_iter().chain(captured).collect();
            let unwritten = [self.talk.as_ref().and_then(Talk::unwritten), telling.unwritten()];
            let patience = until.saturating_duration_since(Instant::now());
            let mut states = ready_or_writable(&sources, unwritten, patience).into_iter();
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
            for (which, capture) in self.captures.iter_mut().enumerate() {
                if next()
                    && let Some(fresh) = capture.read()
                {
                    output = true;
                    // Only the first is what the agent says.
                    if let Some(talk) = self.talk.as_mut().filter(|_| which == 0) {
                        talk.hear(fresh).into_iter().for_each(|asked| hand_on(asked, talk, telling));
                    }
                }
            }
        }
        telling.write();
        if let Some(talk) = &mut self.talk {
            control.take_replies().iter().for_each(|reply| talk.answer(reply));
            talk.write();
            if talk.is_over() {
                self.over_at = self.over_at.or_else(|| Some(Instant::now()));
            }
        }
        if output {
            self.output_at = Instant::now();
        }
        wanted
    }

    fn end(mut self) -> Ended {
        // Nobody below writes any more; whoever else was handed the pipe is not waited for.
        for (which, capture) in self.captures.iter_mut().enumerate() {
            let mut reads = 0..DRAIN_MAX;
            while reads.next().is_some()
                && ready(&[capture.source()], Duration::ZERO).contains(&true)
                && let Some(fresh) = capture.read()
            {
                if let Some(talk) = self.talk.as_mut().filter(|_| which == 0) {
                    talk.hear(fresh);
                }
            }
        }
        let left = if self.descendants.reap() == Buried::All { 0 } else { descendants::left() };
        let mut kept = self.captures.into_iter().map(Capture::finish);
        let (stdout, stderr) = (kept.next().unwrap_or_default(), kept.next().unwrap_or_default());
        let (account, words) = self.talk.map(Talk::finish).unzip();
        let ended_at = self.child_ended.unwrap_or_else(Instant::now);
        let taken = ended_at.saturating_duration_since(self.begun).as_millis();
        Ended {
            exit: self.descendants.exit(),
            signal: self.descendants.signal(),
            ended_by: self.ended_by,
            stdout_bytes: stdout.bytes,
            stderr_bytes: stderr.bytes,
            cut_bytes: stdout.cut_bytes + stderr.cut_bytes,
            said_cut_bytes: words.unwrap_or(stdout).cut_bytes,
            duration_ms: u64::try_from(taken).unwrap_or(u64::MAX),
            survivors_killed: self.descendants.survivors(),
            survivors_left: left,
            account,
        }
    }
}

/// Hands on what an agent asks for, to whoever decides it; what cannot be handed on is denied.
fn hand_on(asked: Asked, talk: &mut Talk, telling: &mut Telling<'_>) {
    if !telling.ask(&asked) {
        let why = "it is too long to be decided, or too much waits to be decided before it".to_owned();
        talk.answer(&Reply { request: asked.request, grant: Grant::Deny { why } });
    }
}

/// A time so much later, or one so late that it never comes.
fn later(time: Instant, ms: u64) -> Instant {
    const NEVER: Duration = Duration::from_hours(100 * 365 * 24);
    let wait = Duration::from_millis(ms).min(NEVER);
    time.checked_add(wait).unwrap_or(time)
}

/// Which of the sources have something to read or are at their end; those that are absent never are. No wait is longer
/// than one of the greatest duration: that one has no end.
fn ready(sources: &[Option<BorrowedFd<'_>>], timeout: Duration) -> Vec<bool> {
    ready_or_writable(sources, [None, None], timeout)
}

/// The same; one that can be written to again ends the wait too.
fn ready_or_writable(
    sources: &[Option<BorrowedFd<'_>>],
    unwritten: [Option<BorrowedFd<'_>>; 2],
    timeout: Duration,
) -> Vec<bool> {
    let mut waiting: Vec<PollFd<'_>> =
        sources.iter().flatten().map(|source| PollFd::from_borrowed_fd(*source, PollFlags::IN)).collect();
    let unwritten = unwritten.into_iter().flatten();
    waiting.extend(unwritten.map(|unwritten| PollFd::from_borrowed_fd(unwritten, PollFlags::OUT)));
    let timeout = Timespec::try_from(timeout).ok();
    if poll(&mut waiting, timeout.as_ref()).is_err() {
        // A signal came; what it means is found on the next look.
        return vec![false; sources.len()];
    }
    let mut states = waiting.iter().map(|state| !state.revents().is_empty());
    sources.iter().map(|source| source.is_some() && states.next().unwrap_or_default()).collect()
}
