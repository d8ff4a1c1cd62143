//! `docs/permissions.md` keeps its word.

use provost_core::permission::Field;
use strum::VariantArray as _;

use crate::{command, folder, judged};

#[test]
fn every_field_is_on_the_page() {
    let page = std::fs::read_to_string(folder("docs/permissions.md")).unwrap();
    let (_, rest) = page.split_once("\n## Fields\n").unwrap();
    let section = rest.split("\n## ").next().unwrap();
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    let wanted: Vec<String> =
        Field::VARIANTS.iter().map(|it| format!("| `{it}` | {} |", it.meaning())).collect();
    assert_eq!(rows, wanted, "the rows should be:\n{}", wanted.join("\n"));
}

#[test]
fn its_example_is_a_rule() {
    let page = std::fs::read_to_string(folder("docs/permissions.md")).unwrap();
    let (_, rest) = page.split_once("```json\n").unwrap();
    let example = serde_json::from_str(rest.split("```").next().unwrap()).unwrap();
    let rules = [example];
    assert!(judged(&rules, &command("terraform validate")).allowed);
    assert!(!judged(&rules, &command("terraform apply")).allowed);
    assert!(!judged(&rules, &command("terraform validate; terraform apply")).allowed);
}
