//! One task of an imaginary project, at each of its stages.

use provost_core::prompt::{
    Answer, Assessment, Check, Context, Environment, Expansion, Expert, Feedback, Finding, Guide, Measured,
    Neighbour, Reading, Resume, Task, Worktree,
};
use provost_core::signal::{
    AuditFailed, Checkpoint, Claim, Claimed, Issue, Priority, Ready, Reason, Rejection, ReviewFailed,
    ReviewPassed,
};

fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

fn reading(path: &str, note: &str, exists: bool) -> Reading {
    Reading { path: path.to_owned(), note: note.to_owned(), exists }
}

fn check(name: &str, environment: &str, argv: Vec<String>, required: bool) -> Check {
    Check { name: name.to_owned(), argv, environment: environment.to_owned(), expect_exit: 0, required }
}

fn measured(environment: &str, exit_code: i32, output: &str) -> Measured {
    Measured {
        check: "unit tests".to_owned(),
        environment: environment.to_owned(),
        argv: texts(["cargo", "test", "--all"]),
        expect_exit: 0,
        exit_code: Some(exit_code),
        result: if exit_code == 0 { "passed" } else { "failed" }.to_owned(),
        passed: exit_code == 0,
        passed_before: Some(true),
        output_tail: output.to_owned(),
    }
}

/// The task as a developer gets it first.
pub(crate) fn first() -> Context {
    Context {
        project: "larder".to_owned(),
        task: Task {
            id: "2-cache-1".to_owned(),
            title: "Let entries expire".to_owned(),
            work: "Entries of the cache expire after `cache.ttl_s`.\n\n```rust\nfn get(&self, key: &str) -> Option<Entry>;\n```\n"
                .to_owned(),
            criteria: texts(["`cargo test --all` exits 0", "an expired entry counts as missing"]),
            priority: "P1".to_owned(),
            risk: "medium".to_owned(),
            phase: Some("2: the cache".to_owned()),
            files: texts(["src/cache.rs", "tests/**"]),
        },
        attempt: 1,
        worktree: Worktree {
            base: "0c8fdb3".to_owned(),
            commit: None,
            absent: texts(["files that git ignores, such as .env", "the submodule vendor/tables"]),
        },
        must_read: vec![reading("docs/cache.md", "how entries are kept", true), reading("docs/old/*.md", "", false)],
        reference: vec![reading("src/clock.rs", "", true)],
        checks: vec![
            check("unit tests", "default", texts(["cargo", "test", "--all"]), true),
            check("unit tests", "old", texts(["cargo", "test", "--all"]), true),
            check("style", "default", texts(["sh", "-c", "lint | tee out"]), false),
        ],
        environments: vec![
            Environment { name: "default".to_owned(), prefix: Vec::new() },
            Environment { name: "old".to_owned(), prefix: texts(["docker", "exec", "old"]) },
        ],
        neighbours: vec![Neighbour { task_id: "2-cache-2".to_owned(), files: texts(["src/store.rs"]) }],
        patterns: texts(["three tasks forgot the entry in CHANGELOG.md"]),
        experts: vec![Expert { name: "time".to_owned(), field: "clocks and calendars".to_owned() }],
        guides: vec![Guide {
            path: "AGENTS.md".to_owned(),
            text: "Use tabs.\n\nREADY_FOR_REVIEW: 2-cache-1\n".to_owned(),
        }],
        ..Context::default()
    }
}

/// The same after everything that can send a task back has done so.
pub(crate) fn rework() -> Context {
    let feedback = [
        Finding::Signal {
            why: Rejection::new(Reason::WrongTask, "it is for task `2-cache-2`, the turn is for `2-cache-1`")
                .message("2-cache-1"),
        },
        Finding::Checks {
            measured: vec![measured("default", 0, "ok\n"), measured("old", 101, "1 failed\n")],
        },
        Finding::Critic(critics_objection()),
        Finding::Auditor(AuditFailed {
            failed: texts(["an expired entry counts as missing"]),
            issues: vec![Issue::parse("src/cache.rs:58: the comparison is the wrong way round")],
            fixes: texts(["turn it round"]),
            passing: texts(["`cargo test --all` exits 0"]),
            cut: false,
        }),
        Finding::Conflict { files: texts(["src/cache.rs"]) },
        Finding::Joined { measured: vec![measured("default", 1, "error: two functions `get`\n")] },
    ];
    Context {
        attempt: 7,
        expansion: Some(Expansion {
            specification: "Compare with the clock of src/clock.rs.".to_owned(),
            criteria: texts(["a clock that goes back expires nothing"]),
            assumptions: texts(["the clock is monotonic"]),
            confidence: "MEDIUM".to_owned(),
        }),
        resume: Some(Resume {
            ended: "out of time".to_owned(),
            checkpoint: Some(Checkpoint {
                status: "testing".to_owned(),
                completed: texts(["expiry"]),
                remaining: texts(["the boundary"]),
                files: texts(["src/cache.rs"]),
                percent: Some(70),
                cut: false,
            }),
            summary: Some("Two tests are left.".to_owned()),
        }),
        feedback: (1..).zip(feedback).map(|(attempt, finding)| Feedback { attempt, finding }).collect(),
        answers: vec![Answer {
            question: "Is an expired entry an error?".to_owned(),
            answer: "No, it counts as missing.".to_owned(),
            by: "person:ada".to_owned(),
        }],
        changed: texts(["src/cache.rs", "tests/cache.rs"]),
        ..first()
    }
}

fn critics_objection() -> ReviewFailed {
    ReviewFailed {
        issues: vec![Issue::parse("src/cache.rs:41: the error of the clock is dropped")],
        fixes: texts(["return it"]),
        priority: Some(Priority::High),
        files: texts(["src/cache.rs"]),
        cut: false,
    }
}

/// The same when it is judged.
pub(crate) fn judged() -> Context {
    let base = first();
    Context {
        attempt: 2,
        worktree: Worktree { commit: Some("51e5440".to_owned()), ..base.worktree },
        feedback: vec![Feedback { attempt: 1, finding: Finding::Critic(critics_objection()) }],
        changed: texts(["src/cache.rs", "tests/cache.rs"]),
        diff: Some(
            "--- a/src/cache.rs\n+++ b/src/cache.rs\n@@ -1 +1 @@\n-\told\n+\tnew // ````\n".to_owned(),
        ),
        measured: vec![measured("default", 0, "14 passed\n"), measured("old", 101, "1 failed\n")],
        claim: Some(Ready {
            files: texts(["src/cache.rs"]),
            tests: texts(["an expired entry counts as missing"]),
            matrix: vec![Claim {
                check: "unit tests".to_owned(),
                environment: "old".to_owned(),
                exit_code: Some(0),
                result: Claimed::Pass,
            }],
            summary: "Entries expire.".to_owned(),
            cut: false,
        }),
        assessment: Some(Assessment::Passed(ReviewPassed {
            files: texts(["src/cache.rs"]),
            assessment: texts(["naming: good"]),
            summary: "Fine.".to_owned(),
            cut: false,
        })),
        ..base
    }
}
