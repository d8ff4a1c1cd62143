//! Opening a journal of a million records: verified and folded, against reading and hashing the same bytes.

use std::fs;
use std::path::Path;

use provost_core::state::State;
use provost_runtime::driver::{Driver, Identity, Performing, TURN_MAX};
use provost_runtime::journal::FileJournal;
use sha2::{Digest as _, Sha256};

use crate::ratio::{Measured, Target, compare, time};
use crate::{disk, file_driver, folder, note, now};

const RECORDS: u64 = 1_000_000;
const ROUNDS: usize = 5;

pub(crate) fn measure() -> Measured {
    let folder = folder();
    fill(folder.path());
    compare(
        "open, verify and rebuild 1,000,000 records",
        Target::Times(3.0),
        ROUNDS,
        || time(1, || read_and_hash(&folder.path().join("journal"))),
        || time(1, || open(folder.path())),
    )
}

fn fill(root: &Path) {
    let mut driver = file_driver(root);
    let mut number = 0;
    while driver.chain().head.sequence < RECORDS {
        let turn: Vec<_> = (0..TURN_MAX as u64).map(|it| note(number + it)).collect();
        number += TURN_MAX as u64;
        assert!(!driver.turn(&turn, now()).failed);
    }
}

fn read_and_hash(folder: &Path) -> [u8; 32] {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let mut hasher = Sha256::new();
    for name in names {
        hasher.update(fs::read(name).unwrap());
    }
    hasher.finalize().into()
}

fn open(root: &Path) -> u64 {
    let identity = Identity { session_id: "bench".to_owned(), holder: "bench".to_owned() };
    let driver: Driver<State, _> =
        Driver::open(FileJournal::new(disk(root)), identity, Performing::No).unwrap();
    driver.state().project.notes
}
