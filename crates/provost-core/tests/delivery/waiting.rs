//! What goes on while a person is asked, and what counts as an answer.

use provost_core::decider::{Decider as _, Moment};
use provost_core::delivery::{Begin, Command, Outcome, Status, Terms, Verdict, WhileWaiting};
use provost_core::evidence::Trail;
use provost_core::reason::{Reason, chain};
use provost_core::state;

use crate::table::{Table, begin};

/// Two tasks more than agents that may work at once.
const MANY: &[(&str, &[&str])] =
    &[("a", &[]), ("b", &[]), ("c", &[]), ("d", &[]), ("e", &[]), ("f", &[]), ("g", &[])];

fn asks() -> Outcome {
    Outcome::Asks { question: "which?".to_owned(), options: Vec::new() }
}

/// The critic rejects a task until it is halted.
fn halt(table: &mut Table, task: &str) -> Vec<String> {
    let mut names = Vec::new();
    for _ in 0..3 {
        table.develop(task, Verdict::Passed);
        names = table.turn(task, Outcome::Failed { feedback: "no".to_owned() });
    }
    names
}

#[test]
fn nothing_is_begun_while_a_task_asks() {
    let mut table = Table::new(MANY);
    assert_eq!(table.turn("a", asks()).last().unwrap(), "a agent_seeks_guidance");
    assert_eq!(table.status("f"), Status::Available);
    table.reply("this one");
    assert_eq!((table.status("a"), table.status("f")), (Status::Implementing, Status::Available));
}

#[test]
fn what_does_not_wait_for_it_is_begun_where_that_is_agreed() {
    let terms = Terms { while_waiting: WhileWaiting::Independent, ..Terms::default() };
    let mut table = Table::on(Begin { terms: Box::new(terms), ..begin(MANY) });
    assert_eq!(table.turn("a", asks()).last().unwrap(), "f developer_dispatched");
}

#[test]
fn a_halted_task_holds_up_nobody_else() {
    let mut table = Table::new(MANY);
    assert_eq!(halt(&mut table, "a")[2..], ["a task_halted", "f developer_dispatched"]);
}

#[test]
fn a_task_that_is_tried_again_is_not_new() {
    let mut table = Table::new(MANY);
    halt(&mut table, "a");
    table.turn("b", asks());
    assert_eq!(table.status("g"), Status::Available, "nothing is begun while a task asks");
    let resume = Command::Resume { delivery: None, task: Some("a".to_owned()) };
    assert_eq!(table.ask(resume), ["a divine_response_received", "a developer_dispatched"]);
}

#[test]
fn what_was_meant_as_an_option_is_not_taken_for_advice() {
    let mut table = Table::new(MANY);
    halt(&mut table, "a");
    let question = table.questions()[0].0.clone();
    let refused = |table: &Table, answer: &str| {
        let (question, answer) = (question.clone(), answer.to_owned());
        let command = state::Command::Delivery(Command::Reply { question, answer });
        let moment = Moment { now: table.now, sequence: table.sequence() + 1 };
        table.state.decide(&command, moment).err().map(|refusal| refusal.help)
    };
    let help = "answer one of: retry, remove; anything else is advice for the next attempt";
    for typo in ["remvoe", "REMOVE", "rety"] {
        assert_eq!(refused(&table, typo).as_deref(), Some(help), "{typo}");
    }
    for advice in ["retry", "remove", "mind the tests", "remove the old file first"] {
        assert_eq!(refused(&table, advice), None, "{advice}");
    }
}

#[test]
fn whoever_asks_why_is_told_which_question_holds_a_task_up() {
    let mut table = Table::new(MANY);
    table.turn("a", asks());
    let question = table.questions()[0].0.clone();
    let mut trail = Trail::default();
    trail.tasks.entry("f".to_owned()).or_default();
    let links = chain(table.board(), &trail, "f");
    assert!(matches!(&links[0].reason, Reason::Held { question: held } if held.id == question), "{links:?}");
}
