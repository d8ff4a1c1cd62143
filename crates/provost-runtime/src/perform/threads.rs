//! The threads that effects are performed on, kept for the next effect: a new one costs as much as the prompt and the job
//! of a turn, because all that it touches first has to be mapped.

use std::io;
use std::sync::mpsc::{Receiver, SendError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

type Task = Box<dyn FnOnce() + Send>;

/// Threads that have nothing to do; shared by the performer and those threads.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads {
    idle: Arc<Mutex<Vec<Sender<Task>>>>,
}

impl Threads {
    /// Has a thread do something: one that has nothing to do, or a new one.
    pub(super) fn run(&self, task: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let mut task: Task = Box::new(task);
        while let Some(waiting) = self.pop() {
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
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn pop(&self) -> Option<Sender<Task>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn work(&self, first: Task) {
        first();
        while let Ok(next) = self.offer().recv() {
            next();
        }
    }

    fn offer(&self) -> Receiver<Task> {
        let (sender, receiver) = channel();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(sender);
        receiver
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
        while threads.idle.lock().unwrap().len() != count {
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
        while Arc::strong_count(&threads.idle) > 1 {
            thread::yield_now();
        }
        who(&threads);
        wait_for_idle(&threads, 1);
    }

    #[test]
    fn a_task_that_panics_takes_only_its_own_thread_with_it() {
        let threads = Threads::default();
        threads.run(|| panic!("of this task")).unwrap();
        while Arc::strong_count(&threads.idle) > 1 {
            thread::yield_now();
        }
        who(&threads);
        wait_for_idle(&threads, 1);
    }
}
