//! Core cannot touch the world: neither by what it says nor by what it depends on.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::{sources, top};

/// What core may depend on, directly or not, and why it cannot do harm. Whatever is not here fails the test.
const PURE: &[(&str, &str)] = &[
    ("arraydeque", "a queue of granit-parser, in memory"),
    ("bitflags", "sets of flags"),
    ("block-buffer", "buffers of sha2"),
    ("cfg-if", "conditional compilation"),
    ("cpufeatures", "asks the processor, not the system, which instructions it has"),
    ("crypto-common", "traits of sha2"),
    ("digest", "traits of sha2"),
    ("granit-parser", "YAML over strings"),
    ("heck", "names in strum's macros, at compile time"),
    ("hybrid-array", "arrays of sha2"),
    ("itoa", "integers as text"),
    ("libc", "constants that cpufeatures needs on some targets"),
    ("memchr", "searching bytes"),
    ("proc-macro2", "macros, at compile time"),
    ("quote", "macros, at compile time"),
    ("ryu-js", "floating point numbers as text"),
    ("serde", "traits and derives for data"),
    ("serde_core", "traits for data"),
    ("serde_derive", "macros, at compile time"),
    ("serde_json", "JSON over slices and strings"),
    ("sha2", "hashing of slices"),
    ("smallvec", "short lists of granit-parser, in memory"),
    ("strsim", "distances between words"),
    ("strum", "listing and naming of variants"),
    ("strum_macros", "macros, at compile time"),
    ("syn", "macros, at compile time"),
    ("thiserror", "derives for errors"),
    ("thiserror-impl", "macros, at compile time"),
    ("typenum", "numbers as types, for sha2"),
    ("unicode-ident", "macros, at compile time"),
    ("zmij", "floating point numbers as text"),
];

#[test]
fn core_depends_on_nothing_that_could_touch_the_world() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let names: BTreeMap<&str, &str> =
        packages.iter().map(|it| (it["id"].as_str().unwrap(), it["name"].as_str().unwrap())).collect();
    let nodes: BTreeMap<&str, &serde_json::Value> = metadata["resolve"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| (node["id"].as_str().unwrap(), node))
        .collect();
    let core = names.iter().find(|(_, name)| **name == "provost-core").unwrap().0;
    let mut seen = BTreeSet::new();
    let mut next = vec![*core];
    while let Some(id) = next.pop() {
        if !seen.insert(id) {
            continue;
        }
        for dependency in nodes[id]["deps"].as_array().unwrap() {
            // A kind of null is an ordinary dependency; "dev" and "build" never reach the library.
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            if kinds.iter().any(|kind| kind["kind"].is_null()) {
                next.push(dependency["pkg"].as_str().unwrap());
            }
        }
    }
    let allowed: BTreeSet<&str> = PURE.iter().map(|(name, _)| *name).collect();
    let found: BTreeSet<&str> =
        seen.iter().map(|id| names[id]).filter(|name| *name != "provost-core").collect();
    assert_eq!(found.difference(&allowed).collect::<Vec<_>>(), Vec::<&&str>::new(), "not known to be pure");
}

#[test]
fn core_names_no_module_of_the_world() {
    let banned =
        ["std::fs", "std::net", "std::process", "std::thread", "std::env", "std::os", "std::sync", "std::io"];
    for (path, text) in sources() {
        if path.starts_with("crates/provost-core/src") {
            for module in banned {
                assert!(!text.contains(module), "{} names {module}", path.display());
            }
        }
    }
}

#[test]
fn dependencies_run_in_one_direction() {
    for (path, text) in sources() {
        let crates = if path.starts_with("crates/provost-core") {
            ["provost_runtime::", "provost::cli"]
        } else if path.starts_with("crates/provost-runtime") {
            ["provost::cli", "clap::"]
        } else {
            continue;
        };
        assert!(crates.iter().all(|name| !text.contains(name)), "{} looks upwards", path.display());
    }
}

fn metadata() -> serde_json::Value {
    // Only this platform's packages: the others need not have been downloaded.
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", host])
        .current_dir(top())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}
