//! The strict reader against documents that are wrong in one way each, in many ways at once, and on purpose.
#![cfg(test)]

use proptest::prelude::*;
use provost_core::canonical;
use provost_core::diagnostic::Span;
use provost_core::document::{self, Document, Kind, Limits, Unreadable};

fn read(bytes: impl AsRef<[u8]>) -> Result<Document, Unreadable> {
    document::read("test.json", bytes.as_ref(), &Limits::default())
}

/// Every defect as `what line:column`, in order.
fn defects(bytes: impl AsRef<[u8]>) -> Vec<String> {
    let unreadable = read(bytes).map(|document| document.root).unwrap_err();
    let places = unreadable.defects.iter().map(|defect| {
        let place = defect.place.as_ref().unwrap();
        assert!(!defect.message.contains(|character: char| character.is_control()), "{}", defect.message);
        assert!(
            !defect.message.ends_with('.') && !defect.message.starts_with(char::is_uppercase)
                || defect.message.starts_with("JSON")
        );
        format!("{} {}:{}", defect.code.name().trim_start_matches("document::"), place.line, place.column)
    });
    places.collect()
}

#[rustfmt::skip]
const HOSTILE: &[(&[u8], &[&str])] = &[
    // Nothing, and too much.
    (b"",                                       &["syntax 1:1"]),
    (b" \n ",                                   &["syntax 2:2"]),
    (b"1 2",                                    &["syntax 1:3"]),
    (b"{} {}",                                  &["syntax 1:4"]),
    (b"[1]\n]",                                 &["syntax 2:1"]),
    (b"]",                                      &["syntax 1:1"]),
    (b",",                                      &["syntax 1:1"]),
    // Encoding.
    (b"\xef\xbb\xbf{}",                         &["encoding 1:1"]),
    (b"\xef\xbb\xbf[01,\n1,]",                  &["encoding 1:1", "number 1:3", "trailing_comma 2:2"]),
    (b"\xff\xfe{\0}\0",                         &["encoding 1:1"]),
    (b"\xfe\xff\0{\0}",                         &["encoding 1:1"]),
    (b"[\"a\xff\",\"\xc3\xa9\xc0\x80\",01]",    &["encoding 1:4", "encoding 1:9", "encoding 1:10", "number 1:13"]),
    (b"[1, \xe9]",                              &["encoding 1:5"]),
    (b"[\"\xed\xa0\x80\"]",                     &["encoding 1:3", "encoding 1:4", "encoding 1:5"]),
    (b"{\0}",                                   &["syntax 1:2"]),
    (b"[1,\xc2\xa02]",                          &["syntax 1:4"]),
    (b"[1,\xef\xbb\xbf2]",                      &["syntax 1:4"]),
    // Brackets.
    (b"[",                                      &["syntax 1:2"]),
    (b"[1",                                     &["syntax 1:3"]),
    (b"[1,\n",                                  &["syntax 2:1"]),
    (b"{\"a\":1",                               &["syntax 1:7"]),
    (b"{\"a\"",                                 &["syntax 1:5"]),
    (b"[1}",                                    &["syntax 1:3"]),
    (b"{\"a\":1]",                              &["syntax 1:7"]),
    (b"[}",                                     &["syntax 1:2"]),
    // Punctuation.
    (b"[1,]",                                   &["trailing_comma 1:3"]),
    (b"{\"a\":1,\n}",                           &["trailing_comma 1:7"]),
    (b"[1,,2]",                                 &["syntax 1:4"]),
    (b"[,1]",                                   &["syntax 1:2"]),
    (b"{,\"a\":1}",                             &["syntax 1:2"]),
    (b"[1 2 \"a\"]",                            &["syntax 1:4", "syntax 1:6"]),
    (b"{\"a\":1 \"b\":2}",                      &["syntax 1:8"]),
    (b"{\"a\" 1}",                              &["syntax 1:6"]),
    (b"{\"a\"}",                                &["syntax 1:2"]),
    (b"{\"a\":}",                               &["syntax 1:6"]),
    (b"{\"a\":,\"b\":01}",                      &["syntax 1:6", "number 1:11"]),
    (b"{1:2}",                                  &["syntax 1:2"]),
    (b"{a:1,'b':2}",                            &["syntax 1:2", "syntax 1:6"]),
    (b"{[]:1}",                                 &["syntax 1:2"]),
    (b"[1;2]",                                  &["syntax 1:3"]),
    // Comments.
    (b"// no\n{}",                              &["comment 1:1"]),
    (b"[1, /* no\n */ 2] # no",                 &["comment 1:5", "comment 2:8"]),
    (b"[1 /* open",                             &["comment 1:4", "syntax 1:11"]),
    (b"[1 / 2]",                                &["syntax 1:4"]),
    // Words.
    (b"[True, None, undefined, nul]",           &["syntax 1:2", "syntax 1:8", "syntax 1:14", "syntax 1:25"]),
    (b"[NaN, Infinity, -Infinity]",             &["number 1:2", "number 1:7", "number 1:17"]),
    (b"['a', 'b]",                              &["syntax 1:2", "syntax 1:7"]),
    // Numbers.
    (b"[00, -01, +1, .5, 5., 1e, 0x1F, 1_0]",   &["number 1:2", "number 1:6", "number 1:11", "number 1:15",
                                                  "number 1:19", "number 1:23", "number 1:27", "number 1:33"]),
    (b"[9007199254740992, -9007199254740992]",  &["number 1:2", "number 1:20"]),
    (b"[1e309, 1e-400, 0.1000000000000000055]", &["number 1:2", "number 1:9", "number 1:17"]),
    (b"[\n  123456789012345678901234567890,\n  1e20]", &["number 2:3", "number 3:3"]),
    // Strings.
    (b"\"abc",                                  &["syntax 1:1"]),
    (b"[\"abc\\\"]",                            &["syntax 1:2"]),
    (b"\"\\",                                   &["syntax 1:1"]),
    (b"[\"a\tb\", \"c\nd\ne\", 01]",            &["control_character 1:4", "control_character 1:11", "number 3:5"]),
    (b"[\"\0\"]",                               &["control_character 1:3"]),
    (b"[\"\\x41\", \"\\'\", \"\\\xc3\xa9\"]",   &["escape 1:3", "escape 1:11", "escape 1:17"]),
    (b"[\"\\u12\", \"\\u+123\", \"\\uG000\"]",  &["escape 1:3", "escape 1:11", "escape 1:21"]),
    (b"[\"\\ud800\", \"\\udc00\"]",             &["surrogate 1:3", "surrogate 1:13"]),
    (b"[\"\\ud800\\ud800\\udc00\"]",            &["surrogate 1:3"]),
    (b"[\"\\ud83dx\", \"\\ude02\\ud83d\"]",     &["surrogate 1:3", "surrogate 1:14", "surrogate 1:20"]),
    // Keys.
    (b"{\"a\":1,\n\"b\":2,\n\"a\":3}",          &["duplicate_key 3:1"]),
    (b"{\"a\":1,\"\\u0061\":2,\"a\":3}",        &["duplicate_key 1:8", "duplicate_key 1:19"]),
    (b"{\"\xf0\x9f\x98\x82\":{\"x\":1,\"x\":2},\"\\ud83d\\ude02\":3}", &["duplicate_key 1:13", "duplicate_key 1:20"]),
    (b"{\"a\":01,\"a\":\"\\q\",}",              &["number 1:6", "duplicate_key 1:9", "escape 1:14", "trailing_comma 1:17"]),
];

#[test]
fn every_defect_at_its_place() {
    for (bytes, expected) in HOSTILE {
        assert_eq!(&defects(bytes), expected, "{}", bytes.escape_ascii());
    }
}

#[test]
fn messages_are_for_people() {
    let unreadable = read("{\"\u{202e}a\":1,\"\u{202e}a\":9007199254740993,\"b\": [1}").unwrap_err();
    let said: Vec<String> = unreadable.defects.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "test.json:1:9: the key `\\u{202e}a` is already at line 1, column 2 [document::duplicate_key]",
            "test.json:1:14: the number `9007199254740993` is beyond ±9007199254740991, where integers are no longer \
             exact [document::number]",
            "test.json:1:38: expected `,` or `]`, found `}` [document::syntax]",
        ]
    );
}

#[test]
fn depth_is_counted_in_brackets() {
    let nested = |depth: usize| "[".repeat(depth) + "01" + &"]".repeat(depth);
    assert_eq!(defects(nested(128)), ["number 1:129"]);
    assert_eq!(defects(nested(129)), ["too_deep 1:129"]);
    assert!(read("[".repeat(128) + &"]".repeat(128)).is_ok());
    let hidden = format!("[{}{{\"]\\\"\":[{{}}]}}{}, 01]", "[".repeat(127), "]".repeat(127));
    assert_eq!(defects(hidden), ["too_deep 1:129", "number 1:270"]);
    let deepest = Limits { depth_max: u8::MAX, ..Limits::default() };
    assert!(document::read("deep.json", ("[".repeat(255) + &"]".repeat(255)).as_bytes(), &deepest).is_ok());
}

#[test]
fn size_is_checked_before_anything_is_read() {
    let small = Limits { bytes_max: 4, ..Limits::default() };
    assert!(document::read("small.json", b"[12]", &small).is_ok());
    let refused = document::read("small.json", b"[12] ", &small).unwrap_err();
    assert_eq!(refused.defects[0].message, "the document has more than 4 bytes");
    assert_eq!(refused.defects[0].code.name(), "document::too_large");
}

#[test]
fn large_hostile_documents_end_with_a_short_report() {
    // Long enough that a step which looks at the whole rest each time would take minutes.
    const LEN: usize = 1 << 20;
    let fill = |part: &str| part.repeat((LEN - 16) / part.len());
    assert_eq!(defects("[".repeat(4 * LEN)), ["too_deep 1:129", &format!("syntax 1:{}", 4 * LEN + 1)]);
    assert_eq!(defects(fill("{\"a\":"))[..1], ["too_deep 1:641"]);
    for (document, parts) in [
        (format!("{{{}\"\":0}}", fill("\"\":0,")), LEN / 5),
        (format!("[{}1]", fill("01,")), LEN / 3),
        (format!("[{}1]", fill(",")), LEN),
        (format!("\"{}\"", fill("\\q")), LEN / 2),
        (format!("{}1", fill("//\n")), LEN / 3),
        (format!("[{}1]", fill("'',")), LEN / 3),
        (format!("[{}1]", fill("' ")), LEN / 4 * 2),
    ] {
        let unreadable = read(&document).unwrap_err();
        assert_eq!(unreadable.defects.len(), 100);
        let all = unreadable.defects.len() + unreadable.omitted;
        assert!(all.abs_diff(parts) <= 20, "{all} {parts}");
    }
    let digits = "0.".to_owned() + &"1".repeat(LEN - 2);
    assert_eq!(defects(digits), ["number 1:1"]);
    assert_eq!(defects("\"".to_owned() + &"\u{20ac}".repeat(LEN / 3 - 1)), ["syntax 1:1"]);
}

#[test]
fn what_was_read_can_be_asked() {
    let text = "{\"b\": [1, 3.0, {\"x y\": \"é\\n\"}],\n \"a\": {\"n\": null, \"t\": true}, \"é\": -0}";
    let document = read(text).unwrap();
    let root = &document.root;
    let keys: Vec<&str> = root.as_object().unwrap().iter().map(|member| &*member.key).collect();
    assert_eq!(keys, ["b", "a", "é"]);
    let sorted: Vec<&str> = root.as_object().unwrap().iter_by_key().map(|member| &*member.key).collect();
    assert_eq!(sorted, ["a", "b", "é"]);
    let list = root.get("b").unwrap().as_array().unwrap();
    assert_eq!((list[0].as_i64(), list[1].as_i64(), list[1].as_u64()), (Some(1), Some(3), Some(3)));
    assert_eq!(list[1].as_number().unwrap().spelling(), "3.0");
    let inner = list[2].get("x y").unwrap();
    assert_eq!(inner.as_str(), Some("é\n"));
    assert_eq!(&text[inner.span.start as usize..inner.span.end as usize], "\"é\\n\"");
    assert_eq!(document.path(inner.span).to_string(), "b[2][\"x y\"]");
    let truth = root.get("a").unwrap().get("t").unwrap();
    assert_eq!((truth.as_bool(), truth.as_str(), truth.get("x").is_none()), (Some(true), None, true));
    assert_eq!(document.path(truth.span).to_string(), "a.t");
    assert_eq!(document.place(truth.span).to_string(), "test.json:2:24");
    let key = root.as_object().unwrap().member("a").unwrap().key_span;
    assert_eq!(document.path(key).to_string(), "a");
    assert_eq!(document.path(root.span).to_string(), "the document");
    assert!(root.get("a").unwrap().get("n").unwrap().is_null());
    assert_eq!(
        canonical::to_vec(root).unwrap(),
        "{\"a\":{\"n\":null,\"t\":true},\"b\":[1,3,{\"x y\":\"é\\n\"}],\"é\":0}".as_bytes()
    );
}

#[test]
fn a_wide_object_is_found_by_key() {
    let entries: Vec<String> = (0..50_000).rev().map(|number| format!("\"k{number}\":{number}")).collect();
    let document = read(format!("{{{}}}", entries.join(","))).unwrap();
    for number in 0..50_000 {
        let value = document.root.get(&format!("k{number}")).unwrap();
        assert_eq!(value.as_i64(), Some(number));
        assert_eq!(document.path(value.span).to_string(), format!("k{number}"));
    }
    assert!(document.root.get("k50000").is_none());
}

/// Spans lie within each other and in order, and give back what they were read from.
fn check_spans(text: &str, value: &document::Value, around: Span) {
    assert!(around.contains(value.span));
    let written = &text[value.span.start as usize..value.span.end as usize];
    match &value.kind {
        Kind::Number(number) => assert_eq!(number.spelling(), written),
        Kind::String(string) => assert_eq!(serde_json::from_str::<String>(written).unwrap(), **string),
        Kind::Array(elements) => elements.iter().for_each(|one| check_spans(text, one, value.span)),
        Kind::Object(object) => object.iter().for_each(|member| {
            assert!(value.span.contains(member.key_span) && member.key_span.end < member.value.span.start);
            check_spans(text, &member.value, value.span);
        }),
        Kind::Null | Kind::Bool(_) => assert!(matches!(written, "null" | "true" | "false")),
    }
}

/// Bytes that look like JSON more often than chance would have it.
fn near_json() -> impl Strategy<Value = Vec<u8>> {
    let parts: Vec<&[u8]> = vec![
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b"\"",
        b"\\",
        b"'",
        b"\"a\"",
        b"\"b\":",
        b"\\u",
        b"d83d",
        b"\\ude02",
        b"1",
        b"-",
        b"0",
        b".5",
        b"e9",
        b"true",
        b"null",
        b"NaN",
        b" ",
        b"\n",
        b"//",
        b"/*",
        b"*/",
        b"#",
        b"\xef\xbb\xbf",
        b"\xff",
        b"\0",
        b"\xf0\x9f\x98\x82",
        b"\xc3",
        b"9007199254740993",
    ];
    prop::collection::vec(prop::sample::select(parts), 0..60).prop_map(|parts| parts.concat())
}

/// What must hold whatever the bytes are: no panic, places in the document, agreement with another parser.
fn check_any(bytes: &[u8]) {
    let limits = Limits { defects_max: 10, ..Limits::default() };
    match document::read("any.json", bytes, &limits) {
        Ok(document) => {
            let text = str::from_utf8(bytes).unwrap();
            check_spans(text, &document.root, Span { start: 0, end: u32::try_from(bytes.len()).unwrap() });
            let theirs: serde_json::Value = serde_json::from_slice(bytes).unwrap();
            assert_eq!(canonical::to_vec(&document.root).unwrap(), canonical::to_vec(&theirs).unwrap());
        }
        Err(unreadable) => {
            assert!((1..=10).contains(&unreadable.defects.len()));
            let spans: Vec<Span> = unreadable
                .defects
                .iter()
                .map(|defect| defect.place.as_ref().unwrap().span.unwrap())
                .collect();
            assert!(spans.is_sorted());
            assert!(
                spans.iter().all(|span| span.start <= span.end && span.end as usize <= bytes.len()),
                "{spans:?}"
            );
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_any(&bytes);
    }

    #[test]
    fn near_misses_never_panic(bytes in near_json()) {
        check_any(&bytes);
    }

    #[test]
    fn mutations_of_a_document_never_panic(at in 0_usize..200, byte in any::<u8>(), cut in 0_usize..400) {
        let mut bytes = br#"{"id":"intent-1","risk":{"level":"low","score":0.25},"n":[1,-2,3.0,4e-3],"t":[true,false,null],
            "text":"caf\u00e9 \ud83d\ude02 \"quoted\" \\ and\nplain","deep":[[[[{"a":{"b":{}}}]]]]}"#.to_vec();
        if let Some(changed) = bytes.get_mut(at) {
            *changed = byte;
        }
        bytes.truncate(bytes.len().min(cut));
        check_any(&bytes);
    }
}
