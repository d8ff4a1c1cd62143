//! What is written is read again, whatever it says and in either encoding; and nothing that is read ends in a panic.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use provost_core::role::Role;
use provost_core::signal::{
    self, AuditBlocked, AuditFailed, AuditPassed, Category, Checkpoint, Claim, Claimed, Expected, Incomplete,
    InfraBlocked, Issue, Outcome, Priority, Proof, Question, Ready, ReviewFailed, ReviewPassed, Signal,
};
use strum::VariantArray as _;

use crate::heard;

/// Pieces that the reader pays attention to.
const PIECES: &[&str] = &[
    "REVIEW_PASSED: t-1",
    "REVIEW_FAILED: t-1",
    "CHECKPOINT: t-1",
    "READY_FOR_REVIEW: t-1",
    "Summary: a",
    "Issues Found:",
    "Required Fixes",
    "- ",
    "* ",
    "1. ",
    "```",
    "~~~",
    "```provost",
    "    ",
    "\n",
    "\n",
    "\n\n",
    "\t",
    "|",
    "a.rs:1: b",
    ": ",
    "**",
    "#",
    "{\"signal\":\"REVIEW_PASSED\",\"task\":\"t-1\"}",
    "{",
    "\"signal\"",
    "\u{1b}[0m",
    "\r",
    "\0",
    "é",
    "…",
    "none",
    "word",
    " ",
    "VERIFIED",
    "[provost: output cut",
];

fn noise() -> impl Strategy<Value = String> {
    let piece =
        prop_oneof![3 => proptest::sample::select(PIECES).prop_map(str::to_owned), 1 => any::<String>()];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Text as a signal keeps it: without control characters and blanks at the ends of lines and around it.
fn text() -> impl Strategy<Value = String> {
    vec(prop_oneof![3 => proptest::sample::select(PIECES).prop_map(str::to_owned), 1 => "\\PC{0,6}"], 0..12)
        .prop_map(|pieces| {
            let all = pieces.concat();
            let lines = all.split('\n').map(|line| {
                let kept: String = line.chars().filter(|it| *it == '\t' || !it.is_control()).collect();
                kept.trim_end().to_owned()
            });
            lines.collect::<Vec<_>>().join("\n").trim().to_owned()
        })
}

fn line() -> impl Strategy<Value = String> {
    text().prop_map(|text| text.split('\n').next().unwrap_or_default().trim().to_owned())
}

fn some(strategy: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    strategy.prop_map(|text| if text.is_empty() { "something".to_owned() } else { text })
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    vec(some(text()), 0..4)
}

fn paths() -> impl Strategy<Value = Vec<String>> {
    vec("[a-z/ ,|-]{0,8}[a-z]".prop_map(|path| path.trim().to_owned()), 0..4)
}

fn issues() -> impl Strategy<Value = Vec<Issue>> {
    let placed = ("[a-z/]{1,8}", any::<u32>(), some(text()));
    let placed = placed.prop_map(|(file, line, text)| Issue { file: Some(file), line: Some(line), text });
    vec(prop_oneof![placed, some(text()).prop_map(|text| Issue::parse(&text))], 0..4)
}

fn proofs() -> impl Strategy<Value = Vec<Proof>> {
    let words = || "[a-z`0-9]{1,8}( [a-z]{1,8}){0,3}";
    vec((words(), prop_oneof![Just(String::new()), words()]), 0..4).prop_map(|pairs| {
        pairs.into_iter().map(|(criterion, evidence)| Proof { criterion, evidence }).collect()
    })
}

fn claims() -> impl Strategy<Value = Vec<Claim>> {
    let result = prop_oneof![Just(Claimed::Pass), Just(Claimed::Fail), Just(Claimed::Unclear)];
    let claim = ("[a-z|]{1,4}( [a-z]{1,4}){0,2}", "[a-z]{0,4}", option::of(any::<i32>()), result);
    let claim = claim.prop_map(|(check, environment, exit_code, result)| Claim {
        check,
        environment,
        exit_code,
        result,
    });
    vec(claim, 0..4)
}

fn developers() -> impl Strategy<Value = Signal> {
    let category = prop_oneof![
        Just(Category::MissingInfo),
        Just(Category::BlockedByDependency),
        Just(Category::Infrastructure),
        Just(Category::OutOfScope),
    ];
    prop_oneof![
        (paths(), texts(), claims(), text()).prop_map(|(files, tests, matrix, summary)| {
            Signal::ReadyForReview(Ready { files, tests, matrix, summary, cut: false })
        }),
        (category, "[a-z]{1,5}", some(text()), texts(), text()).prop_map(
            |(category, task, blocker, attempted, needed)| {
                let blocker_task = (category == Category::BlockedByDependency).then_some(task);
                Signal::TaskIncomplete(Incomplete {
                    category,
                    blocker_task,
                    blocker,
                    attempted,
                    needed,
                    cut: false,
                })
            }
        ),
        (some(text()), line(), text(), line()).prop_map(|(issue, command, output, environment)| {
            Signal::InfraBlocked(InfraBlocked { issue, command, output, environment, cut: false })
        }),
    ]
}

fn verdicts() -> impl Strategy<Value = Signal> {
    let priority = option::of(prop_oneof![Just(Priority::High), Just(Priority::Medium), Just(Priority::Low)]);
    prop_oneof![
        (paths(), texts(), text()).prop_map(|(files, assessment, summary)| {
            Signal::ReviewPassed(ReviewPassed { files, assessment, summary, cut: false })
        }),
        (issues(), vec(some(text()), 1..4), priority, paths()).prop_map(
            |(issues, fixes, priority, files)| {
                Signal::ReviewFailed(ReviewFailed { issues, fixes, priority, files, cut: false })
            }
        ),
        (proofs(), claims(), text()).prop_map(|(criteria, matrix, summary)| {
            Signal::AuditPassed(AuditPassed { criteria, matrix, summary, cut: false })
        }),
        (vec(some(text()), 1..4), issues(), texts(), texts()).prop_map(|(failed, issues, fixes, passing)| {
            Signal::AuditFailed(AuditFailed { failed, issues, fixes, passing, cut: false })
        }),
        (vec(some(text()), 1..4), text()).prop_map(|(failures, summary)| {
            Signal::AuditBlocked(AuditBlocked { failures, summary, cut: false })
        }),
    ]
}

fn signals() -> impl Strategy<Value = Signal> {
    let question = (some(text()), text(), texts(), texts(), text());
    let checkpoint = (line(), texts(), texts(), paths(), option::of(0..=100_u8));
    prop_oneof![
        3 => developers(),
        5 => verdicts(),
        1 => question.prop_map(|(question, context, options, attempts, would_help)| {
            Signal::SeekingDivineClarification(Question { question, context, options, attempts, would_help, cut: false })
        }),
        1 => checkpoint.prop_map(|(status, completed, remaining, files, percent)| {
            Signal::Checkpoint(Checkpoint { status, completed, remaining, files, percent, cut: false })
        }),
    ]
}

/// The one thing that an output says.
fn only(role: Role, output: &str) -> Option<Signal> {
    let heard = heard(role, output);
    match heard.outcome {
        Outcome::Signal(signal) if heard.checkpoints.is_empty() => Some(signal),
        Outcome::Silent => heard.checkpoints.into_iter().next().map(Signal::Checkpoint),
        _ => None,
    }
}

proptest! {
    #[test]
    fn nothing_that_is_read_ends_in_a_panic(output in noise(), clipped: bool) {
        for role in Role::VARIANTS {
            let _ = signal::read(&Expected { role: *role, task_id: "t-1" }, &output, clipped);
        }
    }

    #[test]
    fn both_encodings_say_the_same(signal in signals()) {
        let role = Role::VARIANTS.iter().copied().find(|role| signal.name().may_be_sent_by(*role)).unwrap();
        let text = signal::to_text(&signal, "t-1");
        prop_assert_eq!(only(role, &text), Some(signal.clone()), "{}", text);
        let json = signal::to_json(&signal, "t-1");
        prop_assert_eq!(only(role, &json), Some(signal.clone()), "{}", json);
        let block = format!("prose\n\n```provost\n{json}\n```\n");
        prop_assert_eq!(only(role, &block), Some(signal.clone()), "{}", block);
    }

    #[test]
    fn the_record_gives_back_what_was_kept(signal in signals()) {
        let kept = serde_json::to_string(&signal).unwrap();
        prop_assert_eq!(serde_json::from_str::<Signal>(&kept).unwrap(), signal);
    }
}
