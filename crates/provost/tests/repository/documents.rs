//! Documents that name things which exist.

use std::collections::BTreeSet;

use crate::{files, top};

fn read(path: &str) -> String {
    std::fs::read_to_string(top().join(path)).unwrap()
}

#[test]
fn every_path_in_the_architecture_exists() {
    let text = read("ARCHITECTURE.md");
    // Words in backticks that contain a slash or end like a file are paths from the top.
    let paths: BTreeSet<&str> = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| !word.contains(char::is_whitespace) && !word.contains(['<', '*', ':', '$']))
        .filter(|word| word.contains('/') || [".rs", ".md", ".toml"].iter().any(|end| word.ends_with(end)))
        .collect();
    assert!(paths.len() > 30, "only {} paths were found", paths.len());
    let missing: Vec<_> = paths.into_iter().filter(|path| !top().join(path).exists()).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_source_folder_and_top_module_is_in_the_architecture() {
    let text = read("ARCHITECTURE.md");
    for path in files("crates") {
        let name = path.display().to_string();
        let depth = name.split('/').count();
        let is_module = name.contains("/src/") && depth == 4;
        if is_module && !["lib.rs", "main.rs"].iter().any(|end| name.ends_with(end)) {
            assert!(text.contains(&format!("`{name}`")), "ARCHITECTURE.md does not mention {name}");
        }
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    for path in files("").into_iter().filter(|path| path.extension().is_some_and(|it| it == "md")) {
        let text = std::fs::read_to_string(top().join(&path)).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = target.split('#').next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let file = top().join(&path).parent().unwrap().join(target);
            assert!(file.exists(), "{} links to {target}", path.display());
        }
    }
}

#[test]
fn the_changelog_has_an_unreleased_part_and_decisions_are_numbered_once() {
    assert!(read("CHANGELOG.md").contains("## [Unreleased]"));
    let names: Vec<String> = files("docs/adr").iter().map(|path| path.display().to_string()).collect();
    let numbers: BTreeSet<&str> =
        names.iter().filter_map(|name| name.strip_prefix("docs/adr/")?.split('-').next()).collect();
    assert_eq!(numbers.len(), names.len(), "two decisions share a number");
}
