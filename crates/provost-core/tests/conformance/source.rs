//! The source texts of the specification, where they are at hand: found, and read as tables, diagrams and slugs.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::spec::Edge;

/// Names another folder for the source texts.
const FOLDER: &str = "PROVOST_SEEDS";

/// Reads the source text whose file name begins with `number`, or says that there is none to compare with.
pub(crate) fn text(number: &str) -> Option<String> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/seeds"));
    let folder = std::env::var_os(FOLDER).map_or_else(beside, PathBuf::from);
    if !folder.is_dir() {
        note(number);
        return None;
    }
    let named =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(number));
    let path = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).find(named);
    let path = path.unwrap_or_else(|| panic!("{} has no {number}", folder.display()));
    Some(std::fs::read_to_string(path).unwrap())
}

#[expect(clippy::print_stderr, reason = "a comparison that did not take place has to be seen")]
fn note(number: &str) {
    eprintln!("source text {number} is not at hand ({FOLDER} names its folder): nothing compared");
}

/// Lower case, with one `_` for whatever is no letter or digit between two that are.
pub(crate) fn slug(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_")
}

/// The cells of the Markdown table whose header is `header`, without back-ticks.
pub(crate) fn table(text: &str, header: &[&str]) -> Vec<Vec<String>> {
    let cells = |line: &str| -> Vec<String> {
        line.trim().trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect()
    };
    let rows: Vec<_> = text
        .lines()
        .skip_while(|line| !line.starts_with('|') || cells(line) != header)
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(cells)
        .collect();
    assert!(!rows.is_empty(), "no table with header {header:?}");
    rows
}

/// The arrows of a Mermaid diagram between states that have names.
pub(crate) fn arrows(text: &str, kind: &str) -> Vec<Edge> {
    let diagram = text.lines().skip_while(|line| line.trim() != kind).skip(1);
    let diagram = diagram.take_while(|line| line.trim().is_empty() || line.starts_with("    "));
    let arrow = |line: &str| {
        let (from, rest) = line.split_once("-->")?;
        let (to, label) = rest.split_once(':').unwrap_or((rest, ""));
        let (from, to) = (from.trim(), to.trim());
        let named = from != "[*]" && to != "[*]";
        named.then(|| Edge { from: from.into(), on: String::new(), to: to.into(), label: slug(label) })
    };
    diagram.filter_map(arrow).collect()
}

/// The part of a text from `start` up to `end`.
pub(crate) fn part<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no `{start}`"));
    rest.split_once(end).map_or(rest, |(part, _)| part)
}

/// What stands between `open` and `close`, each time.
pub(crate) fn between(text: &str, open: &str, close: &str) -> BTreeSet<String> {
    let parts = text.split(open).skip(1).filter_map(|rest| rest.split_once(close));
    parts.map(|(inside, _)| inside.to_owned()).collect()
}
