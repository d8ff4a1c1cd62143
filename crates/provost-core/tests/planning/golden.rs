//! Whole plans that were looked at once and may not change by a byte unless the planner's version does: each version has a
//! folder of its own.
//!
//! `PROVOST_BLESS=1 cargo test` writes what is not there and never something else over what is. A change here is a change
//! of every plan that anybody has frozen, so it comes with another version.

use std::path::Path;

use provost_core::document::{self, Limits};
use provost_core::planning::shelf::Strict;
use provost_core::planning::{PLANNER_VERSION, Phase, Round, Run, plan};
use provost_core::schema;
use serde_json::json;

use crate::kit::{Case, Ticking, answers};

fn golden(name: &str, phase: Phase, run: &Run) {
    assert_eq!(run.state, phase, "{:?}", run.failure);
    for listed in &run.manifest.artifacts {
        let schema = schema::named(&listed.kind).unwrap_or_else(|| panic!("{} has no schema", listed.kind));
        assert_eq!(schema.version, listed.schema_version, "{}", listed.file);
        let bytes = run.file(&listed.file).unwrap();
        // The audit is a document a line.
        let lines = listed.file == "audit.jsonl";
        for part in bytes.split(|byte| lines && *byte == b'\n').filter(|part| !part.is_empty()) {
            let document = document::read(&listed.file, part, &Limits::default()).unwrap();
            // What somebody handed in is kept as it was, however broken.
            assert!(schema.check(&document).is_ok() || listed.file == "intent.json", "{}", listed.file);
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/planning/golden").join(PLANNER_VERSION);
    let path = folder.join(format!("{name}.bundle"));
    let bytes = run.bundle();
    if std::env::var_os("PROVOST_BLESS").is_some() && !path.exists() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&path, &bytes).unwrap();
    }
    let kept = std::fs::read(&path).unwrap_or_default();
    assert!(
        kept == bytes,
        "{name} is no longer planned as it was: raise PLANNER_VERSION, write the plans of that version with \
         PROVOST_BLESS=1, and compare them with those before"
    );
}

#[test]
fn little_at_stake() {
    golden("low_risk", Phase::Done, &Case::low().plan());
}

#[test]
fn much_at_stake_asked_and_answered() {
    let case = Case::high();
    let asked = case.plan();
    golden("high_risk_asked", Phase::AwaitingAnswers, &asked);
    let mut inputs = case.inputs();
    inputs
        .rounds
        .push(Round::Answers(answers(&asked.questions.unwrap(), &[("q_0001", "Drop the new table")])));
    golden("high_risk_answered", Phase::Done, &plan(&inputs, &mut Ticking(1_000), &Strict).unwrap());
}

#[test]
fn nothing_asked() {
    golden("full_auto", Phase::Done, &Case::full_auto().plan());
}

#[test]
fn blocked() {
    let case = Case::low().with(|case| case.intent["budgets"]["max_files"] = json!(0));
    golden("blocked", Phase::Blocked, &case.plan());
}

#[test]
fn aborted() {
    golden("aborted", Phase::Aborted, &Case::low().with(|case| case.intent["script"] = json!("x")).plan());
}

#[test]
fn there_are_plans_of_this_version_alone() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/planning/golden");
    let names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names, [PLANNER_VERSION]);
}
