//! Stories of deliveries: given what happened, when something is reported, then exactly this follows.

use provost_core::decider::{Decider as _, Moment};
use provost_core::delivery::{
    About, Begin, Bypassed, Category, CheckResult, Command, Counts, Course, Effect, Feedback, Incomplete,
    Landing, Left, Leftovers, Measurement, Outcome, Place, Report, Status, TurnEnd, Verdict,
};
use provost_core::diagnostic;
use provost_core::digest::Digest;
use provost_core::role::Role;
use provost_core::signal::Checkpoint;
use provost_core::state;
use provost_core::time::Timestamp;

use crate::table::{Table, begin, result};

fn course(table: &Table) -> Course {
    table.state.deliveries.boards.values().next().unwrap().course.clone()
}

#[test]
fn two_tasks_from_the_first_dispatch_to_the_end() {
    let mut table = Table::new(&[("a", &[]), ("b", &["a"])]);
    assert_eq!(table.roles(), [("a".to_owned(), Role::Developer)]);
    assert_eq!(
        table.develop("a", Verdict::Passed),
        ["a agent_complete", "a ready_claimed", "a developer_ready_for_review", "a critic_dispatched"]
    );
    assert_eq!(table.pass("a"), ["a agent_complete", "a critic_pass", "a auditor_dispatched"]);
    assert_eq!(table.pass("a"), ["a agent_complete", "a auditor_pass", "a landing_started"]);
    assert_eq!(table.landed("a"), ["a task_complete", "b task_unblocked", "b developer_dispatched"]);
    table.develop("b", Verdict::Passed);
    table.pass("b");
    table.pass("b");
    table.landed("b");
    let cleaning: Vec<_> = table.effects().into_iter().map(|(id, _)| id).collect();
    let last: Vec<_> = cleaning.into_iter().map(|id| table.report(id, Report::Cleaned)).collect();
    assert_eq!(last.last().unwrap(), &["b task_cleaned", "workflow_complete"]);
    assert_eq!(course(&table), Course::Complete);
}

#[test]
fn a_false_success_is_refused_with_what_was_measured() {
    let mut table = Table::new(&[("a", &[])]);
    let names = table.develop("a", Verdict::Failed);
    assert_eq!(names[2..], ["a environment_verification_failed", "a developer_dispatched"]);
    assert_eq!(table.status("a"), Status::Implementing);
}

#[test]
fn a_claim_that_could_not_be_measured_is_measured_again_when_all_is_mended() {
    for broken in [
        Measurement::Unavailable { issue: "no room".to_owned() },
        Measurement::Committed {
            commit: "commit-of-a".to_owned(),
            tree: "tree".to_owned(),
            files: Vec::new(),
            results: vec![result(Verdict::Missing)],
        },
    ] {
        let mut table = Table::new(&[("a", &[])]);
        table.turn("a", Outcome::Ready { summary: "done".to_owned() });
        let effect = table.effect("a");
        table.report(effect, Report::Measured(broken));
        assert_eq!(table.status("a"), Status::AwaitingInfrastructure);
        let names = table.reply("retry");
        assert_eq!(names[1..], ["a infrastructure_restored", "a ready_claimed"]);
        // What was measured as red is the developer's again, whatever breaks after that.
        let measured = Measurement::Committed {
            commit: "commit-of-a".to_owned(),
            tree: "tree".to_owned(),
            files: Vec::new(),
            results: vec![result(Verdict::Failed)],
        };
        let effect = table.effect("a");
        table.report(effect, Report::Measured(measured));
        table.turn("a", Outcome::Unavailable { issue: "no agent".to_owned() });
        assert_eq!(table.reply("retry")[1..], ["a infrastructure_restored", "a developer_dispatched"]);
    }
}

#[test]
fn a_delivery_that_is_paused_before_any_work_begins_anew_when_it_is_resumed() {
    let mut table = Table::default();
    table.ask(Command::Begin(begin(&[("a", &[])])));
    let first = table.effects()[0].0;
    let pause = Command::Pause { reason: "interrupted".to_owned() };
    assert_eq!(table.ask(pause.clone()), ["session_pause"]);
    assert!(table.effects().is_empty());
    assert_eq!(course(&table), Course::Paused);
    assert_eq!(table.report(first, Report::Baseline(vec![result(Verdict::Failed)])), ["late_report"]);
    assert_eq!(table.ask(Command::Resume { delivery: None, task: None }), ["session_resumed"]);
    let second = table.effects()[0].0;
    let names = table.report(second, Report::Baseline(vec![result(Verdict::Passed)]));
    assert_eq!(names, ["pre_existing_baseline_captured", "a task_unblocked", "a developer_dispatched"]);
}

#[test]
fn the_worktree_of_a_removed_task_goes_and_its_work_is_salvaged() {
    let mut table = Table::new(&[("a", &[])]);
    for _ in 0..3 {
        table.develop("a", Verdict::Passed);
        table.turn("a", Outcome::Failed { feedback: "no".to_owned() });
    }
    assert_eq!(table.reply("remove"), ["a task_removed"]);
    let effects = table.effects();
    let [(clean, Effect::Clean { task, leftovers: Leftovers::Salvaged, .. })] = effects.as_slice() else {
        unreachable!("{effects:?}")
    };
    assert_eq!(task, "a");
    assert_eq!(table.report(*clean, Report::Cleaned), ["a task_cleaned", "workflow_complete"]);
}

#[test]
fn a_third_rejection_by_the_critic_halts_the_task_and_an_answer_lets_it_start_again() {
    let mut table = Table::new(&[("a", &[])]);
    for _ in 0..2 {
        table.develop("a", Verdict::Passed);
        let names = table.turn("a", Outcome::Failed { feedback: "no".to_owned() });
        assert_eq!(names[1..], ["a critic_fail", "a developer_dispatched"]);
    }
    table.develop("a", Verdict::Passed);
    let names = table.turn("a", Outcome::Failed { feedback: "no".to_owned() });
    assert_eq!(names[1..], ["a critic_fail", "a task_halted", "workflow_halted"]);
    assert_eq!(table.questions()[0].1, ["retry", "remove"]);
    assert_eq!(table.reply("retry"), ["a divine_response_received", "a developer_dispatched"]);
}

#[test]
fn a_critic_that_runs_out_of_time_three_times_is_bypassed_and_a_person_decides_whether_that_lands() {
    let mut table = Table::new(&[("a", &[])]);
    table.develop("a", Verdict::Passed);
    for _ in 0..2 {
        assert_eq!(table.turn("a", Outcome::TimedOut)[1..], ["a critic_timeout", "a critic_dispatched"]);
    }
    let names = table.turn("a", Outcome::TimedOut);
    assert_eq!(names[1..], ["a critic_timeout", "a critic_bypassed", "a auditor_dispatched"]);
    let names = table.pass("a");
    assert_eq!(names[1..], ["a auditor_pass", "a coordinator_seeks_guidance", "workflow_halted"]);
    let mut declined = table.clone();
    assert_eq!(declined.reply("review"), ["a critic_bypass_declined", "a critic_dispatched"]);
    assert_eq!(table.reply("land"), ["a divine_response_received", "a landing_started"]);
}

#[test]
fn a_bypassed_task_lands_without_a_question_where_that_was_said_when_the_delivery_began() {
    let mut table = Table::default();
    table.ask(Command::Begin(Begin { bypassed: Bypassed::Land, ..begin(&[("a", &[])]) }));
    let baseline = table.effects()[0].0;
    table.report(baseline, Report::Baseline(vec![result(Verdict::Passed)]));
    table.develop("a", Verdict::Passed);
    for _ in 0..3 {
        table.turn("a", Outcome::TimedOut);
    }
    assert_eq!(table.pass("a")[1..], ["a auditor_pass", "a landing_started"]);
    assert_eq!(table.landed("a")[0], "a task_complete");
}

#[test]
fn a_halted_task_is_tried_again_by_name_and_no_other_is() {
    let mut table = Table::new(&[("a", &[]), ("b", &["a"]), ("c", &[])]);
    let retry = |task: &str, table: &Table| {
        let delivery = table.state.deliveries.boards.keys().next().cloned();
        Command::Resume { delivery, task: Some(task.to_owned()) }
    };
    let refused = |task: &str, table: &Table| {
        let command = state::Command::Delivery(retry(task, table));
        let moment = Moment { now: Timestamp::EPOCH, sequence: table.sequence() + 1 };
        let refusal = table.state.decide(&command, moment).unwrap_err();
        (refusal.code.name(), refusal.message, refusal.help)
    };
    for _ in 0..3 {
        table.turn("a", Outcome::Silent);
    }
    assert_eq!(table.status("a"), Status::Halted);
    let (code, message, help) = refused("b", &table);
    assert_eq!(code, "task::not_halted");
    assert_eq!(message, "task b is not halted: it is blocked by other tasks");
    assert!(help.starts_with("it waits for a; `provost why"), "{help}");
    assert!(refused("c", &table).2.contains("`provost resume d-"));
    assert_eq!(refused("z", &table).0, "task::unknown");
    let mut asking = table.clone();
    asking.turn("c", Outcome::Asks { question: "which?".to_owned(), options: Vec::new() });
    assert!(refused("c", &asking).2.contains("`provost reply q-"));
    let generation = table.state.deliveries.boards.values().next().unwrap().tasks["a"].worktree.clone();
    let command = retry("a", &table);
    assert_eq!(table.ask(command), ["a divine_response_received", "a developer_dispatched"]);
    let task = &table.state.deliveries.boards.values().next().unwrap().tasks["a"];
    assert_eq!(task.counts, Counts::default());
    assert_eq!(task.worktree, generation, "the worktree is kept");
}

fn feedback(table: &Table, task: &str) -> Vec<Feedback> {
    table.state.deliveries.boards.values().next().unwrap().tasks[task].feedback.clone()
}

/// What the turn that is due for a task is told of the one before.
fn left(table: &Table, task: &str) -> Option<Left> {
    let effect = table.effect(task);
    table.effects().into_iter().find_map(|(id, due)| match due {
        Effect::Turn(turn) if id == effect => Some(turn.left),
        _ => None,
    })?
}

#[test]
fn a_checkpoint_is_handed_on_until_a_turn_of_its_role_comes_to_a_result() {
    let mut table = Table::new(&[("a", &[])]);
    assert_eq!(left(&table, "a"), None);
    let half = Checkpoint { status: "half".to_owned(), ..Checkpoint::default() };
    let effect = table.effect("a");
    table.report(effect, Report::Started { prompt: None, token: None });
    let names = table.report(
        effect,
        Report::Turn(TurnEnd {
            outcome: Outcome::TimedOut,
            exit: None,
            duration_ms: 1,
            output: None,
            results: Vec::new(),
            checkpoints: vec![Checkpoint::default(), half.clone()],
            account: None,
        }),
    );
    assert_eq!(names[..3], ["a agent_checkpoint", "a agent_checkpoint", "a agent_timeout"]);
    assert_eq!(left(&table, "a"), Some(Left { ended: "out of time", checkpoint: Some(half.clone()) }));
    // One that says nothing does not make it forgotten.
    table.turn("a", Outcome::Silent);
    assert_eq!(left(&table, "a"), Some(Left { ended: "failed", checkpoint: Some(half) }));
    table.develop("a", Verdict::Failed);
    assert_eq!(left(&table, "a"), None);
    table.develop("a", Verdict::Passed);
    table.turn("a", Outcome::Crashed { error: "gone".to_owned() });
    assert_eq!(left(&table, "a"), Some(Left { ended: "failed", checkpoint: None }), "it is the critic's");
}

#[test]
fn a_conflict_sends_a_task_back_to_work_on_what_has_landed() {
    let mut table = Table::new(&[("a", &[])]);
    table.develop("a", Verdict::Passed);
    table.pass("a");
    table.pass("a");
    let names = table.land("a", Landing::Conflict { files: vec!["x".to_owned()] });
    assert_eq!(names, ["a merge_conflict", "a developer_dispatched"]);
    assert_eq!(feedback(&table, "a"), [Feedback::Conflict(vec!["x".to_owned()])]);
    table.develop("a", Verdict::Passed);
    table.pass("a");
    table.pass("a");
    table.land("a", Landing::ChecksFailed { results: vec![result(Verdict::Failed)] });
    assert_eq!(feedback(&table, "a"), [Feedback::Joined(vec![result(Verdict::Failed)])]);
}

#[test]
fn a_question_stops_new_tasks_and_its_answer_returns_to_the_stage_that_asked() {
    let mut table = Table::new(&[("a", &[]), ("b", &["a"]), ("c", &[])]);
    let asks = Outcome::Asks { question: "which?".to_owned(), options: vec!["x".to_owned()] };
    let names = table.turn("a", asks);
    assert_eq!(names, ["a agent_complete", "a agent_seeks_guidance"]);
    assert_eq!(table.status("a"), Status::AwaitingDivineGuidance);
    assert_eq!(table.reply("x"), ["a divine_response_received", "a developer_dispatched"]);
}

#[test]
fn a_lost_turn_counts_for_nothing_and_goes_on_in_a_new_worktree() {
    let mut table = Table::new(&[("a", &[])]);
    let effect = table.effect("a");
    table.report(effect, Report::Started { prompt: None, token: None });
    assert_eq!(table.lose(effect), ["a agent_lost", "a task_restarted_on_resume", "a developer_dispatched"]);
    // What the lost agent still says is late.
    assert_eq!(table.report(effect, Report::Cleaned), ["late_report"]);
}

/// Where a task's turn is to be, as the effect that is due says it.
fn place(table: &Table, task: &str) -> Place {
    let effect = table.effect(task);
    let of = |(id, due): (_, Effect)| match due {
        Effect::Turn(turn) if id == effect => Some(turn.worktree),
        _ => None,
    };
    table.effects().into_iter().find_map(of).unwrap()
}

#[test]
fn a_lost_worktree_is_taken_over_by_the_first_turn_that_begins() {
    let mut table = Table::new(&[("a", &[])]);
    let effect = table.effect("a");
    table.report(effect, Report::Started { prompt: None, token: None });
    table.lose(effect);
    assert_eq!((place(&table, "a").generation, place(&table, "a").salvage_of), (2, Some(1)));
    // Its worktree could not be made, so nothing was taken over yet.
    let (effect, outcome) = (table.effect("a"), Outcome::Unavailable { issue: "disk full".to_owned() });
    let end = TurnEnd {
        outcome,
        exit: None,
        duration_ms: 0,
        output: None,
        results: Vec::new(),
        checkpoints: Vec::new(),
        account: None,
    };
    table.report(effect, Report::Turn(end));
    table.reply("retry");
    assert_eq!((place(&table, "a").generation, place(&table, "a").salvage_of), (2, Some(1)));
    table.turn("a", Outcome::Silent);
    assert_eq!((place(&table, "a").generation, place(&table, "a").salvage_of), (2, None));
}

#[test]
fn a_turn_that_was_lost_before_its_beginning_was_recorded_leaves_the_older_worktree_to_the_next() {
    let mut table = Table::new(&[("a", &[])]);
    let effect = table.effect("a");
    table.lose(effect);
    assert_eq!((place(&table, "a").generation, place(&table, "a").salvage_of), (2, Some(1)));
    // Nothing says whether it had taken over anything yet.
    let effect = table.effect("a");
    table.lose(effect);
    assert_eq!((place(&table, "a").generation, place(&table, "a").salvage_of), (3, Some(1)));
    table.turn("a", Outcome::Silent);
    let effect = table.effect("a");
    table.lose(effect);
    assert_eq!((place(&table, "a").generation, place(&table, "a").salvage_of), (4, Some(3)));
}

#[test]
fn what_has_landed_is_merged_by_the_first_turn_that_begins_after_a_conflict() {
    let mut table = Table::new(&[("a", &[])]);
    table.develop("a", Verdict::Passed);
    table.pass("a");
    table.pass("a");
    table.land("a", Landing::Conflict { files: vec!["x".to_owned()] });
    assert!(place(&table, "a").merge.is_some());
    table.turn("a", Outcome::Silent);
    assert_eq!(place(&table, "a").merge, None);
}

#[test]
fn a_task_that_waits_for_another_is_blocked_until_that_is_complete() {
    let mut table = Table::new(&[("a", &[]), ("b", &[])]);
    let blocked = |task: &str| {
        Outcome::Incomplete(Incomplete {
            category: Category::BlockedByDependency,
            blocker: "needs it".to_owned(),
            blocker_task: Some(task.to_owned()),
        })
    };
    assert_eq!(table.turn("b", blocked("a"))[1..], ["b developer_incomplete", "b task_blocked"]);
    // The other way round would close a circle: a person is asked.
    assert_eq!(
        table.turn("a", blocked("b"))[1..3],
        ["a developer_incomplete", "a coordinator_seeks_guidance"]
    );
}

#[test]
fn a_red_baseline_is_asked_about_before_any_agent_starts() {
    let mut table = Table::default();
    table.ask(Command::Begin(begin(&[("a", &[])])));
    let baseline = table.effects()[0].0;
    let names = table.report(baseline, Report::Baseline(vec![result(Verdict::Failed)]));
    assert_eq!(names, ["pre_existing_baseline_captured", "coordinator_prays"]);
    assert!(table.effects().is_empty());
    let mut stopped = table.clone();
    assert_eq!(stopped.reply("stop"), ["delivery_cancelled"]);
    assert_eq!(table.reply("ignore"), ["guidance_received", "a task_unblocked", "a developer_dispatched"]);
}

#[test]
fn a_red_baseline_says_what_each_check_gave() {
    let mut table = Table::default();
    table.ask(Command::Begin(begin(&[("a", &[])])));
    let baseline = table.effects()[0].0;
    let tail = "running 3 tests\nerror: no such module `net`\n\n".to_owned();
    table.report(baseline, Report::Baseline(vec![CheckResult { tail, ..result(Verdict::Failed) }]));
    let (question, _) = table.board().questions.values().next().unwrap();
    assert!(question.text.contains("failed, error: no such module `net`"), "{}", question.text);
}

#[test]
fn a_baseline_that_cannot_be_measured_says_why_and_is_tried_again() {
    let mut table = Table::default();
    table.ask(Command::Begin(begin(&[("a", &[])])));
    let baseline = table.effects()[0].0;
    let issue = "the setup command `npm ci` failed: no network".to_owned();
    let names = table.report(baseline, Report::Unmeasured { issue: issue.clone() });
    assert_eq!(names, ["infrastructure_blocked", "remediation_unavailable"]);
    assert!(table.effects().is_empty(), "nothing goes on without a baseline");
    let (question, _) = table.board().questions.values().next().unwrap();
    assert_eq!(
        (question.about, question.options.as_slice()),
        (About::Infrastructure, &["retry", "stop"].map(str::to_owned)[..])
    );
    assert!(question.text.contains(&issue), "{}", question.text);
    let mut stopped = table.clone();
    assert_eq!(stopped.reply("stop"), ["delivery_cancelled"]);
    // It waits for the person already; there is nothing to pause, and going on does not go past the question.
    assert!(table.ask(Command::Pause { reason: "interrupt".to_owned() }).is_empty());
    assert!(table.ask(Command::Resume { delivery: None, task: None }).is_empty());
    assert_eq!(table.reply("retry"), ["remediation_divine_override"]);
    let again = table.effects()[0].0;
    let names = table.report(again, Report::Baseline(vec![result(Verdict::Passed)]));
    assert_eq!(names, ["pre_existing_baseline_captured", "a task_unblocked", "a developer_dispatched"]);
}

#[test]
fn never_more_tasks_than_slots() {
    let names: Vec<String> = (0..12).map(|number| format!("t{number:02}")).collect();
    let tasks: Vec<(&str, &[&str])> = names.iter().map(|name| (name.as_str(), &[][..])).collect();
    let mut table = Table::new(&tasks);
    assert_eq!(table.effects().len(), 5);
    table.develop("t00", Verdict::Passed);
    assert_eq!(table.effects().len(), 5, "the critic works in the task's own slot");
}

#[test]
fn a_task_with_several_blockers_starts_when_the_last_is_complete() {
    let mut table = Table::new(&[("a", &[]), ("b", &[]), ("c", &["a", "b"])]);
    for task in ["a", "b"] {
        table.develop(task, Verdict::Passed);
        table.pass(task);
        table.pass(task);
        assert_eq!(table.status("c"), Status::Blocked);
        let names = table.landed(task);
        assert_eq!(names.contains(&"c task_unblocked".to_owned()), task == "b", "{names:?}");
    }
    assert_eq!(table.status("c"), Status::Implementing);
}

#[test]
fn whoever_performs_stays_for_every_delivery_that_is_not_at_rest() {
    let mut table = Table::new(&[("a", &[])]);
    let ids = |table: &Table| table.state.deliveries.under_way().cloned().collect::<Vec<_>>();
    let first = ids(&table);
    assert_eq!(first.len(), 1);
    table.ask(Command::Begin(Begin { plan: Digest::of(b"other"), ..begin(&[("z", &[])]) }));
    assert_eq!(ids(&table).len(), 2, "its checks are being measured");
    table.turn("a", Outcome::Asks { question: "tabs?".to_owned(), options: Vec::new() });
    assert!(!ids(&table).contains(&first[0]), "a question is all that is left");
    table.ask(Command::Pause { reason: "interrupted".to_owned() });
    assert_eq!(ids(&table), [""; 0]);
}

#[test]
fn a_branch_that_is_checked_out_is_asked_about_and_landed_on_afterwards() {
    let mut table = Table::new(&[("a", &[])]);
    table.develop("a", Verdict::Passed);
    table.pass("a");
    table.pass("a");
    let effect = table.effect("a");
    let folder = "look".to_owned();
    let names = table.report(effect, Report::Landing(Landing::CheckedOut { folder }));
    assert_eq!(names[..1], ["a coordinator_seeks_guidance"]);
    assert_eq!(table.status("a"), Status::AwaitingDivineGuidance);
    let names = table.reply("go-on");
    assert!(names.contains(&"a landing_started".to_owned()), "{names:?}");
}

#[test]
fn a_plan_that_was_delivered_is_begun_again_only_on_purpose() {
    let mut table = Table::new(&[("a", &[])]);
    table.develop("a", Verdict::Passed);
    table.pass("a");
    table.pass("a");
    table.landed("a");
    let cleaning: Vec<_> = table.effects().into_iter().map(|(id, _)| id).collect();
    for id in cleaning {
        table.report(id, Report::Cleaned);
    }
    assert_eq!(course(&table), Course::Complete);
    let moment = Moment { now: Timestamp::EPOCH, sequence: 100 };
    let ask = |again| {
        let begin = Begin { again, ..begin(&[("a", &[])]) };
        table.state.decide(&state::Command::Delivery(Command::Begin(begin)), moment)
    };
    assert_eq!(ask(false).unwrap_err().code, diagnostic::DELIVERY_DONE);
    assert!(ask(true).is_ok());
}
