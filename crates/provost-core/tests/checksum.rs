//! Checksums by three profiles, against bytes that Python and other writers of RFC 8785 gave.
#![cfg(test)]

use proptest::prelude::*;
use provost_core::canonical::{self, checksum, checksum::Profile};
use provost_core::digest::Digest;
use provost_core::document::{self, Limits, Value};
use strum::VariantArray as _;

const OWN: &[&str] = &["audit", "checksum"];

fn read(text: &str) -> Value {
    document::read("test.json", text.as_bytes(), &Limits::default()).unwrap().root
}

fn hex(text: &str) -> Digest {
    text.parse().unwrap()
}

#[test]
fn vectors_made_with_python() {
    let value = read(r#"{"b":[1,2.0,"é"],"a":null,"audit":{"created_by":"t","checksum":"whatever"}}"#);
    let default = hex("6a51c3bad5eadd3c907d1b73664ae29fe177825ce6c9eaebb13c4a3eccf500eb");
    let compact = hex("4310b060d76ce6e718ff98516f67156b88bc16e281ee96f9c2a9096a8edc06b8");
    assert_eq!(checksum::of(&value, OWN, Profile::PyDefaultBlank), default);
    assert_eq!(checksum::of(&value, OWN, Profile::PyCompactAsciiBlank), compact);
    assert_eq!(
        checksum::of(&value, OWN, Profile::Jcs),
        Digest::of(r#"{"a":null,"audit":{"created_by":"t"},"b":[1,2,"é"]}"#.as_bytes())
    );
    let blank = read(r#"{"a":null,"audit":{"checksum":"","created_by":"t"},"b":[1,2.0,"é"]}"#);
    assert_eq!(
        Digest::of(&checksum::spelled(&blank)),
        hex("dbaf91e6876c11b3cad8848910976c2672af2ed75de3638ec89beb02f9917cf6")
    );
    assert_eq!(checksum::matching(&value, OWN, &default), Some(Profile::PyDefaultBlank));
    assert_eq!(checksum::matching(&value, OWN, &compact), Some(Profile::PyCompactAsciiBlank));
    assert_eq!(checksum::matching(&value, OWN, &Digest::ZERO), None);
}

#[test]
fn escapes_order_and_numbers_as_python_has_them() {
    let value = read(concat!(
        "{\"\u{1f600}\":1,\"\u{fffd}\":2,\"a\u{7f}\\u0000\\u001f\\\"\\\\/\\n\\r\\t\\b\\f\":\"\u{20ac}\u{1f600}\u{2028}\",",
        "\"l\":[],\"o\":{},\"audit\":{\"checksum\":[\"x\"],\"n\":[1.5,-0.0,100.0,12]}}"
    ));
    let default = concat!(
        r#"{"audit": {"checksum": "", "n": [1.5, -0.0, 100.0, 12]}, "#,
        r#""a\u007f\u0000\u001f\"\\/\n\r\t\b\f": "\u20ac\ud83d\ude00\u2028", "l": [], "o": {}, "\ufffd": 2, "\ud83d\ude00": 1}"#
    );
    assert_eq!(checksum::of(&value, OWN, Profile::PyDefaultBlank), Digest::of(default.as_bytes()));
    let compact = default.replace(", ", ",").replace(": ", ":");
    assert_eq!(checksum::of(&value, OWN, Profile::PyCompactAsciiBlank), Digest::of(compact.as_bytes()));
    // By UTF-16 the two keys change places.
    let spelled = String::from_utf8(checksum::spelled(&value)).unwrap();
    assert!(spelled.ends_with("\"\u{1f600}\":1,\"\u{fffd}\":2}"), "{spelled}");
    assert!(spelled.contains("[1.5,-0.0,100.0,12]"), "{spelled}");
}

#[test]
fn only_the_checksum_at_its_path_is_left_out() {
    let with = |own: &str| read(&format!(r#"{{"audit":{{{own}"x":{{"checksum":"in"}}}},"checksum":"top"}}"#));
    for profile in Profile::VARIANTS {
        let one = checksum::of(&with(r#""checksum":"1","#), OWN, *profile);
        assert_eq!(checksum::of(&with(r#""checksum":"2","#), OWN, *profile), one, "{profile}");
        let without = checksum::of(&with(""), OWN, *profile);
        assert_eq!(without == one, *profile == Profile::Jcs, "{profile}");
        assert_ne!(checksum::of(&with(r#""checksum":"1","#), &["checksum"], *profile), one, "{profile}");
    }
    let list = read(r#"{"audit":[{"checksum":1}]}"#);
    assert_eq!(checksum::of(&list, OWN, Profile::Jcs), canonical::digest(&list).unwrap());
}

#[test]
fn names_are_those_on_record() {
    let names: Vec<String> = Profile::VARIANTS.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["jcs", "py-default-blank", "py-compact-ascii-blank"]);
    assert_eq!(serde_json::to_string(Profile::VARIANTS).unwrap(), format!("{names:?}").replace(", ", ","));
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        (-(1_i64 << 53) + 1..1_i64 << 53).prop_map(Into::into),
        (-1e15..1e15).prop_map(|double: f64| double.into()),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 30, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|map| map.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

proptest! {
    #[test]
    fn ours_is_the_canonical_digest_and_a_copy_keeps_every_checksum(value in any_json()) {
        let value = read(&value.to_string());
        prop_assert_eq!(checksum::of(&value, OWN, Profile::Jcs), canonical::digest(&value).unwrap());
        let copy = checksum::spelled(&value);
        let again = read(str::from_utf8(&copy).unwrap());
        prop_assert_eq!(checksum::spelled(&again), copy);
        for profile in Profile::VARIANTS {
            prop_assert_eq!(checksum::of(&again, OWN, *profile), checksum::of(&value, OWN, *profile));
        }
    }
}
