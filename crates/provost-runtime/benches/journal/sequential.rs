//! One command after the other, each waiting for its own flush.

use std::fs::File;
use std::os::unix::fs::FileExt as _;

use crate::ratio::{Measured, Target, compare, time};
use crate::{file_driver, folder, note, now};

const ROUNDS: usize = 41;
const COMMANDS: u32 = 50;

pub(crate) fn measure() -> Measured {
    let folder = folder();
    let mut driver = file_driver(folder.path());
    let mut number = 0;
    let mut command = || {
        number += 1;
        let mut turn = driver.turn(&[note(number)], now());
        turn.answers.remove(0).unwrap().records.remove(0)
    };
    let line = format!("{}\n", command());
    let floor = preallocated(&folder.path().join("floor"));
    let mut offset = 0;
    let write = || {
        floor.write_all_at(line.as_bytes(), offset).unwrap();
        floor.sync_data().unwrap();
        offset += line.len() as u64;
    };
    let (mut write, mut command) = (write, command);
    compare(
        "sequential durable command, 200 bytes of details",
        Target::Rate(0.85),
        ROUNDS,
        || time(COMMANDS, &mut write),
        || time(COMMANDS, &mut command),
    )
}

/// A file that is long enough and was written once, so that only data has to be flushed.
pub(crate) fn preallocated(path: &std::path::Path) -> File {
    let file = File::create(path).unwrap();
    file.write_all_at(&vec![b'\n'; 16 * 1024 * 1024], 0).unwrap();
    file.sync_all().unwrap();
    file
}
