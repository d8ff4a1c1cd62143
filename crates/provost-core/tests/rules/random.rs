//! Rules that nobody wrote: what is compiled says what is written, whatever the order of rules and keys.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use provost_core::rules::{self, Predicate, Predicates, RuleBook, SubjectKind, Tri};
use provost_core::vocabulary::{Decision, Effect, Risk, Stage};
use serde_json::{Value as Json, json};
use strum::VariantArray as _;

use crate::naive::{evaluate, in_scope, leaf, written};
use crate::{Known, document, rule, with};

const FIELDS: &[&str] = &["a", "b", "c.d", "c.e", "raw", "z"];
const WORDS: &[&str] = &["x", "y_1", "ä", "deploy", "c"];

fn scalar() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(|it| json!(it)),
        (-2..3_i64).prop_map(|it| json!(it)),
        Just(json!(0.5)),
        select(WORDS).prop_map(|it| json!(it)),
    ]
}

fn single() -> impl Strategy<Value = Json> {
    let field = || select(FIELDS);
    let words = || vec(select(WORDS), 1..3);
    let compared = select(&["field_gt", "field_gte", "field_lt", "field_lte"][..]);
    prop_oneof![
        4 => select(Predicate::VARIANTS).prop_map(|it| json!({ it.to_string(): true })),
        1 => subsequence(Effect::VARIANTS, 1..3).prop_map(|it| json!({ "effect_any": it })),
        1 => select(Risk::VARIANTS).prop_map(|it| json!({ "risk_at_least": it })),
        2 => field().prop_map(|it| json!({ "field_exists": it })),
        1 => field().prop_map(|it| json!({ "field_missing": it })),
        1 => (field(), scalar()).prop_map(|(it, value)| json!({ "field_equals": { "field": it, "value": value } })),
        1 => (field(), vec(scalar(), 1..3))
            .prop_map(|(it, values)| json!({ "field_in": { "field": it, "values": values } })),
        2 => (field(), words())
            .prop_map(|(it, tokens)| json!({ "field_contains_any": { "field": it, "tokens": tokens } })),
        1 => (compared, field(), -2..3_i64)
            .prop_map(|(it, field, value)| json!({ it: { "field": field, "value": value } })),
    ]
}

/// Several keys in one object, as an implicit all.
fn merged(parts: Vec<Json>) -> Json {
    Json::Object(parts.into_iter().flat_map(|it| it.as_object().unwrap().clone()).collect())
}

fn when() -> impl Strategy<Value = Json> {
    let nested = single().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 1..4).prop_map(|it| json!({ "all_of": it })),
            vec(inner.clone(), 1..4).prop_map(|it| json!({ "any_of": it })),
            vec(inner.clone(), 1..4).prop_map(merged),
            inner.prop_map(|it| json!({ "not": it })),
        ]
    });
    // More clauses than a rule may become.
    let any = vec(single(), 4..5).prop_map(|it| json!({ "any_of": it }));
    let many = vec(any, 4..5).prop_map(|it| json!({ "all_of": it })).boxed();
    prop_oneof![8 => nested, 1 => many.clone(), 1 => many.prop_map(|it| json!({ "not": { "not": it } }))]
}

fn scope() -> impl Strategy<Value = Json> {
    let types = subsequence(vec!["workflow", "command", "agent", "act"], 0..4);
    let risks = subsequence(Risk::VARIANTS, 0..4);
    let stages = subsequence(Stage::VARIANTS, 0..4);
    (types, risks, stages).prop_filter_map("a scope names something", |(types, risks, stages)| {
        let is_empty = types.is_empty() && risks.is_empty() && stages.is_empty();
        (!is_empty).then(
            || json!({ "applies_to_types": types, "applies_to_risk": risks, "applies_to_phases": stages }),
        )
    })
}

fn rules() -> impl Strategy<Value = Vec<Json>> {
    let one = (when(), scope(), select(Decision::VARIANTS));
    vec(one, 1..12).prop_map(|all| {
        let numbered = all.into_iter().enumerate();
        let one = |(at, (when, scope, decision)): (usize, (Json, Json, Decision))| {
            // Not in the order of their ids.
            let it = rule(&format!("rule_{:02}", 97 * (at + 1) % 100), &when);
            with(with(it, "/rule/scope", scope), "/rule/then/decision", json!(decision))
        };
        numbered.map(one).collect()
    })
}

fn fields() -> impl Strategy<Value = Json> {
    let text = vec(select(WORDS), 0..3).prop_map(|it| json!(it.join("-")));
    let list = vec(scalar(), 0..3).prop_map(|it| json!(it));
    let value = prop_oneof![3 => scalar(), 1 => text, 1 => list, 1 => Just(json!({ "d": 1 }))];
    let inner = proptest::collection::btree_map(select(&["d", "e"][..]), value.clone(), 0..3);
    (proptest::collection::btree_map(select(&["a", "b"][..]), value, 0..3), inner).prop_map(
        |(mut top, inner)| {
            top.insert("c", json!(inner));
            json!(top)
        },
    )
}

/// A subject, and its fields as they were written.
fn subject() -> impl Strategy<Value = (Known, Json)> {
    let predicates = vec(select(Tri::VARIANTS), Predicate::VARIANTS.len());
    let stages = subsequence(Stage::VARIANTS, 0..4);
    let effects = subsequence(Effect::VARIANTS, 0..4);
    let kind = select(SubjectKind::VARIANTS);
    (fields(), predicates, stages, effects, select(Risk::VARIANTS), kind, any::<bool>()).prop_map(
        |(fields, values, stages, effects, risk, kind, has_raw)| {
            let mut predicates = Predicates::default();
            Predicate::VARIANTS.iter().zip(values).for_each(|(it, value)| predicates.set(*it, value));
            let mut known = Known::new(&fields);
            known.raw = known.raw.filter(|_| has_raw);
            let stages = stages.into_iter().collect();
            let known =
                Known { predicates, stages, effects: effects.into_iter().collect(), risk, kind, ..known };
            (known, fields)
        },
    )
}

/// JSON with the keys of every object in descending order; they are written in ascending order otherwise.
fn turned(value: &Json) -> String {
    match value {
        Json::Object(map) => {
            let entries: Vec<String> =
                map.iter().rev().map(|(key, it)| format!("{}:{}", json!(key), turned(it))).collect();
            format!("{{{}}}", entries.join(","))
        }
        Json::Array(list) => format!("[{}]", list.iter().map(turned).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

fn compiled<'t>(texts: impl Iterator<Item = &'t String>) -> Option<RuleBook> {
    let documents: Vec<_> = texts.map(|text| document("rule.json", text)).collect();
    let read = rules::read(&documents);
    let too_complex = |found: &Vec<provost_core::diagnostic::Diagnostic>| {
        assert!(found.iter().all(|it| it.code.name() == "rules::too_complex"), "{found:?}");
    };
    read.inspect_err(too_complex).ok().map(|read| RuleBook::compile(read.rules))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn compiled_rules_say_what_is_written((mut all, (known, fields)) in (rules(), subject())) {
        let texts: Vec<String> = all.iter().map(Json::to_string).collect();
        let Some(book) = compiled(texts.iter()) else { return Ok(()) };
        let judgement = known.judge(&book);
        let unmet = judgement.unmet.clone().unwrap();
        all.sort_by_key(|rule| rule["id"].to_string());
        let value = |operator: &str, argument: &Json| leaf(&known, &fields, operator, argument);
        let condition = |atom| written(book.condition(atom).unwrap());
        for (at, rule) in (0..).zip(&all) {
            let fired = judgement.fired.iter().find(|it| it.rule == at);
            let undecided = judgement.undecided.iter().find(|it| it.rule == at);
            let found = (
                fired.is_some(),
                undecided.is_some(),
                judgement.unknown_noted.contains(at),
                unmet.not_met.contains(at),
                unmet.not_in_scope.contains(at),
            );
            let when = &rule["rule"]["when"];
            let stops = ["deny", "require_review"].contains(&rule["rule"]["then"]["decision"].as_str().unwrap());
            let wanted = match evaluate(when, &value) {
                _ if !in_scope(&known, &rule["rule"]["scope"]) => (false, false, false, false, true),
                Tri::True => (true, false, false, false, false),
                Tri::Unknown if stops => (false, true, false, false, false),
                Tri::Unknown => (false, false, true, false, false),
                Tri::False => (false, false, false, true, false),
            };
            prop_assert_eq!(found, wanted, "{}", when);
            if let Some(fired) = fired {
                let held: Vec<_> = fired.evidence.iter().map(|it| (condition(it.atom), it.value)).collect();
                for ((operator, argument), said) in &held {
                    prop_assert_eq!(value(operator, argument), *said, "{} {}", operator, argument);
                }
                // What is named is enough: the rule fires with nothing else known.
                let enough = evaluate(when, &|operator, argument| {
                    let same = |(condition, _): &&((String, Json), Tri)| {
                        condition.0 == operator && alike(&condition.1, argument)
                    };
                    held.iter().find(same).map_or(Tri::Unknown, |(_, value)| *value)
                });
                prop_assert_eq!(enough, Tri::True, "{} {:?}", when, held);
                for predicate in Predicate::VARIANTS {
                    let without = evaluate(when, &|operator, argument| {
                        if operator == predicate.to_string() { Tri::False } else { value(operator, argument) }
                    });
                    prop_assert_eq!(fired.rests_on(*predicate), without == Tri::False, "{} {}", when, predicate);
                }
            }
            for atom in undecided.iter().flat_map(|it| &it.unknown) {
                let (operator, argument) = condition(*atom);
                prop_assert_eq!(value(&operator, &argument), Tri::Unknown);
            }
            prop_assert!(undecided.is_none_or(|it| !it.unknown.is_empty()));
        }
    }

    #[test]
    fn no_order_changes_anything((all, (known, _)) in (rules(), subject())) {
        let texts: Vec<String> = all.iter().map(Json::to_string).collect();
        let turned: Vec<String> = all.iter().rev().map(turned).collect();
        let (one, other) = (compiled(texts.iter()), compiled(turned.iter()));
        prop_assert_eq!(one.is_some(), other.is_some());
        if let (Some(one), Some(other)) = (one, other) {
            prop_assert_eq!(known.judge(&one), known.judge(&other));
        }
    }
}

/// Equal, however numbers are spelled; a set has one order.
fn alike(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => one.as_f64() == other.as_f64(),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, it)| other.get(key).is_some_and(|other| alike(it, other)))
        }
        _ => one == other,
    }
}
