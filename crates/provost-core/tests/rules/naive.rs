//! Conditions evaluated straight from the JSON that was written, knowing nothing of how rules are compiled.

use provost_core::rules::{Condition, Predicate, Scalar, SubjectKind, Tri};
use provost_core::vocabulary::{Effect, Risk};
use serde_json::{Value as Json, json};

use crate::Known;

/// The value of a condition, where `leaf` says what single ones are.
pub(crate) fn evaluate(when: &Json, leaf: &dyn Fn(&str, &Json) -> Tri) -> Tri {
    let mut all = Tri::True;
    for (key, argument) in when.as_object().unwrap() {
        let parts = || argument.as_array().unwrap().iter().map(|part| evaluate(part, leaf));
        let value = match key.as_str() {
            "all_of" => parts().min().unwrap(),
            "any_of" => parts().max().unwrap(),
            "not" => !evaluate(argument, leaf),
            "field_missing" => !leaf("field_exists", argument),
            _ => leaf(key, argument),
        };
        all = all.min(value);
    }
    all
}

/// The value of a single condition.
pub(crate) fn leaf(known: &Known, fields: &Json, operator: &str, argument: &Json) -> Tri {
    if let Ok(predicate) = operator.parse::<Predicate>() {
        return known.predicates.get(predicate);
    }
    let at = |path: &str| -> Option<Json> {
        if path == "raw" {
            return known.raw.clone().map(Json::String);
        }
        path.split('.').try_fold(fields, |value, key| value.as_object()?.get(key)).cloned()
    };
    match operator {
        "effect_any" => {
            let wanted = argument.as_array().unwrap().iter();
            wanted
                .map(|it| it.as_str().unwrap().parse::<Effect>().unwrap())
                .any(|it| known.effects.contains(it))
                .into()
        }
        "risk_at_least" => (known.risk >= argument.as_str().unwrap().parse::<Risk>().unwrap()).into(),
        "field_exists" => at(argument.as_str().unwrap()).is_some().into(),
        _ => match at(argument["field"].as_str().unwrap()) {
            None => Tri::Unknown,
            Some(found) => look(operator, argument, &found),
        },
    }
}

fn look(operator: &str, argument: &Json, found: &Json) -> Tri {
    let same = |one: &Json, other: &Json| match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one.to_bits() == other.to_bits(),
        _ => !one.is_array() && !one.is_object() && one == other,
    };
    let strings = |list: &Json| -> Vec<String> {
        list.as_array().unwrap().iter().filter_map(Json::as_str).map(str::to_owned).collect()
    };
    match operator {
        "field_equals" => same(found, &argument["value"]).into(),
        "field_in" => argument["values"].as_array().unwrap().iter().any(|it| same(found, it)).into(),
        "field_contains_any" => {
            let has: Vec<String> = match found {
                Json::String(text) => {
                    text.split(|it: char| it != '_' && !it.is_alphanumeric()).map(str::to_owned).collect()
                }
                Json::Array(_) => strings(found),
                _ => Vec::new(),
            };
            strings(&argument["tokens"]).iter().any(|token| has.contains(token)).into()
        }
        _ => {
            let (Some(left), Some(right)) = (found.as_f64(), argument["value"].as_f64()) else {
                return Tri::Unknown;
            };
            match operator {
                "field_gt" => (left > right).into(),
                "field_gte" => (left >= right).into(),
                "field_lt" => (left < right).into(),
                "field_lte" => (left <= right).into(),
                other => panic!("{other}"),
            }
        }
    }
}

/// Tells whether a rule applies.
pub(crate) fn in_scope(known: &Known, scope: &Json) -> bool {
    let admits = |key: &str, has: &[&str]| {
        let listed: Vec<&str> = scope.get(key).map_or(Vec::new(), |list| {
            list.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect()
        });
        listed.is_empty() || listed.iter().any(|it| has.contains(it))
    };
    let kind = match known.kind {
        SubjectKind::Workflow => "workflow",
        SubjectKind::Command => "command",
        SubjectKind::Act => "act",
    };
    let stages: Vec<&'static str> = known.stages.iter().map(Into::into).collect();
    // Only a rule that names acts is ever asked about one.
    let names_no_type = scope.get("applies_to_types").is_none_or(|it| it.as_array().unwrap().is_empty());
    let is_asked = known.kind != SubjectKind::Act || !names_no_type;
    is_asked
        && admits("applies_to_types", &[kind])
        && admits("applies_to_risk", &[known.risk.into()])
        && admits("applies_to_phases", &stages)
}

/// A compiled condition as it would be written: operator and argument.
pub(crate) fn written(condition: &Condition) -> (String, Json) {
    let scalar = |it: &Scalar| match it {
        Scalar::Null => Json::Null,
        Scalar::Bool(value) => json!(value),
        Scalar::Number(number) => json!(number.get()),
        Scalar::Text(text) => json!(text),
    };
    let (operator, argument) = match condition {
        Condition::Predicate(predicate) => return (predicate.to_string(), json!(true)),
        Condition::EffectAny(effects) => ("effect_any", json!(effects)),
        Condition::RiskAtLeast(risk) => ("risk_at_least", json!(risk)),
        Condition::FieldExists(field) => ("field_exists", json!(field)),
        Condition::FieldEquals(field, value) => {
            ("field_equals", json!({ "field": field, "value": scalar(value) }))
        }
        Condition::FieldIn(field, values) => {
            let values: Vec<Json> = values.iter().map(scalar).collect();
            ("field_in", json!({ "field": field, "values": values }))
        }
        Condition::FieldContainsAny(field, tokens) => {
            ("field_contains_any", json!({ "field": field, "tokens": tokens }))
        }
        Condition::FieldCompares(field, comparison, number) => {
            return (comparison.to_string(), json!({ "field": field, "value": number.get() }));
        }
    };
    (operator.to_owned(), argument)
}
