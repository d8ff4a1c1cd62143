//! A journal as version 1 wrote it: it has to verify and to mean the same for ever, and to be taken up on a real
//! disk.

use std::fs;
use std::path::{Path, PathBuf};

use provost_core::decider::{At, Decider as _, Event as _};
use provost_core::limits::Limit;
use provost_core::project::{Project, Session, Sessions, Settings};
use provost_core::state::{Event, State};
use provost_core::time::Timestamp;
use provost_runtime::driver::{Driver, Identity, Performing};
use provost_runtime::journal::{FileJournal, walk};
use provost_runtime::lock::{Holder, Lock};
use provost_runtime::storage::Disk;

use crate::history::request;

const HEAD: &str = "8975385e5bc0fe3382e18605e799f6e01f0e2f761d552a71011bbbcfed27e91c";
const SEGMENTS: [&str; 2] = ["journal/0000000000000001.jsonl", "journal/0000000000000006.jsonl"];

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/journal-v1")
}

fn state_of(disk: &Disk) -> (State, String) {
    let mut state = State::default();
    let walked = walk(disk, &mut |record| {
        let at = At { sequence: record.sequence, timestamp: record.timestamp, session_id: record.session_id };
        state.apply(at, &Event::read(record)?)?;
        Ok(())
    });
    (state, walked.unwrap().chain.head.hash.to_string())
}

#[test]
fn version_1_means_what_it_meant() {
    let (state, head) = state_of(&Disk::reading(&fixture()));
    assert_eq!(head, HEAD);
    let mut settings = Settings::default();
    settings.set(Limit::Agents, 7);
    let current = Session {
        id: "22222222-2222-4222-8222-222222222222".to_owned(),
        started_at: Timestamp::from_ms(1_794_772_263_252),
    };
    let previous_id = Some("11111111-1111-4111-8111-111111111111".to_owned());
    let sessions = Sessions { current: Some(current), previous_id, count: 2 };
    let id = Some("p-1".to_owned());
    assert_eq!(state.project, Project { id, settings, sessions, notes: 4, last: 8 });
}

#[test]
fn version_1_is_taken_up_on_a_real_disk() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("journal-v1");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(root.join("journal")).unwrap();
    for segment in SEGMENTS {
        fs::copy(fixture().join(segment), root.join(segment)).unwrap();
    }
    for (id, notes) in [("first", 5), ("second", 6), ("second", 6)] {
        let holder = Holder::this_process("test", None);
        let lock = Lock::acquire(&root.join("journal/lock"), &holder).unwrap().unwrap();
        let identity = Identity { session_id: id.to_owned(), holder: "process 7: test".to_owned() };
        let journal = FileJournal::new(Disk::owned(&root, lock));
        let mut driver = Driver::<State, _>::open(journal, identity, Performing::No).unwrap();
        assert!(driver.turn(&[request(id)], Timestamp::EPOCH).answers[0].is_ok());
        assert_eq!(driver.state().project.notes, notes);
    }
    let (state, head) = state_of(&Disk::reading(&root));
    assert_eq!((state.project.notes, state.project.sessions.count), (6, 4));
    assert_ne!(head, HEAD);
}
