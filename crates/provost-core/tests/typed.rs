//! Values becoming types: borrowed where they can be, and refused with the place of the innermost value.
#![cfg(test)]

use std::borrow::Cow;
use std::collections::BTreeMap;

use provost_core::digest::Digest;
use provost_core::document::{self, Limits, Value, from_value};
use serde::Deserialize;

fn read(text: &str) -> Value {
    document::read("test.json", text.as_bytes(), &Limits::default()).unwrap().root
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Risk {
    Low,
    VeryHigh,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Target {
    Nothing,
    File(String),
    Lines(u32, u32),
    Module { name: String },
}

#[derive(Debug, PartialEq, Deserialize)]
struct Name<'d>(#[serde(borrow)] &'d str);

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Everything<'d> {
    #[serde(borrow)]
    name: Name<'d>,
    #[serde(borrow)]
    text: Cow<'d, str>,
    #[serde(borrow)]
    words: Vec<&'d str>,
    risk: Risk,
    targets: Vec<Target>,
    large: u64,
    negative: i64,
    small: u8,
    whole: u32,
    cost: f64,
    counted: f64,
    yes: bool,
    nothing: Option<u8>,
    something: Option<u8>,
    #[serde(default)]
    left_out: Option<u8>,
    versions: BTreeMap<&'d str, u8>,
    pair: (u8, String),
    digest: Digest,
}

#[test]
fn every_kind_of_field() {
    let digest = Digest::of(b"abc");
    let value = read(&format!(
        r#"{{"name":"a","text":"b\n","words":["c","d"],"risk":"very_high",
        "targets":["nothing",{{"file":"x"}},{{"lines":[1,2]}},{{"module":{{"name":"m"}}}}],
        "large":9007199254740991,"negative":-1,"small":255,"whole":3.0,"cost":2.5,"counted":2,"yes":true,
        "nothing":null,"something":7,"versions":{{"z":1,"a":2}},"pair":[1,"p"],"digest":"{digest}"}}"#
    ));
    let made: Everything<'_> = from_value(&value).unwrap();
    let expected = Everything {
        name: Name("a"),
        text: Cow::Borrowed("b\n"),
        words: vec!["c", "d"],
        risk: Risk::VeryHigh,
        targets: vec![
            Target::Nothing,
            Target::File("x".to_owned()),
            Target::Lines(1, 2),
            Target::Module { name: "m".to_owned() },
        ],
        large: 9_007_199_254_740_991,
        negative: -1,
        small: 255,
        whole: 3,
        cost: 2.5,
        counted: 2.0,
        yes: true,
        nothing: None,
        something: Some(7),
        left_out: None,
        versions: BTreeMap::from([("a", 2), ("z", 1)]),
        pair: (1, "p".to_owned()),
        digest,
    };
    assert_eq!(made, expected);
    assert!(matches!(made.text, Cow::Borrowed(_)), "text was copied");
}

#[test]
fn what_does_not_fit_is_refused_where_it_stands() {
    #[derive(Debug, Deserialize)]
    struct Outer {
        #[expect(dead_code, reason = "only whether it can be read matters")]
        risks: BTreeMap<String, Vec<Risk>>,
    }
    let text = r#"{"risks":{"a":["low"],"b":["low","severe"]}}"#;
    let refused = from_value::<Outer>(&read(text)).unwrap_err();
    let span = refused.span().unwrap();
    assert_eq!(&text[span.start as usize..span.end as usize], "\"severe\"");
    assert!(refused.to_string().contains("severe"), "{refused}");

    assert!(from_value::<u8>(&read("256")).is_err());
    assert!(from_value::<u8>(&read("-1")).is_err());
    assert!(from_value::<u8>(&read("1.5")).is_err());
    assert!(from_value::<Option<u8>>(&read("\"1\"")).is_err());
    assert!(from_value::<(u8, u8)>(&read("[1,2,3]")).is_err());
    assert!(from_value::<Target>(&read("{\"file\":\"a\",\"lines\":[1,2]}")).is_err());
    assert!(from_value::<Target>(&read("{\"nothing\":1}")).is_err());
    assert!(from_value::<Target>(&read("\"file\"")).is_err());
    assert!(from_value::<Risk>(&read("3")).is_err());
}
