//! Flushes and bytes, counted at the disk.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use provost_runtime::journal::FileJournal;
use provost_runtime::storage::{Disk, Storage};

use crate::clients::{CLIENTS, COMMANDS, through_the_driver};
use crate::ratio::{Measured, counted};
use crate::{disk, driver, folder, note, now};

const SEQUENTIAL: u64 = 500;

/// A disk that counts.
struct Counting {
    disk: Disk,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    flushes: AtomicU64,
    bytes: AtomicU64,
}

pub(crate) fn flushes_of_sequential_commands() -> Measured {
    let (flushes, _) = sequential();
    counted("flushes per sequential command", 1.0, flushes)
}

pub(crate) fn bytes_written() -> Measured {
    let (_, bytes) = sequential();
    counted("bytes written per byte of lines", 1.1, bytes)
}

pub(crate) fn flushes_of_a_hundred_clients() -> Measured {
    let folder = folder();
    let counts = Arc::new(Counts::default());
    let journal = FileJournal::new(Counting { disk: disk(folder.path()), counts: Arc::clone(&counts) });
    through_the_driver(journal, 1);
    let flushes = counts.flushes.load(Ordering::Relaxed) as f64;
    counted("flushes per command of 100 clients", 0.05, flushes / (CLIENTS * COMMANDS) as f64)
}

/// Flushes per command, and bytes written per byte of the lines.
fn sequential() -> (f64, f64) {
    let folder = folder();
    let counts = Arc::new(Counts::default());
    let mut driver =
        driver(FileJournal::new(Counting { disk: disk(folder.path()), counts: Arc::clone(&counts) }));
    counts.flushes.store(0, Ordering::Relaxed);
    counts.bytes.store(0, Ordering::Relaxed);
    let mut lines = 0;
    for number in 0..SEQUENTIAL {
        let mut turn = driver.turn(&[note(number)], now());
        lines += turn.answers.remove(0).unwrap().records.iter().map(|line| line.len() + 1).sum::<usize>();
    }
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
    (count(&counts.flushes) / SEQUENTIAL as f64, count(&counts.bytes) / lines as f64)
}

impl Storage for Counting {
    type File = File;

    fn names(&self, folder: &str) -> io::Result<Vec<String>> {
        self.disk.names(folder)
    }

    fn make_folder(&self, folder: &str) -> io::Result<()> {
        self.disk.make_folder(folder)
    }

    fn read(&self, path: &str, into: &mut Vec<u8>) -> io::Result<()> {
        self.disk.read(path, into)
    }

    fn create(&self, path: &str) -> io::Result<File> {
        self.disk.create(path)
    }

    fn open(&self, path: &str) -> io::Result<File> {
        self.disk.open(path)
    }

    fn write_at(&self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.counts.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.disk.write_at(file, offset, bytes)
    }

    fn allocate(&self, file: &File, length: u64) -> io::Result<()> {
        self.disk.allocate(file, length)
    }

    fn truncate(&self, file: &File, length: u64) -> io::Result<()> {
        self.disk.truncate(file, length)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.counts.flushes.fetch_add(1, Ordering::Relaxed);
        self.disk.sync(file)
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        self.counts.flushes.fetch_add(1, Ordering::Relaxed);
        self.disk.sync_folder(folder)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.disk.rename(from, to)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.disk.remove(path)
    }

    fn check(&self, file: &File) -> io::Result<()> {
        self.disk.check(file)
    }

    fn fence(&self) -> io::Result<()> {
        self.disk.fence()
    }
}
