//! What agents may do: every field that rules can ask, the rules that a project begins with, and what they refuse.
#![cfg(test)]
#![expect(
    clippy::disallowed_methods,
    reason = "the first rules of a project are files of the repository; core itself reads none"
)]

mod fields;
mod first_rules;
mod judging;
mod page;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use provost_core::adapter::{Act, Deed};
use provost_core::delivery::Permission;
use provost_core::document::{self, Limits};
use provost_core::permission::{Asker, Permissions};
use provost_core::registry::{Kind, Registry, Source};
use provost_core::role::Role;
use serde_json::{Value as Json, json};

const WORKTREE: &str = "/w/tree";

fn asker(role: Role) -> Asker<'static> {
    static NONE: BTreeSet<String> = BTreeSet::new();
    Asker { role, agent: "claude", task: "parse", worktree: WORKTREE, files: &[], allowed: &NONE }
}

fn act(tool: &str, deed: Deed) -> Act {
    Act { tool: tool.to_owned(), deed, paths: Vec::new(), command: None, address: None, cut: false }
}

fn command(command: &str) -> Act {
    Act { command: Some(command.to_owned()), ..act("Bash", Deed::Run) }
}

fn file(deed: Deed, path: &str) -> Act {
    Act { paths: vec![path.to_owned()], ..act("Edit", deed) }
}

/// A folder of the repository.
fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The rules that a project begins with.
fn first_rules() -> Permissions {
    let at = folder("crates/provost-runtime/src/init/registry/rules");
    let files = std::fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path());
    let source = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = std::fs::read(&path).unwrap();
        let read = document::read_yaml(&name, &bytes, &Limits::default());
        Source { kind: Kind::Rule, path: name, read }
    };
    Permissions::of(&Registry::new(files.map(source))).unwrap().unwrap()
}

/// A rule as it is written.
fn rule(number: u32, types: &[&str], when: &Json, decision: &str) -> Json {
    json!({
        "id": format!("rule_r{number}_it"),
        "type": "rule",
        "title": "A rule",
        "version": "1.0.0",
        "lineage": { "introduced_in": "v1.0", "derived_from": null, "supersedes": [] },
        "constraints": { "execution": "forbidden" },
        "rule": {
            "severity": "error",
            "scope": { "applies_to_types": types, "applies_to_risk": ["low", "medium", "high"] },
            "when": when,
            "then": { "decision": decision, "reason": format!("because of {number}") },
            "evidence_required": ["audit_log_entry"],
        },
    })
}

fn registry(rules: &[Json]) -> Registry {
    let source = |(at, rule): (usize, &Json)| {
        let path = format!("rules/{at}.json");
        let read = document::read(&path, rule.to_string().as_bytes(), &Limits::default());
        Source { kind: Kind::Rule, path, read }
    };
    Registry::new(rules.iter().enumerate().map(source))
}

fn permissions(rules: &[Json]) -> Permissions {
    Permissions::of(&registry(rules)).unwrap().unwrap()
}

fn judged(rules: &[Json], act: &Act) -> Permission {
    permissions(rules).judge(act, &asker(Role::Developer))
}
