//! Generated pages: equal to what the code says, or rewritten on request.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use provost_core::machine::{Sheet, markdown};
use provost_core::machines::sheets;

use crate::spec::docs;

/// Set to 1, the test rewrites the pages instead of comparing them.
const BLESS: &str = "PROVOST_BLESS";

/// Compares a page of docs/ with what it should be, or rewrites it on request.
pub(crate) fn same_as_page(name: &str, text: &str) {
    let path = docs().join(name);
    if std::env::var_os(BLESS).is_some_and(|value| value == "1") {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "docs/{name} is stale; {BLESS}=1 rewrites it");
}

#[test]
fn the_pages_show_the_tables() {
    let sheets = sheets();
    let mut pages: BTreeMap<String, String> =
        sheets.iter().map(|sheet| (format!("{}.md", sheet.name), markdown(sheet))).collect();
    pages.insert("README.md".to_owned(), index(&sheets));

    for (name, text) in &pages {
        same_as_page(&format!("machines/{name}"), text);
    }
    let folder = docs().join("machines");
    let known = |entry: std::io::Result<std::fs::DirEntry>| {
        pages.contains_key(&*entry.unwrap().file_name().to_string_lossy())
    };
    assert!(std::fs::read_dir(&folder).unwrap().all(known), "docs/machines has a page of no machine");
}

fn index(sheets: &[Sheet]) -> String {
    let mut out = String::from(
        "# The machines\n\nGenerated from the tables that run; a test keeps the pages equal to them.\n\n",
    );
    out.push_str("| machine | one run is | states | rows |\n|---|---|---|---|\n");
    for sheet in sheets {
        let (name, states, rows) = (sheet.name, sheet.states.len(), sheet.rows.len());
        let _ = writeln!(out, "| [{name}]({name}.md) | {} | {states} | {rows} |", sheet.what);
    }
    out.push_str("\nA row leads `forward` or `back` along the declared order of states, `stay`s to count or ask again, or leads\n");
    out.push_str("`aside` of it. `*` is every state that has not ended. A state ends a run when only rows that reopen leave it.\n");
    out.push_str(
        "`(where it was)` is the state in which the waiting began. A limit is a setting of provost.toml.\n",
    );
    out
}
