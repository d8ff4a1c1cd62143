//! Every code has a page and every page a code: `explain` never comes back with empty hands.
#![cfg(test)]
#![expect(
    clippy::disallowed_methods,
    reason = "the pages are files of the repository; core itself reads none"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use provost_core::diagnostic::{CODES, Code};

fn pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors")
}

#[test]
fn codes_and_pages_are_the_same() {
    let codes: BTreeSet<String> = CODES.iter().map(Code::page).collect();
    let pages: BTreeSet<String> = std::fs::read_dir(pages())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(codes, pages);
}

#[test]
fn every_page_says_what_it_means_and_what_to_do() {
    for code in CODES {
        let page = std::fs::read_to_string(pages().join(code.page() + ".md")).unwrap();
        assert!(page.starts_with(&format!("# {code}\n\nExit status {}", code.exit().number())), "{code}");
        assert_eq!(page.matches("\n## What to do\n").count(), 1, "{code}");
        assert!(page.lines().count() < 60 && page.ends_with('\n') && !page.ends_with("\n\n"), "{code}");
    }
}
