//! Signals as agents like to write them, and what is kept of them.

use provost_core::role::Role;
use provost_core::signal::{Claim, Claimed, Issue, Name, Priority, Signal};

use crate::{heard, signal_of};

#[test]
fn a_developer_may_be_untidy() {
    let output = "\
All done.

READY_FOR_REVIEW: t-1
**Files Modified**: `src/a.rs`, src/b.rs

## Tests Written
1. a is refused
   when it is empty
2. b

Environment Verification Matrix:
| Check | Environment | Exit Code | Result |
|-------|:-----------:|-----------|--------|
| Type Check | ci | 0 | PASS |
| unit \\| integration | `ci` | 101 | FAIL |
| lint | | | ? |

Environments Tested: ci
All Required Environments: VERIFIED
Summary: It works.
```
Files Modified: not a label here
```
";
    let Signal::ReadyForReview(ready) = signal_of(heard(Role::Developer, output)) else { panic!() };
    assert_eq!(ready.files, ["src/a.rs", "src/b.rs"]);
    assert_eq!(ready.tests, ["a is refused\nwhen it is empty", "b"]);
    let claim = |check: &str, environment: &str, exit_code, result| Claim {
        check: check.to_owned(),
        environment: environment.to_owned(),
        exit_code,
        result,
    };
    assert_eq!(
        ready.matrix,
        [
            claim("Type Check", "ci", Some(0), Claimed::Pass),
            claim("unit | integration", "ci", Some(101), Claimed::Fail),
            claim("lint", "", None, Claimed::Unclear),
        ]
    );
    assert_eq!(ready.summary, "It works.\n```\nFiles Modified: not a label here\n```");
    assert!(!ready.cut);
}

#[test]
fn a_table_without_a_label_or_an_environment_is_a_matrix_too() {
    let output = "READY_FOR_REVIEW: t-1\n\n| check | result |\n|---|---|\n| test | ✅ passed |\n";
    let Signal::ReadyForReview(ready) = signal_of(heard(Role::Developer, output)) else { panic!() };
    let expected = Claim {
        check: "test".to_owned(),
        environment: String::new(),
        exit_code: None,
        result: Claimed::Pass,
    };
    assert_eq!(ready.matrix, [expected]);
}

#[test]
fn a_critic_says_where() {
    let output = "\
REVIEW_FAILED: t-1
Files Reviewed: none
Issues Found:
  - src/a.rs:12: the error is swallowed
    - and logged nowhere
  - `src/b.rs:3:9`: dead code
  - naming
Required Fixes:
- return it

Thank you!
Priority: High
";
    let Signal::ReviewFailed(failed) = signal_of(heard(Role::Critic, output)) else { panic!() };
    let issue = |place: Option<(&str, u32)>, text: &str| Issue {
        file: place.map(|it| it.0.to_owned()),
        line: place.map(|it| it.1),
        text: text.to_owned(),
    };
    assert_eq!(
        failed.issues,
        [
            issue(Some(("src/a.rs", 12)), "the error is swallowed\n- and logged nowhere"),
            issue(Some(("src/b.rs", 3)), "dead code"),
            issue(None, "naming"),
        ]
    );
    assert_eq!(failed.fixes, ["return it"]);
    assert_eq!(failed.priority, Some(Priority::High));
    assert_eq!(failed.files, Vec::<String>::new());
}

#[test]
fn json_may_write_issues_and_criteria_as_strings_or_objects() {
    let output = r#"{"signal":"AUDIT_FAILED","task":"t-1","failed":"it builds","issues":["a.rs:1: b",{"file":"c.rs","text":"d"}],"fixes":null}"#;
    let Signal::AuditFailed(failed) = signal_of(heard(Role::Auditor, output)) else { panic!() };
    assert_eq!(failed.failed, ["it builds"]);
    let issues: Vec<String> = failed.issues.iter().map(ToString::to_string).collect();
    assert_eq!(issues, ["a.rs:1: b", "c.rs: d"]);

    let output = r#"{"signal":"AUDIT_PASSED","task":"t-1","criteria":["a: VERIFIED - b",{"criterion":"c","verified":true,"evidence":"d"}]}"#;
    let Signal::AuditPassed(passed) = signal_of(heard(Role::Auditor, output)) else { panic!() };
    let proofs: Vec<String> = passed.criteria.iter().map(ToString::to_string).collect();
    assert_eq!(proofs, ["a: VERIFIED - b", "c: VERIFIED - d"]);
}

#[test]
fn checkpoints_are_heard_in_order_whatever_ends_the_turn() {
    let output = "CHECKPOINT: t-1\nStatus: implementing\nEstimated Progress: 40 %\nCompleted:\n- parser\n\
                  CHECKPOINT: t-2\nStatus: of another task\n\
                  {\"signal\":\"CHECKPOINT\",\"task\":\"t-1\",\"status\":\"testing\",\"percent\":90}\n\
                  READY_FOR_REVIEW: t-1\n";
    let heard = heard(Role::Developer, output);
    let said: Vec<_> = heard.checkpoints.iter().map(|it| (it.status.as_str(), it.percent)).collect();
    assert_eq!(said, [("implementing", Some(40)), ("testing", Some(90))]);
    assert_eq!(heard.checkpoints[0].completed, ["parser"]);
    assert_eq!(signal_of(heard).name(), Name::ReadyForReview);
}

#[test]
fn the_last_of_the_same_signal_counts_and_json_before_text() {
    let output = "REVIEW_PASSED: t-1\nSummary: one\nREVIEW_PASSED: t-1\nSummary: two\n";
    let Signal::ReviewPassed(passed) = signal_of(heard(Role::Critic, output)) else { panic!() };
    assert_eq!(passed.summary, "two");
    let json = r#"{"signal":"REVIEW_PASSED","task":"t-1","summary":"three"}"#;
    let Signal::ReviewPassed(passed) = signal_of(heard(Role::Critic, &format!("{json}\n{output}"))) else {
        panic!()
    };
    assert_eq!(passed.summary, "three");
}
