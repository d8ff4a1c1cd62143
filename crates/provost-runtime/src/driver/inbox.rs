//! The thread around the driver: commands come in through an inbox, effects run beside it and report back.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use provost_core::decider::Decider;
use provost_core::diagnostic::{self, Diagnostic};
use provost_core::effects::EffectId;
use provost_core::time::Timestamp;

use super::{ACTOR, Answer, Cause, Driver, Performing, Start, Submission, TURN_MAX};
use crate::clock::Clock;
use crate::journal::Journal;

/// How long reports that the disk refused wait before they are sent again.
const RETRY: Duration = Duration::from_secs(1);

/// How often a driver that ends looks whether all that was told to end has.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Begins and ends effects. Neither call may wait for the effect.
pub trait Perform<D: Decider> {
    /// Begins one; it reports through `reporter` from a thread or process of its own.
    fn start(&mut self, start: Start<D::Effect>, reporter: Reporter<D::Command>);
    /// Ends one that nobody wants any more.
    fn stop(&mut self, id: EffectId);
    /// Nothing is to be done until somebody says something: what was kept for the next effect is let go.
    fn rest(&mut self) {}
    /// Whether all that was told to end has reported.
    fn is_settled(&self) -> bool {
        true
    }
}

/// What arrives in the inbox.
enum Message<C> {
    Submit(Submission<C>, Option<Slot>),
    Close,
}

/// Where an answer is put.
type Slot = Arc<OnceLock<Result<Answer, Diagnostic>>>;

/// What everybody who waits for an answer listens to. One for all of them: a turn answers many at once, and waking
/// them one by one would take longer than the flush that they share.
#[derive(Debug, Default)]
struct Bell {
    ended: Mutex<bool>,
    rung: Condvar,
}

impl Bell {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes everybody; whoever has an answer by now takes it.
    fn ring(&self) {
        drop(self.lock());
        self.rung.notify_all();
    }
}

/// Tells those who wait that nobody answers any more, also when the driver's thread ends by a panic.
struct LastBell(Arc<Bell>);

impl Drop for LastBell {
    fn drop(&mut self) {
        *self.0.lock() = true;
        self.0.rung.notify_all();
    }
}

/// A way to the driver for whoever has commands and waits for answers.
#[derive(Debug)]
pub struct Handle<C> {
    inbox: Sender<Message<C>>,
    bell: Arc<Bell>,
}

impl<C> Clone for Handle<C> {
    fn clone(&self) -> Self {
        Handle { inbox: self.inbox.clone(), bell: Arc::clone(&self.bell) }
    }
}

impl<C> Handle<C> {
    /// Submits a command and waits until its records are durable.
    pub fn submit(&self, submission: Submission<C>) -> Result<Answer, Diagnostic> {
        self.begin(submission).wait()
    }

    /// Submits a command without waiting.
    pub fn begin(&self, submission: Submission<C>) -> Pending {
        let slot = Slot::default();
        // A driver that has ended takes no message; the wait then says so.
        let _ = self.inbox.send(Message::Submit(submission, Some(Arc::clone(&slot))));
        Pending { slot, bell: Arc::clone(&self.bell) }
    }

    /// Lets the driver end after the commands that are waiting now.
    pub fn close(&self) {
        let _ = self.inbox.send(Message::Close);
    }
}

/// An answer that has not come yet.
#[derive(Debug)]
pub struct Pending {
    slot: Slot,
    bell: Arc<Bell>,
}

impl Pending {
    /// Waits for it.
    pub fn wait(self) -> Result<Answer, Diagnostic> {
        let Pending { slot, bell } = self;
        let guard = bell.lock();
        let waiting = |ended: &mut bool| slot.get().is_none() && !*ended;
        drop(bell.rung.wait_while(guard, waiting).unwrap_or_else(PoisonError::into_inner));
        let gone =
            || Diagnostic::error(diagnostic::DRIVER_ENDED, "the process that writes the journal is ending");
        let answer = Arc::try_unwrap(slot).map_or_else(|slot| slot.get().cloned(), OnceLock::into_inner);
        answer.unwrap_or_else(|| Err(gone()))
    }
}

/// A way to the driver for one effect: whatever it sends is known to come from it.
#[derive(Debug)]
pub struct Reporter<C> {
    id: EffectId,
    handle: Handle<C>,
}

impl<C> Reporter<C> {
    /// The effect.
    pub fn effect(&self) -> EffectId {
        self.id
    }

    /// Reports. The driver keeps the report until it is on the record.
    pub fn report(&self, command: C) {
        let _ = self.handle.inbox.send(Message::Submit(self.submission(command), None));
    }

    /// Reports and waits until the report is on the record, however often the disk refuses it. An error means that
    /// it never will be: the driver has ended.
    pub fn confirm(&self, command: C) -> Result<Answer, Diagnostic> {
        self.handle.submit(self.submission(command))
    }

    fn submission(&self, command: C) -> Submission<C> {
        Submission { cause: Cause::Effect(self.id), actor: ACTOR.to_owned(), command }
    }
}

/// A driver that has not begun: its inbox exists, so that commands can be put in before the first turn.
#[derive(Debug)]
pub struct Running<D: Decider, J: Journal> {
    driver: Driver<D, J>,
    sender: Sender<Message<D::Command>>,
    receiver: Receiver<Message<D::Command>>,
    bell: Arc<Bell>,
}

impl<D: Decider, J: Journal> Running<D, J> {
    /// Gives a driver its inbox.
    pub fn new(driver: Driver<D, J>) -> Self {
        let (sender, receiver) = channel();
        Running { driver, sender, receiver, bell: Arc::default() }
    }

    /// A way in.
    pub fn handle(&self) -> Handle<D::Command> {
        Handle { inbox: self.sender.clone(), bell: Arc::clone(&self.bell) }
    }
}

/// Runs turns until it is told to close, and gives the driver back.
pub fn run<D: Decider, J: Journal>(
    running: Running<D, J>,
    perform: &mut impl Perform<D>,
    clock: &impl Clock,
) -> Driver<D, J> {
    let handle = running.handle();
    let Running { mut driver, receiver, bell, .. } = running;
    let _last = LastBell(Arc::clone(&bell));
    let mut batch = Vec::new();
    if driver.performing == Performing::Yes {
        let recovery = driver.recover();
        begin(perform, recovery.starts, &handle);
        batch.extend(recovery.lost.into_iter().map(|submission| (submission, None)));
    }
    let mut retry_at = None;
    // A time that is past and brought nothing is not asked again until it changes.
    let mut fruitless = None;
    loop {
        let ready = !batch.is_empty() && retry_at.is_none();
        let wake = driver.wake().filter(|at| Some(*at) != fruitless);
        let patience = if ready { Some(Duration::ZERO) } else { patience(wake, clock, retry_at) };
        let closing = fill(&mut batch, &receiver, patience);
        // Once over it is forgotten: with nothing to send again, waiting for it anew would never wait.
        retry_at = retry_at.filter(|at| Instant::now() < *at);
        let woken = retry_at.is_none() && wake.is_some_and(|at| at <= clock.now());
        if batch.is_empty() && !woken {
            if closing {
                return last_reports(driver, perform, clock, &receiver, &bell);
            }
            continue;
        }
        let (submissions, replies): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
        let before = driver.chain().head;
        let turn = driver.turn(&submissions, clock.now());
        let idle = !turn.failed && driver.chain().head == before && driver.wake() == wake;
        fruitless = wake.filter(|_| idle);
        for id in turn.stop {
            perform.stop(id);
        }
        begin(perform, turn.start, &handle);
        if driver.running.is_empty() {
            perform.rest();
        }
        let again = turn.failed && !closing;
        for ((submission, slot), answer) in submissions.into_iter().zip(replies).zip(turn.answers) {
            if again && matches!(submission.cause, Cause::Effect(_)) {
                batch.push((submission, slot));
            } else if let Some(slot) = slot {
                // Each slot is filled once: a submission is in one turn, or in several that failed and the last.
                let _ = slot.set(answer);
            }
        }
        bell.ring();
        retry_at = turn.failed.then(|| Instant::now() + RETRY);
        if closing {
            return last_reports(driver, perform, clock, &receiver, &bell);
        }
    }
}

/// Puts on the record what effects report that were told to end: nobody waits for it, but what they cost counts. Whatever
/// else has come meanwhile is left to the next process that performs.
fn last_reports<D: Decider, J: Journal>(
    mut driver: Driver<D, J>,
    perform: &impl Perform<D>,
    clock: &impl Clock,
    receiver: &Receiver<Message<D::Command>>,
    bell: &Bell,
) -> Driver<D, J> {
    loop {
        // Asked first: whoever has settled has reported before.
        let settled = perform.is_settled();
        let mut batch = Vec::new();
        fill(&mut batch, receiver, Some(if settled { Duration::ZERO } else { LOOK_AGAIN }));
        batch.retain(
            |(submission, _)| matches!(submission.cause, Cause::Effect(id) if !driver.running.contains(&id)),
        );
        if batch.is_empty() {
            if settled {
                return driver;
            }
            // Without anything to record, not even time brings anything: nobody would perform it.
            continue;
        }
        let (submissions, replies): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let answers = driver.turn(&submissions, clock.now()).answers;
        for (slot, answer) in
            replies.into_iter().zip(answers).filter_map(|(slot, answer)| Some((slot?, answer)))
        {
            let _ = slot.set(answer);
        }
        bell.ring();
    }
}

type Waiting<C> = (Submission<C>, Option<Slot>);

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
fn patience(wake: Option<Timestamp>, clock: &impl Clock, retry_at: Option<Instant>) -> Option<Duration> {
    if let Some(at) = retry_at {
        // Time is a command too, and the disk would refuse its records as well.
        return Some(at.saturating_duration_since(Instant::now()));
    }
    wake.map(|at| Duration::from_millis(at.since_ms(clock.now())))
}

fn begin<D: Decider>(
    perform: &mut impl Perform<D>,
    starts: Vec<Start<D::Effect>>,
    handle: &Handle<D::Command>,
) {
    for start in starts {
        let reporter = Reporter { id: start.id, handle: handle.clone() };
        perform.start(start, reporter);
    }
}
