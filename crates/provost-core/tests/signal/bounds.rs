//! However much an agent prints: what is kept is small, and says when something is missing.

use provost_core::role::Role;
use provost_core::signal::{CHECKPOINTS_MAX, ITEMS_MAX, Outcome, SIGNAL_MAX, Signal};

use crate::{heard, signal_of, word};

#[test]
fn a_log_of_five_megabytes_is_read_through() {
    let lines = "{\"signal\": compiling crate number 7 of 70000 with ```\n".repeat(100_000);
    assert!(lines.len() > 5_000_000);
    let output = format!("{lines}REVIEW_PASSED: t-1\n{lines}");
    let Signal::ReviewPassed(passed) = signal_of(heard(Role::Critic, &output)) else { panic!() };
    assert!(!passed.cut);
}

#[test]
fn a_megabyte_of_anything_is_read_to_its_end() {
    for piece in [
        "\n",
        "`",
        "```\n",
        "{",
        "{\"signal\"",
        "{\"signal\"\n",
        "\u{1b}[",
        "\u{1b}]",
        "\r",
        "| ",
        "- \n",
        "REVIEW_PASSED: t-1\n",
        "REVIEW_PASSED: ",
        "CHECKPOINT: t-1\n",
        "SEEKING_DIVINE_CLARIFICATION: t-1\nOptions:\n- a\n",
        "\"REVIEW_PASSED\"",
    ] {
        let output = piece.repeat(1_000_000 / piece.len());
        let heard = heard(Role::Critic, &format!("REVIEW_PASSED: t-1\nSummary: a\n{output}"));
        assert!(heard.checkpoints.len() <= CHECKPOINTS_MAX);
        let _ = word(&heard);
    }
}

#[test]
fn a_signal_fits_the_record_and_says_what_it_lost() {
    let list = "- \"\\\"\té\n".repeat(3 * ITEMS_MAX) + "- " + &"long ".repeat(10_000) + "\n";
    let text = "\"line\"\n".repeat(10_000);
    let output = format!(
        "AUDIT_FAILED: t-1\nFailed Criteria:\n{list}Issues Found:\n{list}Required Fixes:\n{list}Passing Criteria:\n{list}"
    );
    let signal = signal_of(heard(Role::Auditor, &output));
    assert!(signal.is_cut());
    let size = serde_json::to_string(&signal).unwrap().len();
    assert!(size < SIGNAL_MAX + 2_000, "{size}");

    let output = format!("INFRA_BLOCKED: t-1\nIssue: {text}Command: {text}Output: {text}Environment: {text}");
    let signal = signal_of(heard(Role::Developer, &output));
    assert!(signal.is_cut());
    let size = serde_json::to_string(&signal).unwrap().len();
    assert!(size < SIGNAL_MAX + 2_000, "{size}");
    let Signal::InfraBlocked(blocked) = signal else { panic!() };
    assert!(blocked.issue.ends_with('…'));
}

#[test]
fn a_rejection_is_small_too() {
    let long = "x".repeat(100_000);
    for output in [
        format!("REVIEW_PASSED: {long}"),
        format!("REVIEW_PASSED: {long}\nREVIEW_FAILED: {long}"),
        format!("{{\"signal\":\"REVIEW_PASSED\",\"{long}\":1,\"{long}\":2}}"),
        format!("{{\"signal\":\"REVIEW_PASSED\",\"task\":\"{long}\"}}"),
        format!("```provost\n{{\"signal\":\"{long}\"}}\n```"),
        format!("{{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\",\"summary\":\"{}\"}}", long.repeat(5)),
    ] {
        let Outcome::Rejected(rejection) = heard(Role::Critic, &output).outcome else { panic!() };
        assert!(rejection.detail.len() < 400, "{}", rejection.detail.len());
    }
}
