//! A hundred clients, each waiting for its own acknowledgement, against a group commit written by hand.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use provost_core::decider::Decider;
use provost_core::effects::EffectId;
use provost_core::state::State;
use provost_runtime::clock::SystemClock;
use provost_runtime::driver::{Perform, Reporter, Running, Start, run};
use provost_runtime::journal::Journal;

use crate::ratio::{Measured, Target, compare};
use crate::sequential::preallocated;
use crate::{driver, file_driver, folder, note};

pub(crate) const CLIENTS: u64 = 100;
pub(crate) const COMMANDS: u64 = 20;
const ROUNDS: usize = 15;

pub(crate) fn measure() -> Measured {
    let folder = folder();
    let line = {
        let mut first = file_driver(folder.path());
        let mut turn = first.turn(&[note(0)], crate::now());
        format!("{}\n", turn.answers.remove(0).unwrap().records.remove(0))
    };
    let mut round = 0_u64;
    let work = || {
        round += 1;
        let journal = provost_runtime::journal::FileJournal::new(crate::disk(folder.path()));
        through_the_driver(journal, round)
    };
    compare(
        "100 clients, each waiting for its acknowledgement",
        Target::Rate(0.6),
        ROUNDS,
        || by_hand(&folder.path().join("floor"), &line),
        work,
    )
}

/// Time per command through the driver's inbox.
pub(crate) fn through_the_driver<J: Journal + Send + 'static>(journal: J, round: u64) -> Duration {
    let running = Running::new(driver::<J>(journal));
    let handle = running.handle();
    let loop_thread = thread::spawn(move || drop(run(running, &mut Nothing, &SystemClock)));
    let begin = Instant::now();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let handle = handle.clone();
            thread::spawn(move || {
                for command in 0..COMMANDS {
                    let number = (round * CLIENTS + client) * COMMANDS + command;
                    handle.submit(note(number + 1_000_000)).unwrap();
                }
            })
        })
        .collect();
    for client in clients {
        client.join().unwrap();
    }
    let took = begin.elapsed();
    handle.close();
    loop_thread.join().unwrap();
    took / u32::try_from(CLIENTS * COMMANDS).unwrap()
}

struct Nothing;

impl Perform<State> for Nothing {
    fn start(&mut self, _: Start<<State as Decider>::Effect>, _: Reporter<<State as Decider>::Command>) {}
    fn stop(&mut self, _: EffectId) {}
}

/// What clients and committer share.
#[derive(Default)]
struct Shared {
    waiting: Vec<u8>,
    submitted: u64,
    durable: u64,
    closed: bool,
}

/// Time per line of a group commit that knows nothing but lines and a file.
fn by_hand(path: &std::path::Path, line: &str) -> Duration {
    let shared = Arc::new((Mutex::new(Shared::default()), Condvar::new(), Condvar::new()));
    let file = preallocated(path);
    let committer = {
        let shared = Arc::clone(&shared);
        thread::spawn(move || commit(&file, &shared))
    };
    let begin = Instant::now();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (shared, line) = (Arc::clone(&shared), line.to_owned());
            thread::spawn(move || {
                let (state, arrived, flushed) = &*shared;
                for _ in 0..COMMANDS {
                    let mut guard = state.lock().unwrap();
                    guard.waiting.extend_from_slice(line.as_bytes());
                    guard.submitted += 1;
                    let mine = guard.submitted;
                    arrived.notify_one();
                    drop(flushed.wait_while(guard, |state| state.durable < mine).unwrap());
                }
            })
        })
        .collect();
    for client in clients {
        client.join().unwrap();
    }
    let took = begin.elapsed();
    shared.0.lock().unwrap().closed = true;
    shared.1.notify_one();
    committer.join().unwrap();
    took / u32::try_from(CLIENTS * COMMANDS).unwrap()
}

fn commit(file: &File, shared: &(Mutex<Shared>, Condvar, Condvar)) {
    let (state, arrived, flushed) = shared;
    let mut offset = 0;
    loop {
        let guard = state.lock().unwrap();
        let mut guard = arrived.wait_while(guard, |state| state.waiting.is_empty() && !state.closed).unwrap();
        if guard.waiting.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut guard.waiting);
        let upto = guard.submitted;
        drop(guard);
        file.write_all_at(&bytes, offset).unwrap();
        file.sync_data().unwrap();
        offset += bytes.len() as u64;
        state.lock().unwrap().durable = upto;
        flushed.notify_all();
    }
}
