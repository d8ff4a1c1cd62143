//! YAML read into the values of JSON: what both can say is the same, and what only YAML can say is refused.
#![cfg(test)]

use proptest::prelude::*;
use provost_core::canonical;
use provost_core::diagnostic::Span;
use provost_core::document::{self, Document, Kind, Limits, Unreadable, Value};

fn read(text: impl AsRef<[u8]>) -> Result<Document, Unreadable> {
    document::read_yaml("test.yaml", text.as_ref(), &Limits::default())
}

/// The canonical form.
fn json(text: &str) -> String {
    String::from_utf8(canonical::to_vec(&read(text).unwrap().root).unwrap()).unwrap()
}

/// Every defect as `what line:column`, in order.
fn defects(text: impl AsRef<[u8]>) -> Vec<String> {
    let refused = read(text).map(|document| document.root).unwrap_err();
    let described = refused.defects.iter().map(|defect| {
        let place = defect.place.as_ref().unwrap();
        assert!(
            !defect.message.contains(char::is_control) && !defect.message.ends_with('.'),
            "{}",
            defect.message
        );
        format!("{} {}:{}", defect.code.name().trim_start_matches("document::"), place.line, place.column)
    });
    described.collect()
}

#[test]
fn block_flow_and_text_of_every_style() {
    let text = "\
--- # a comment
id: rule_r01   # another
version: 0.6.0
when:
  any_of:
  - field_exists: execute
  - {field_missing: lineage, deep: [1, 2.50, -0.5e3]}
description: |
  first line
    second: not a key

  third # text
folded: >-
  one
  two

  three
single: 'it''s'
double: \"tab\\t, \\u00e9, \\x41, \\
  joined\"
plain text: words over
  two lines
url: scan://file/a.py#L3
empty:
tilde: ~
list: []
object: {}
yes: no
at: 2026-01-25T10:00:00Z
number text: '12'
? explicit
: value
...
";
    assert_eq!(
        json(text),
        r#"{"at":"2026-01-25T10:00:00Z","description":"first line\n  second: not a key\n\nthird # text\n","double":"tab\t, é, A, joined","empty":null,"explicit":"value","folded":"one two\nthree","id":"rule_r01","list":[],"number text":"12","object":{},"plain text":"words over two lines","single":"it's","tilde":null,"url":"scan://file/a.py#L3","version":"0.6.0","when":{"any_of":[{"field_exists":"execute"},{"deep":[1,2.5,-500],"field_missing":"lineage"}]},"yes":"no"}"#
    );
}

#[test]
fn the_core_schema_and_nothing_older() {
    assert_eq!(
        json(
            "[true, True, FALSE, null, Null, NULL, ~, yes, No, on, off, y, 1_000, 12:30, 1.2.3, 0b1, NaN, inf]"
        ),
        r#"[true,true,false,null,null,null,null,"yes","No","on","off","y","1_000","12:30","1.2.3","0b1","NaN","inf"]"#
    );
    let spelled = read("[3.0, 1e2, -0, 12]").unwrap().root;
    let spellings: Vec<_> = spelled
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_number().unwrap().spelling().into_owned())
        .collect();
    assert_eq!(spellings, ["3.0", "1e2", "-0", "12"]);
}

#[rustfmt::skip]
const REFUSED: &[(&str, &[&str])] = &[
    // Nothing, and too much.
    ("",                                       &["syntax 1:1"]),
    ("# only a comment\n",                     &["syntax 1:1"]),
    ("a: 1\n---\nb: 2\n",                      &["several 2:1"]),
    ("a: 1\n...\n---\nb: 2\n",                 &["several 3:1"]),
    // What only YAML has.
    ("a: &x 1\nb: *x\n",                       &["anchor 1:4", "anchor 2:4"]),
    ("a: &x [1]\nb: &y {c: *x}\n*y : d\n",     &["anchor 1:4", "anchor 2:4", "anchor 2:11", "anchor 3:1"]),
    ("a: *nowhere\nb: 01\n",                   &["anchor 1:4", "number 2:4"]),
    ("a: !!str 1\nb: !mine {c: 1}\nc: ! d\n",  &["tag 1:4", "tag 2:4", "tag 3:4"]),
    ("<<: {a: 1}\nb: 2\n",                     &["merge_key 1:1"]),
    ("%YAML 1.2\n---\na: 1\n",                 &["syntax 1:1"]),
    // Keys.
    ("a: 1\nb: 2\n\"a\": 3\n",                 &["duplicate_key 3:1"]),
    ("{a: 1, a: 2}\n",                         &["duplicate_key 1:8"]),
    ("1: a\ntrue: b\n~: c\n: d\n1.5: e\n",     &["key 1:1", "key 2:1", "key 3:1", "key 4:1", "key 5:1"]),
    ("? [a, b]\n: c\n? {d: e}\n: f\n",         &["key 1:3", "key 3:3"]),
    // Numbers that are not the same everywhere, or not after reading.
    ("[007, +1, .5, 5., 0x1F, 0o17, .inf, -.INF, .nan]",
        &["number 1:2", "number 1:7", "number 1:11", "number 1:15", "number 1:19", "number 1:25", "number 1:31", "number 1:37", "number 1:44"]),
    ("a: 9007199254740993\nb: 1e999\n",        &["number 1:4", "number 2:4"]),
    // Layout and quotes.
    ("a:\n\tb: 1\n",                           &["syntax 2:2"]),
    ("a: b: c\n",                              &["syntax 1:5"]),
    ("a: [1, 2\nb: 3\n",                       &["syntax 2:1"]),
    ("a: 'open\n",                             &["syntax 2:1"]),
    ("a: \"\\q\"\n",                           &["escape 1:4"]),
    ("a: \"\\ud800\"\n",                       &["surrogate 1:4"]),
    ("a: @at\n",                               &["syntax 1:4"]),
    // Encoding and characters.
    ("\u{feff}a: 1\n",                         &["encoding 1:1"]),
    ("a: \u{1b}[31m\u{0}\u{1}\n\u{7f}: 1\n",   &["control_character 1:4", "control_character 1:9", "control_character 2:1"]),
];

#[test]
fn everything_refused_at_its_place() {
    for (text, expected) in REFUSED {
        assert_eq!(&defects(text), expected, "{}", text.escape_debug());
    }
    assert_eq!(defects(b"a: \xff\n"), ["encoding 1:4"]);
    assert_eq!(defects(b"\xff\xfea\0"), ["encoding 1:1"]);
    // Read, and judged by whoever looks at keys.
    assert_eq!(
        json("\"ex\u{200b}ec\": 1\n\u{202e}a: '<<'\n'<<': 2\n"),
        "{\"<<\":2,\"ex\u{200b}ec\":1,\"\u{202e}a\":\"<<\"}"
    );
}

#[test]
fn messages_are_for_people() {
    let said = |text: &str| {
        let refused = read(text).unwrap_err();
        refused.defects.iter().map(|it| format!("{it}\n  {}", it.help)).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(said("a: &x 1\n007: !!int 08\n<<: *x\na: 2\n"), @"
    test.yaml:1:4: the anchor `x` is not accepted [document::anchor]
      write out what is meant at each place
    test.yaml:2:1: the key `007` is a number, not text [document::key]
      put the key into quotes
    test.yaml:2:6: a tag is not accepted [document::tag]
      remove the tag; for text that looks like a number use quotes
    test.yaml:2:12: the number `08` begins with a zero [document::number]
      write a number as JSON does, or put it into quotes if it is text
    test.yaml:3:1: the merge key `<<` is not accepted [document::merge_key]
      write the entries out, or put the key into quotes if it is text
    test.yaml:3:5: an alias is not accepted [document::anchor]
      write out what is meant at each place
    test.yaml:4:1: the key `a` is already at line 1, column 1 [document::duplicate_key]
      keep one of the entries and remove the other
    ");
    insta::assert_snapshot!(said("a:\n\t- b\n"), @"
    test.yaml:2:2: this is not YAML as Provost reads it: tabs disallowed within this context (block indentation) [document::syntax]
      indent with spaces; YAML does not take tabs
    ");
    insta::assert_snapshot!(said("steps: [\n"), @"
    test.yaml:1:8: this is not YAML as Provost reads it: unclosed bracket '[' [document::syntax]
      mend the YAML at this place; text with `: `, ` #` or brackets needs quotes
    ");
}

#[test]
fn depth_is_counted_as_in_json() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(read(nested(128)).is_ok());
    assert_eq!(defects(nested(129)), ["too_deep 1:129"]);
    let block = |depth: usize| "- ".repeat(depth) + "1\n";
    assert!(read(block(128)).is_ok());
    assert_eq!(defects(block(129)), ["too_deep 1:257"]);
    let mixed = "- ".repeat(100) + &nested(29) + "\n";
    assert_eq!(defects(mixed), ["too_deep 1:229"]);
    assert_eq!(defects(format!("a: {}\nb: 01\n", nested(200))), ["too_deep 1:131", "number 2:4"]);
    assert_eq!(defects("[".repeat(100_000)), ["too_deep 1:256"]);
    let small = Limits { bytes_max: 4, ..Limits::default() };
    assert!(document::read_yaml("small.yaml", b"a: 1", &small).is_ok());
    assert_eq!(
        document::read_yaml("small.yaml", b"a: 12", &small).unwrap_err().defects[0].code.name(),
        "document::too_large"
    );
}

#[test]
fn large_hostile_documents_end_with_a_short_report() {
    // Long enough that a step which looks at the whole rest each time would take minutes.
    const LEN: usize = 1 << 20;
    for part in [
        "- ", "? ", "a: ", "{a: ", "&a ", "*a ", "!a ", "'", "\"", "#", "\n", "- 01\n", "a: 1\n", "[],",
        "|\n ", ": ", "--- a\n", "\t", "[a,", "é",
    ] {
        let Err(refused) = read(part.repeat(LEN / part.len())) else { continue };
        assert!(refused.defects.len() <= 100, "{part}");
    }
}

#[test]
fn the_name_says_the_form() {
    let any = |name: &str, text: &str| document::read_any(name, text.as_bytes(), &Limits::default()).is_ok();
    assert!(any("a.yaml", "a: 1") && any("a.YML", "a: 1") && any("dir.json/a.yml", "a: 1"));
    assert!(!any("a.json", "a: 1") && !any("a", "a: 1") && !any("yaml", "a: 1"));
    assert!(any("a.json", "{\"a\": 1}") && any("-", "{\"a\": 1}"));
}

/// Spans lie within each other and in order, so that paths can be found by them.
fn check_spans(value: &Value, around: Span) {
    assert!(around.contains(value.span) && value.span.start <= value.span.end, "{around:?} {:?}", value.span);
    let mut before = value.span.start;
    let mut check = |inner: Span| {
        assert!(before <= inner.start, "{before} {inner:?}");
        before = inner.end;
    };
    match &value.kind {
        Kind::Array(elements) => elements.iter().for_each(|element| {
            check(element.span);
            check_spans(element, value.span);
        }),
        Kind::Object(object) => object.iter().for_each(|member| {
            check(member.key_span);
            check(member.value.span);
            check_spans(&member.value, value.span);
        }),
        _ => {}
    }
}

/// What must hold whatever the bytes are.
fn check_any(bytes: &[u8]) {
    let limits = Limits { defects_max: 10, ..Limits::default() };
    let everything = Span { start: 0, end: u32::try_from(bytes.len()).unwrap() };
    match document::read_yaml("any.yaml", bytes, &limits) {
        Ok(document) => {
            check_spans(&document.root, everything);
            let canonical = canonical::to_vec(&document.root).unwrap();
            let again = document::read("any.json", &canonical, &limits).unwrap();
            assert_eq!(canonical::to_vec(&again.root).unwrap(), canonical);
            if let Ok(json) = document::read("any.json", bytes, &limits) {
                assert_eq!(canonical::to_vec(&json.root).unwrap(), canonical);
            }
        }
        Err(refused) => {
            assert!((1..=10).contains(&refused.defects.len()));
            for defect in refused.defects {
                let span = defect.place.unwrap().span.unwrap();
                assert!(span.start <= span.end && everything.contains(span), "{span:?}");
            }
        }
    }
}

/// Text that looks like YAML more often than chance would have it.
fn near_yaml() -> impl Strategy<Value = Vec<u8>> {
    let parts = vec![
        "a", "b: ", "- ", "? ", ": ", "\n", "\n  ", "\n    ", " ", "\t", "{", "}", "[", "]", ",", "|", ">",
        "|-\n", ">+\n", "'", "\"", "\\", "\\u", "d83d", "#", " # c", "&x ", "*x", "!t ", "<<: ", "---\n",
        "...\n", "%", "1", "0.5", "-", "~", "true", "é", "😂", "\u{feff}", "\r\n", "\r", "\u{85}",
        "\u{2028}", "\0",
    ];
    prop::collection::vec(prop::sample::select(parts), 0..60).prop_map(|parts| parts.concat().into_bytes())
}

/// JSON of every kind.
fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        (-(1_i64 << 53) + 1..1_i64 << 53).prop_map(Into::into),
        any::<String>().prop_map(Into::into),
        "[-:?#,&*!|>'\"%@` \\[\\]{}~<=a1\n\t]{0,8}".prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::btree_map("[-:?#,&*! a1]{0,6}", inner, 0..6)
                .prop_map(|map| map.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_any(&bytes);
    }

    #[test]
    fn near_misses_never_panic(bytes in near_yaml()) {
        check_any(&bytes);
    }

    #[test]
    fn json_means_the_same_when_read_as_yaml(value in any_json(), is_pretty in any::<bool>()) {
        let text = if is_pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        check_any(text.as_bytes());
        // Characters that YAML wants escaped and JSON does not are the only reason to refuse.
        if !text.contains(|it: char| it.is_control() && it != '\n' || matches!(it, '\u{fffe}' | '\u{ffff}' | '\u{feff}')) {
            prop_assert!(read(&text).is_ok(), "{:?} {}", read(&text).unwrap_err(), text);
        }
    }
}
