//! Live and replayed are the same, a batch is all or nothing, and asking twice is asking once: random commands
//! through the driver over a journal in memory that ends where it is told to.

use proptest::prelude::*;
use provost_core::decider::{At, Decider as _, Event as _};
use provost_core::project;
use provost_core::record::Record;
use provost_core::state::{Command, Event, State};
use provost_core::time::Timestamp;
use provost_runtime::driver::{Cause, Driver, Identity, Performing, Submission, TURN_MAX};
use provost_runtime::journal::{Fate, Journal as _, Medium, MemoryJournal};

type Subject = Driver<State, MemoryJournal>;

fn open(medium: &Medium, session_id: &str) -> Subject {
    let identity = Identity { session_id: session_id.to_owned(), holder: "process 7: test".to_owned() };
    Driver::open(MemoryJournal::new(medium.clone()), identity, Performing::Yes).unwrap()
}

/// The fold of all records, without a driver.
fn folded(medium: &Medium) -> (State, Vec<String>) {
    let mut state = State::default();
    let mut lines = Vec::new();
    let opened = MemoryJournal::new(medium.clone()).open(&mut |record| {
        let at = At { sequence: record.sequence, timestamp: record.timestamp, session_id: record.session_id };
        state.apply(at, &Event::read(record)?)?;
        lines.push(record.line.to_owned());
        Ok(())
    });
    opened.unwrap();
    (state, lines)
}

fn submission(request: u8) -> Submission<Command> {
    let mut settings = project::Settings::default();
    // Remarks come with the settings of the first request, so that they change none.
    let agents = if request.is_multiple_of(8) { u32::from(request / 8) + 1 } else { 1 };
    settings.set(provost_core::limits::Limit::Agents, agents);
    let preparation = project::Preparation { project_id: "p-1".to_owned(), settings };
    let note = |text| project::Command::Note { preparation: preparation.clone(), text, attached: Vec::new() };
    let command = match request % 8 {
        0 => project::Command::Prepare(preparation),
        1 => note(String::new()),
        _ => note(format!("\"{request}\"\n\u{0}\u{1f600}")),
    };
    let cause = Cause::Request(format!("r{request}"));
    Submission { cause, actor: "person".to_owned(), command: Command::Project(command) }
}

fn turns() -> impl Strategy<Value = Vec<Vec<u8>>> {
    proptest::collection::vec(proptest::collection::vec(0_u8..48, 0..9), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn replay_equals_live(turns in turns(), clock in proptest::collection::vec(0_i64..1000, 8)) {
        let medium = Medium::default();
        let mut driver = open(&medium, "s1");
        for (turn, ms) in turns.iter().zip(clock) {
            let submissions: Vec<_> = turn.iter().copied().map(submission).collect();
            driver.turn(&submissions, Timestamp::from_ms(ms));
        }
        let (state, lines) = folded(&medium);
        prop_assert_eq!(&state, driver.state());
        prop_assert_eq!(lines.len() as u64, driver.chain().head.sequence);
        let again = open(&medium, "s2");
        prop_assert_eq!(again.state(), driver.state());
        prop_assert_eq!(again.chain(), driver.chain());
    }

    #[test]
    fn a_request_is_answered_the_same_however_often_it_is_asked(turns in turns()) {
        let medium = Medium::default();
        let mut driver = open(&medium, "s1");
        let mut answers = std::collections::BTreeMap::new();
        for turn in turns.iter().chain(&turns) {
            let submissions: Vec<_> = turn.iter().copied().map(submission).collect();
            for (request, answer) in turn.iter().zip(driver.turn(&submissions, Timestamp::EPOCH).answers) {
                let Ok(answer) = answer else { continue };
                if answer.records.is_empty() {
                    continue;
                }
                let cause = format!("r{request}");
                for line in &answer.records {
                    prop_assert_eq!(Record::parse(line.as_bytes()).unwrap().cause, Some(cause.as_str()));
                }
                let first = answers.entry(*request).or_insert_with(|| answer.records.clone());
                prop_assert_eq!(first, &answer.records);
            }
        }
        let (_, lines) = folded(&medium);
        let answered: usize = answers.values().map(Vec::len).sum();
        // All records but the opening's are an answer to somebody.
        prop_assert_eq!(lines.len(), answered + usize::from(answered > 0));
        let mut later = open(&medium, "s2");
        for (request, records) in &answers {
            let answer = later.turn(&[submission(*request)], Timestamp::EPOCH).answers.remove(0);
            prop_assert_eq!(&answer.unwrap().records, records);
        }
    }

    #[test]
    fn a_batch_is_all_or_nothing(
        turns in turns(),
        crash in 1_u64..8,
        fate in prop_oneof![Just(Fate::Lost), Just(Fate::Torn), Just(Fate::Kept)],
    ) {
        let medium = Medium::default();
        medium.crash_at(crash, fate);
        let mut driver = open(&medium, "s1");
        let mut acknowledged = Vec::new();
        for turn in &turns {
            let submissions: Vec<_> = turn.iter().copied().map(submission).collect();
            let before = folded_lines(&medium);
            let done = driver.turn(&submissions, Timestamp::EPOCH);
            if done.failed {
                prop_assert!(done.answers.iter().all(Result::is_err));
                let after = folded_lines(&medium);
                prop_assert_eq!(fate == Fate::Kept, after.len() > before.len());
                prop_assert!(after.starts_with(&before));
            }
            acknowledged.extend(done.answers.into_iter().flatten().flat_map(|answer| answer.records));
            // Asked again, and answered once.
            let again = driver.turn(&submissions, Timestamp::EPOCH);
            acknowledged.extend(again.answers.into_iter().flatten().flat_map(|answer| answer.records));
        }
        let (state, lines) = folded(&medium);
        prop_assert!(acknowledged.iter().all(|line| lines.contains(line)));
        // A turn that follows a fault folds anew; whatever memory holds then is what the journal says.
        driver.turn(&[], Timestamp::EPOCH);
        prop_assert_eq!(&state, driver.state());
    }
}

fn folded_lines(medium: &Medium) -> Vec<String> {
    let copy = medium.bytes();
    let whole = copy
        .split_inclusive(|byte| *byte == b'\n')
        .filter_map(|line| Record::parse(line.trim_ascii_end()).ok());
    let mut lines: Vec<(String, (u64, u64), u64)> =
        whole.map(|record| (record.line.to_owned(), record.batch, record.sequence)).collect();
    // Without the records of a batch that is not whole.
    let end = lines.iter().rposition(|(_, batch, sequence)| batch.1 == *sequence).map_or(0, |at| at + 1);
    lines.truncate(end);
    lines.into_iter().map(|(line, _, _)| line).collect()
}

/// Interleavings of two repeated requests with others, in one turn and over two.
#[test]
fn repeated_requests_in_one_turn_share_their_records() {
    for pattern in 0_u32..3_u32.pow(6) {
        let requests: Vec<u8> = (0..6).map(|at| [2, 3, 4][(pattern / 3_u32.pow(at) % 3) as usize]).collect();
        for split in [0, 3, 6] {
            let medium = Medium::default();
            let mut driver = open(&medium, "s1");
            driver.turn(&[submission(0)], Timestamp::EPOCH);
            let mut answers = Vec::new();
            for part in [&requests[..split], &requests[split..]] {
                let submissions: Vec<_> = part.iter().copied().map(submission).collect();
                answers.extend(driver.turn(&submissions, Timestamp::EPOCH).answers);
            }
            let different: std::collections::BTreeSet<u8> = requests.iter().copied().collect();
            assert_eq!(driver.state().project.notes, different.len() as u64);
            for (request, answer) in requests.iter().zip(&answers) {
                let first = requests.iter().position(|other| other == request).unwrap();
                assert_eq!(answer.as_ref().unwrap(), answers[first].as_ref().unwrap());
                assert_eq!(answer.as_ref().unwrap().records.len(), 1);
            }
        }
    }
}

/// What time and effects led to is not an answer to a client that happens to choose such a name.
#[test]
fn causes_that_are_not_requests_answer_no_request() {
    let medium = Medium::default();
    let mut driver = open(&medium, "s1");
    driver.turn(&[submission(0)], Timestamp::EPOCH);
    let woken = Submission { cause: Cause::Time, ..submission(2) };
    assert!(driver.turn(&[woken], Timestamp::EPOCH).answers[0].is_ok());
    let asked = || Submission { cause: Cause::Request("time".to_owned()), ..submission(3) };
    for mut driver in [driver, open(&medium, "s2")] {
        let notes = driver.state().project.notes;
        assert!(driver.turn(&[asked()], Timestamp::EPOCH).answers[0].is_ok());
        assert_eq!(driver.state().project.notes, notes + 1);
    }
}

#[test]
fn a_full_turn_is_one_batch() {
    let medium = Medium::default();
    let mut driver = open(&medium, "s1");
    driver.turn(&[submission(0)], Timestamp::EPOCH);
    let many =
        (0..TURN_MAX).map(|at| Submission { cause: Cause::Request(format!("m{at}")), ..submission(2) });
    let turn = driver.turn(&many.collect::<Vec<_>>(), Timestamp::EPOCH);
    assert!(turn.answers.iter().all(Result::is_ok));
    assert_eq!(medium.appends(), 2);
}

/// A name that the record cannot take concerns whoever gave it, not the others in the turn.
#[test]
fn a_submission_that_cannot_be_recorded_is_refused_alone() {
    let medium = Medium::default();
    let mut driver = open(&medium, "s1");
    driver.turn(&[submission(0)], Timestamp::EPOCH);
    let nameless = Submission { actor: "two words".to_owned(), ..submission(2) };
    let unasked = Submission { cause: Cause::Request(String::new()), ..submission(3) };
    let turn = driver.turn(&[nameless, submission(4), unasked], Timestamp::EPOCH);
    assert_eq!(turn.answers.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(folded(&medium).0, *driver.state());
}

/// What no later try can mend is not tried again.
#[test]
fn a_defect_is_answered_and_not_taken_for_a_refusing_disk() {
    let medium = Medium::default();
    let mut driver = open(&medium, "not a word");
    let turn = driver.turn(&[submission(0)], Timestamp::EPOCH);
    assert!(turn.answers[0].is_err() && !turn.failed);
    medium.crash_at(1, Fate::Lost);
    let mut driver = open(&medium, "s1");
    assert!(driver.turn(&[submission(0)], Timestamp::EPOCH).failed);
    assert!(driver.turn(&[submission(0)], Timestamp::EPOCH).answers[0].is_ok());
}
