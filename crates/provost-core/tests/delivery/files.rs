//! What a task may write: changes outside the files that the plan gives it are measured, sent back, and a person's to allow.

use provost_core::delivery::{
    Begin, Command, Effect, Feedback, Measurement, Outcome, Report, Status, Turn, Verdict,
};

use crate::table::{Table, begin, result};

/// One task that may write `src/` and its own page, past its baseline.
fn bounded() -> Table {
    let mut plan: Begin = begin(&[("a", &[])]);
    plan.tasks[0].files = vec!["src/**".to_owned(), "docs/{a,b}.md".to_owned()];
    let mut table = Table::default();
    table.ask(Command::Begin(plan));
    let baseline = table.effects()[0].0;
    table.report(baseline, Report::Baseline(vec![result(Verdict::Passed)]));
    table
}

/// Lets the developer claim work that changes these files.
fn claim(table: &mut Table, verdict: Verdict, files: &[&str]) -> Vec<String> {
    table.turn("a", Outcome::Ready { summary: "done".to_owned() });
    measure(table, verdict, files)
}

fn measure(table: &mut Table, verdict: Verdict, files: &[&str]) -> Vec<String> {
    let effect = table.effect("a");
    let measured = Measurement::Committed {
        commit: "commit-of-a".to_owned(),
        tree: "tree".to_owned(),
        files: files.iter().map(|file| (*file).to_owned()).collect(),
        results: vec![result(verdict)],
    };
    table.report(effect, Report::Measured(measured))
}

fn turn(table: &Table) -> Turn {
    let turn = table.effects().into_iter().find_map(|(_, effect)| match effect {
        Effect::Turn(turn) => Some(*turn),
        _ => None,
    });
    turn.unwrap()
}

fn paths(paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

const READY: [&str; 2] = ["a developer_ready_for_review", "a critic_dispatched"];
const BACK: [&str; 2] = ["a environment_verification_failed", "a developer_dispatched"];

#[test]
fn work_inside_its_files_goes_on() {
    assert_eq!(claim(&mut bounded(), Verdict::Passed, &["docs/b.md", "src/deep/lib.rs"]), READY);
}

#[test]
fn a_task_without_files_may_write_anything() {
    let mut table = Table::new(&[("a", &[])]);
    assert_eq!(claim(&mut table, Verdict::Passed, &["anything", "at/all"]), READY);
}

#[test]
fn work_outside_its_files_is_sent_back_with_the_paths_although_all_checks_pass() {
    let mut table = bounded();
    assert_eq!(claim(&mut table, Verdict::Passed, &["Cargo.toml", "docs/c.md", "src/lib.rs"]), BACK);
    assert_eq!(turn(&table).feedback, [Feedback::Outside(paths(&["Cargo.toml", "docs/c.md"]))]);
    // Taken back, it is accepted, and nobody was asked.
    assert_eq!(claim(&mut table, Verdict::Passed, &["src/lib.rs"]), READY);
}

#[test]
fn red_checks_and_other_files_are_both_told() {
    let mut table = bounded();
    claim(&mut table, Verdict::Failed, &["Cargo.toml"]);
    let red = Feedback::Checks(vec![result(Verdict::Failed)]);
    assert_eq!(turn(&table).feedback, [red, Feedback::Outside(paths(&["Cargo.toml"]))]);
}

/// The developer has claimed the same twice, so a person is asked.
fn asked(verdict: Verdict) -> Table {
    let mut table = bounded();
    claim(&mut table, Verdict::Passed, &["Cargo.toml", "src/lib.rs"]);
    let names = claim(&mut table, verdict, &["Cargo.toml", "src/lib.rs"]);
    assert_eq!(names[..2], ["a environment_verification_failed", "a coordinator_seeks_guidance"]);
    assert_eq!(table.status("a"), Status::AwaitingDivineGuidance);
    assert_eq!(table.questions()[0].1, ["allow", "keep-out"]);
    let board = table.state.deliveries.boards.values().next().unwrap();
    let text = &board.questions.values().next().unwrap().0.text;
    assert!(
        text.ends_with("`Cargo.toml`; allow these, or keep it out of them? its developer says: done"),
        "{text}"
    );
    table
}

#[test]
fn who_insists_has_a_person_asked_and_what_is_allowed_is_measured_again_without_a_turn() {
    let mut table = asked(Verdict::Passed);
    assert_eq!(table.reply("allow"), ["a divine_response_received", "a ready_claimed"]);
    assert_eq!(measure(&mut table, Verdict::Passed, &["Cargo.toml", "src/lib.rs"]), READY);
    assert_eq!(turn(&table).allowed, paths(&["Cargo.toml"]).into_iter().collect());
}

#[test]
fn what_is_allowed_is_these_paths_and_no_others() {
    let mut table = asked(Verdict::Passed);
    table.reply("allow");
    assert_eq!(measure(&mut table, Verdict::Passed, &["Cargo.lock", "Cargo.toml"]), BACK);
    assert_eq!(turn(&table).feedback, [Feedback::Outside(paths(&["Cargo.lock"]))]);
}

#[test]
fn what_is_allowed_and_fails_its_checks_goes_back_for_the_checks_alone() {
    let mut table = asked(Verdict::Failed);
    assert_eq!(table.reply("allow"), ["a divine_response_received", "a developer_dispatched"]);
    assert_eq!(turn(&table).feedback, [Feedback::Checks(vec![result(Verdict::Failed)])]);
}

#[test]
fn who_is_kept_out_is_told_so_and_told_once_more_before_anybody_is_asked_again() {
    for answer in ["keep-out", "use the helper in src instead"] {
        let mut table = asked(Verdict::Passed);
        assert_eq!(table.reply(answer), ["a divine_response_received", "a developer_dispatched"]);
        let turn = turn(&table);
        assert_eq!(turn.answers[0].answer, answer);
        assert_eq!(turn.feedback, [Feedback::Outside(paths(&["Cargo.toml"]))]);
        assert_eq!(claim(&mut table, Verdict::Passed, &["Cargo.toml"]), BACK);
    }
}

#[test]
fn an_answer_to_another_question_allows_nothing() {
    let mut table = bounded();
    claim(&mut table, Verdict::Passed, &["Cargo.toml"]);
    let question = "may I change Cargo.toml?".to_owned();
    table.turn("a", Outcome::Asks { question, options: Vec::new() });
    table.reply("allow");
    let names = claim(&mut table, Verdict::Passed, &["Cargo.toml"]);
    assert_eq!(names[..2], ["a environment_verification_failed", "a coordinator_seeks_guidance"]);
}

#[test]
fn more_paths_than_a_record_holds_are_counted() {
    let many: Vec<String> =
        (0..5_000).map(|number| format!("node_modules/package-{number}/index.js")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let mut table = bounded();
    claim(&mut table, Verdict::Passed, &many);
    let Feedback::Outside(told) = turn(&table).feedback[0].clone() else { panic!("told otherwise") };
    assert!((50..200).contains(&told.len()), "{}", told.len());
    claim(&mut table, Verdict::Passed, &many);
    let board = table.state.deliveries.boards.values().next().unwrap();
    let text = &board.questions.values().next().unwrap().0.text;
    assert!(text.contains(&format!("{} more", 5_000 - told.len())), "{text}");
}

#[test]
fn where_the_limit_is_reached_it_halts_as_with_checks() {
    let mut table = bounded();
    for _ in 0..5 {
        claim(&mut table, Verdict::Failed, &["src/lib.rs"]);
    }
    let names = claim(&mut table, Verdict::Failed, &["Cargo.toml"]);
    assert_eq!(names[..2], ["a environment_verification_failed", "a task_halted"]);
}
