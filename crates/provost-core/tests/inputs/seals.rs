//! Seals: ours written, and all three accepted ones told apart.

use provost_core::canonical::checksum::Profile;
use provost_core::digest::Digest;
use provost_core::document::{self, Document, Limits};
use provost_core::intent::{self, NotSealed};
use serde_json::json;

use crate::sample::{changed, document, examine};

fn parse(text: &str) -> Document {
    document::read("intent.json", text.as_bytes(), &Limits::default()).unwrap()
}

fn codes(document: &Document) -> (Vec<&'static str>, Option<Profile>) {
    let examined = intent::read(document).unwrap();
    (examined.findings.iter().map(|finding| finding.diagnostic.code.name()).collect(), examined.sealed)
}

#[test]
fn a_seal_is_ours_and_the_same_whatever_the_order_of_keys() {
    let value = changed("/title", Some(json!("Größer als zuvor")));
    let sealed = intent::seal(&document(&value).root).unwrap();
    let text = String::from_utf8(sealed.clone()).unwrap();
    assert!(text.starts_with(
        "{\n  \"id\": \"intent_harbour_lights\",\n  \"type\": \"execution_intent\",\n  \"title\": "
    ));
    assert!(text.ends_with("\n}\n"));
    assert_eq!(codes(&parse(&text)), (vec![], Some(Profile::Jcs)));
    // Sealing again, from the order that the seal wrote, changes nothing.
    assert_eq!(intent::seal(&parse(&text).root).unwrap(), sealed);
    let respelled = text.replace("2.5", "25e-1").replace("\"max_files\": 4", "\"max_files\": 4.0");
    assert_eq!(codes(&parse(&respelled)), (vec![], Some(Profile::Jcs)));
    assert_eq!(codes(&parse(&text.replace("zuvor", "davor"))), (vec!["intent::checksum"], None));
}

#[test]
fn a_seal_keeps_what_is_wrong_and_needs_its_place() {
    let surplus = changed("/surplus", Some(json!({ "a": 1 })));
    let text = String::from_utf8(intent::seal(&document(&surplus).root).unwrap()).unwrap();
    assert!(text.contains("\"surplus\": {\n"), "{text}");
    assert_eq!(examine(&surplus).sealed, Some(Profile::Jcs));
    for audit in [None, Some(json!("mara")), Some(json!([]))] {
        assert_eq!(intent::seal(&document(&changed("/audit", audit)).root), Err(NotSealed));
    }
}

/// The text over which other tools make their checksum, written here by hand so that no code of ours is trusted.
fn elsewhere(comma: &str, colon: &str, title: &str) -> String {
    let body = r#"{"audit":{"checksum":"","created_by":"t","source":"imported"},"budgets":{"max_cost_usd":2.0,"max_files":3},"id":"intent_elsewhere","title":"TITLE"}"#;
    body.replace("\",\"", &format!("\"{comma}\""))
        .replace("},\"", &format!("}}{comma}\""))
        .replace("2.0,\"", &format!("2.0{comma}\""))
        .replace("\":", &format!("\"{colon}"))
        .replace("TITLE", title)
}

#[test]
fn the_seals_of_other_tools_are_told_apart() {
    for (comma, colon, title, profile) in [
        (", ", ": ", "Plain words", Profile::PyDefaultBlank),
        (",", ":", "Plain words", Profile::PyCompactAsciiBlank),
        (", ", ": ", "Gr\\u00fcn", Profile::PyDefaultBlank),
        (",", ":", "Gr\\u00fcn \\ud83d\\ude00", Profile::PyCompactAsciiBlank),
    ] {
        let blank = elsewhere(comma, colon, title);
        let digest = Digest::of(blank.as_bytes());
        let with = |number: &str| {
            let own = format!("\"checksum\"{colon}\"\"");
            blank.replace(&own, &format!("\"checksum\"{colon}\"{digest}\"")).replace("2.0", number)
        };
        assert_eq!(codes(&parse(&with("2.0"))).1, Some(profile), "{blank}");
        // There the spelling of a number is part of what is sealed.
        assert_eq!(codes(&parse(&with("2"))).1, None, "{blank}");
    }
}
