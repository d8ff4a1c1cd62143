//! The manual of the command line: what `--help` prints, kept as a page.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::repository::Repository;

/// Set to 1, the test rewrites the page instead of comparing it.
const BLESS: &str = "PROVOST_BLESS";

#[test]
fn the_manual_shows_what_help_prints() {
    let repository = Repository::new();
    let top = repository.run(&["--help"]);
    let (_, commands) = top.split_once("Commands:\n").unwrap();
    let names = commands.lines().take_while(|line| !line.is_empty());
    // What is said about a command may go on in the next line, further in.
    let names = names.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let mut page = String::from("# The command line\n\nGenerated from `--help`; a test keeps it equal.\n");
    let _ = write!(page, "\n```text\n{top}```\n");
    for name in names.filter(|name| *name != "help") {
        let _ = write!(page, "\n## provost {name}\n\n```text\n{}```\n", repository.run(&[name, "--help"]));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    if std::env::var_os(BLESS).is_some_and(|value| value == "1") {
        fs::write(&path, &page).unwrap();
    }
    assert!(!page.contains("unrecognized subcommand"), "a word was taken for a command");
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "docs/cli.md is stale; {BLESS}=1 rewrites it");
}
