//! What durability costs: flushes and bytes, counted.

use provost_core::planning::runs::{Command as Planning, Walked};
use provost_core::planning::{Trigger, bundle};
use provost_core::project::{self, Preparation, Settings};
use provost_core::record::Record;
use provost_core::state::{Command, State};
use provost_core::time::Timestamp;
use provost_runtime::artifacts::{Artifacts as _, FileArtifacts};
use provost_runtime::driver::{Cause, Driver, Identity, Performing, Submission};
use provost_runtime::journal::FileJournal;

use crate::disk::{Kind, Model, World};
use crate::history::{Process, Shared, Step, request};

fn flushes(model: &Model) -> usize {
    model.log().iter().filter(|call| call.kind == Kind::Sync).count()
}

#[test]
fn a_command_costs_one_flush_and_little_more_than_its_bytes() {
    let model = Model::new(World::default());
    let mut process = Process::new(&model, &Shared::default());
    assert!(process.play(&[Step::Turn(&["init"])], 1));
    let first = flushes(&model);
    assert_eq!(first, 3, "the folder's name, the segment's name, the bytes");
    for (done, id) in ["a", "b", "c"].into_iter().enumerate() {
        let turn =
            process.driver.as_mut().unwrap().turn(&[request(id)], Timestamp::from_ms(1_800_000_000_000));
        let line = &turn.answers[0].as_ref().unwrap().records[0];
        assert!(Record::parse(line.as_bytes()).is_ok());
        assert_eq!(flushes(&model), first + done + 1);
    }
    let lines: usize = process.history.borrow().branches[0].lines.iter().map(|line| line.len() + 1).sum();
    let written: usize =
        model.log().iter().filter(|call| call.path.starts_with("journal/")).map(|call| call.bytes).sum();
    assert!(written * 10 <= lines * 11, "{written} bytes for {lines}");
}

#[test]
fn a_hundred_commands_in_one_turn_cost_one_flush() {
    let model = Model::new(World::default());
    let mut process = Process::new(&model, &Shared::default());
    assert!(process.play(&[Step::Turn(&["init"])], 1));
    let before = flushes(&model);
    let submissions: Vec<_> = (0..100).map(|number| request(&format!("n{number}"))).collect();
    let turn = process.driver.as_mut().unwrap().turn(&submissions, Timestamp::from_ms(1_800_000_000_000));
    assert!(turn.answers.iter().all(Result::is_ok));
    assert_eq!(flushes(&model), before + 1);
}

#[test]
fn asking_again_and_refusals_cost_nothing() {
    let model = Model::new(World::default());
    let mut process = Process::new(&model, &Shared::default());
    assert!(process.play(&[Step::Turn(&["init", "a"])], 1));
    let before = flushes(&model);
    assert!(process.play(&[Step::Turn(&["a", "init"])], 1));
    assert_eq!(flushes(&model), before);
}

#[test]
fn the_first_plan_of_a_project_costs_few_flushes_whatever_its_number_of_documents() {
    let model = Model::new(World::default());
    let file =
        |number: u32| bundle::File { name: format!("document.{number}.json"), bytes: vec![b'x'; 5_000] };
    let files: Vec<bundle::File> = (0..200).map(file).collect();
    let artifacts = FileArtifacts::new(model.clone(), "one").holding(bundle::BYTES_MAX);
    let kept = artifacts.put(&bundle::write(&files)).unwrap();
    let walked = Walked {
        run_id: "coord_run_17f0c2a94be35d68".to_owned(),
        intent_id: "intent_names_for_guests".to_owned(),
        title: "Every guest has a name".to_owned(),
        supersedes: None,
        project_policy: None,
        steps: vec![Trigger::IntentAccepted, Trigger::PrecheckFailed],
        bundle: kept,
        manifest: kept,
        questions: Vec::new(),
        gates: Vec::new(),
    };
    let prepared = Preparation { project_id: "project".to_owned(), settings: Settings::default() };
    let submission = |id: &str, command: Command| Submission {
        cause: Cause::Request(id.to_owned()),
        actor: "person:ada".to_owned(),
        command,
    };
    let identity = Identity { session_id: "session".to_owned(), holder: "the test".to_owned() };
    let mut driver: Driver<State, _> =
        Driver::open(FileJournal::new(model.clone()), identity, Performing::No).unwrap();
    let turn = driver.turn(
        &[
            submission("a", Command::Project(project::Command::Prepare(prepared))),
            submission("b", Command::Planning(Planning::Keep(walked))),
        ],
        Timestamp::from_ms(1_800_000_000_000),
    );
    assert!(turn.answers.iter().all(Result::is_ok), "{:?}", turn.answers);
    // Four for the artifact and its folders, three for the journal; the real disk adds one for each name of the root.
    assert_eq!(flushes(&model), 7);
}
