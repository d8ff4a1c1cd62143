//! What the journal costs beside the bare disk: durable commands, one after the other and from a hundred clients, and
//! opening a million records. Fails when a target is missed.

#![expect(clippy::unwrap_used, reason = "a bench fails by panicking")]
#![expect(clippy::print_stdout, reason = "a bench reports to whoever runs it")]
#![expect(clippy::cast_precision_loss, reason = "counts here are small")]

mod clients;
mod counting;
mod opening;
#[path = "../../../provost-core/benches/ratio.rs"]
#[expect(dead_code, reason = "other benches show figures without a target, this one has none")]
mod ratio;
mod sequential;

use std::path::Path;
use std::process::ExitCode;

use provost_core::project::{Command as Project, Preparation, Settings};
use provost_core::state::{Command, State};
use provost_runtime::driver::{Cause, Driver, Identity, Performing, Submission};
use provost_runtime::journal::{FileJournal, Journal};
use provost_runtime::lock::{Holder, Lock};
use provost_runtime::storage::Disk;
use tempfile::TempDir;

fn main() -> ExitCode {
    ratio::report(&[
        sequential::measure(),
        clients::measure(),
        counting::flushes_of_sequential_commands(),
        counting::flushes_of_a_hundred_clients(),
        counting::bytes_written(),
        opening::measure(),
    ])
}

/// A folder on the disk that the build is on, not in memory.
fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

fn disk(root: &Path) -> Disk {
    let holder = Holder::this_process("bench", None);
    Disk::owned(root, Lock::acquire(&root.join("lock"), &holder).unwrap().unwrap())
}

/// A driver over a journal, with a project in it.
fn driver<J: Journal>(journal: J) -> Driver<State, J> {
    let identity = Identity { session_id: "bench".to_owned(), holder: "bench".to_owned() };
    let mut driver = Driver::open(journal, identity, Performing::No).unwrap();
    let turn = driver.turn(&[submission(0, Project::Prepare(preparation()))], now());
    assert!(!turn.failed);
    driver
}

fn file_driver(root: &Path) -> Driver<State, FileJournal<Disk>> {
    driver(FileJournal::new(disk(root)))
}

/// A remark with about 200 bytes of details.
fn note(number: u64) -> Submission<Command> {
    let text = format!("{number:0>12} {}", "a remark as people make them ".repeat(6));
    submission(number + 1, Project::Note { preparation: preparation(), text, attached: Vec::new() })
}

fn preparation() -> Preparation {
    Preparation { project_id: "bench".to_owned(), settings: Settings::default() }
}

fn submission(number: u64, command: Project) -> Submission<Command> {
    let cause = Cause::Request(format!("00000000-0000-4000-8000-{number:012}"));
    Submission { cause, actor: "person:bench".to_owned(), command: Command::Project(command) }
}

fn now() -> provost_core::time::Timestamp {
    use provost_runtime::clock::{Clock as _, SystemClock};
    SystemClock.now()
}
