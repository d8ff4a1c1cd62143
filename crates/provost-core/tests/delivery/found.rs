//! Stories that the explorer or the simulation found to go wrong once, each as short as it can be told.

use provost_core::delivery::{
    Begin, Category, Command, Course, Incomplete, Outcome, Report, Status, Verdict,
};
use provost_core::digest::Digest;
use provost_core::limits::Limit;
use provost_core::role::Role;

use crate::table::{NewTaskOf, Table, begin, result};

fn broken() -> Outcome {
    Outcome::Infrastructure { issue: "no network".to_owned() }
}

fn complete(table: &mut Table, task: &str) -> Vec<String> {
    table.develop(task, Verdict::Passed);
    table.pass(task);
    table.pass(task);
    table.landed(task)
}

#[test]
fn a_person_is_asked_once_about_what_is_broken_for_two_tasks() {
    let mut table = Table::new(&[("a", &[]), ("c", &[])]);
    table.turn("a", broken());
    let names = table.turn("c", broken());
    assert_eq!(names[1..], ["c developer_blocked", "infrastructure_blocked", "workflow_halted"]);
    assert_eq!(table.questions().len(), 1);
    let names = table.reply("retry");
    assert_eq!(names[1..3], ["a infrastructure_restored", "c infrastructure_restored"]);
}

#[test]
fn an_answer_does_not_resume_what_was_paused() {
    let mut table = Table::new(&[("a", &[]), ("c", &[])]);
    table.turn("a", broken());
    table.ask(Command::Pause { reason: "interrupt".to_owned() });
    assert_eq!(table.reply("retry"), ["remediation_divine_override"]);
    let names = table.ask(Command::Resume { delivery: None, task: None });
    assert_eq!(names, ["session_resumed", "a infrastructure_restored", "a developer_dispatched"]);
}

#[test]
fn a_delivery_goes_on_when_the_task_that_it_rested_for_is_removed() {
    let mut table = Table::new(&[("a", &[])]);
    for _ in 0..3 {
        table.turn("a", Outcome::Silent);
    }
    assert!(matches!(table.board().course, Course::Resting { .. }));
    assert_eq!(table.reply("remove"), ["a task_removed"]);
    let clean = table.effects()[0].0;
    assert_eq!(table.report(clean, Report::Cleaned), ["a task_cleaned", "workflow_complete"]);
}

#[test]
fn a_task_that_waits_for_two_starts_after_the_second_wherever_the_plan_names_them() {
    for order in [["a", "b", "c"], ["b", "a", "c"], ["a", "c", "b"]] {
        let blocked_by = |id: &str| if id == "b" { &["a", "c"][..] } else { &[] };
        let tasks: Vec<(&str, &[&str])> = order.iter().map(|id| (*id, blocked_by(id))).collect();
        let mut table = Table::new(&tasks);
        assert_eq!(complete(&mut table, "a"), ["a task_complete"]);
        assert_eq!(table.status("b"), Status::Blocked);
        let names = complete(&mut table, "c");
        assert_eq!(names, ["c task_complete", "b task_unblocked", "b developer_dispatched"]);
    }
}

#[test]
fn an_agent_that_keeps_waiting_for_what_is_complete_leads_to_a_person() {
    let mut table = Table::new(&[("a", &[]), ("c", &[])]);
    complete(&mut table, "a");
    let waits = || {
        Outcome::Incomplete(Incomplete {
            category: Category::BlockedByDependency,
            blocker: "it".to_owned(),
            blocker_task: Some("a".to_owned()),
        })
    };
    for _ in 0..2 {
        assert_eq!(table.turn("c", waits())[2], "c task_retried");
    }
    assert_eq!(table.turn("c", waits())[2], "c coordinator_seeks_guidance");
}

#[test]
fn nobody_is_asked_to_waive_the_review_of_work_that_was_reviewed_after_a_bypass() {
    let mut table = Table::new(&[("a", &[])]);
    table.develop("a", Verdict::Passed);
    for _ in 0..3 {
        table.turn("a", Outcome::TimedOut);
    }
    table.turn("a", Outcome::Failed { feedback: "no".to_owned() });
    table.develop("a", Verdict::Passed);
    // The time-outs of the last review are spent.
    assert_eq!(table.turn("a", Outcome::TimedOut)[1..], ["a critic_timeout", "a critic_dispatched"]);
    table.pass("a");
    assert_eq!(table.pass("a")[1..], ["a auditor_pass", "a landing_started"]);
}

#[test]
fn what_is_mended_for_a_task_that_only_verifies_is_reviewed_and_lands() {
    let mut table = Table::past_baseline(&[NewTaskOf { id: "v", blocked_by: &[], verify: true }]);
    assert_eq!(table.roles(), [("v".to_owned(), Role::Auditor)]);
    table.turn("v", Outcome::Failed { feedback: "no".to_owned() });
    assert_eq!(table.roles(), [("v".to_owned(), Role::Developer)]);
    table.develop("v", Verdict::Passed);
    table.pass("v");
    assert_eq!(table.pass("v")[1..], ["v auditor_pass", "v landing_started"]);
}

#[test]
fn a_turn_without_a_signal_is_a_failed_one() {
    let mut table = Table::new(&[("a", &[])]);
    let names = table.turn("a", Outcome::Silent);
    assert_eq!(names, ["a agent_crashed", "a agent_failure", "a developer_dispatched"]);
}

/// Two deliveries that share one slot, which the task of the first holds.
fn one_slot_for_two() -> Table {
    let one = [NewTaskOf { id: "a", blocked_by: &[], verify: false }];
    let mut table = Table::begun(&one, &[(Limit::Agents, 1)]);
    let passed = || Report::Baseline(vec![result(Verdict::Passed)]);
    table.report(table.effects()[0].0, passed());
    table.ask(Command::Begin(Begin { plan: Digest::of(b"other"), ..begin(&[("z", &[])]) }));
    let names = table.report(table.effects()[1].0, passed());
    assert_eq!(names, ["pre_existing_baseline_captured", "z task_unblocked"]);
    table
}

#[test]
fn a_delivery_that_waits_for_the_slots_of_another_does_not_rest() {
    let mut table = one_slot_for_two();
    // It goes on as soon as there is a slot, and nobody has to ask for it.
    assert_eq!(complete(&mut table, "a"), ["a task_complete", "z developer_dispatched"]);
}

#[test]
fn what_is_paused_keeps_no_slot_that_another_delivery_could_use() {
    let mut table = one_slot_for_two();
    table.ask(Command::Pause { reason: "interrupt".to_owned() });
    assert_eq!(table.turn("a", Outcome::Silent), ["a agent_crashed", "a agent_failure"]);
    let other = table.state.deliveries.newest().cloned();
    let names = table.ask(Command::Resume { delivery: other, task: None });
    assert_eq!(names, ["session_resumed", "z developer_dispatched"]);
    // The first goes on when it is its turn again.
    assert_eq!(table.ask(Command::Resume { delivery: None, task: None }), ["session_resumed"]);
    assert_eq!(complete(&mut table, "z"), ["z task_complete", "a developer_dispatched"]);
}
