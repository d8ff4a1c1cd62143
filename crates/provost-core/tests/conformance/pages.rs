//! The generated pages in docs/machines: equal to the tables, or rewritten on request.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use provost_core::machine::{Sheet, markdown};
use provost_core::machines::sheets;

use crate::spec::docs;

/// Set to 1, the test rewrites the pages instead of comparing them.
const BLESS: &str = "PROVOST_BLESS";

#[test]
fn the_pages_show_the_tables() {
    let sheets = sheets();
    let mut pages: BTreeMap<String, String> =
        sheets.iter().map(|sheet| (format!("{}.md", sheet.name), markdown(sheet))).collect();
    pages.insert("README.md".to_owned(), index(&sheets));

    let folder = docs().join("machines");
    if std::env::var_os(BLESS).is_some_and(|value| value == "1") {
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in &pages {
            std::fs::write(folder.join(name), text).unwrap();
        }
    }
    for (name, text) in &pages {
        let found = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(&found == text, "docs/machines/{name} is stale; {BLESS}=1 rewrites it");
    }
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
