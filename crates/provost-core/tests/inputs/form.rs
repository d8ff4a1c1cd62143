//! The form of an intent: closed at every level, and every bound at its edge.

use provost_core::document::{self, Limits};
use provost_core::finding::{Consequence, worst};
use provost_core::intent;
use serde_json::{Value, json};

use crate::sample::{CONSTRAINT, change, changed, codes, examine, intent};

#[test]
fn a_whole_intent_has_nothing_wrong() {
    let examined = examine(&intent());
    assert_eq!(examined.findings, []);
    let typed = examined.intent.unwrap();
    assert_eq!((typed.id.as_str(), typed.planned_commands.len()), ("intent_harbour_lights", 2));
    // Typed and back it is the same, so that no key is lost on the way.
    let mut again = serde_json::to_value(&typed).unwrap();
    change(&mut again, "/audit/checksum", Some(json!("")));
    assert_eq!(again, intent());
}

#[test]
fn only_the_description_and_a_reason_may_be_left_out() {
    let pointers = [
        "/lineage",
        "/scope",
        "/scope/targets",
        "/objective",
        "/selected_workflows/0",
        "/selected_agents/0",
        "/planned_commands/0",
        "/interaction",
        "/risk",
        "/budgets",
        "/constraints",
        "/constraints/lock_scope",
        "/audit",
    ];
    for pointer in std::iter::once("").chain(pointers) {
        let keys: Vec<String> =
            intent().pointer(pointer).unwrap().as_object().unwrap().keys().cloned().collect();
        for key in keys.iter().filter(|key| !["id", "checksum"].contains(&key.as_str())) {
            let without = changed(&format!("{pointer}/{key}"), None);
            let examined = examine(&without);
            let may = key == "description" || key == "reason";
            assert_eq!(examined.intent.is_some(), may, "{pointer}/{key}");
            assert_eq!(worst(&examined.findings) > Consequence::Noted, !may, "{pointer}/{key}");
        }
        let with = changed(&format!("{pointer}/surplus"), Some(json!("x")));
        assert_eq!(codes(&with), ["intent::schema"], "{pointer}");
        assert_eq!(worst(&examine(&with).findings), CONSTRAINT);
    }
}

fn letters(count: usize) -> Value {
    json!("é".repeat(count))
}

fn many(value: &Value, count: usize) -> Value {
    json!(vec![value; count])
}

/// A pointer, the fewest and the most, and what makes a value of that size.
type Bound = (&'static str, usize, usize, fn(usize) -> Value);

const BOUNDS: &[Bound] = &[
    ("/title", 5, 160, letters),
    ("/description", 0, 4000, letters),
    ("/id", 6, 64, |n| json!(format!("intent_{}", "a".repeat(n)))),
    ("/lineage/derived_from", 0, 16, |n| many(&json!("intent_aaaaaa"), n)),
    ("/lineage/supersedes", 0, 16, |n| many(&json!("intent_aaaaaa"), n)),
    ("/scope/project_id", 1, 128, letters),
    ("/scope/repo_root", 1, 512, letters),
    ("/scope/targets/files", 0, 200, |n| many(&json!("a"), n)),
    ("/scope/targets/files/0", 1, 512, letters),
    ("/scope/targets/modules", 0, 100, |n| many(&json!("a"), n)),
    ("/scope/targets/modules/0", 1, 128, letters),
    ("/scope/targets/areas", 0, 8, |n| many(&json!("data"), n)),
    ("/objective/goal", 5, 2000, letters),
    ("/objective/success_criteria", 1, 20, |n| many(&json!("abc"), n)),
    ("/objective/success_criteria/0", 3, 300, letters),
    ("/objective/non_goals", 0, 20, |n| many(&json!("abc"), n)),
    ("/objective/non_goals/0", 3, 300, letters),
    ("/selected_workflows", 1, 18, |n| many(&intent()["selected_workflows"][0], n)),
    ("/selected_workflows/0/workflow_id", 3, 81, |n| json!("a".repeat(n))),
    ("/selected_workflows/0/phases", 1, 12, |n| many(&json!("setup"), n)),
    ("/selected_workflows/0/reason", 3, 800, letters),
    ("/selected_agents", 1, 13, |n| many(&intent()["selected_agents"][0], n)),
    ("/selected_agents/0/agent_id", 3, 81, |n| json!("a".repeat(n))),
    ("/selected_agents/0/role", 2, 80, letters),
    ("/selected_agents/0/responsibilities", 1, 12, |n| many(&json!("abc"), n)),
    ("/selected_agents/0/responsibilities/0", 3, 200, letters),
    ("/planned_commands", 0, 80, |n| many(&intent()["planned_commands"][0], n)),
    ("/planned_commands/0/command_id", 3, 121, |n| json!("a".repeat(n))),
    ("/planned_commands/0/intent", 3, 800, letters),
    ("/planned_commands/0/effects", 1, 6, |n| many(&json!("network"), n)),
    ("/planned_commands/0/evidence_refs", 1, 30, |n| many(&json!("abc"), n)),
    ("/planned_commands/0/evidence_refs/0", 3, 256, letters),
    ("/interaction/question_budget", 0, 50, |n| json!(n)),
    ("/risk/drivers", 1, 20, |n| many(&json!("abc"), n)),
    ("/risk/drivers/0", 3, 200, letters),
    ("/risk/requires_review", 1, 6, |n| many(&json!("cost"), n)),
    ("/budgets/max_files", 0, 500, |n| json!(n)),
    ("/budgets/max_commits", 0, 50, |n| json!(n)),
    ("/budgets/max_tokens", 0, 2_000_000, |n| json!(n)),
    ("/budgets/max_cost_usd", 0, 10_000, |n| json!(n)),
    ("/evidence_refs", 1, 200, |n| many(&json!("abc"), n)),
    ("/evidence_refs/0", 3, 256, letters),
    ("/constraints/lock_scope/paths", 0, 200, |n| many(&json!("a"), n)),
    ("/constraints/lock_scope/paths/0", 1, 512, letters),
    ("/audit/created_by", 1, 128, letters),
];

#[test]
fn every_bound_holds_at_its_edge() {
    for (pointer, least, most, value) in BOUNDS {
        for inside in [*least, *most] {
            let edge = changed(pointer, Some(value(inside)));
            assert_eq!(codes(&edge), Vec::<&str>::new(), "{pointer} of {inside}");
        }
        let beyond = [least.checked_sub(1), Some(most + 1)];
        for outside in beyond.into_iter().flatten() {
            let examined = examine(&changed(pointer, Some(value(outside))));
            assert_eq!(worst(&examined.findings), CONSTRAINT, "{pointer} of {outside}");
        }
    }
    for (pointer, below) in [("/budgets/max_cost_usd", json!(-0.01)), ("/budgets/max_files", json!(1.5))] {
        assert_eq!(codes(&changed(pointer, Some(below))), ["intent::schema"]);
    }
}

#[test]
fn words_and_ids_are_those_of_the_schema() {
    for (pointer, wrong) in [
        ("/type", "intent"),
        ("/version", "1.0"),
        ("/version", "01.0.0"),
        ("/version", "1.0.0-rc.1"),
        ("/status", "ready"),
        ("/created_at", "yesterday"),
        ("/created_at", "2026-02-30T00:00:00Z"),
        ("/id", "intent_../../etc"),
        ("/id", "intent_abc-def"),
        ("/id", "intent_abcdef\n"),
        ("/id", "intent_abc\u{202e}fed"),
        ("/id", "Intent_abcdef"),
        ("/selected_workflows/0/workflow_id", "../rules"),
        ("/selected_workflows/0/workflow_id", "small-change"),
        ("/selected_workflows/0/phases/0", "code_creation"),
        ("/selected_agents/0/agent_id", "lamp\u{200b}engineer"),
        ("/planned_commands/0/command_id", "cmd_read\n"),
        ("/planned_commands/0/effects/0", "delete"),
        ("/planned_commands/0/effects/0", "configure"),
        ("/planned_commands/0/risk_level", "LOW"),
        ("/interaction/question_policy", "all"),
        ("/risk/requires_review/0", "operations"),
        ("/constraints/lock_scope/mode", "all"),
        ("/audit/source", "robot"),
    ] {
        let examined = examine(&changed(pointer, Some(json!(wrong))));
        assert_eq!(worst(&examined.findings), CONSTRAINT, "{pointer} {wrong:?}");
        assert!(examined.intent.is_none(), "{pointer} {wrong:?}");
    }
    for checksum in ["", "abc", &"A".repeat(64), &"0".repeat(63)] {
        let document = crate::sample::document(&changed("/audit/checksum", Some(json!(checksum))));
        let examined = intent::read(&document).unwrap();
        let codes: Vec<_> = examined.findings.iter().map(|finding| finding.diagnostic.code.name()).collect();
        assert_eq!(codes, ["intent::schema"], "{checksum}");
    }
}

#[test]
fn paths_stay_in_the_repository() {
    for path in ["../x", "a/../../x", "/etc/passwd", "~/x", "a\\b", ".git/config", "a\nb", "a\u{202e}b", "."]
    {
        for pointer in ["/scope/targets/files/0", "/constraints/lock_scope/paths/1"] {
            assert_eq!(codes(&changed(pointer, Some(json!(path)))), ["intent::path"], "{path:?}");
        }
    }
}

#[test]
fn what_is_no_intent_has_no_run() {
    for text in
        ["[]", "null", "\"intent\"", "{}", r#"{"id": 7}"#, r#"{"id": ""}"#, r#"{"Id": "intent_abcdef"}"#]
    {
        let document = document::read("x.json", text.as_bytes(), &Limits::default()).unwrap();
        let refused = intent::read(&document).unwrap_err();
        assert_eq!(
            (refused.code.name(), refused.code.exit().number()),
            ("intent::not_an_intent", 2),
            "{text}"
        );
    }
    // Whatever has an id has a run, which ends with all that is wrong.
    let examined = examine(&json!({ "id": "x" }));
    assert_eq!((examined.id.as_str(), examined.intent), ("x", None));
    assert!(examined.findings.len() >= 18);
}

#[test]
fn keys_that_stand_twice_are_refused_by_the_reader() {
    let text = r#"{"id": "intent_aaaaaa", "risk": {"overall": "low", "overall": "high"}}"#;
    let refused = document::read("x.json", text.as_bytes(), &Limits::default()).unwrap_err();
    assert_eq!(refused.defects[0].code.name(), "document::duplicate_key");
}

#[test]
fn a_hostile_list_does_not_make_a_hostile_report() {
    let mut huge = intent();
    change(&mut huge, "/planned_commands", Some(json!(vec![json!({}); 20_000])));
    let examined = examine(&huge);
    assert!(examined.findings.len() <= 300, "{}", examined.findings.len());
    assert!(examined.omitted > 19_000);
}
