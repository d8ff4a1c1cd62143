//! Whatever may be handed in can be planned or refused: nothing that is within its own bounds makes a document of ours
//! break one, which would be a defect of Provost and not of whoever wrote it.

use provost_core::planning::shelf::Strict;
use provost_core::planning::{NoRun, Phase, Run, Trigger, again, plan};
use provost_core::registry::Kind;
use serde_json::{Value, json};

use crate::documents::{command, rule};
use crate::kit::{Case, Ticking};

/// Plans, and sees that what came of it is no defect of ours and can be made again.
#[track_caller]
fn planned(case: &Case) -> Run {
    let run = plan(&case.inputs(), &mut Ticking(1_000), &Strict).unwrap_or_else(|error| panic!("{error}"));
    assert!(!run.steps.contains(&Trigger::ArtifactViolated), "{:#?}", run.failure);
    if let Some(failure) = &run.failure {
        assert!(run.file("failure.json").is_some(), "{}", failure.code);
    }
    assert_eq!(again::verify(&run.files), (Vec::new(), None));
    run
}

/// A case with as many commands as there may be, each with the longest id.
fn crowded() -> Case {
    Case::low().with(|case| {
        let planned: Vec<Value> = (0..80)
            .map(|number| {
                let id = format!("cmd_{number:02}_{}", "x".repeat(113));
                let effects = json!([{ "scope": "repo", "kind": "write" }]);
                case.registry.push((Kind::Command, command(&id, &effects, "low")));
                let reference = format!("scan://file/src/{}", "y".repeat(230));
                json!({
                    "command_id": id, "intent": "z".repeat(800), "effects": ["write"], "risk_level": "low",
                    "evidence_refs": vec![reference; 30],
                })
            })
            .collect();
        case.intent["planned_commands"] = json!(planned);
        case.intent["budgets"]["max_files"] = json!(500);
        case.intent["budgets"]["max_commits"] = json!(50);
    })
}

#[test]
fn the_longest_ids_and_the_most_commands_are_planned_or_refused() {
    planned(&crowded());
    planned(&crowded().with(|case| case.policy["pins"] = json!("required")));
    planned(&crowded().with(|case| case.registry.retain(|(kind, _)| *kind != Kind::Command)));
}

#[test]
fn long_words_everywhere_in_an_intent_are_planned_or_refused() {
    let case = Case::low().with(|case| {
        let intent = &mut case.intent;
        intent["title"] = json!("\u{1f642}".repeat(160));
        intent["description"] = json!("d".repeat(4_000));
        intent["objective"]["goal"] = json!("g".repeat(2_000));
        intent["objective"]["success_criteria"] = json!(vec!["c".repeat(300); 20]);
        intent["objective"]["non_goals"] = json!(vec!["n".repeat(300); 20]);
        intent["selected_workflows"][0]["reason"] = json!("r".repeat(800));
        intent["selected_agents"][0]["role"] = json!("o".repeat(80));
        intent["selected_agents"][0]["responsibilities"] = json!(vec!["p".repeat(200); 12]);
        intent["risk"]["drivers"] = json!(vec!["v".repeat(200); 20]);
        intent["risk"]["requires_review"] =
            json!(["security", "data", "release", "architecture", "cost", "compliance"]);
        intent["scope"]["targets"]["files"] =
            (0..200).map(|number| json!(format!("{number}/{}", "f".repeat(500)))).collect();
        intent["evidence_refs"] =
            (0..200).map(|number| json!(format!("doc://{number:03}{}", "e".repeat(240)))).collect();
        intent["audit"]["created_by"] = json!("b".repeat(128));
        intent["budgets"]["max_files"] = json!(500);
        intent["budgets"]["max_commits"] = json!(50);
    });
    planned(&case);
}

#[test]
fn rules_that_say_much_are_quoted_or_refused() {
    let always = json!({ "rule_evaluated": true });
    for decision in ["deny", "require_review", "warn"] {
        let then = json!({
            "decision": decision, "reason": "r".repeat(20_000), "required_changes": vec!["c".repeat(20_000); 50],
        });
        let case = Case::low().with(|case| {
            case.registry.push((Kind::Rule, rule("rule_r20_long", "error", &always, &then)));
        });
        planned(&case);
    }
}

#[test]
fn rules_with_long_conditions_are_quoted_or_refused() {
    let long = "w".repeat(30_000);
    for when in [
        json!({ "field_contains_any": { "field": "description", "tokens": [long, "sentence"] } }),
        json!({ "not": { "field_exists": long } }),
        json!({ "not": { "field_equals": { "field": "title", "value": long } } }),
        json!({ "not": { "field_in": { "field": "title", "values": vec![long.clone(); 20] } } }),
        json!({ long.clone(): true }),
    ] {
        let then = json!({ "decision": "warn", "reason": "It is long" });
        let case = Case::low()
            .with(|case| case.registry.push((Kind::Rule, rule("rule_r20_long", "error", &when, &then))));
        planned(&case);
    }
}

#[test]
fn many_rules_that_fire_are_told_or_refused() {
    let always = json!({ "rule_evaluated": true });
    for decision in ["deny", "require_review", "warn"] {
        let then = json!({ "decision": decision, "reason": "r".repeat(900) });
        let case = Case::low().with(|case| {
            for number in 0..300 {
                let id = format!("rule_r{:02}_number_{number}", number % 100);
                case.registry.push((Kind::Rule, rule(&id, "error", &always, &then)));
            }
        });
        planned(&case);
    }
}

#[test]
fn content_that_says_much_is_used_or_broken() {
    let long = "l".repeat(50_000);
    let case = Case::low().with(|case| {
        for (kind, content) in &mut case.registry {
            content["description"] = json!(long);
            if *kind == Kind::Command {
                content["title"] = json!(long);
                content["outputs"] = json!([{ "name": long, "type": long, "description": long }]);
                content["preconditions"] = json!([long]);
            }
            if *kind == Kind::Model {
                content["id"] = json!("m".repeat(5_000));
            }
        }
    });
    planned(&case);
    for (kind, key, value) in [
        (Kind::Rule, "version", format!("1.0.{}", "1".repeat(200))),
        (Kind::Command, "version", format!("1.0.{}", "1".repeat(200))),
        (Kind::Rule, "id", format!("rule_r12_{}", "x".repeat(500))),
        (Kind::Model, "id", "m".repeat(100)),
    ] {
        let case = Case::low().with(|case| {
            let of_kind = case.registry.iter_mut().filter(|(it, _)| *it == kind);
            of_kind.for_each(|(_, content)| content[key] = json!(value));
        });
        planned(&case);
    }
}

#[test]
fn questions_about_the_longest_things_are_asked_or_refused() {
    let case = Case::low().with(|case| {
        case.intent["interaction"] =
            json!({ "mode": "interactive", "question_budget": 50, "question_policy": "conceptual_only" });
        case.intent["scope"]["targets"]["files"] =
            (0..200).map(|number| json!(format!("{number}/{}", "f".repeat(500)))).collect();
        let references: Vec<String> =
            (0..30).map(|number| format!("doc://{number:02}{}", "e".repeat(240))).collect();
        case.intent["planned_commands"][1]["evidence_refs"] = json!(references);
        case.intent["budgets"]["max_files"] = json!(500);
        case.intent["budgets"]["max_commits"] = json!(50);
    });
    planned(&case);
}

#[test]
fn whatever_an_intent_calls_itself_is_planned_or_refused() {
    for id in ["intent_".to_owned() + &"x".repeat(65), "x".repeat(300), "\u{1f642}".repeat(100_000)] {
        let run = planned(&Case::low().with(|case| case.intent["id"] = json!(id)));
        assert_eq!(run.state, Phase::Blocked);
    }
    let nameless = Case::low().with(|case| case.intent["id"] = json!(""));
    let refused = plan(&nameless.inputs(), &mut Ticking(1_000), &Strict);
    assert!(matches!(refused, Err(NoRun::NotAnIntent(_))));
}

#[test]
fn an_intent_that_breaks_every_bound_is_refused() {
    fn swell(value: &mut Value) {
        match value {
            Value::String(text) => *text = text.repeat(4_100 / text.len().max(1) + 1),
            Value::Array(elements) => {
                elements.iter_mut().for_each(swell);
                let first = elements.first().cloned().unwrap_or_else(|| json!("none"));
                let many = if first.is_string() { 31 } else { elements.len() };
                elements.resize(many, first);
            }
            Value::Object(entries) => entries.values_mut().for_each(swell),
            _ => {}
        }
    }
    let run = planned(&Case::low().with(|case| swell(&mut case.intent)));
    // Even the word that forbids execution is none any more.
    assert_eq!(run.failure.unwrap().code, "intent::red_line_i1");
}
