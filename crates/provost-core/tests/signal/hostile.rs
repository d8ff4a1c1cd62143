//! Output that looks like a signal and is none, is one and does not look like it, or is two.

use provost_core::role::Role;
use provost_core::signal::{self, Expected, Outcome, cut_mark};

use crate::{heard, word};

const SILENT: &str = "silent";
const PASSED: &str = "REVIEW_PASSED";

/// What a critic of task `t-1` prints, and what is understood.
#[rustfmt::skip]
const CRITIC: &[(&str, &str)] = &[
    // Nothing.
    ("",                                                            SILENT),
    ("I have read all of it.\n",                                    SILENT),
    // The form.
    ("REVIEW_PASSED: t-1",                                          PASSED),
    ("prose\n\nREVIEW_PASSED: t-1\n\nmore prose\n",                 PASSED),
    ("REVIEW_PASSED: t-1   \t\n",                                   PASSED),
    ("review_passed: t-1",                                          SILENT),
    ("Review_Passed: t-1",                                          SILENT),
    (" REVIEW_PASSED: t-1",                                         SILENT),
    ("\tREVIEW_PASSED: t-1",                                        SILENT),
    ("> REVIEW_PASSED: t-1",                                        SILENT),
    ("- REVIEW_PASSED: t-1",                                        SILENT),
    ("**REVIEW_PASSED: t-1**",                                      SILENT),
    ("I say REVIEW_PASSED: t-1",                                    SILENT),
    ("REVIEW_PASSED is what I would say",                           SILENT),
    ("REVIEW_PASSED_WITH_NOTES: t-1",                               SILENT),
    ("MERGE_PASSED: t-1",                                           SILENT),
    ("REVIEW_PASSED:t-1",                                           "malformed_line"),
    ("REVIEW_PASSED: t-1 with joy",                                 "malformed_line"),
    ("REVIEW_PASSED:  t-1",                                         "malformed_line"),
    ("REVIEW_PASSED",                                               "missing_task"),
    ("REVIEW_PASSED:",                                              "missing_task"),
    ("REVIEW_PASSED: ",                                             "missing_task"),
    // Task and role.
    ("REVIEW_PASSED: t-2",                                          "wrong_task"),
    ("REVIEW_PASSED: T-1",                                          "wrong_task"),
    ("REVIEW_PASSED: t-1\u{200b}",                                  "wrong_task"),
    ("READY_FOR_REVIEW: t-1",                                       "wrong_role"),
    ("AUDIT_PASSED: t-1",                                           "wrong_role"),
    // Several.
    ("REVIEW_PASSED: t-1\nREVIEW_PASSED: t-1",                      PASSED),
    ("REVIEW_FAILED: t-1\nFixes:\n- a\nREVIEW_PASSED: t-1",         "several_signals"),
    ("REVIEW_PASSED: t-2\nREVIEW_PASSED: t-1",                      "several_signals"),
    ("REVIEW_PASSED: all is well\nREVIEW_PASSED: t-1",              PASSED),
    ("REVIEW_PASSED: t-1\n{\"signal\":\"REVIEW_FAILED\",\"task\":\"t-1\",\"fixes\":[\"a\"]}", "several_signals"),
    ("{\"signal\":\"REVIEW_FAILED\",,}\nREVIEW_PASSED: t-1",        "several_signals"),
    // Examples.
    ("```\nREVIEW_FAILED: t-1\n```\nREVIEW_PASSED: t-1",            PASSED),
    ("~~~\nREVIEW_FAILED: t-1\n```\nREVIEW_FAILED: t-1\n~~~\nREVIEW_PASSED: t-1", PASSED),
    ("````\n```\nREVIEW_FAILED: t-1\n```\n````\nREVIEW_PASSED: t-1", PASSED),
    ("  ```text\nREVIEW_FAILED: t-1\n  ```\nREVIEW_PASSED: t-1",    PASSED),
    ("    REVIEW_FAILED: t-1\nREVIEW_PASSED: t-1",                  PASSED),
    ("```\nREVIEW_PASSED: t-1\n```",                                SILENT),
    ("```\nREVIEW_PASSED: t-1\n",                                   SILENT),
    ("```json\n{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\"}\n```", SILENT),
    ("    {\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\"}",         SILENT),
    ("  ```provost\n{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\"}\n  ```", SILENT),
    ("````\n```provost\n{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\"}\n```\n````", SILENT),
    // Terminals.
    ("\u{1b}[1m\u{1b}[32mREVIEW_PASSED: t-1\u{1b}[0m\r\n",          PASSED),
    ("\u{1b}]0;title\u{7}REVIEW_PASSED: t-1",                       PASSED),
    ("reading 99%\rREVIEW_PASSED: t-1",                             PASSED),
    ("REVIEW_PASSED: t-1\r\nSummary: fine\r\n",                     PASSED),
    ("\0REVIEW_PASSED: t-1\0",                                      PASSED),
    ("\u{feff}REVIEW_PASSED: t-1",                                  PASSED),
    // JSON.
    ("{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\"}",             PASSED),
    ("{ \"task\": \"t-1\", \"signal\": \"REVIEW_PASSED\", \"mood\": 1 }\r\n", PASSED),
    ("```provost\n{\n  \"signal\": \"REVIEW_PASSED\",\n  \"task\": \"t-1\"\n}\n```", PASSED),
    ("~~~~provost\n{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\"}\n~~~~", PASSED),
    ("{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\"}\nREVIEW_PASSED: t-1", PASSED),
    ("{\"signal\":\"REVIEW_PASSED\"}",                              "missing_task"),
    ("{\"signal\":\"REVIEW_PASSED\",\"task\":7}",                   "missing_task"),
    ("{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-2\"}",             "wrong_task"),
    ("{\"signal\":\"AUDIT_PASSED\",\"task\":\"t-1\"}",              "wrong_role"),
    ("{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\",}",            "invalid_json"),
    ("{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\"",              "invalid_json"),
    ("{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\"} thanks",      "invalid_json"),
    ("{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-2\",\"task\":\"t-1\"}", "invalid_json"),
    ("{\"signal\":\"REVIEW_FAILED\",\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\"}", "invalid_json"),
    ("{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\",\"summary\":1}", "invalid_field"),
    ("{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\",\"files\":[1]}", "invalid_field"),
    ("{\"signal\":\"REVIEW_PASSED\",,}\n{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\"}", PASSED),
    ("{\"signal\":\"REVIEW_PASSED\",,}\nREVIEW_PASSED: t-1",        "invalid_json"),
    ("{\"signal\":\"SIGTERM\",\"pid\":1}",                          SILENT),
    ("{\"level\":\"info\"}",                                        SILENT),
    ("{\"signal\":",                                                SILENT),
    ("```provost\nREVIEW_PASSED: t-1\n```",                         "invalid_json"),
    ("```provost\n{\"signal\":\"SIGTERM\"}\n```",                   "invalid_json"),
    // What a signal needs.
    ("REVIEW_FAILED: t-1",                                          "missing_field"),
    ("REVIEW_FAILED: t-1\nRequired Fixes:\n- a",                    "REVIEW_FAILED"),
    ("REVIEW_FAILED: t-1\nIssues Found:\n- a.rs:1: b",              "REVIEW_FAILED"),
    ("SEEKING_DIVINE_CLARIFICATION: t-1\nQuestion: why?",           "SEEKING_DIVINE_CLARIFICATION"),
    ("SEEKING_DIVINE_CLARIFICATION\nTask: t-1\nQuestion: why?",     "SEEKING_DIVINE_CLARIFICATION"),
    ("SEEKING_DIVINE_CLARIFICATION\nTask: t-2\nQuestion: why?",     "wrong_task"),
    ("SEEKING_DIVINE_CLARIFICATION\nQuestion: why?",                "missing_task"),
    ("SEEKING_DIVINE_CLARIFICATION: t-1\n",                         "missing_field"),
    // Checkpoints end nothing.
    ("CHECKPOINT: t-1\nStatus: testing\n",                          SILENT),
    ("CHECKPOINT: t-1\nStatus: testing\nREVIEW_PASSED: t-1",        PASSED),
];

#[test]
fn a_critic_is_understood_or_refused_and_never_guessed() {
    for (output, expected) in CRITIC {
        let heard = heard(Role::Critic, output);
        assert_eq!(word(&heard), *expected, "{output:?}\n{heard:?}");
    }
}

#[test]
fn an_auditor_cannot_pass_what_it_says_is_not_met() {
    for (output, expected) in [
        ("AUDIT_PASSED: t-1", "AUDIT_PASSED"),
        (
            "AUDIT_PASSED: t-1\nRequirements Verification:\n- a: VERIFIED - b\n- c: NOT VERIFIED",
            "contradiction",
        ),
        (
            r#"{"signal":"AUDIT_PASSED","task":"t-1","criteria":[{"criterion":"a","verified":false}]}"#,
            "contradiction",
        ),
        (
            r#"{"signal":"AUDIT_PASSED","task":"t-1","criteria":[{"criterion":"a","verified":"no"}]}"#,
            "contradiction",
        ),
        (r#"{"signal":"AUDIT_PASSED","task":"t-1","criteria":[{"evidence":"b"}]}"#, "invalid_field"),
        ("AUDIT_FAILED: t-1", "missing_field"),
        ("AUDIT_BLOCKED: t-1\nSummary: no", "missing_field"),
        ("AUDIT_BLOCKED: t-1\nPre-existing Failures: lint", "AUDIT_BLOCKED"),
    ] {
        let heard = heard(Role::Auditor, output);
        assert_eq!(word(&heard), expected, "{output:?}\n{heard:?}");
    }
}

#[test]
fn an_obstacle_without_a_category_says_what_it_will_count_as() {
    for (output, expected) in [
        ("TASK_INCOMPLETE: t-1\nCategory: out of scope\nBlocker: b", "TASK_INCOMPLETE"),
        ("TASK_INCOMPLETE: t-1\nBlocker: b", "missing_field"),
        ("TASK_INCOMPLETE: t-1\nCategory: bad luck\nBlocker: b", "invalid_field"),
        ("TASK_INCOMPLETE: t-1\nCategory: blocked_by_dependency\nBlocker: b", "missing_field"),
        ("TASK_INCOMPLETE: t-1\nCategory: missing_info", "missing_field"),
        ("INFRA_BLOCKED: t-1\nCommand: make", "missing_field"),
    ] {
        let heard = heard(Role::Developer, output);
        assert_eq!(word(&heard), expected, "{output:?}\n{heard:?}");
        if let Outcome::Rejected(rejection) = heard.outcome
            && output.starts_with("TASK")
        {
            let instead = serde_json::to_value(rejection.instead.unwrap()).unwrap();
            assert_eq!(instead["category"], "missing_info");
        }
    }
}

#[test]
fn a_rejection_tells_the_agent_what_to_do() {
    let heard = heard(Role::Critic, "REVIEW_PASSED: t-1\nREVIEW_FAILED: t-9\u{1b}[31m\n");
    let Outcome::Rejected(rejection) = heard.outcome else { panic!("{heard:?}") };
    assert_eq!(
        rejection.message("t-1"),
        "SIGNAL REJECTED\nTask: t-1\nReason: several_signals: the output has both REVIEW_PASSED for `t-1` and \
         REVIEW_FAILED for `t-9`\nRequired action: End your answer with exactly one signal; put examples into \
         fences or leave them out.\n"
    );
    let json = serde_json::to_string(&rejection).unwrap();
    assert_eq!(serde_json::from_str::<signal::Rejection>(&json).unwrap(), rejection);
}

/// What is understood of a critic's output whose middle is missing.
#[test]
fn a_cut_neither_hides_a_signal_nor_makes_one() {
    let mark = cut_mark(1_000_000);
    for (head, tail, expected) in [
        // The lines beside the cut may be halves.
        ("log", "REVIEW_PASSED: t-1", SILENT),
        ("log", "half\nREVIEW_PASSED: t-1", PASSED),
        ("REVIEW_PASSED: t-1", "half\n", SILENT),
        ("REVIEW_PASSED: t-1\nhalf", "half\n", PASSED),
        ("REVIEW_FAILED: t-1\nFixes: a\nhalf", "half\nREVIEW_PASSED: t-1", "several_signals"),
        // Blocks that the cut went through.
        ("```\nlog", "log\nREVIEW_FAILED: t-1\n```\nREVIEW_PASSED: t-1", PASSED),
        ("log", "log\n```\nREVIEW_FAILED: t-1\n```\nREVIEW_PASSED: t-1", PASSED),
        ("```\nlog", "log\n```\n```text\nREVIEW_FAILED: t-1\n```\nREVIEW_PASSED: t-1", PASSED),
        ("log", "log\n```text\nREVIEW_PASSED: t-1\n", SILENT),
    ] {
        let expect = Expected { role: Role::Critic, task_id: "t-1" };
        let heard = signal::read(&expect, &format!("{head}{mark}{tail}"), true);
        assert_eq!(word(&heard), expected, "{head:?} {tail:?}\n{heard:?}");
    }
}
