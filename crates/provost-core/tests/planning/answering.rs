//! What answers do to a plan: what is left out is nowhere in it, what rules want looked at is looked at, and an answer that
//! says nothing is not taken.

use provost_core::graph::Graph;
use provost_core::planning::account::Account;
use provost_core::planning::shelf::Strict;
use provost_core::planning::{NoRun, Phase, Round, Run, plan};
use provost_core::registry::Kind;
use serde_json::{Value, json};

use crate::documents::rule;
use crate::kit::{Case, Ticking, answers, resealed};

fn json_of(run: &Run, file: &str) -> Value {
    serde_json::from_slice(run.file(file).unwrap_or_else(|| panic!("{file} is not among the documents")))
        .unwrap()
}

/// Plans with one pack of answers, each given to the question of its place.
fn answered(case: &Case, given: &[(&str, &str)]) -> Result<Run, NoRun> {
    let asked = case.plan().questions.unwrap_or_else(|| panic!("nothing is asked"));
    let mut inputs = case.inputs();
    inputs.rounds.push(Round::Answers(answers(&asked, given)));
    plan(&inputs, &mut Ticking(1_000), &Strict)
}

/// Two commands that write, the second of which rests on something that is not there.
fn with_open_evidence() -> Case {
    Case::low().with(|case| {
        let mut command = case.intent["planned_commands"][1].clone();
        command["evidence_refs"] = json!(["scan://file/src/gone.rs"]);
        command["intent"] = json!("Put the name into the farewell");
        case.intent["planned_commands"].as_array_mut().unwrap().push(command);
    })
}

#[test]
fn a_command_that_an_answer_leaves_out_is_nowhere_in_the_plan() {
    let run = answered(&with_open_evidence(), &[("q_0001", "drop")]).unwrap();
    assert_eq!(run.state, Phase::Done, "{:?}", run.failure);
    let review = json_of(&run, "review.json");
    // Nobody denied it, so nothing became riskier.
    assert_eq!(review["risk_assessment"]["overall"], "low");
    let changed: Vec<&str> =
        review["planned_changes"].as_array().unwrap().iter().map(|it| it["path"].as_str().unwrap()).collect();
    assert_eq!(changed, ["src/greet.rs"]);
    assert_eq!(review["rule_decisions"][3], json!({ "decision": "deny", "commands": 0, "workflows": 0 }));
    assert_eq!(review["plan_summary"]["approach"], "2 commands in 3 phases of 1 workflows");
    let graph: Graph = serde_json::from_slice(run.file("graph.json").unwrap()).unwrap();
    assert_eq!(graph.metadata.denied.len(), 1);
    assert_eq!(graph.metadata.denied[0].reason, "left out by an answer");
}

#[test]
fn what_is_not_locked_and_left_out_is_no_planned_change() {
    let case = Case::low().with(|case| {
        case.intent["scope"]["targets"]["files"] = json!(["src/greet.rs", "src/farewell.rs"]);
    });
    let run = answered(&case, &[("q_0001", "leave_out")]).unwrap();
    assert_eq!(run.state, Phase::Done, "{:?}", run.failure);
    assert_eq!(json_of(&run, "review.json")["change_impact"]["estimated_files"], 1);
}

#[test]
fn a_target_is_locked_by_whatever_pattern_means_it() {
    for (lock, target) in [
        ("src/*.rs", "src/greet.rs"),
        ("**/*.rs", "src/greet.rs"),
        ("src/{greet,part}.rs", "src/greet.rs"),
        ("src/{greet,part}.rs", "src/{greet,part}.rs"),
        ("src/", "src/greet.rs"),
        ("src", "src/deep/greet.rs"),
        ("src/**", "src/deep/*.rs"),
    ] {
        let case = Case::low().with(|case| {
            case.intent["scope"]["targets"]["files"] = json!([target]);
            case.intent["constraints"]["lock_scope"]["paths"] = json!([lock]);
        });
        assert_eq!(case.plan().state, Phase::Done, "{lock} {target}");
    }
    let other = Case::low().with(|case| {
        case.intent["scope"]["targets"]["files"] = json!(["src/greet.rs"]);
        case.intent["constraints"]["lock_scope"]["paths"] = json!(["src/*.md"]);
    });
    assert_eq!(other.plan().state, Phase::AwaitingAnswers);
}

#[test]
fn a_question_with_answers_to_choose_from_takes_no_other() {
    let empty = Case::low().with(|case| case.intent["planned_commands"] = json!([]));
    let saying = |case: &Case, kind: &str, text: &str, data: Option<Value>| {
        let asked = case.plan().questions.unwrap();
        let first = asked.questions[0].suggested_answers[0].answer_text.as_str();
        let mut pack = serde_json::to_value(&answers(&asked, &[("q_0001", first)]).root).unwrap();
        pack["answers"][0]["answer_type"] = json!(kind);
        pack["answers"][0]["answer_text"] = json!(text);
        if let Some(data) = data {
            pack["answers"][0]["answer_data"] = data;
        }
        let mut inputs = case.inputs();
        inputs.rounds.push(Round::Answers(resealed(pack)));
        plan(&inputs, &mut Ticking(1_000), &Strict)
    };
    for text in ["yes", "go on", "Withdraw", "  "] {
        assert!(matches!(saying(&empty, "text", text, None), Err(NoRun::Answers(_))), "{text}");
    }
    let said = saying(&with_open_evidence(), "text", "do not plan it", None);
    assert!(matches!(said, Err(NoRun::Answers(_))));
    // Nor does it take data that does not answer it.
    let data = json!({ "risk_level": "high" });
    assert!(matches!(saying(&empty, "structured", "as I said", Some(data)), Err(NoRun::Answers(_))));
    let Err(NoRun::Answers(refused)) = answered(&empty, &[("q_0001", "yes")]) else { panic!("it is taken") };
    assert_eq!(refused.defects[0].message, "`yes` is none of the answers that `q_0001` takes");
    assert_eq!(refused.defects[0].help, "answer with one of: `plan_without_actions`, `withdraw`");
    assert_eq!(answered(&empty, &[("q_0001", "withdraw")]).unwrap().state, Phase::Blocked);
    assert_eq!(answered(&empty, &[("q_0001", "plan_without_actions")]).unwrap().state, Phase::Done);
}

/// A rule that wants every workflow looked at, and a plan that only reads, which no category is needed for.
fn reviewed_workflow() -> Case {
    Case::full_auto().with(|case| {
        let then = json!({ "decision": "require_review", "reason": "Somebody looks at the whole" });
        let mut content = rule("rule_r40_looks", "error", &json!({ "rule_evaluated": true }), &then);
        content["rule"]["scope"]["applies_to_types"] = json!(["workflow"]);
        case.registry.push((Kind::Rule, content));
    })
}

#[test]
fn a_review_of_a_workflow_that_a_rule_wants_has_its_gate() {
    let run = reviewed_workflow().plan();
    assert_eq!(run.state, Phase::Done, "{:?}", run.failure);
    let gates = Account::read(&run.files).unwrap().gates;
    assert!(gates.iter().any(|gate| gate.category == "rule"), "{gates:?}");
    let review = json_of(&run, "review.json");
    assert_eq!(review["review_gates"][0]["category"], "architecture");
    // Where somebody can be asked, they are.
    let asking = reviewed_workflow().with(|case| {
        case.intent["interaction"] =
            json!({ "mode": "interactive", "question_budget": 5, "question_policy": "conceptual_only" });
    });
    let run = answered(&asking, &[("q_0001", "security")]).unwrap();
    assert_eq!(json_of(&run, "review.json")["review_gates"][0]["category"], "security");
}

#[test]
fn everything_of_the_registry_that_a_plan_names_is_in_its_lineage() {
    let case = Case::low().with(|case| {
        case.intent["planned_commands"][1]["evidence_refs"] =
            json!(["scan://file/src/greet.rs", "registry://commands/cmd_migrate_table"]);
    });
    let run = case.plan();
    assert_eq!(run.state, Phase::Done, "{:?}", run.failure);
    let named: Vec<&str> = run.manifest.registry_versions.iter().map(|it| it.id.as_str()).collect();
    for id in ["cmd_migrate_table", "large_model"] {
        assert!(named.contains(&id), "{id} is not among {named:?}");
    }
}

#[test]
fn a_place_in_a_file_is_not_part_of_its_name() {
    let case = Case::low().with(|case| {
        case.intent["planned_commands"][1]["evidence_refs"] = json!(["scan://file/src/greet.rs#L3"]);
    });
    let changes = json_of(&case.plan(), "review.json")["planned_changes"].clone();
    assert_eq!((changes[0]["path"].as_str(), changes.as_array().unwrap().len()), (Some("src/greet.rs"), 1));
}

#[test]
fn a_pattern_that_means_a_known_file_is_not_invented() {
    let invented = |target: &str| {
        Case::full_auto().with(|case| {
            case.intent["scope"]["targets"]["files"] = json!([target]);
            let then = json!({ "decision": "deny", "reason": "Nobody knows it" });
            let when = json!({ "path_not_in_factpack": true });
            case.registry.push((Kind::Rule, rule("rule_r04_invented", "error", &when, &then)));
        })
    };
    for target in ["src/*.rs", "src", "src/", "**/greet.rs"] {
        assert_eq!(invented(target).plan().state, Phase::Done, "{target}");
    }
    assert_eq!(invented("lib/*.rs").plan().state, Phase::Blocked);
}
