//! Questions as a document, and answers against them.

use provost_core::canonical::checksum::{self, Profile};
use provost_core::document::{self, Document, Limits};
use provost_core::finding::{Consequence, RedLine};
use provost_core::planning::answers::{
    self, AnswerPack, AnswerType, Fallback, NotAnswers, Refused, build, read,
};
use provost_core::planning::questions_pack::{self, QuestionPack};
use provost_core::time::Timestamp;
use serde_json::{Value, json};

use crate::sample::change;

const RUN: &str = "coord_run_0123456789abcdef";

fn questions_json() -> Value {
    let question = |id: &str, level: &str, suggested: Value| {
        json!({
            "question_id": id, "type": "risk_mitigation", "blocking_level": level,
            "question_text": "How is the change taken back?", "context": "The plan names no way back.",
            "evidence_refs": ["fact://ev1"],
            "impact": { "scope": "single_action", "description": "the change of the table", "affected_nodes": ["node_0001"] },
            "default_strategy": { "kind": "block", "text": "there is no plan without a way back" },
            "suggested_answers": suggested
        })
    };
    let suggested = json!([{ "answer_text": "revert the commit", "rationale": "it is one commit", "risk_change": "decrease" }]);
    json!({
        "pack_id": "qpack_0123456789abcdef", "schema_version": "0.9.2", "coordinator_run_id": RUN,
        "intent_id": "intent_harbour_lights",
        "questions": [question("q_0001", "critical", suggested), question("q_0002", "low", json!([]))],
        "policy_constraints": {
            "execution_mode": "interactive", "question_budget": 4, "question_policy": "conceptual_only",
            "budget_consumed": 2, "budget_remaining": 2
        },
        "created_at": "2026-03-01T06:30:00+01:00"
    })
}

fn parse(value: &Value) -> Document {
    let text = serde_json::to_string_pretty(value).unwrap();
    document::read("answers.json", text.as_bytes(), &Limits::default()).unwrap()
}

fn asked() -> QuestionPack {
    questions_pack::SCHEMA.read(&parse(&questions_json())).unwrap()
}

fn built(given: &[(&str, &str)]) -> Result<AnswerPack, NotAnswers> {
    build(&asked(), given, "mara", Timestamp::from_ms(1_772_344_800_000))
}

/// Built answers with a value replaced, sealed anew.
fn changed(pointer: &str, value: Option<Value>) -> Document {
    let mut pack =
        serde_json::to_value(built(&[("q_0001", "revert the commit"), ("q_0002", "no")]).unwrap()).unwrap();
    change(&mut pack, pointer, value);
    let digest = checksum::of(&parse(&pack).root, &["checksum"], Profile::Jcs);
    if pointer != "/checksum" {
        pack["checksum"] = json!(digest.to_string());
    }
    parse(&pack)
}

fn refused(document: &Document) -> Vec<&'static str> {
    match read(document, &asked(), Fallback::Forbidden) {
        Ok(_) => Vec::new(),
        Err(Refused::Malformed(unreadable)) => {
            unreadable.defects.iter().map(|defect| defect.code.name()).collect()
        }
        Err(Refused::RedLine(findings)) => {
            let aborts = |consequence| consequence == Consequence::Aborted;
            assert!(findings.iter().all(|it| it.red_line == Some(RedLine::I1) && aborts(it.consequence)));
            findings.iter().map(|finding| finding.diagnostic.code.name()).collect()
        }
    }
}

#[test]
fn questions_are_a_closed_document_with_a_default_each() {
    let again = serde_json::to_value(asked()).unwrap();
    assert_eq!(asked().questions.len(), 2);
    assert_eq!(again["questions"][0], questions_json()["questions"][0]);
    for (pointer, value) in [
        ("/questions/0/default_strategy", None),
        ("/questions/0/default_strategy", Some(json!("block"))),
        ("/questions/0/default_strategy/kind", Some(json!("guess"))),
        ("/questions/0/evidence_refs", Some(json!([]))),
        ("/questions/0/question_id", Some(json!("q_1"))),
        ("/questions/0/execute", Some(json!("x"))),
        ("/questions/0/impact/x", Some(json!("x"))),
        ("/pack_id", Some(json!("apack_0123456789abcdef"))),
        ("/questions", Some(json!([]))),
        ("/questions", Some(json!(vec![questions_json()["questions"][0].clone(); 51]))),
        ("/policy_constraints/x", Some(json!(1))),
        ("/policy_constraints/execution_mode", Some(json!("full_auto"))),
    ] {
        let mut wrong = questions_json();
        change(&mut wrong, pointer, value);
        assert!(questions_pack::SCHEMA.check(&parse(&wrong)).is_err(), "{pointer}");
    }
}

#[test]
fn typed_answers_become_a_pack_that_is_taken() {
    let pack = built(&[("q_0001", "revert the commit"), ("q_0002", "no")]).unwrap();
    assert_eq!(pack.answer("q_0001").unwrap().answer_type, AnswerType::Choice);
    assert_eq!(pack.answer("q_0002").unwrap().answer_type, AnswerType::Text);
    assert_eq!(pack.digest().unwrap().to_string(), pack.checksum);
    assert_eq!(built(&[("q_0001", "revert the commit"), ("q_0002", "no")]).unwrap(), pack);
    let document = parse(&serde_json::to_value(&pack).unwrap());
    assert_eq!(read(&document, &asked(), Fallback::Forbidden), Ok(pack));
    // An answer that needs none may be left out.
    let less = built(&[("q_0001", "by hand")]).unwrap();
    assert_eq!(less.completeness.as_ref().unwrap().unanswered_question_ids, ["q_0002"]);
    assert_eq!(refused(&parse(&serde_json::to_value(&less).unwrap())), Vec::<&str>::new());
}

#[test]
fn what_cannot_be_answers_is_said_at_once() {
    let wrong = built(&[("q_0003", "x"), ("q_0001", ""), ("q_0001", "y")]).unwrap_err();
    let NotAnswers::Unfit(wrong) = wrong else { panic!("{wrong}") };
    let codes: Vec<_> = wrong.iter().map(|said| said.code.name()).collect();
    assert_eq!(codes, ["answers::question", "answers::value", "answers::question"]);
    assert!(matches!(built(&[]), Err(NotAnswers::Unfit(_))));
}

#[test]
fn answers_fit_their_questions() {
    for (pointer, value, code) in [
        ("/question_pack_id", json!("qpack_other_one"), "answers::pack"),
        ("/run_id", json!("coord_run_other"), "answers::pack"),
        ("/intent_id", json!("intent_another"), "answers::pack"),
        ("/answers/0/question_id", json!("q_0002"), "answers::critical"),
        ("/answers/1/question_id", json!("q_0001"), "answers::question"),
        ("/answers/1/question_id", json!("q_0009"), "answers::question"),
        ("/answers/0/answer_text", json!("Revert the commit"), "answers::value"),
        ("/answers/1/answer_type", json!("choice"), "answers::value"),
        ("/answers/1/answer_type", json!("structured"), "answers::value"),
        ("/answers/0/provided_by", json!("fallback"), "answers::critical"),
        ("/answers/0/provided_by", json!("policy_default"), "answers::critical"),
        ("/answers/0/evidence_refs/0", json!("doc://../x"), "answers::reference"),
        ("/answers/0/evidence_refs", json!([]), "schema::out_of_range"),
        ("/answers/0/answer_data", json!({ "paths": ["../x"] }), "answers::reference"),
        ("/answers/0/answer_data", json!({ "anything": 1 }), "schema::unknown_key"),
        ("/answers/0/answer_data", json!({ "risk_level": "none" }), "schema::not_allowed"),
        ("/answers/0/answer_data", json!({ "command_override": "x" }), "answers::override"),
        ("/answers/0/answer_data", json!({ "Workflow-Override": "x" }), "answers::override"),
        ("/answers/0/answer_data", json!({ "agent\u{200b}_override": "x" }), "answers::override"),
        ("/answers/0/confidence", json!(1.01), "schema::out_of_range"),
        ("/answers", json!([]), "answers::critical"),
        ("/checksum", json!("0".repeat(64)), "answers::checksum"),
        ("/surplus", json!(1), "schema::unknown_key"),
    ] {
        let document = changed(pointer, Some(value.clone()));
        assert!(refused(&document).contains(&code), "{pointer} {value}: {:?}", refused(&document));
    }
    // One key, one finding.
    let disguised = changed("/answers/0/answer_data", Some(json!({ "commandOverride": "x" })));
    assert_eq!(refused(&disguised), ["answers::override"]);
    let data = json!({
        "paths": ["lights/dawn.rs"], "review_categories": ["release"], "risk_level": "high",
        "rollback_plan": "execute the script that reverts it", "enable_command": "cmd_change_table"
    });
    assert_eq!(refused(&changed("/answers/0/answer_data", Some(data))), Vec::<&str>::new());
}

#[test]
fn a_default_stands_in_only_where_the_policy_permits() {
    let fallback = changed("/answers/0/provided_by", Some(json!("fallback")));
    assert_eq!(refused(&fallback), ["answers::critical"]);
    assert!(read(&fallback, &asked(), Fallback::Permitted).is_ok());
    let none = built(&[("q_0002", "no")]).unwrap();
    let none = parse(&serde_json::to_value(&none).unwrap());
    assert_eq!(refused(&none), ["answers::critical"]);
    assert!(read(&none, &asked(), Fallback::Permitted).is_ok());
}

#[test]
fn something_to_be_run_ends_the_run() {
    for (pointer, value) in [
        ("/execute", json!("x")),
        ("/answers/0/Shell", json!("x")),
        ("/answers/0/answer_data", json!({ "paths": [], "command-line": "x" })),
        ("/metadata/ex\u{200b}ec", json!("x")),
    ] {
        assert_eq!(refused(&changed(pointer, Some(value))), ["answers::red_line"], "{pointer}");
    }
    assert_eq!(answers::SCHEMA.name, "answer_pack");
}
