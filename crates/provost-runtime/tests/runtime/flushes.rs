//! What durability costs: flushes and bytes, counted.

use provost_core::record::Record;
use provost_core::time::Timestamp;

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
