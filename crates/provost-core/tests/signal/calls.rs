//! Signals sent with tools: judged like JSON that is printed, and merged with what is printed.

use provost_core::role::Role;
use provost_core::signal::{
    CHECKPOINTS_MAX, Calls, Checkpoint, Expected, Heard, Name, Outcome, Reason, Signal, Taken, called,
    to_json,
};
use strum::VariantArray as _;

use super::{heard, signal_of, word};

const READY: &str = r#"{"summary":"called"}"#;
const INCOMPLETE: &str = r#"{"category":"missing_info","blocker":"no key"}"#;

fn expected(role: Role) -> Expected<'static> {
    Expected { role, task_id: "t-1" }
}

fn calls(role: Role, made: &[(Name, &str)]) -> Calls {
    let mut calls = Calls::default();
    for (name, fields) in made {
        let _ = calls.take(&expected(role), *name, fields);
    }
    calls
}

fn merged(made: &[(Name, &str)], printed: &str) -> Heard {
    calls(Role::Developer, made).with(heard(Role::Developer, printed))
}

fn summary(heard: Heard) -> String {
    match signal_of(heard) {
        Signal::ReadyForReview(ready) => ready.summary,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_call_and_printed_json_are_judged_alike() {
    let bodies = [
        "{}",
        r#"{"summary":"done","files":["a.rs"],"tests":"one"}"#,
        r#"{"category":"missing_info","blocker":"no key"}"#,
        r#"{"category":"tired","blocker":"no key"}"#,
        r#"{"category":"blocked_by_dependency","blocker":"no key"}"#,
        r#"{"issue":"no disk","output":7}"#,
        r#"{"issues":[{"file":"a.rs","line":3,"text":"wrong"},"b.rs:4: also"],"priority":"high"}"#,
        r#"{"issues":[{"line":"three"}]}"#,
        r#"{"criteria":[{"criterion":"c","evidence":"e"}],"matrix":[{"check":"test","exit_code":0,"result":"pass"}]}"#,
        r#"{"failed":["c"],"failures":["f"],"question":"which?","options":["a","b"]}"#,
        r#"{"summary":"done","task":"t-1"}"#,
        r#"{"summary":"done","task":"t-2"}"#,
    ];
    let mut taken = 0;
    for role in Role::VARIANTS {
        for name in Name::VARIANTS.iter().copied().filter(|name| name.ends_the_turn()) {
            for body in bodies {
                let task = if body.contains("\"task\"") { "" } else { ",\"task\":\"t-1\"" };
                let rest = body.strip_prefix('{').unwrap();
                let comma = if rest == "}" { "" } else { "," };
                let line = format!("{{\"signal\":\"{name}\"{task}{comma}{rest}\n");
                let printed = heard(*role, &line).outcome;
                let called = match called(&expected(*role), name, body) {
                    Ok(signal) => Outcome::Signal(signal),
                    Err(rejection) => Outcome::Rejected(rejection),
                };
                assert_eq!(called, printed, "{role} {line}");
                taken += usize::from(matches!(called, Outcome::Signal(_)));
            }
        }
    }
    assert!(taken > 30, "only {taken} were taken");
}

#[test]
fn what_cannot_be_read_is_refused() {
    let call =
        |fields: &str| called(&expected(Role::Developer), Name::ReadyForReview, fields).unwrap_err().reason;
    assert_eq!(call(""), Reason::InvalidJson);
    assert_eq!(call("[]"), Reason::InvalidJson);
    assert_eq!(call(r#"{"summary":"a","summary":"b"}"#), Reason::InvalidJson);
    assert_eq!(call(r#"{"task":7}"#), Reason::WrongTask);
    assert_eq!(call(&format!("{}{}", "{\"summary\":".repeat(40), "}".repeat(40))), Reason::InvalidJson);
    let huge = format!("{{\"summary\":\"{}\"}}", "x".repeat(1 << 20));
    assert_eq!(call(&huge), Reason::InvalidJson);
    let long = format!("{{\"summary\":\"{}\"}}", "x".repeat(200 << 10));
    assert!(called(&expected(Role::Developer), Name::ReadyForReview, &long).unwrap().is_cut());
}

#[test]
fn a_call_counts_before_what_is_printed() {
    let printed = "READY_FOR_REVIEW: t-1\nSummary: printed\n";
    assert_eq!(summary(merged(&[], printed)), "printed");
    assert_eq!(summary(merged(&[(Name::ReadyForReview, READY)], printed)), "called");
    assert_eq!(summary(merged(&[(Name::ReadyForReview, READY)], "")), "called");
    // What was refused where it was printed does not take away what was taken.
    assert_eq!(summary(merged(&[(Name::ReadyForReview, READY)], "READY_FOR_REVIEW: t-9\n")), "called");
    assert_eq!(summary(merged(&[(Name::ReadyForReview, READY)], "REVIEW_PASSED: t-1\n")), "called");
}

#[test]
fn signals_that_exclude_each_other_leave_none() {
    let both = [(Name::ReadyForReview, READY), (Name::TaskIncomplete, INCOMPLETE)];
    assert_eq!(word(&merged(&both, "")), "several_signals");
    assert_eq!(word(&merged(&both, "READY_FOR_REVIEW: t-1\n")), "several_signals");
    let ready = [(Name::ReadyForReview, READY)];
    let printed = "TASK_INCOMPLETE: t-1\nCategory: missing_info\nBlocker: no key\n";
    assert_eq!(word(&merged(&ready, printed)), "several_signals");
    let two = format!("READY_FOR_REVIEW: t-1\n{printed}");
    assert_eq!(word(&merged(&ready, &two)), "several_signals");
    // Nothing said later mends it.
    let mut calls = calls(Role::Developer, &both);
    let again = calls.take(&expected(Role::Developer), Name::ReadyForReview, READY);
    assert_eq!(again.unwrap_err().reason, Reason::SeveralSignals);
}

#[test]
fn the_last_of_one_name_counts() {
    let mut calls = Calls::default();
    let mut take = |fields| calls.take(&expected(Role::Developer), Name::ReadyForReview, fields);
    assert_eq!(take(r#"{"summary":"first"}"#), Ok(Taken::Ends));
    assert_eq!(take(READY), Ok(Taken::Replaces));
    assert_eq!(take(READY), Ok(Taken::Ends));
    assert_eq!(summary(calls.with(heard(Role::Developer, ""))), "called");
}

#[test]
fn a_refused_call_counts_only_where_nothing_better_was_said() {
    let bad = [(Name::TaskIncomplete, "{}")];
    assert_eq!(word(&merged(&bad, "")), "missing_field");
    assert_eq!(word(&merged(&bad, "READY_FOR_REVIEW: t-1\n")), "READY_FOR_REVIEW");
    assert_eq!(word(&merged(&[bad[0], (Name::ReadyForReview, READY)], "")), "READY_FOR_REVIEW");
    assert_eq!(word(&merged(&[(Name::ReadyForReview, READY), bad[0]], "")), "READY_FOR_REVIEW");
    // It is of another role, and a turn that says nothing else is told so.
    assert_eq!(word(&merged(&[(Name::ReviewPassed, "{}")], "")), "wrong_role");
}

#[test]
fn checkpoints_are_kept_in_order_and_bounded() {
    let fields = |number: usize| format!("{{\"status\":\"{number}\"}}");
    let mut calls = Calls::default();
    for number in 0..40 {
        let taken = calls.take(&expected(Role::Critic), Name::Checkpoint, &fields(number));
        assert_eq!(taken, Ok(Taken::Noted));
    }
    let one = Checkpoint { status: "39".to_owned(), ..Checkpoint::default() };
    let printed = format!("{}\n", to_json(&Signal::Checkpoint(one), "t-1"));
    let merged = calls.with(heard(Role::Critic, &printed));
    let said: Vec<&str> = merged.checkpoints.iter().map(|it| it.status.as_str()).collect();
    let last: Vec<String> = (40 - CHECKPOINTS_MAX..40).map(|number| number.to_string()).collect();
    assert_eq!(said, last);
    assert_eq!(word(&merged), "silent");
}
