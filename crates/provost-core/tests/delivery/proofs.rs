//! What is asked before any work: whether something will prove it, by the project's checks or by those of each task.

use provost_core::delivery::{Begin, CheckSpec, Command, Report, Verdict};

use crate::table::{Table, begin, result};

/// The question, if one is asked, of a delivery without checks of the project.
fn asked(own: &[(&str, bool)]) -> Option<String> {
    let names: Vec<(&str, &[&str])> = own.iter().map(|(id, _)| (*id, [].as_slice())).collect();
    let mut plan: Begin = begin(&names);
    let check: CheckSpec = plan.checks.remove(0);
    for (task, _) in plan.tasks.iter_mut().zip(own).filter(|(_, (_, proven))| *proven) {
        task.checks = vec![check.clone()];
    }
    let mut table = Table::default();
    table.ask(Command::Begin(plan));
    let baseline = table.effects()[0].0;
    table.report(baseline, Report::Baseline(Vec::new()));
    let board = table.state.deliveries.boards.values().next().unwrap();
    board.questions.values().next().map(|(question, _)| question.text.clone())
}

#[test]
fn nothing_is_asked_where_every_task_has_a_check_of_its_own() {
    assert_eq!(asked(&[("a", true), ("b", true)]), None);
}

#[test]
fn tasks_that_nothing_proves_are_named() {
    let text = asked(&[("a", true), ("b", false), ("c", false)]).unwrap();
    assert!(text.contains("none of their own, so nothing proves them: b, c; go on"), "{text}");
    let many: Vec<String> = (0..9).map(|number| format!("t{number}")).collect();
    let own: Vec<(&str, bool)> = many.iter().map(|id| (id.as_str(), id == "t0")).collect();
    let text = asked(&own).unwrap();
    assert!(text.contains("nothing proves them: t1, t2, t3, t4, t5 and 3 more; go on"), "{text}");
}

#[test]
fn where_nothing_proves_anything_that_is_said() {
    let text = asked(&[("a", false)]).unwrap();
    assert!(text.contains("no task has one, so nothing can be proven"), "{text}");
}

#[test]
fn tasks_of_which_nothing_says_when_they_are_done_are_asked_about() {
    let mut plan: Begin = begin(&[("a", &[]), ("b", &[]), ("c", &[])]);
    for task in plan.tasks.iter_mut().filter(|task| task.id != "b") {
        task.without_criteria = true;
    }
    let table = Table::on(plan);
    let board = table.board();
    let (question, _) = board.questions.values().next().unwrap();
    assert!(question.text.contains("because they have no criterion: a, c; go on all the same?"));
    assert_eq!(question.options, ["go-on", "stop"]);
}

#[test]
fn checks_that_fail_before_any_work_are_asked_about_together_with_it() {
    let mut plan: Begin = begin(&[("a", &[])]);
    plan.tasks[0].without_criteria = true;
    let mut table = Table::default();
    table.ask(Command::Begin(plan));
    let baseline = table.effects()[0].0;
    table.report(baseline, Report::Baseline(vec![result(Verdict::Failed)]));
    let (question, _) = table.board().questions.values().next().unwrap();
    assert!(
        question.text.contains("do not pass: ") && question.text.contains("no criterion: a; ignore them")
    );
    assert_eq!(question.options, ["ignore", "stop"]);
}
