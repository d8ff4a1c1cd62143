//! Canonical bytes against the RFC's own examples, against another implementation, and against themselves.
#![cfg(test)]

use std::collections::BTreeMap;

use proptest::prelude::*;
use provost_core::canonical::{self, NotCanonical};
use provost_core::digest::Digest;
use provost_core::document::{self, Limits};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

fn canonical_text(value: &(impl Serialize + ?Sized)) -> String {
    String::from_utf8(canonical::to_vec(value).unwrap()).unwrap()
}

fn reread(text: &str) -> String {
    canonical_text(&document::read("test.json", text.as_bytes(), &Limits::default()).unwrap().root)
}

/// The sample of section 3.2.2; its first number is spelled with more digits than a double holds, which the strict
/// reader refuses, so here it has the digits that survive.
const SAMPLE: &str = r#"{
  "numbers": [333333333.3333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}"#;

#[test]
fn the_sample_of_the_rfc() {
    assert_eq!(
        reread(SAMPLE),
        r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#
    );
    let as_published = SAMPLE.replace("333333333.3333333", "333333333.33333329");
    let refused = document::read("sample.json", as_published.as_bytes(), &Limits::default()).unwrap_err();
    assert_eq!(refused.defects[0].code.name(), "document::number");
}

#[test]
fn the_sorting_sample_of_the_rfc() {
    let text = r#"{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }"#;
    assert_eq!(
        reread(text),
        "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\"ö\":\"Latin Small Letter O With \
         Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\u{fb33}\":\"Hebrew Letter Dalet With \
         Dagesh\"}"
    );
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    Unit,
    Newtype(u8),
    Tuple(u8, char),
    Struct { b: Option<u8>, a: () },
}

#[derive(Serialize)]
struct Everything<'s> {
    zebra: i8,
    apple: &'s [Shape],
    #[serde(rename = "quo\"te")]
    quote: BTreeMap<&'s str, f32>,
    digest: Digest,
    #[serde(flatten)]
    more: BTreeMap<char, (u16, bool)>,
}

#[test]
fn every_shape_that_serde_knows() {
    let everything = Everything {
        zebra: -1,
        apple: &[Shape::Unit, Shape::Newtype(1), Shape::Tuple(2, '"'), Shape::Struct { b: None, a: () }],
        quote: BTreeMap::from([("\u{e000}", 0.5), ("😂", -0.0), ("", 8.25)]),
        digest: Digest::of(b""),
        more: BTreeMap::from([('b', (7, true))]),
    };
    let expected = format!(
        "{{\"apple\":[\"unit\",{{\"newtype\":1}},{{\"tuple\":[2,\"\\\"\"]}},{{\"struct\":{{\"a\":null,\"b\":null}}}}],\
         \"b\":[7,true],\"digest\":\"{}\",\"quo\\\"te\":{{\"\":8.25,\"😂\":0,\"\u{e000}\":0.5}},\"zebra\":-1}}",
        Digest::of(b"")
    );
    assert_eq!(canonical_text(&everything), expected);
    assert_eq!(reread(&expected), expected);
    assert_eq!(canonical::digest(&everything), Ok(Digest::of(expected.as_bytes())));
}

/// A map as a type of its own may write it: in any order and with any key twice.
struct Pairs<'p>(&'p [(&'p str, u8)]);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

#[test]
fn what_has_no_canonical_form_is_refused() {
    let duplicate = |key: &str| Err(NotCanonical::DuplicateKey(key.to_owned()));
    assert_eq!(canonical::to_vec(&Pairs(&[("a", 1), ("b", 2), ("a", 1)])), duplicate("a"));
    assert_eq!(canonical::to_vec(&[Pairs(&[("\n", 1), ("\n", 2)])]), duplicate("\n"));
    assert_eq!(
        canonical_text(&Pairs(&[("long_key_b", 1), ("long_key_a", 2), ("\n", 3)])),
        r#"{"\n":3,"long_key_a":2,"long_key_b":1}"#
    );
    assert_eq!(canonical::to_vec(&BTreeMap::from([(1, 2)])), Err(NotCanonical::KeyNotString));
    assert_eq!(canonical::to_vec(&BTreeMap::from([(Some("a"), 2)])), Err(NotCanonical::KeyNotString));
    assert_eq!(canonical::to_vec(&[f64::NAN]), Err(NotCanonical::NotFinite));
    assert_eq!(canonical::to_vec(&u64::MAX), Err(NotCanonical::Integer(u64::MAX.to_string())));
    assert_eq!(canonical::to_vec(&(1_i64 << 53)), Err(NotCanonical::Integer((1_i64 << 53).to_string())));
    assert_eq!(canonical::to_vec(&1e20), Err(NotCanonical::Integer("100000000000000000000".to_owned())));
}

/// Any document whose numbers have a canonical form.
fn documents() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        (-9_007_199_254_740_991_i64..=9_007_199_254_740_991).prop_map(Into::into),
        any::<f64>()
            .prop_filter("has a canonical form", |double| canonical::to_vec(double).is_ok())
            .prop_map(Into::into),
        texts().prop_map(Into::into),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Into::into),
            prop::collection::vec((texts(), inner), 0..8).prop_map(|entries| entries.into_iter().collect()),
        ]
    })
}

/// Texts with much of what goes wrong: escapes, edges of the planes, common beginnings.
fn texts() -> impl Strategy<Value = String> {
    let characters = prop_oneof![
        any::<char>(),
        prop::char::range('\0', '\u{7f}'),
        prop::sample::select(vec!['"', '\\', '\n', '\u{e000}', '\u{ffff}', '\u{10000}', '😂', 'a', 'b']),
    ];
    prop::collection::vec(characters, 0..20).prop_map(|characters| characters.into_iter().collect())
}

/// A map that remembers the order of its entries, unlike the one of the library.
fn shuffled(value: &serde_json::Value, turn: usize) -> String {
    match value {
        serde_json::Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(|element| shuffled(element, turn)).collect();
            format!("[ {} ]", elements.join(" , "))
        }
        serde_json::Value::Object(entries) => {
            let mut entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| {
                    format!("{}:\t{}", serde_json::Value::from(key.as_str()), shuffled(value, turn))
                })
                .collect();
            let len = entries.len().max(1);
            entries.rotate_left(turn % len);
            if turn % 2 == 1 {
                entries.reverse();
            }
            format!("{{\n{}}}", entries.join(",\r\n"))
        }
        other => other.to_string(),
    }
}

proptest! {
    #[test]
    fn the_order_of_keys_never_matters(value in documents(), turn in 0_usize..50) {
        prop_assert_eq!(reread(&shuffled(&value, turn)), canonical_text(&value));
    }

    #[test]
    fn canonical_bytes_are_their_own_canonical_form(value in documents()) {
        let text = canonical_text(&value);
        prop_assert_eq!(reread(&text), text);
    }

    #[test]
    fn agrees_with_another_implementation(value in documents()) {
        prop_assert_eq!(canonical_text(&value), serde_json_canonicalizer::to_string(&value).unwrap());
    }

    #[test]
    fn doubles_agree_with_another_implementation(bits in any::<u64>()) {
        let double = f64::from_bits(bits);
        if let Ok(bytes) = canonical::to_vec(&double) {
            prop_assert_eq!(&bytes, &serde_json_canonicalizer::to_vec(&double).unwrap());
            let document = document::read("double.json", &bytes, &Limits::default()).unwrap();
            prop_assert_eq!(document.root.as_f64().unwrap().to_bits(), (double + 0.0).to_bits());
        }
    }
}
