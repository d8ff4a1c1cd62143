//! The thread around the driver: commands come in through an inbox, effects run beside it and report back.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use provost_core::decider::Decider;
use provost_core::diagnostic::{self, Diagnostic};
use provost_core::effects::EffectId;

use super::{ACTOR, Answer, Cause, Driver, Performing, Start, Submission, TURN_MAX};
use crate::clock::Clock;
use crate::journal::Journal;

/// How long reports that the disk refused wait before they are sent again.
const RETRY: Duration = Duration::from_secs(1);

/// Begins and ends effects. Neither call may wait for the effect.
pub trait Perform<D: Decider> {
    /// Begins one; it reports through `reporter` from a thread or process of its own.
    fn start(&mut self, start: Start<D::Effect>, reporter: Reporter<D::Command>);
    /// Ends one that nobody wants any more.
    fn stop(&mut self, id: EffectId);
}

/// What arrives in the inbox.
enum Message<C> {
    Submit(Submission<C>, Option<SyncSender<Result<Answer, Diagnostic>>>),
    Close,
}

/// A way to the driver for whoever has commands and waits for answers.
#[derive(Debug)]
pub struct Handle<C> {
    inbox: Sender<Message<C>>,
}

impl<C> Clone for Handle<C> {
    fn clone(&self) -> Self {
        Handle { inbox: self.inbox.clone() }
    }
}

impl<C> Handle<C> {
    /// Submits a command and waits until its records are durable.
    pub fn submit(&self, submission: Submission<C>) -> Result<Answer, Diagnostic> {
        self.begin(submission).wait()
    }

    /// Submits a command without waiting.
    pub fn begin(&self, submission: Submission<C>) -> Pending {
        let (reply, answer) = sync_channel(1);
        // A driver that has ended drops the message and with it the sender, which the wait then reports.
        let _ = self.inbox.send(Message::Submit(submission, Some(reply)));
        Pending { answer }
    }

    /// Lets the driver end after the commands that are waiting now.
    pub fn close(&self) {
        let _ = self.inbox.send(Message::Close);
    }
}

/// An answer that has not come yet.
#[derive(Debug)]
pub struct Pending {
    answer: Receiver<Result<Answer, Diagnostic>>,
}

impl Pending {
    /// Waits for it.
    pub fn wait(self) -> Result<Answer, Diagnostic> {
        let gone =
            || Diagnostic::error(diagnostic::DRIVER_ENDED, "the process that writes the journal is ending");
        self.answer.recv().unwrap_or_else(|_| Err(gone()))
    }
}

/// A way to the driver for one effect: whatever it sends is known to come from it.
#[derive(Debug)]
pub struct Reporter<C> {
    id: EffectId,
    inbox: Sender<Message<C>>,
}

impl<C> Reporter<C> {
    /// The effect.
    pub fn effect(&self) -> EffectId {
        self.id
    }

    /// Reports. The driver keeps the report until it is on the record.
    pub fn report(&self, command: C) {
        let submission = Submission { cause: Cause::Effect(self.id), actor: ACTOR.to_owned(), command };
        let _ = self.inbox.send(Message::Submit(submission, None));
    }
}

/// A driver that has not begun: its inbox exists, so that commands can be put in before the first turn.
#[derive(Debug)]
pub struct Running<D: Decider, J: Journal> {
    driver: Driver<D, J>,
    sender: Sender<Message<D::Command>>,
    receiver: Receiver<Message<D::Command>>,
}

impl<D: Decider, J: Journal> Running<D, J> {
    /// Gives a driver its inbox.
    pub fn new(driver: Driver<D, J>) -> Self {
        let (sender, receiver) = channel();
        Running { driver, sender, receiver }
    }

    /// A way in.
    pub fn handle(&self) -> Handle<D::Command> {
        Handle { inbox: self.sender.clone() }
    }
}

/// Runs turns until it is told to close, and gives the driver back.
pub fn run<D: Decider, J: Journal>(
    running: Running<D, J>,
    perform: &mut impl Perform<D>,
    clock: &impl Clock,
) -> Driver<D, J> {
    let Running { mut driver, sender, receiver } = running;
    let mut batch = Vec::new();
    if driver.performing == Performing::Yes {
        let recovery = driver.recover();
        begin(perform, recovery.starts, &sender);
        batch.extend(recovery.lost.into_iter().map(|submission| (submission, None)));
    }
    let mut retry_at = None;
    loop {
        let ready = !batch.is_empty() && retry_at.is_none();
        let patience = if ready { Some(Duration::ZERO) } else { patience(&driver, clock, retry_at) };
        let closing = fill(&mut batch, &receiver, patience);
        // Once over it is forgotten: with nothing to send again, waiting for it anew would never wait.
        retry_at = retry_at.filter(|at| Instant::now() < *at);
        if retry_at.is_none() && driver.state().wake().is_some_and(|at| at <= clock.now()) {
            batch.push((
                Submission { cause: Cause::Time, actor: ACTOR.to_owned(), command: D::woken() },
                None,
            ));
        }
        if batch.is_empty() {
            if closing {
                return driver;
            }
            continue;
        }
        let (submissions, replies): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
        let turn = driver.turn(&submissions, clock.now());
        for id in turn.stop {
            perform.stop(id);
        }
        begin(perform, turn.start, &sender);
        for (reply, answer) in replies.iter().zip(turn.answers) {
            if let Some(reply) = reply {
                // A client that no longer waits has no use for its answer.
                let _ = reply.send(answer);
            }
        }
        retry_at = turn.failed.then(|| Instant::now() + RETRY);
        if turn.failed && !closing {
            let reports = submissions.into_iter().filter(|it| matches!(it.cause, Cause::Effect(_)));
            batch.extend(reports.map(|report| (report, None)));
        }
        if closing {
            return driver;
        }
    }
}

type Waiting<C> = (Submission<C>, Option<SyncSender<Result<Answer, Diagnostic>>>);

/// Takes what waits, after waiting for something to come. Says whether the driver is to end.
fn fill<C>(batch: &mut Vec<Waiting<C>>, receiver: &Receiver<Message<C>>, patience: Option<Duration>) -> bool {
    let first = match patience {
        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
        Some(patience) => receiver.recv_timeout(patience),
    };
    let mut next = match first {
        Ok(message) => Some(message),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => return true,
    };
    while let Some(message) = next {
        match message {
            Message::Close => return true,
            Message::Submit(submission, reply) => batch.push((submission, reply)),
        }
        next = if batch.len() < TURN_MAX { receiver.try_recv().ok() } else { None };
    }
    false
}

/// How long to wait for a message: until time changes something, or reports are to be sent again.
fn patience<D: Decider, J: Journal>(
    driver: &Driver<D, J>,
    clock: &impl Clock,
    retry_at: Option<Instant>,
) -> Option<Duration> {
    if let Some(at) = retry_at {
        // Time is a command too, and the disk would refuse its records as well.
        return Some(at.saturating_duration_since(Instant::now()));
    }
    driver.state().wake().map(|at| Duration::from_millis(at.since_ms(clock.now())))
}

fn begin<D: Decider>(
    perform: &mut impl Perform<D>,
    starts: Vec<Start<D::Effect>>,
    inbox: &Sender<Message<D::Command>>,
) {
    for start in starts {
        let reporter = Reporter { id: start.id, inbox: inbox.clone() };
        perform.start(start, reporter);
    }
}
