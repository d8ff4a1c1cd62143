//! `docs/rules.md` keeps its word: its lists are those of the code, and its example is a rule.
#![expect(
    clippy::disallowed_methods,
    reason = "the page is a file of the repository; core itself reads none"
)]

use std::path::Path;

use provost_core::registry::{Kind, Registry, Source};
use provost_core::rules::{Evidence, Operator, Predicate};
use strum::VariantArray as _;

use crate::{document, read};

fn page() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md")).unwrap()
}

/// The rows of the table below a heading, without its head.
fn rows<'p>(page: &'p str, heading: &str) -> Vec<&'p str> {
    let (_, rest) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    let section = rest.split("\n## ").next().unwrap();
    section.lines().filter(|line| line.starts_with("| ")).skip(1).collect()
}

#[test]
fn predicates_and_evidence_are_all_there() {
    let page = page();
    let wanted: Vec<String> =
        Predicate::VARIANTS.iter().map(|it| format!("| `{it}` | {} |", it.meaning())).collect();
    assert_eq!(rows(&page, "Predicates"), wanted, "the rows should be:\n{}", wanted.join("\n"));
    let (_, rest) = page.split_once("\n## Evidence\n").unwrap();
    for evidence in Evidence::VARIANTS {
        assert!(rest.contains(&format!("`{evidence}`")), "{evidence}");
    }
}

#[test]
fn operators_are_all_there() {
    let page = page();
    let found: Vec<&str> =
        rows(&page, "Conditions").iter().map(|row| row.split('`').nth(1).unwrap()).collect();
    let names: Vec<&str> = found.iter().map(|it| it.split(':').next().unwrap()).collect();
    let wanted: Vec<&'static str> = Operator::VARIANTS.iter().map(Into::into).collect();
    assert_eq!(names, wanted);
}

#[test]
fn the_example_is_a_rule() {
    let page = page();
    let (_, rest) = page.split_once("```json\n").unwrap();
    let text = rest.split("```").next().unwrap();
    let source = Source {
        kind: Kind::Rule,
        path: "rules/rule.json".to_owned(),
        read: Ok(document("rule.json", text)),
    };
    assert_eq!(Registry::new([source]).usable(Kind::Rule).count(), 1, "a registry takes it");
    let found = read(&[serde_json::from_str(text).unwrap()]).unwrap();
    assert_eq!((found.rules.len(), found.warnings), (1, Vec::new()));
}
