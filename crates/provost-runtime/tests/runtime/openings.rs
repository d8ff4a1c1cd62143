//! Opening a journal: who may append, what a newer program wrote, and what is reported.

use provost_core::digest::Digest;
use provost_core::record::{Batch, Draft, Head, Record, Writer};
use provost_core::state::State;
use provost_core::time::Timestamp;
use provost_runtime::driver::{Driver, Identity, Performing};
use provost_runtime::journal::{Fault, FileJournal, Journal as _, walk};

use crate::disk::{Kind, Model, Plan, Trouble, Which, World};
use crate::history::{Process, Shared, Step, Witness, lines_of, request};

const FIRST: &str = "journal/0000000000000001.jsonl";

/// Later than what the prepared journal holds.
fn now() -> Timestamp {
    Timestamp::from_ms(1_800_000_000_500)
}

fn writer() -> Writer {
    Writer { epoch: 1, session_id: "s1".to_owned() }
}

fn draft(event_type: &'static str) -> Draft {
    Draft {
        timestamp: now(),
        stream: "project",
        event_type,
        actor: "person".to_owned(),
        cause: None,
        agent_id: None,
        task_id: None,
        details: "{\"text\":\"x\"}".to_owned(),
    }
}

fn identity(session_id: &str) -> Identity {
    Identity { session_id: session_id.to_owned(), holder: "process 7: test".to_owned() }
}

/// A disk with a project and some remarks, closed.
fn prepared() -> Model {
    let model = Model::new(World::default());
    let steps = [Step::Turn(&["init"]), Step::Turn(&["a", "b", "c"]), Step::Turn(&["d"])];
    assert!(Process::new(&model, &Shared::default()).play(&steps, 1));
    model
}

#[test]
fn a_batch_that_continues_something_else_is_refused() {
    let mut journal = FileJournal::new(Model::new(World::default()));
    let batch = Batch::seal(Head::GENESIS, &writer(), &[draft("project.noted")]).unwrap();
    assert!(matches!(journal.append(Head::GENESIS, &batch), Err(Fault::NotOpen)));
    journal.open(&mut |_| Ok(())).unwrap();
    let other = Head { sequence: 3, hash: Digest::of(b"other") };
    assert!(matches!(journal.append(other, &batch), Err(Fault::Moved { .. })));
    assert!(matches!(journal.append(Head::GENESIS, &batch), Err(Fault::NotOpen)));
    journal.open(&mut |_| Ok(())).unwrap();
    journal.append(Head::GENESIS, &batch).unwrap();
    assert_eq!(journal.read(1, 1).unwrap().len(), 1);
}

#[test]
fn an_event_that_only_a_newer_program_knows_stops_writing_and_not_reading() {
    let model = prepared();
    let head = walk(&model, &mut |_| Ok(())).unwrap().chain.head;
    let batch = Batch::seal(head, &writer(), &[draft("project.painted"), draft("project.noted")]).unwrap();
    model.tamper(FIRST, |bytes| bytes.extend(&batch.bytes));
    let before = model.world().flat();
    let opened =
        Driver::<State, _>::open(Witness::new(&model, &Shared::default()), identity("s9"), Performing::No);
    assert!(matches!(opened, Err(Fault::Newer { sequence, .. }) if sequence == head.sequence + 1));
    assert_eq!(model.world().flat(), before);
    assert_eq!(lines_of(&model).unwrap().len() as u64, head.sequence + 2);
}

#[test]
fn a_version_that_only_a_newer_program_knows_stops_writing() {
    let model = prepared();
    let head = walk(&model, &mut |_| Ok(())).unwrap().chain.head;
    let batch = Batch::seal(head, &writer(), &[draft("project.noted")]).unwrap();
    let line = String::from_utf8(batch.bytes).unwrap().replace("{\"v\":1,", "{\"v\":2,");
    let hashed = &line[..line.rfind(",\"hash\":").unwrap()];
    let newer = format!("{hashed},\"hash\":\"{}\"}}\n", Digest::of(hashed.as_bytes()));
    model.tamper(FIRST, |bytes| bytes.extend(newer.as_bytes()));
    let before = model.world().flat();
    let mut seen = 0;
    let walked = walk(&model, &mut |_| {
        seen += 1;
        Ok(())
    });
    assert!(matches!(walked, Err(Fault::Newer { sequence, .. }) if sequence == head.sequence + 1));
    assert_eq!(seen, head.sequence);
    let mut journal = FileJournal::new(model.clone());
    assert!(matches!(journal.open(&mut |_| Ok(())), Err(Fault::Newer { .. })));
    assert_eq!(model.world().flat(), before);
}

#[test]
fn blank_lines_and_room_not_used_are_skipped() {
    let model = prepared();
    let lines = lines_of(&model).unwrap();
    model.tamper(FIRST, |bytes| {
        let text = String::from_utf8(std::mem::take(bytes)).unwrap();
        *bytes = format!("\n{}\n", text.replace('\n', "\n\n")).into_bytes();
        bytes.resize(bytes.len() + 3000, 0);
    });
    assert_eq!(lines_of(&model).unwrap(), lines);
    let history = Shared::default();
    assert!(Process::new(&model, &history).play(&[Step::Turn(&["init", "e"])], 1));
    assert!(lines_of(&Model::new(model.world().least())).unwrap().starts_with(&lines));
}

/// Whoever lost the folder must not shorten what the new owner wrote.
#[test]
fn a_process_that_lost_its_right_leaves_the_journal_alone_when_it_ends() {
    let model = prepared();
    let mut journal = FileJournal::new(model.clone());
    let head = journal.open(&mut |_| Ok(())).unwrap().chain.head;
    let batch = Batch::seal(head, &writer(), &[draft("project.noted")]).unwrap();
    journal.append(head, &batch).unwrap();
    let next = Batch::seal(batch.head, &writer(), &[draft("project.noted")]).unwrap();
    journal.append(batch.head, &next).unwrap();
    let mut other = FileJournal::new(model.clone());
    other.open(&mut |_| Ok(())).unwrap();
    let further = Batch::seal(next.head, &writer(), &[draft("project.noted")]).unwrap();
    other.append(next.head, &further).unwrap();
    model.fence_off(true);
    drop(journal);
    model.fence_off(false);
    assert_eq!(lines_of(&model).unwrap().len() as u64, further.head.sequence);
}

#[test]
fn a_cut_is_on_the_record_even_if_the_first_try_to_record_it_fails() {
    let model = prepared();
    model.tamper(FIRST, |bytes| bytes.extend_from_slice(b"{\"v\":1,\"sequence\":7,"));
    let offset = lines_of(&model).unwrap().iter().map(|line| line.len() as u64 + 1).sum::<u64>();
    let journal = Witness::new(&model, &Shared::default());
    let mut driver = Driver::<State, _>::open(journal, identity("s9"), Performing::No).unwrap();
    let cut = driver.cut().cloned().unwrap();
    assert_eq!((cut.offset, cut.bytes, cut.sequence), (offset, 20, 7));
    model.plan(Plan::Fail { from: 1, times: 1, error: Trouble::Io, which: Which::Syncs });
    assert!(driver.turn(&[request("e")], now()).answers[0].is_err());
    let lines = match driver.turn(&[request("f")], now()).answers.remove(0) {
        Ok(_) => lines_of(&model).unwrap(),
        Err(told) => panic!("{told}"),
    };
    let opened: Vec<_> = lines.iter().filter(|line| line.contains("\"project.opened\"")).collect();
    assert!(opened[1].contains("\"offset\":"), "{opened:?}");
    assert_eq!(driver.cut(), Some(&cut));
    // The same with a write that fails with nothing done, so that the opening has to be recorded anew.
    let model = prepared();
    model.tamper(FIRST, |bytes| bytes.extend_from_slice(b"{\"v\":1,\"sequence\":7,"));
    let journal = Witness::new(&model, &Shared::default());
    let mut driver = Driver::<State, _>::open(journal, identity("s9"), Performing::No).unwrap();
    let calls = model.log().iter().filter(|call| call.kind != Kind::Look).count();
    assert!(calls > 0);
    model.plan(Plan::Fail { from: 1, times: 2, error: Trouble::Full, which: Which::Every });
    assert!(driver.turn(&[request("e")], now()).answers[0].is_err());
    model.plan(Plan::Sound);
    assert!(driver.turn(&[request("e")], now()).answers[0].is_ok());
    let lines = lines_of(&model).unwrap();
    let opened: Vec<_> = lines.iter().filter(|line| line.contains("\"project.opened\"")).collect();
    assert!(opened[1].contains(&format!("\"offset\":{offset}")), "{opened:?}");
}

/// The lock was never given up, so whatever fails, it is one opening under one epoch, recorded once.
#[test]
fn a_fault_does_not_begin_another_opening() {
    let sound = Model::new(World::default());
    assert!(
        Process::new(&sound, &Shared::default()).play(&[Step::Turn(&["init", "a"]), Step::Turn(&["b"])], 1)
    );
    for from in 1..=sound.counted() {
        for error in [Trouble::Io, Trouble::Short] {
            let model = Model::new(World::default());
            model.plan(Plan::Fail { from, times: 1, error, which: Which::Every });
            let mut process = Process::new(&model, &Shared::default());
            assert!(process.play(&[Step::Turn(&["init", "a"]), Step::Turn(&["b"])], 3));
            model.plan(Plan::Sound);
            let lines = lines_of(&model).unwrap();
            let epochs = lines.iter().map(|line| Record::parse(line.as_bytes()).unwrap().epoch);
            assert!(epochs.into_iter().all(|epoch| epoch == 1), "call {from} {error:?}");
            assert_eq!(process.driver.unwrap().state().project.sessions.count, 1, "call {from} {error:?}");
        }
    }
}
