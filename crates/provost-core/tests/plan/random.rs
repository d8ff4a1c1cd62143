//! Plans that nobody wrote: no text makes the reader panic, and what it accepts survives every way through it.

use proptest::collection::vec;
use proptest::prelude::*;
use provost_core::plan::{self, Plan};

use crate::{digest, render};

/// Lines that a plan is made of, right and wrong ones.
const LINES: &[&str] = &[
    "# T",
    "# T",
    "## x",
    "### Phase 1: p",
    "### Phase 2: q",
    "### Phase",
    "#### Task a: t",
    "#### Task b: t",
    "#### Task c:",
    "##### x",
    "---",
    "",
    "  ",
    "**Work**: w",
    "**Work**",
    "**work:** ```",
    "**Acceptance Criteria**:",
    "- [ ] `x` exits 0",
    "- `a \"b\" c` exits 3 and more",
    "* it is clean",
    "  more",
    "**Blocked By**: a",
    "**Blocked By**: none",
    "**Files**: x, `y/*`",
    "**Required Reading**",
    "- `x` (y)",
    "- a b (c)",
    "- `x  y`  z  `",
    "**Verify**:",
    "- n (e): `m 'n  o'` exits 1",
    "- `m`",
    "**Priority**: P0",
    "**Risk**: low",
    "**Mode**: yes",
    "**Environment**: e",
    "**Other**: x",
    "```",
    "~~~~ x",
    "<!-- c",
    "-->",
    "<!-- d -->",
    "\tx",
    "é\u{a0}",
    "`",
    "``",
    "\u{feff}",
];

fn plan_like() -> impl Strategy<Value = String> {
    let line = prop_oneof![9 => proptest::sample::select(LINES).prop_map(str::to_owned), 1 => ".{0,20}"];
    vec(line, 0..40).prop_map(|lines| lines.join("\n"))
}

/// Tasks that are all right, with everything that a task can have.
fn right() -> impl Strategy<Value = String> {
    let text = "[a-zA-Zé`0-9][a-zA-Zé 0-9()]{0,12}";
    let task =
        (text, vec("[a-z]{1,5}", 0..3), vec(0_usize..20, 0..3), vec("[a-z]{1,3}(/[a-z*]{1,3}){0,2}", 0..3))
            .prop_flat_map(|it| {
                (Just(it), any::<bool>(), 0_usize..4, vec(("[a-z ]{0,6}", "[a-z]{1,4}", 0..256_i32), 0..3))
            });
    vec(task, 1..20).prop_map(|tasks| {
        let tasks: Vec<serde_json::Value> = tasks
            .into_iter()
            .enumerate()
            .map(|(at, ((text, criteria, blockers, files), propose, choice, checks))| {
                let blockers: Vec<_> = blockers.iter().filter(|it| **it < at).map(|it| format!("t-{it}")).collect();
                let criteria: Vec<_> = criteria.iter().map(|it| format!("`{it}` exits 0")).collect();
                let checks: Vec<_> = checks.into_iter().map(|(name, word, exit)| serde_json::json!({
                    "name": format!("{name}{exit}{word}"), "argv": [word, "a b", "it's"], "expect_exit": exit,
                    "environment": propose.then_some("ci"),
                })).collect();
                let priority = ["P0", "P1", "P2", "P3"][choice];
                let risk = ["low", "medium", "high", "critical"][choice];
                serde_json::json!({
                    "id": format!("t-{at}"), "title": format!("x {text}"), "phase": (at >= 5).then_some(at / 5),
                    "work": format!("{text}\n\n```\n# {text}\n  \n```"), "criteria": criteria, "blocked_by": blockers,
                    "files": files, "propose": propose, "priority": priority,
                    "risk": risk, "verify": checks,
                    "reading": [{ "pattern": format!("docs/{at}"), "note": propose.then_some("why") }],
                    "environment": propose.then_some("staging"),
                })
            })
            .collect();
        let phases: Vec<_> = (1..=3).map(|number| serde_json::json!({ "number": number, "name": "n" })).collect();
        serde_json::json!({ "title": "T", "overview": "o\n\np", "phases": phases, "tasks": tasks }).to_string()
    })
}

/// What was accepted gives the same plan after freezing, through both readers.
fn survives(plan: &Plan) -> Result<(), TestCaseError> {
    let frozen = plan.canonical().unwrap();
    prop_assert_eq!(&Plan::from_canonical(&frozen).unwrap(), plan);
    let again = plan::read("frozen.json", &frozen);
    let again = again.map_err(|refused| TestCaseError::fail(format!("{refused}: {plan:#?}")))?;
    prop_assert_eq!(&again.plan, plan);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in vec(any::<u8>(), 0..200), text in "\\PC{0,200}") {
        let _ = plan::read("plan.md", &bytes);
        let _ = plan::read("plan.json", &bytes);
        let _ = plan::read("plan.md", text.as_bytes());
    }

    #[test]
    fn what_is_like_a_plan_is_read_or_refused_with_places(text in plan_like()) {
        match plan::read("plan.md", text.as_bytes()) {
            Ok(read) => survives(&read.plan)?,
            Err(refused) => {
                prop_assert!(!refused.defects.is_empty());
                prop_assert!(refused.defects.iter().all(|defect| defect.place.is_some()));
            }
        }
    }

    #[test]
    fn what_follows_a_right_task_survives_if_accepted(text in plan_like()) {
        let text = format!("# T\n#### Task z: t\nw\n{text}\n");
        if let Ok(read) = plan::read("plan.md", text.as_bytes()) {
            survives(&read.plan)?;
        }
    }

    #[test]
    fn a_right_plan_is_the_same_in_both_forms(json in right()) {
        let read = plan::read("plan.json", json.as_bytes());
        let plan = read.map_err(|refused| TestCaseError::fail(refused.to_string()))?.plan;
        survives(&plan)?;
        let text = render::markdown(&plan);
        let again = plan::read("plan.md", text.as_bytes());
        let again = again.map_err(|refused| TestCaseError::fail(format!("{refused}:\n{text}")))?;
        prop_assert_eq!(digest(&again.plan), digest(&plan), "{}", text);
    }
}
