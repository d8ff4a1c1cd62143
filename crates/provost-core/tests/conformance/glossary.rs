//! The glossary's table of what people read, against the labels in the code.

use provost_core::machines::sheets;

use crate::spec::docs;

#[test]
fn the_glossary_prints_the_labels() {
    let text = std::fs::read_to_string(docs().join("glossary.md")).unwrap();
    let rows = |line: &&str| line.starts_with("| ") && line.matches('|').count() == 4;
    let found: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("| machine | on the record | people read |"))
        .skip(2)
        .take_while(rows)
        .collect();
    let mut wanted = Vec::new();
    for sheet in sheets() {
        for state in &sheet.states {
            wanted.push(format!("| {} | `{state}` | {} |", sheet.name, sheet.labels[state]));
        }
    }
    assert_eq!(found, wanted, "docs/glossary.md should have these rows:\n{}", wanted.join("\n"));
}
