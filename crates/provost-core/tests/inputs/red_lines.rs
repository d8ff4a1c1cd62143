//! Red lines and what depends on two fields: found wherever they are crossed, together, with their places.

use provost_core::finding::{Consequence, FailureType, RedLine, worst};
use serde_json::{Value, json};

use crate::sample::{CONSTRAINT, change, changed, codes, examine, intent};

const POLICY: Consequence = Consequence::Blocked(FailureType::PolicyViolation);

fn crossed(value: &Value) -> Vec<(RedLine, Consequence)> {
    let findings = examine(value).findings;
    findings.iter().filter_map(|finding| Some((finding.red_line?, finding.consequence))).collect()
}

#[test]
fn nothing_to_be_run_at_any_level() {
    let levels = [
        "",
        "/lineage",
        "/scope",
        "/scope/targets",
        "/objective",
        "/selected_workflows/0",
        "/selected_agents/0",
        "/planned_commands/1",
        "/interaction",
        "/risk",
        "/budgets",
        "/constraints",
        "/constraints/lock_scope",
        "/audit",
    ];
    let keys = [
        "execute",
        "exec",
        "eval",
        "run",
        "shell",
        "bash",
        "python",
        "powershell",
        "subprocess",
        "command_line",
        "script",
        "os_system",
        "Execute",
        "SHELL",
        "command-line",
        "s-h_e-l_l",
        "ex\u{200b}ec",
        "\u{ff52}\u{ff55}\u{ff4e}",
    ];
    for level in levels {
        for key in keys {
            let hidden = changed(&format!("{level}/{key}"), Some(json!("x")));
            assert_eq!(codes(&hidden), ["intent::red_line_i1"], "{level}/{key}");
            assert_eq!(crossed(&hidden), [(RedLine::I1, Consequence::Aborted)], "{level}/{key}");
        }
    }
    // Inside of what nobody knows it is found too, and both are said.
    let deep = changed("/risk/extra", Some(json!([{ "a": { "Shell": 1 } }])));
    assert_eq!(codes(&deep), ["intent::schema", "intent::red_line_i1"]);
    for harmless in ["runner", "description", "prerun", "scripts", "pythonic"] {
        let known = changed(&format!("/{harmless}"), Some(json!("x")));
        assert!(!codes(&known).contains(&"intent::red_line_i1"), "{harmless}");
    }
}

#[test]
fn values_that_call_an_interpreter_are_found_outside_of_prose() {
    for call in [
        "bash -c ls",
        "python -c 'x'",
        "powershell -Command x",
        "os.system(x)",
        "exec(x)",
        "eval(x)",
        "subprocess",
    ] {
        for pointer in
            ["/scope/repo_root", "/scope/targets/modules/0", "/evidence_refs/0", "/audit/created_by"]
        {
            let found = crossed(&changed(pointer, Some(json!(call))));
            assert_eq!(found, [(RedLine::I1, Consequence::Aborted)], "{pointer} {call}");
        }
        for pointer in [
            "/title",
            "/description",
            "/objective/goal",
            "/objective/success_criteria/0",
            "/objective/non_goals/0",
            "/selected_workflows/0/reason",
            "/selected_agents/0/role",
            "/selected_agents/0/responsibilities/0",
            "/planned_commands/0/intent",
            "/risk/drivers/0",
        ] {
            assert_eq!(codes(&changed(pointer, Some(json!(call)))), Vec::<&str>::new(), "{pointer} {call}");
        }
    }
    // Ids are words of the registry, not calls.
    let named = changed("/planned_commands/0/command_id", Some(json!("run_subprocess_report")));
    assert_eq!(codes(&named), Vec::<&str>::new());
}

#[test]
fn execution_is_forbidden_aloud() {
    for said in [json!("allowed"), json!("Forbidden"), json!(true), json!(null)] {
        let said = changed("/constraints/execution", Some(said));
        assert_eq!(codes(&said), ["intent::red_line_i1"]);
        assert_eq!(worst(&examine(&said).findings), Consequence::Aborted);
    }
}

#[test]
fn who_asks_nobody_has_no_questions_and_little_at_stake() {
    let full_auto = |budget: Value, policy: &str, risk: &str| {
        let mut value = intent();
        change(&mut value, "/interaction/mode", Some(json!("full_auto")));
        change(&mut value, "/interaction/question_budget", Some(budget));
        change(&mut value, "/interaction/question_policy", Some(json!(policy)));
        change(&mut value, "/risk/overall", Some(json!(risk)));
        crossed(&value)
    };
    let (two, three) = ((RedLine::I2, POLICY), (RedLine::I3, POLICY));
    assert_eq!(full_auto(json!(0), "never", "low"), []);
    assert_eq!(full_auto(json!(0.0), "never", "medium"), []);
    assert_eq!(full_auto(json!(1), "never", "low"), [two]);
    assert_eq!(full_auto(json!("0"), "never", "low"), [two]);
    assert_eq!(full_auto(json!(0), "blockers_only", "low"), [two]);
    assert_eq!(full_auto(json!(0), "never", "high"), [three]);
    assert_eq!(full_auto(json!(0), "never", "critical"), [three]);
    assert_eq!(full_auto(json!(9), "conceptual_only", "high").len(), 3);
    for mode in ["semi_auto", "interactive"] {
        let mut value = changed("/interaction/mode", Some(json!(mode)));
        change(&mut value, "/risk/overall", Some(json!("critical")));
        assert_eq!(crossed(&value), []);
    }
}

#[test]
fn every_command_rests_on_something() {
    for refs in [Some(json!([])), Some(json!("scan://file/a")), Some(json!(null)), None] {
        let without = changed("/planned_commands/1/evidence_refs", refs.clone());
        assert_eq!(crossed(&without), [(RedLine::I4, CONSTRAINT)], "{refs:?}");
    }
}

#[test]
fn nothing_made_up_is_said_aloud() {
    for flag in ["no_fabrication", "registry_only"] {
        for said in [Some(json!(false)), Some(json!("true")), Some(json!(1)), None] {
            let value = changed(&format!("/constraints/{flag}"), said.clone());
            assert_eq!(crossed(&value), [(RedLine::I5, CONSTRAINT)], "{flag} {said:?}");
            assert_eq!(codes(&value).len(), if said.is_some() { 1 } else { 2 }, "{flag} {said:?}");
        }
    }
}

#[test]
fn what_changes_something_is_looked_at() {
    let mut value = changed("/risk/requires_review", Some(json!([])));
    assert_eq!(codes(&value), ["intent::review_missing"]);
    change(&mut value, "/planned_commands/1/effects", Some(json!(["read", "deploy"])));
    assert_eq!(codes(&value), ["intent::review_missing"]);
    change(&mut value, "/planned_commands/1/effects", Some(json!(["read", "network", "data", "security"])));
    assert_eq!(codes(&value), Vec::<&str>::new());
}

#[test]
fn rejected_and_superseded_are_not_planned_and_a_draft_is() {
    for (status, code, becomes) in [
        ("rejected", "intent::status", CONSTRAINT),
        ("superseded", "intent::status", CONSTRAINT),
        ("draft", "intent::draft", Consequence::Noted),
    ] {
        let examined = examine(&changed("/status", Some(json!(status))));
        assert_eq!(examined.findings.len(), 1);
        assert_eq!(examined.findings[0].diagnostic.code.name(), code);
        assert_eq!(worst(&examined.findings), becomes);
        assert!(examined.intent.is_some());
    }
    assert_eq!(codes(&changed("/status", Some(json!("proposed")))), Vec::<&str>::new());
}

#[test]
fn everything_that_is_wrong_is_said_at_once() {
    let mut value = intent();
    for (pointer, wrong) in [
        ("/title", json!("Dim")),
        ("/status", json!("rejected")),
        ("/scope/targets/files/0", json!("../lights")),
        ("/planned_commands/0/evidence_refs", json!([])),
        ("/planned_commands/1/Execute", json!("rm")),
        ("/planned_commands/1/effects/0", json!("wirte")),
        ("/interaction", json!({ "mode": "full_auto", "question_budget": 2, "question_policy": "never" })),
        ("/risk/overall", json!("high")),
        ("/evidence_refs/0", json!("scan://file/../../secret")),
        ("/constraints/registry_only", json!(false)),
        ("/audit/checksum", json!("0".repeat(64))),
    ] {
        change(&mut value, pointer, Some(wrong));
    }
    let examined = provost_core::intent::read(&crate::sample::document(&value)).unwrap();
    assert_eq!(worst(&examined.findings), Consequence::Aborted);
    let said: Vec<String> = examined.findings.iter().map(|finding| finding.diagnostic.to_string()).collect();
    insta::assert_snapshot!(said.join("\n"), @"
    intent.json:3:17: audit.checksum is not the digest of this intent in any profile [intent::checksum]
    intent.json:23:22: constraints.registry_only is not true [intent::red_line_i5]
    intent.json:28:5: the reference `scan://file/../../secret` leads out of the repository [intent::reference]
    intent.json:32:13: the mode is full_auto and risk.overall is high [intent::red_line_i3]
    intent.json:33:24: the mode is full_auto and interaction.question_budget is not 0 [intent::red_line_i2]
    intent.json:58:24: planned_commands[0] names no evidence [intent::red_line_i4]
    intent.json:63:7: the key `Execute` is one that nothing to be planned may have [intent::red_line_i1]
    intent.json:66:9: planned_commands[1].effects[0] is `wirte`, which is none of read, write, network, deploy, security, data [intent::schema]
    intent.json:94:9: the path `../lights` leads out of its folder [intent::path]
    intent.json:122:13: the intent is rejected [intent::status]
    intent.json:123:12: title has 3 characters, and 5 to 160 are accepted [intent::schema]
    ");
}
