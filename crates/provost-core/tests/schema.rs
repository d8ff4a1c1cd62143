//! Shapes against documents: what satisfies one passes, and one thing wrong is found at its place.
#![cfg(test)]

use proptest::prelude::*;
use provost_core::document::{self, Document, Limits};
use provost_core::schema::{
    Alphabet, Field, Part, Pattern, Schema, Shape, UNBOUNDED, choice, id, integer, list, map, matching,
    number, object, open, optional, required, text,
};
use serde_json::{Value, json};

/// One of everything.
const ORDER: Schema = Schema {
    name: "order",
    version: "1.2.0",
    title: "An order",
    root: object(&[
        required("id", ORDER_ID, "what the order is called"),
        required("type", Shape::Exactly("order"), "what the document is"),
        required("version", matching(Pattern::Semver), "the version of the order"),
        required("placed_at", matching(Pattern::Timestamp), "when it was placed"),
        optional("checksum", matching(Pattern::Sha256), "the digest of the rest"),
        required("urgency", choice(&["low", "medium", "high"]), "how soon it is wanted"),
        required("confirmed", Shape::True, "that somebody meant it"),
        optional("gift", Shape::Flag, "whether it is wrapped"),
        required("lines", list(&LINE, 1, 4), "what is ordered"),
        optional("labels", map(&text(1, 5), 3), "words of the customer"),
        optional("parent", Shape::Nullable(&ORDER_ID), "the order it follows"),
        optional("reference", Shape::Either(&[integer(1, 9), text(2, 4)]), "a number or a short text"),
        optional("remarks", open(&[required("by", text(1, 10), "whose they are")]), "anything else"),
        optional("attachment", Shape::Anything, "whatever there is"),
    ]),
};
const ORDER_ID: Shape = id(&[Part::Literal("order_"), Part::Run(Alphabet::Snake, 2, 8)]);
const LINE: Shape = object(&[
    required("article", text(3, 12), "what"),
    required("pieces", integer(0, 50), "how many"),
    required("price_usd", number(0.0, 10.5), "for how much"),
]);

fn read(text: &str) -> Document {
    document::read("order.json", text.as_bytes(), &Limits::default()).unwrap()
}

fn order() -> Value {
    json!({
        "id": "order_one",
        "type": "order",
        "version": "0.9.1",
        "placed_at": "2026-11-15T19:51:03+01:00",
        "urgency": "low",
        "confirmed": true,
        "lines": [{ "article": "ink", "pieces": 2, "price_usd": 10.5 }],
    })
}

/// Every defect as it is printed, and its help.
fn defects(document: &Document) -> Vec<(String, String)> {
    let Err(refused) = ORDER.check(document) else { return Vec::new() };
    assert_eq!(refused.omitted, 0);
    refused.defects.into_iter().map(|it| (it.to_string(), it.help)).collect()
}

/// Everything wrong that can be.
const WRONG: &str = r#"{
  "id": "order_ONE", "type": "ordre", "version": "1.0",
  "placed_at": "yesterday", "checksum": "abc",
  "urgency": "hihg", "confirmed": false, "gift": "yes", "lables": {},
  "lines": [
    { "article": "ök", "pieces": 51, "price_usd": "1" },
    { "article": "paper", "pieces": 2.5, "price_usd": 10.75, "colour": "white" }, 7, {},
    { "article": "thirteen long", "pieces": 3.0, "price_usd": -1 }
  ],
  "labels": { "a": "", "b c": "123456", "c": "1", "d": "2" },
  "parent": 1, "reference": true, "remarks": { "other": [1] }
}"#;

#[test]
fn everything_that_is_wrong_is_said_at_once_with_its_place_and_way() {
    let document = read(WRONG);
    let said: Vec<String> =
        defects(&document).into_iter().map(|(what, help)| format!("{what}\n  {help}")).collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    order.json:2:9: id is `order_ONE`, which is not of the form `^order_[a-z0-9_]{2,8}$` [schema::not_allowed]
      write it in that form
    order.json:2:30: type is `ordre`, which is not `order` [schema::not_allowed]
      did you mean `order`?
    order.json:2:50: version is `1.0`, which is not a version of three numbers [schema::not_allowed]
      write it like `0.9.1`
    order.json:3:16: placed_at is `yesterday`, which is not a time of RFC 3339 [schema::not_allowed]
      write it like `2026-11-15T19:51:03Z`
    order.json:3:41: checksum is `abc`, which is not a SHA-256 digest [schema::not_allowed]
      write 64 lower-case hexadecimal characters
    order.json:4:14: urgency is `hihg`, which is none of low, medium, high [schema::not_allowed]
      did you mean `high`?
    order.json:4:35: confirmed is false, and only true is accepted [schema::not_allowed]
      give a value that is accepted here
    order.json:4:50: gift is a string, not a boolean [schema::wrong_type]
      give a value of the right type
    order.json:4:57: the document has no key `lables` [schema::unknown_key]
      did you mean `labels`?
    order.json:5:12: lines has 5 entries, and 1 to 4 are accepted [schema::out_of_range]
      stay within the bounds that the message names
    order.json:6:18: lines[0].article has 2 characters, and 3 to 12 are accepted [schema::out_of_range]
      stay within the bounds that the message names
    order.json:6:34: lines[0].pieces is `51`, and 0 to 50 is accepted [schema::out_of_range]
      stay within the bounds that the message names
    order.json:6:51: lines[0].price_usd is a string, not a number [schema::wrong_type]
      give a value of the right type
    order.json:7:37: lines[1].pieces is `2.5`, not a whole number [schema::wrong_type]
      give a value of the right type
    order.json:7:55: lines[1].price_usd is `10.75`, and 0 to 10.5 is accepted [schema::out_of_range]
      stay within the bounds that the message names
    order.json:7:62: lines[1] has no key `colour` [schema::unknown_key]
      remove the key; its object has closed keys
    order.json:7:83: lines[2] is `7`, not an object [schema::wrong_type]
      give a value of the right type
    order.json:7:86: the key `article` is missing in lines[3] [schema::missing]
      add `article`: what
    order.json:7:86: the key `pieces` is missing in lines[3] [schema::missing]
      add `pieces`: how many
    order.json:7:86: the key `price_usd` is missing in lines[3] [schema::missing]
      add `price_usd`: for how much
    order.json:8:18: lines[4].article has 13 characters, and 3 to 12 are accepted [schema::out_of_range]
      stay within the bounds that the message names
    order.json:8:63: lines[4].price_usd is `-1`, and 0 to 10.5 is accepted [schema::out_of_range]
      stay within the bounds that the message names
    order.json:10:13: labels has 4 keys, and at most 3 are accepted [schema::out_of_range]
      stay within the bounds that the message names
    order.json:10:20: labels.a has 0 characters, and 1 to 5 are accepted [schema::out_of_range]
      stay within the bounds that the message names
    order.json:10:31: labels["b c"] has 6 characters, and 1 to 5 are accepted [schema::out_of_range]
      stay within the bounds that the message names
    order.json:11:13: parent is `1`, not a string or null [schema::wrong_type]
      give a value of the right type
    order.json:11:29: reference is a boolean, not a whole number or a string [schema::wrong_type]
      give a value of the right type
    order.json:11:46: the key `by` is missing in remarks [schema::missing]
      add `by`: whose they are
    "#);
}

#[test]
fn what_is_asked_for_passes_however_it_is_spelled() {
    assert_eq!(defects(&read(&order().to_string())), []);
    let full = r#"{"id":"order_aa","type":"order","version":"10.0.0","placed_at":"2026-01-01T00:00:00Z","urgency":"high",
        "confirmed":true,"gift":false,"lines":[{"article":"éèê","pieces":50.0,"price_usd":0}],"labels":{"x y":"1"},
        "parent":null,"reference":"ab","remarks":{"by":"me","else":{}},"attachment":[null]}"#;
    assert_eq!(defects(&read(full)), []);
    assert_eq!(defects(&read(&full.replace("\"ab\"", "9"))), []);
    let either = defects(&read(&full.replace("\"ab\"", "10")));
    assert_eq!(
        either[0].0,
        "order.json:3:35: reference is `10`, and 1 to 9 is accepted [schema::out_of_range]"
    );
}

#[test]
fn a_part_of_a_document_is_checked_under_its_own_name() {
    let document = read(&order().to_string());
    let lines = document.root.get("lines").unwrap().as_array().unwrap();
    assert_eq!(LINE.check(&document, &lines[0]), Ok(()));
    let refused = text(1, 9).check(&document, &lines[0]).unwrap_err();
    assert_eq!(refused.defects[0].message, "lines[0] is an object, not a string");
}

#[test]
fn hostile_documents_get_a_short_report() {
    let many: Vec<String> = (0..20_000).map(|key| format!("\"{key}{}\":0", "k".repeat(100))).collect();
    let refused = ORDER.check(&read(&format!("{{{}}}", many.join(",")))).unwrap_err();
    assert_eq!((refused.defects.len(), refused.omitted), (100, 20_000 + 7 - 100));
    let long = "é".repeat(1_000_000);
    let document = read(&format!("{{\"labels\":{{\"{long}\":0,\"{}\":0}}}}", "k".repeat(1_000_000)));
    let refused = ORDER.check(&document).unwrap_err();
    assert!(refused.defects.iter().all(|defect| defect.message.len() < 300 && defect.help.len() < 300));
}

#[test]
fn the_json_schema_says_the_same_in_the_order_of_the_table() {
    // Each property on a line of its own.
    let deeper = |line: &str| line.starts_with("     ");
    let lines = ORDER.json_schema().lines().fold(String::new(), |all, line| {
        all + if deeper(line) { " " } else { "\n" } + if deeper(line) { line.trim() } else { line }
    });
    insta::assert_snapshot!(lines, @r#"

    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:provost:order:1.2.0",
      "title": "An order",
      "type": "object",
      "properties": {
        "id": { "description": "what the order is called", "type": "string", "pattern": "^order_[a-z0-9_]{2,8}$"
        },
        "type": { "description": "what the document is", "const": "order"
        },
        "version": { "description": "the version of the order", "type": "string", "pattern": "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)$"
        },
        "placed_at": { "description": "when it was placed", "type": "string", "format": "date-time", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"
        },
        "checksum": { "description": "the digest of the rest", "type": "string", "pattern": "^[0-9a-f]{64}$"
        },
        "urgency": { "description": "how soon it is wanted", "enum": [ "low", "medium", "high" ]
        },
        "confirmed": { "description": "that somebody meant it", "const": true
        },
        "gift": { "description": "whether it is wrapped", "type": "boolean"
        },
        "lines": { "description": "what is ordered", "type": "array", "minItems": 1, "maxItems": 4, "items": { "type": "object", "properties": { "article": { "description": "what", "type": "string", "minLength": 3, "maxLength": 12 }, "pieces": { "description": "how many", "type": "integer", "minimum": 0, "maximum": 50 }, "price_usd": { "description": "for how much", "type": "number", "minimum": 0.0, "maximum": 10.5 } }, "required": [ "article", "pieces", "price_usd" ], "additionalProperties": false }
        },
        "labels": { "description": "words of the customer", "type": "object", "maxProperties": 3, "additionalProperties": { "type": "string", "minLength": 1, "maxLength": 5 }
        },
        "parent": { "description": "the order it follows", "anyOf": [ { "type": "string", "pattern": "^order_[a-z0-9_]{2,8}$" }, { "type": "null" } ]
        },
        "reference": { "description": "a number or a short text", "anyOf": [ { "type": "integer", "minimum": 1, "maximum": 9 }, { "type": "string", "minLength": 2, "maxLength": 4 } ]
        },
        "remarks": { "description": "anything else", "type": "object", "properties": { "by": { "description": "whose they are", "type": "string", "minLength": 1, "maxLength": 10 } }, "required": [ "by" ]
        },
        "attachment": { "description": "whatever there is"
        }
      },
      "required": [
        "id",
        "type",
        "version",
        "placed_at",
        "urgency",
        "confirmed",
        "lines"
      ],
      "additionalProperties": false
    }
    "#);
}

/// Values that satisfy a shape.
fn satisfying(shape: &'static Shape) -> BoxedStrategy<Value> {
    match shape {
        Shape::Text(text) => match text.pattern {
            None => {
                let len = text.min as usize..=text.max as usize;
                prop::collection::vec(any::<char>(), len).prop_map(|it| json!(String::from_iter(it))).boxed()
            }
            Some(Pattern::Parts(_)) => "order_[a-z0-9_]{2,8}".prop_map(Value::from).boxed(),
            Some(Pattern::Semver) => (0..99_u8, 0..9_u8, 0..9_u8).prop_map(|(a, b, c)| json!(format!("{a}.{b}.{c}"))).boxed(),
            Some(Pattern::Timestamp) => "20[0-9]{2}-0[1-9]-[01][1-9]T[01][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]0[0-9]:[0-5][0-9])"
                .prop_map(Value::from)
                .boxed(),
            Some(Pattern::Sha256) => "[0-9a-f]{64}".prop_map(Value::from).boxed(),
        },
        Shape::Choice(words) => prop::sample::select(*words).prop_map(Value::from).boxed(),
        Shape::Exactly(word) => Just(json!(word)).boxed(),
        Shape::True => Just(json!(true)).boxed(),
        Shape::Flag => any::<bool>().prop_map(Value::from).boxed(),
        Shape::Integer { min, max } => (*min..=*max).prop_map(Value::from).boxed(),
        Shape::Number { min, max } => (*min..=*max).prop_map(Value::from).boxed(),
        Shape::List { of, min, max } => {
            prop::collection::vec(satisfying(of), *min as usize..=*max as usize).prop_map(Value::from).boxed()
        }
        Shape::Object(fields) | Shape::Open(fields) => fields
            .iter()
            .map(|field| {
                let named = move |value| (field.name.to_owned(), value);
                let value = satisfying(&field.shape);
                if field.required {
                    value.prop_map(Some).prop_map(named).boxed()
                } else {
                    prop::option::of(value).prop_map(named).boxed()
                }
            })
            .collect::<Vec<_>>()
            .prop_map(|entries| entries.into_iter().filter_map(|(key, value)| Some((key, value?))).collect())
            .boxed(),
        Shape::Map { of, max } => prop::collection::btree_map("[a-z .]{0,4}", satisfying(of), 0..=*max as usize)
            .prop_map(|entries| entries.into_iter().collect())
            .boxed(),
        Shape::Nullable(of) => prop_oneof![Just(Value::Null), satisfying(of)].boxed(),
        Shape::Either(shapes) => prop::strategy::Union::new(shapes.iter().map(satisfying)).boxed(),
        Shape::Anything => any::<i32>().prop_map(Value::from).boxed(),
    }
}

/// Every way to make one thing wrong: the JSON pointer of a value, and what to put there, if anything.
fn mutations(shape: &'static Shape, value: &Value, at: &str, found: &mut Vec<(String, Option<Value>)>) {
    let mut put = |wrong: Value| found.push((at.to_owned(), Some(wrong)));
    match shape {
        Shape::Text(text) => {
            put(json!(7));
            if text.max < UNBOUNDED {
                put(json!("é".repeat(text.max as usize + 1)));
            }
            if text.min > 0 || text.pattern.is_some() {
                put(json!("é".repeat((text.min as usize).saturating_sub(1))));
            }
        }
        Shape::Choice(_) | Shape::Exactly(_) => put(json!("something else")),
        Shape::True => put(json!(false)),
        Shape::Flag => put(json!(0)),
        Shape::Integer { min, max } => [json!(min - 1), json!(max + 1), json!(0.5)].into_iter().for_each(put),
        Shape::Number { min, max } => {
            [json!(min - 1.0), json!(max + 1.0), json!("1")].into_iter().for_each(put);
        }
        Shape::List { of, max, .. } => {
            put(json!({}));
            put(json!(vec![value[0].clone(); *max as usize + 1]));
            for (index, element) in value.as_array().unwrap().iter().enumerate() {
                mutations(of, element, &format!("{at}/{index}"), found);
            }
        }
        Shape::Object(fields) | Shape::Open(fields) => {
            put(json!([]));
            if matches!(shape, Shape::Object(_)) {
                found.push((format!("{at}/unheard_of"), Some(json!(1))));
            }
            fields.iter().for_each(|field| field_mutations(field, value, at, found));
        }
        Shape::Map { of, .. } => {
            put(json!("none"));
            for (key, element) in value.as_object().unwrap() {
                mutations(of, element, &format!("{at}/{key}"), found);
            }
        }
        Shape::Nullable(of) if !value.is_null() => mutations(of, value, at, found),
        Shape::Nullable(_) | Shape::Either(_) => put(json!([])),
        Shape::Anything => {}
    }
}

fn field_mutations(field: &'static Field, value: &Value, at: &str, found: &mut Vec<(String, Option<Value>)>) {
    let Some(inner) = value.get(field.name) else { return };
    let at = format!("{at}/{}", field.name);
    mutations(&field.shape, inner, &at, found);
    if field.required {
        found.push((at, None));
    }
}

/// Puts a value where a pointer leads, or takes away what is there.
fn mutate(document: &mut Value, at: &str, wrong: Option<Value>) {
    let Some((parent, key)) = at.rsplit_once('/') else {
        *document = wrong.unwrap();
        return;
    };
    match (document.pointer_mut(parent).unwrap(), wrong) {
        (Value::Object(map), Some(wrong)) => drop(map.insert(key.to_owned(), wrong)),
        (Value::Object(map), None) => drop(map.remove(key)),
        (Value::Array(elements), wrong) => elements[key.parse::<usize>().unwrap()] = wrong.unwrap(),
        _ => unreachable!(),
    }
}

proptest! {
    #[test]
    fn what_satisfies_passes_and_one_thing_wrong_does_not(
        value in satisfying(&ORDER.root),
        pick in any::<prop::sample::Index>(),
    ) {
        prop_assert_eq!(defects(&read(&value.to_string())), []);
        let mut wrong = Vec::new();
        mutations(&ORDER.root, &value, "", &mut wrong);
        let (at, put) = pick.get(&wrong).clone();
        let mut mutated = value;
        mutate(&mut mutated, &at, put);
        let refused = ORDER.check(&read(&mutated.to_string()));
        prop_assert!(refused.is_err(), "{} {}", at, mutated);
    }
}
