//! Files that stay readable: length, first line, names, and no test that nobody runs.

use std::path::Path;

use crate::{files, sources, top};

/// The most lines that a source file may have.
const LINES_MAX: usize = 500;

/// Names that say nothing about what a module holds.
const EMPTY_NAMES: &[&str] = &["util", "utils", "helper", "helpers", "common", "misc", "manager", "types"];

#[test]
fn files_are_short() {
    let long: Vec<_> = sources()
        .into_iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > LINES_MAX)
        .collect();
    assert_eq!(long, []);
}

#[test]
fn every_file_says_first_what_it_is() {
    let silent: Vec<_> =
        sources().into_iter().filter(|(_, text)| !text.starts_with("//! ")).map(|it| it.0).collect();
    assert_eq!(silent, Vec::<&Path>::new());
}

#[test]
fn names_say_something() {
    let stem = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let empty: Vec<_> =
        sources().into_iter().map(|it| it.0).filter(|path| EMPTY_NAMES.contains(&&*stem(path))).collect();
    assert_eq!(empty, Vec::<&Path>::new());
}

#[test]
fn nothing_is_left_undone_and_no_test_is_skipped_or_sleeps() {
    // Written in two parts, so that this file does not contain what it looks for.
    let everywhere = [["#[ign", "ore"], ["FIX", "ME"], ["TO", "DO"], ["unimplemented", "!("], ["todo", "!("]];
    let in_tests = [["thread::sl", "eep"], ["time::sl", "eep"]];
    for (path, text) in sources() {
        let is_test = path.components().any(|part| part.as_os_str() == "tests");
        let banned = everywhere.iter().chain(in_tests.iter().filter(|_| is_test));
        for word in banned.map(|parts| parts.concat()) {
            assert!(!text.contains(&word), "{} contains {word}", path.display());
        }
    }
}

#[test]
fn every_module_file_is_declared() {
    for (path, _) in sources() {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let folder = path.parent().unwrap();
        let inside = folder.components().any(|part| part.as_os_str() == "src" || part.as_os_str() == "tests");
        if !inside
            || ["lib", "main"].contains(&&*stem)
            || folder.ends_with("tests")
            || folder.ends_with("benches")
        {
            continue;
        }
        let parents = [folder.join("lib.rs"), folder.join("main.rs"), folder.with_extension("rs")];
        let declared = parents.iter().any(|parent| {
            let text = std::fs::read_to_string(top().join(parent)).unwrap_or_default();
            text.lines().any(|line| line.trim_end_matches(';').ends_with(&format!("mod {stem}")))
        });
        assert!(declared, "nobody declares {}", path.display());
    }
}

#[test]
fn no_path_of_a_machine_and_no_registry_host_is_committed() {
    let banned =
        [["/ro", "ot/"], ["/wo", "rk/"], ["/ho", "me/"], ["index.cra", "tes.io"]].map(|parts| parts.concat());
    for path in files("") {
        let Ok(text) = std::fs::read_to_string(top().join(&path)) else { continue };
        let is_lock = path.ends_with("Cargo.lock");
        for word in banned.iter().filter(|_| !is_lock) {
            assert!(!text.contains(word.as_str()), "{} contains {word}", path.display());
        }
    }
}
