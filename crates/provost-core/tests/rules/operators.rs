//! Each operator, with what makes it true, false and unknown.

use provost_core::document::Value;
use provost_core::rules::{Documents, Fields, Predicate, Tri};
use serde_json::{Value as Json, json};

use crate::{Known, book, document, rule};

fn value(known: &Known, when: &Json) -> Tri {
    let judgement = known.judge(&book(&[rule("rule_a", when)]));
    match (judgement.fired.len(), judgement.undecided.len()) {
        (1, 0) => Tri::True,
        (0, 1) => Tri::Unknown,
        (0, 0) => Tri::False,
        other => panic!("{other:?}"),
    }
}

#[test]
fn fields() {
    let known = Known::new(&json!({
        "none": null, "text": "run Bash, not bash_it", "list": ["a b", 3, "bash"], "number": 3, "yes": true,
        "deep": { "er": "x" },
    }));
    let any =
        |field: &str, tokens: &[&str]| json!({ "field_contains_any": { "field": field, "tokens": tokens } });
    let equals = |field: &str, value: Json| json!({ "field_equals": { "field": field, "value": value } });
    let is_in = |field: &str, values: Json| json!({ "field_in": { "field": field, "values": values } });
    let compares =
        |operator: &str, field: &str, value: f64| json!({ operator: { "field": field, "value": value } });
    for (when, wanted) in [
        (json!({ "field_exists": "none" }), Tri::True),
        (json!({ "field_exists": "deep.er" }), Tri::True),
        (json!({ "field_exists": "deep.est" }), Tri::False),
        (json!({ "field_exists": "text.er" }), Tri::False),
        (json!({ "field_exists": "raw" }), Tri::True),
        (json!({ "field_missing": "none" }), Tri::False),
        (json!({ "field_missing": "nothing" }), Tri::True),
        (equals("none", Json::Null), Tri::True),
        (equals("number", json!(3.0)), Tri::True),
        (equals("number", json!("3")), Tri::False),
        (equals("yes", json!(true)), Tri::True),
        (equals("deep.er", json!("x")), Tri::True),
        (equals("deep", json!("x")), Tri::False),
        (equals("nothing", json!("x")), Tri::Unknown),
        (is_in("deep.er", json!(["y", "x"])), Tri::True),
        (is_in("number", json!([1, 2])), Tri::False),
        (is_in("nothing", json!([1, 2])), Tri::Unknown),
        (any("text", &["bash"]), Tri::False),
        (any("text", &["bash", "Bash"]), Tri::True),
        (any("text", &["bash_it"]), Tri::True),
        (any("list", &["a"]), Tri::False),
        (any("list", &["a b"]), Tri::True),
        (any("number", &["3"]), Tri::False),
        (any("none", &["null"]), Tri::False),
        (any("nothing", &["x"]), Tri::Unknown),
        (any("raw", &["deep"]), Tri::True),
        (any("raw", &["eep"]), Tri::False),
        (compares("field_gt", "number", 3.0), Tri::False),
        (compares("field_gt", "number", 2.5), Tri::True),
        (compares("field_gte", "number", 3.0), Tri::True),
        (compares("field_gte", "number", 3.5), Tri::False),
        (compares("field_lt", "number", 3.0), Tri::False),
        (compares("field_lt", "number", 3.5), Tri::True),
        (compares("field_lte", "number", 3.0), Tri::True),
        (compares("field_lte", "number", 2.0), Tri::False),
        (compares("field_lte", "text", 2.0), Tri::Unknown),
        (compares("field_lte", "none", 2.0), Tri::Unknown),
        (compares("field_lte", "nothing", 2.0), Tri::Unknown),
    ] {
        assert_eq!(value(&known, &when), wanted, "{when}");
    }
    let silent = Known { raw: None, ..known };
    assert_eq!(value(&silent, &any("raw", &["deep"])), Tri::Unknown);
    assert_eq!(value(&silent, &json!({ "field_exists": "raw" })), Tri::False);
}

#[test]
fn effects_and_risk() {
    let known = Known::new(&json!({}));
    for (when, wanted) in [
        (json!({ "effect_any": ["read", "write"] }), Tri::True),
        (json!({ "effect_any": ["deploy"] }), Tri::False),
        (json!({ "risk_at_least": "low" }), Tri::True),
        (json!({ "risk_at_least": "medium" }), Tri::True),
        (json!({ "risk_at_least": "high" }), Tri::False),
    ] {
        assert_eq!(value(&known, &when), wanted, "{when}");
    }
}

#[test]
fn predicates_and_joints() {
    let mut known = Known::new(&json!({}));
    known.predicates.set(Predicate::TargetsFiles, true);
    known.predicates.set(Predicate::LockScopeMissing, false);
    let (t, f, u) = (
        json!({ "targets_files": true }),
        json!({ "lock_scope_missing": true }),
        json!({ "decision_is_key": true }),
    );
    for (when, wanted) in [
        (t.clone(), Tri::True),
        (f.clone(), Tri::False),
        (u.clone(), Tri::Unknown),
        (json!({ "not": t }), Tri::False),
        (json!({ "not": u }), Tri::Unknown),
        (json!({ "all_of": [u, f] }), Tri::False),
        (json!({ "all_of": [u, t] }), Tri::Unknown),
        (json!({ "any_of": [u, t] }), Tri::True),
        (json!({ "any_of": [u, f] }), Tri::Unknown),
        (json!({ "not": { "any_of": [f, { "not": t }] } }), Tri::True),
        (json!({ "targets_files": true, "lock_scope_missing": true }), Tri::False),
        (json!({ "targets_files": true, "decision_is_key": true }), Tri::Unknown),
        (json!({ "all_of": [u, { "not": u }] }), Tri::Unknown),
        (json!({ "any_of": [u, { "not": u }] }), Tri::Unknown),
    ] {
        assert_eq!(value(&known, &when), wanted, "{when}");
    }
}

#[test]
fn the_own_document_comes_before_the_one_behind() {
    let own = document("own.json", r#"{"lineage": {"a": 1}, "id": null}"#).root;
    let beyond =
        document("beyond.json", r#"{"lineage": {"b": 2}, "id": 3, "budgets": {"max_files": 4}}"#).root;
    let fields = Documents { own: &own, beyond: Some(&beyond), raw: None };
    let number = |path: &str| fields.field(path).map(Value::as_i64);
    assert_eq!(number("lineage.a"), Some(Some(1)));
    assert_eq!(number("lineage.b"), None, "a name of the own document is only its own");
    assert_eq!(number("id"), Some(None), "null is present");
    assert_eq!(number("budgets.max_files"), Some(Some(4)));
    assert_eq!(number("budgets.max_commits"), None);
}
