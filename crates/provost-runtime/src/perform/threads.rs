//! The threads that effects are performed on, kept for the next effect: a new one costs as much as the prompt and the job
//! of a turn, because all that it touches first has to be mapped.

use std::io;
use std::sync::mpsc::{Receiver, SendError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

type Task = Box<dyn FnOnce() + Send>;

/// The threads of a performer; shared with those threads.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    /// Whether something runs. One that was busy when all others were let go does not stay either.
    wanted: bool,
    /// Those that have nothing to do.
    idle: Vec<Sender<Task>>,
}

impl Threads {
    /// Has a thread do something: one that has nothing to do, or a new one.
    pub(super) fn run(&self, task: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let mut task: Task = Box::new(task);
        if let Some(waiting) = self.take() {
            match waiting.send(task) {
                Ok(()) => return Ok(()),
                Err(SendError(unsent)) => task = unsent,
            }
        }
        let threads = self.clone();
        thread::Builder::new().name("effect".to_owned()).spawn(move || threads.work(task)).map(drop)
    }

    /// Lets those end that have nothing to do.
    pub(super) fn end(&self) {
        *self.lock() = Kept::default();
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<Sender<Task>> {
        let mut kept = self.lock();
        kept.wanted = true;
        kept.idle.pop()
    }

    fn work(&self, first: Task) {
        first();
        while let Some(next) = self.offer().and_then(|offered| offered.recv().ok()) {
            next();
        }
    }

    /// Where the next task comes; nothing where nobody wants one to be done.
    fn offer(&self) -> Option<Receiver<Task>> {
        let mut kept = self.lock();
        let (sender, receiver) = channel();
        kept.wanted.then(|| kept.idle.push(sender))?;
        Some(receiver)
    }
}

#[cfg(test)]
mod tests {
    use std::thread::ThreadId;

    use super::*;

    /// Has one do something, and says which one it was.
    fn who(threads: &Threads) -> ThreadId {
        let (sender, receiver) = channel();
        threads.run(move || sender.send(thread::current().id()).unwrap()).unwrap();
        receiver.recv().unwrap()
    }

    fn wait_for_idle(threads: &Threads, count: usize) {
        while threads.lock().idle.len() != count {
            thread::yield_now();
        }
    }

    #[test]
    fn one_with_nothing_to_do_gets_the_next_task() {
        let threads = Threads::default();
        let first = who(&threads);
        wait_for_idle(&threads, 1);
        assert_eq!(who(&threads), first);
        wait_for_idle(&threads, 1);
        let (busy, until) = channel::<()>();
        threads.run(move || assert!(until.recv().is_err())).unwrap();
        let second = who(&threads);
        assert_ne!(second, first, "it is busy");
        drop(busy);
        wait_for_idle(&threads, 2);
    }

    #[test]
    fn all_end_that_have_nothing_to_do() {
        let threads = Threads::default();
        who(&threads);
        wait_for_idle(&threads, 1);
        threads.end();
        // Each of them has a clone.
        while Arc::strong_count(&threads.kept) > 1 {
            thread::yield_now();
        }
        who(&threads);
        wait_for_idle(&threads, 1);
    }

    #[test]
    fn one_that_is_busy_when_all_are_let_go_ends_when_it_is_done() {
        let threads = Threads::default();
        let (busy, until) = channel::<()>();
        threads.run(move || assert!(until.recv().is_err())).unwrap();
        threads.end();
        drop(busy);
        while Arc::strong_count(&threads.kept) > 1 {
            thread::yield_now();
        }
    }

    #[test]
    fn a_task_that_panics_takes_only_its_own_thread_with_it() {
        let threads = Threads::default();
        threads.run(|| panic!("of this task")).unwrap();
        while Arc::strong_count(&threads.kept) > 1 {
            thread::yield_now();
        }
        who(&threads);
        wait_for_idle(&threads, 1);
    }
}
