//! What agents may cost and do: counted over a task's whole life, asked about before anything stops.

use provost_core::adapter::{Act, Deed};
use provost_core::delivery::{Begin, Outcome, Permission, Report, Status, Terms};

use crate::table::{Table, begin};
use crate::troubles::account;

fn limited(terms: Terms) -> Begin {
    Begin { terms: Box::new(terms), ..begin(&[("a", &[]), ("b", &[])]) }
}

fn odd() -> Outcome {
    Outcome::Rejected { reason: "odd".to_owned() }
}

#[test]
fn a_task_that_has_used_its_share_is_asked_about_and_may_use_as_much_again() {
    let mut table = Table::on(limited(Terms { task_micro_usd: Some(100), ..Terms::default() }));
    table.turn_with("a", odd(), account("s", 60, 60));
    assert_eq!(table.status("a"), Status::Implementing);
    let names = table.turn_with("a", odd(), account("s", 60, 120));
    assert_eq!(names.last().unwrap(), "a coordinator_seeks_guidance");
    assert_eq!(table.status("a"), Status::AwaitingDivineGuidance);
    assert_eq!(table.questions()[0].1, ["continue", "remove"]);
    // The other one goes on.
    assert_eq!(table.status("b"), Status::Implementing);
    assert_eq!(table.reply("continue").last().unwrap(), "a developer_dispatched");
    table.turn_with("a", odd(), account("s", 79, 199));
    assert_eq!(table.status("a"), Status::Implementing);
    table.turn_with("a", odd(), account("s", 1, 200));
    assert_eq!(table.status("a"), Status::AwaitingDivineGuidance);
    table.reply("remove");
    assert_eq!(table.status("a"), Status::Removed);
}

#[test]
fn tokens_are_counted_where_nobody_says_a_price() {
    let mut table = Table::on(limited(Terms { task_tokens: Some(6), ..Terms::default() }));
    table.turn_with("a", odd(), account("s", 60, 60));
    assert_eq!(table.status("a"), Status::AwaitingDivineGuidance);
}

#[test]
fn a_delivery_that_has_used_its_share_pays_nobody_until_a_person_said_so() {
    let mut table = Table::on(limited(Terms { delivery_micro_usd: Some(100), ..Terms::default() }));
    table.turn_with("a", odd(), account("s", 99, 99));
    assert_eq!(table.status("a"), Status::Implementing);
    let names = table.turn_with("b", odd(), account("t", 1, 1));
    assert_eq!(names.last().unwrap(), "spend_limit_reached");
    // What runs is not ended; what it leads to waits.
    let names = table.turn_with("a", odd(), account("s", 1, 100));
    assert_eq!(names.last().unwrap(), "workflow_halted");
    assert!(table.roles().is_empty());
    let names = table.reply("continue");
    assert_eq!(names, ["guidance_received", "a developer_dispatched", "b developer_dispatched"]);
}

#[test]
fn a_delivery_can_be_ended_over_its_cost() {
    let mut table = Table::on(limited(Terms { delivery_micro_usd: Some(1), ..Terms::default() }));
    table.turn_with("a", odd(), account("s", 1, 1));
    assert_eq!(table.reply("stop"), ["delivery_cancelled"]);
}

#[test]
fn what_an_agent_asked_for_is_on_the_record_and_counted() {
    let mut table = Table::on(limited(Terms::default()));
    let effect = table.effect("a");
    table.report(effect, Report::Started { prompt: None });
    for allowed in [true, false, false] {
        let act = Act {
            tool: "Bash".to_owned(),
            deed: Deed::Run,
            paths: Vec::new(),
            command: Some("make".to_owned()),
            address: None,
            cut: false,
        };
        let permission = Permission { act, allowed, rules: vec!["r-1".to_owned()], why: "so".to_owned() };
        let names = table.report(effect, Report::Permission(Box::new(permission)));
        assert_eq!(names, ["a permission_decided"]);
    }
    let board = table.state.deliveries.boards.values().next().unwrap();
    let counted = board.tasks["a"].permissions;
    assert_eq!((counted.allowed, counted.denied), (1, 2));
    // The turn goes on.
    assert_eq!(table.effect("a"), effect);
}
