//! How a turn may end, told to the agent, apart because every format shown is written by the code that reads it.

use super::page::Page;
use crate::role::Role;
use crate::signal::{
    AuditBlocked, AuditFailed, AuditPassed, Category, Checkpoint, Claim, Claimed, Incomplete, InfraBlocked,
    Issue, Name, Priority, Proof, Question, Ready, ReviewFailed, ReviewPassed, Signal, to_json, to_text,
};

/// The signals of a role, each with an example.
pub(super) fn section(page: &mut Page, role: Role, task_id: &str) {
    page.heading("How to end");
    page.own(
        "End your answer with exactly one of the signals below, as the last thing you print. Its name begins in the first \
         column, in capitals, followed by a colon, one space and the task's id, and nothing else on that line; the labelled \
         fields follow. The examples are indented and therefore not signals themselves: do not indent yours, and do not put \
         it into a fence. Do not write the name of a signal anywhere else at the beginning of a line. An answer without a \
         signal counts as a failed turn.",
    );
    for name in Name::of(role) {
        page.own(&format!("### {name}"));
        page.own(when(name));
        let required: Vec<String> =
            name.fields().iter().filter(|it| it.required).map(|it| format!("`{}`", it.label)).collect();
        if !required.is_empty() {
            page.own(&format!("Required: {}.", required.join(", ")));
        }
        page.example(&to_text(&example(name), task_id));
    }
    if let Some(name) = Name::of(role).next() {
        page.own(
            "If you prefer JSON: the same as one object on one line that begins in the first column, or in a block fenced \
             with the word `provost`:",
        );
        page.example(&to_json(&example(name), task_id));
    }
}

/// When a signal is the right one.
const fn when(name: Name) -> &'static str {
    match name {
        Name::ReadyForReview => {
            "The work is done, every criterion holds and the checks pass. The matrix is optional: it is compared with what \
             Provost measures."
        }
        Name::TaskIncomplete => {
            "You cannot finish. The category is one of `missing_info`, `blocked_by_dependency` (with the task that has to \
             come first as `Blocker Task`), `infrastructure`, `out_of_scope`."
        }
        Name::InfraBlocked => {
            "A tool, a service or an environment is broken, and it is not this task's work to mend it."
        }
        Name::ReviewPassed => "You found nothing that has to change.",
        Name::ReviewFailed => {
            "Something has to change: at least one issue, as `file:line: text`, or one required fix. The priority is HIGH, \
             MEDIUM or LOW."
        }
        Name::AuditPassed => {
            "Every criterion is met. Each has a line with its evidence; one that is left out is reported as unproven."
        }
        Name::AuditFailed => "At least one criterion is not met, or the change breaks something.",
        Name::AuditBlocked => "You cannot judge, because something was failing before this work began.",
        Name::SeekingDivineClarification => {
            "Only a person can decide. Ask one question that can be answered without reading the code. The turn ends, and \
             the answer is on the page of the next one."
        }
        Name::Checkpoint => {
            "Not an end: a note on how far you are, at any time during the turn. If the turn is cut short, the next one \
             begins with your last checkpoint."
        }
    }
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

/// A signal as one might send it.
fn example(name: Name) -> Signal {
    match name {
        Name::ReadyForReview => Signal::ReadyForReview(Ready {
            files: texts(["src/cache.rs", "tests/cache.rs"]),
            tests: texts(["an expired entry is not returned"]),
            matrix: vec![Claim {
                check: "unit tests".to_owned(),
                environment: "default".to_owned(),
                exit_code: Some(0),
                result: Claimed::Pass,
            }],
            summary: "entries expire after the time that the configuration says".to_owned(),
            cut: false,
        }),
        Name::TaskIncomplete => Signal::TaskIncomplete(Incomplete {
            category: Category::BlockedByDependency,
            blocker_task: Some("2-1-1".to_owned()),
            blocker: "the configuration has no field for the time yet".to_owned(),
            attempted: texts(["a constant; the criteria ask for a setting"]),
            needed: "the field that task 2-1-1 adds".to_owned(),
            cut: false,
        }),
        Name::InfraBlocked => Signal::InfraBlocked(InfraBlocked {
            issue: "the database does not accept connections".to_owned(),
            command: "make test".to_owned(),
            output: "connection refused".to_owned(),
            environment: "default".to_owned(),
            cut: false,
        }),
        Name::SeekingDivineClarification => Signal::SeekingDivineClarification(Question {
            question: "Should an expired entry be an error or count as missing?".to_owned(),
            context: "callers treat the two differently; the plan does not say".to_owned(),
            options: texts(["an error: callers can tell", "missing: callers stay as they are"]),
            attempts: texts(["read the callers: both would work"]),
            would_help: "one of the two".to_owned(),
            cut: false,
        }),
        Name::Checkpoint => Signal::Checkpoint(Checkpoint {
            status: "testing".to_owned(),
            completed: texts(["expiry in the cache"]),
            remaining: texts(["the test for a clock that goes back"]),
            files: texts(["src/cache.rs"]),
            percent: Some(70),
            cut: false,
        }),
        verdict => example_verdict(verdict),
    }
}

fn example_verdict(name: Name) -> Signal {
    let issue = |file: &str, line, text: &str| Issue {
        file: Some(file.to_owned()),
        line: Some(line),
        text: text.to_owned(),
    };
    match name {
        Name::ReviewFailed => Signal::ReviewFailed(ReviewFailed {
            issues: vec![issue("src/cache.rs", 41, "the error of the clock is dropped")],
            fixes: texts(["return the error to the caller"]),
            priority: Some(Priority::High),
            files: texts(["src/cache.rs"]),
            cut: false,
        }),
        Name::AuditPassed => Signal::AuditPassed(AuditPassed {
            criteria: vec![Proof {
                criterion: "expired entries are not returned".to_owned(),
                evidence: "tests/cache.rs:12 fails without the change; `cargo test` exits 0".to_owned(),
            }],
            matrix: Vec::new(),
            summary: "all criteria hold".to_owned(),
            cut: false,
        }),
        Name::AuditFailed => Signal::AuditFailed(AuditFailed {
            failed: texts(["expired entries are not returned"]),
            issues: vec![issue("src/cache.rs", 58, "the comparison is the wrong way round")],
            fixes: texts(["turn it round, with a test at the boundary"]),
            passing: texts(["the time comes from the configuration"]),
            cut: false,
        }),
        Name::AuditBlocked => Signal::AuditBlocked(AuditBlocked {
            failures: texts(["lint: failed before the work began, on src/old.rs"]),
            summary: "nothing of it comes from this change".to_owned(),
            cut: false,
        }),
        _ => Signal::ReviewPassed(ReviewPassed {
            files: texts(["src/cache.rs", "tests/cache.rs"]),
            assessment: texts(["error handling: nothing is dropped", "tests: fail without the change"]),
            summary: "small and clear".to_owned(),
            cut: false,
        }),
    }
}
