//! What a registry makes of its files.

use provost_core::diagnostic;
use provost_core::registry::{Kind, Lineage, Registry, Resolution, Spec, Status};
use serde_json::{Value, json};

use crate::{command, file, registry, rule, workflow, written};

/// What becomes of a name, in a word.
fn resolved(registry: &Registry, kind: Kind, id: &str, version: Option<&str>) -> String {
    match registry.resolve(kind, id, version) {
        Resolution::Usable(item) => format!("usable {}", item.version),
        Resolution::NotUsable(status) => status.to_string(),
        Resolution::Broken(defects) => format!("broken {}", defects[0].code),
        Resolution::Unknown { nearest } => {
            format!("unknown {:?}", nearest.map(|item| format!("{}@{}", item.id, item.version)))
        }
    }
}

fn with(mut content: Value, key: &str, value: Value) -> Value {
    content[key] = value;
    content
}

#[test]
fn order_of_files_and_keys_changes_nothing() {
    let mut files = vec![
        file(Kind::Workflow, "b", &workflow("fix_bug", "0.9.0")),
        file(Kind::Workflow, "a", &with(workflow("fix_bug", "0.10.0"), "status", json!("draft"))),
        file(Kind::Command, "c", &command("cmd_write_code")),
        file(Kind::Rule, "r", &rule("rule_r01_first", "active")),
        written(Kind::Agent, "torn", "{"),
    ];
    let one = registry(&files);
    let names: Vec<_> = one.items().iter().map(|item| (item.id.as_str(), item.version.as_str())).collect();
    let sorted = [
        ("fix_bug", "0.9.0"),
        ("fix_bug", "0.10.0"),
        ("cmd_write_code", "1.0.0"),
        ("rule_r01_first", "1.0.0"),
    ];
    assert_eq!(names, sorted);
    files.reverse();
    files[4] = written(
        Kind::Workflow,
        "b",
        r#"{ "phases": [ {"id": "write_code"} ], "version": "0.9.0", "id": "fix_bug" }"#,
    );
    let other = registry(&files);
    assert_eq!(one.digest(), other.digest());
    assert_eq!(one.items()[0].checksum, other.items()[0].checksum);
    files.pop();
    assert_ne!(one.digest(), registry(&files).digest());
}

#[test]
fn what_is_broken_counts_in_the_digest() {
    let torn = registry(&[written(Kind::Rule, "r", "{")]);
    let other = registry(&[written(Kind::Rule, "r", "{}")]);
    assert!(torn.digest() != other.digest() && torn.digest() != registry(&[]).digest());
}

#[test]
fn content_may_say_more_and_need_not_say_all() {
    let odd = with(command("cmd_write_code"), "somebody_elses", json!({ "key": [1, 2.5] }));
    let all = registry(&[
        file(Kind::Command, "c", &odd),
        file(Kind::Agent, "a", &json!({ "id": "backend_engineer", "version": "1.0.0" })),
        file(Kind::Model, "m", &json!({ "id": "small-model-4.5", "version": "1.0.0", "location": "local" })),
        file(
            Kind::Expert,
            "e",
            &json!({ "id": "database_expert", "version": "1.0.0", "domain": "databases" }),
        ),
    ]);
    assert!(all.broken().is_empty(), "{:?}", all.broken());
    assert!(all.items().iter().all(|item| item.status == Status::Active));
    let Spec::Command(command) = &all.items()[1].spec else { panic!() };
    assert_eq!(command.changes().count(), 1);
    assert_eq!(command.stages_in("nowhere").count(), 0);
}

#[test]
fn what_is_broken_is_unknown_by_itself_and_says_why() {
    let files = [
        file(Kind::Workflow, "fine", &workflow("fix_bug", "1.0.0")),
        file(Kind::Workflow, "none", &json!({ "id": "no_phases", "version": "1.0.0", "phases": [] })),
        file(
            Kind::Command,
            "kind",
            &with(command("cmd_odd"), "effects", json!([{ "scope": "repo", "kind": "explode" }])),
        ),
        file(
            Kind::Command,
            "payload",
            &with(command("cmd_program"), "constraints", json!({ "executable_payload": "allowed" })),
        ),
        file(Kind::Agent, "type", &json!({ "id": "some_agent", "version": "1.0.0", "type": "command" })),
        file(Kind::Model, "where", &json!({ "id": "some-model", "version": "1.0.0", "location": "moon" })),
        written(Kind::Expert, "torn", "{"),
    ];
    let all = registry(&files);
    let broken: Vec<_> =
        all.broken().iter().map(|it| (it.kind, it.id.as_deref(), it.defects[0].code.name())).collect();
    assert_eq!(
        broken,
        [
            (Kind::Workflow, Some("no_phases"), "schema::out_of_range"),
            (Kind::Agent, Some("some_agent"), "schema::not_allowed"),
            (Kind::Command, Some("cmd_odd"), "schema::not_allowed"),
            (Kind::Command, Some("cmd_program"), "schema::not_allowed"),
            (Kind::Expert, None, "document::syntax"),
            (Kind::Model, Some("some-model"), "schema::not_allowed"),
        ]
    );
    assert_eq!(resolved(&all, Kind::Command, "cmd_odd", None), "broken schema::not_allowed");
    assert_eq!(resolved(&all, Kind::Workflow, "fix_bug", None), "usable 1.0.0");
    assert_eq!(all.broken_rules().count(), 0);
}

#[test]
fn a_broken_rule_stops_unless_it_says_that_it_is_not_in_force() {
    let headless = |status: &str| json!({ "id": "rule_r07_x", "status": status });
    let stops = |source| registry(&[source]).broken_rules().count();
    assert_eq!(stops(written(Kind::Rule, "r", "{")), 1);
    assert_eq!(stops(file(Kind::Rule, "r", &headless("active"))), 1);
    assert_eq!(stops(file(Kind::Rule, "r", &headless("no word of ours"))), 1);
    assert_eq!(stops(file(Kind::Rule, "r", &headless("draft"))), 0);
    assert_eq!(stops(file(Kind::Rule, "r", &headless("deprecated"))), 0);
    assert_eq!(stops(file(Kind::Rule, "r", &rule("rule_07_x", "active"))), 1);
}

#[test]
fn drafts_and_deprecated_content_exist_and_are_not_used() {
    let all = registry(&[
        file(Kind::Rule, "a", &rule("rule_r01_in_force", "active")),
        file(Kind::Rule, "b", &rule("rule_r02_kept", "frozen")),
        file(Kind::Rule, "c", &rule("rule_r03_later", "draft")),
        file(Kind::Rule, "d", &rule("rule_r04_gone", "deprecated")),
    ]);
    let used: Vec<_> = all.usable(Kind::Rule).map(|item| item.id.as_str()).collect();
    assert_eq!(used, ["rule_r01_in_force", "rule_r02_kept"]);
    assert_eq!(resolved(&all, Kind::Rule, "rule_r03_later", None), "draft");
    assert_eq!(resolved(&all, Kind::Rule, "rule_r04_gone", Some("1.0.0")), "deprecated");
}

#[test]
fn names_and_versions() {
    let all = registry(&[
        file(Kind::Workflow, "old", &with(workflow("fix_bug", "1.0.0"), "status", json!("deprecated"))),
        file(Kind::Workflow, "now", &workflow("fix_bug", "1.1.0")),
        file(Kind::Workflow, "next", &with(workflow("fix_bug", "2.0.0"), "status", json!("draft"))),
    ]);
    assert_eq!(resolved(&all, Kind::Workflow, "fix_bug", None), "usable 1.1.0");
    assert_eq!(resolved(&all, Kind::Workflow, "fix_bug", Some("1.0.0")), "deprecated");
    assert_eq!(resolved(&all, Kind::Workflow, "fix_bug", Some("3.0.0")), r#"unknown Some("fix_bug@1.1.0")"#);
    assert_eq!(resolved(&all, Kind::Workflow, "fix_bugs", None), r#"unknown Some("fix_bug@1.1.0")"#);
    assert_eq!(resolved(&all, Kind::Workflow, "release_things", None), "unknown None");
    assert_eq!(resolved(&all, Kind::Command, "fix_bug", None), "unknown None");
}

#[test]
fn of_two_that_claim_one_name_neither_is_used() {
    let two_usable = registry(&[
        file(Kind::Workflow, "a", &workflow("fix_bug", "1.0.0")),
        file(Kind::Workflow, "b", &workflow("fix_bug", "2.0.0")),
    ]);
    assert_eq!(two_usable.items().len(), 0);
    assert_eq!(
        two_usable.broken()[0].defects[0].to_string(),
        "workflows/a.json:1:7: the workflow `fix_bug` is in `workflows/b.json` too, in another version that may be used [registry::rivals]"
    );
    let one_version = registry(&[
        file(Kind::Rule, "a", &rule("rule_r01_x", "active")),
        file(Kind::Rule, "b", &rule("rule_r01_x", "draft")),
    ]);
    assert_eq!(one_version.broken()[1].defects[0].code, diagnostic::REGISTRY_RIVALS);
    assert_eq!(one_version.broken_rules().count(), 1);
}

#[test]
fn a_way_back_is_whole_when_a_root_says_so_or_a_child_says_why() {
    let lineage = |value: Value| {
        let item =
            registry(&[file(Kind::Workflow, "w", &with(workflow("fix_bug", "1.0.0"), "lineage", value))]);
        item.items()[0].lineage.clone()
    };
    let missing = |value: Value| lineage(value).missing();
    assert_eq!(Lineage::default().missing(), Some("introduced_in"));
    assert_eq!(missing(json!({ "introduced_in": "v1" })), Some("derived_from"));
    assert_eq!(missing(json!({ "introduced_in": "v1", "derived_from": null })), None);
    assert_eq!(missing(json!({ "introduced_in": "v1", "derived_from": "old" })), Some("change_reason"));
    assert_eq!(missing(json!({ "introduced_in": "v1", "derived_from": "old", "supersedes": [] })), None);
    assert_eq!(
        missing(json!({ "introduced_in": "v1", "derived_from": "old", "change_reason": "slow" })),
        None
    );
}

#[test]
fn links_that_lead_nowhere_and_origins_unsaid_are_warnings() {
    let whole = json!({ "introduced_in": "v1", "derived_from": null });
    let mut linked = with(command("cmd_write_code"), "lineage", whole.clone());
    linked["workflow_links"] = json!([
        { "workflow": "fix_bug", "phases": ["write_code"] },
        { "workflow": "fix_bgu", "phases": ["write_code"] },
        { "workflow": "fix_bug", "phases": ["write_cod", "elsewhere"] },
    ]);
    let all = registry(&[
        file(Kind::Workflow, "w", &with(workflow("fix_bug", "1.0.0"), "lineage", whole)),
        file(Kind::Command, "c", &linked),
        file(Kind::Agent, "a", &json!({ "id": "backend_engineer", "version": "1.0.0" })),
        file(Kind::Model, "m", &json!({ "id": "small", "version": "1.0.0", "location": "local" })),
    ]);
    assert!(all.broken().is_empty());
    let said: Vec<_> = all.warnings().iter().map(|it| format!("{} ({})", it.message, it.help)).collect();
    assert_eq!(
        said,
        [
            "the agent `backend_engineer` does not say its `lineage.introduced_in` (add `lineage` with `introduced_in` and `derived_from`; null says that it has no parent)",
            "there is no workflow `fix_bgu` (did you mean `fix_bug`?)",
            "the workflow `fix_bug` has no phase `write_cod` (did you mean `write_code`?)",
            "the workflow `fix_bug` has no phase `elsewhere` (name a workflow of this registry and one of its phases, or leave the link as a remark)",
        ]
    );
}

#[test]
fn a_command_that_carries_something_to_be_run_is_broken_and_prose_is_not() {
    for key in ["execute", "Payload", "script", "e\u{200b}xec", "command-line"] {
        let found = registry(&[
            file(Kind::Command, "a", &with(command("cmd_a"), key, json!("x"))),
            file(
                Kind::Command,
                "b",
                &with(command("cmd_b"), "inputs", json!([{ "name": "x", "deep": { key: 1 } }])),
            ),
        ]);
        for id in ["cmd_a", "cmd_b"] {
            assert_eq!(resolved(&found, Kind::Command, id, None), "broken registry::red_line", "{key}");
        }
    }
    let said = with(command("cmd_c"), "description", json!("Execute the shell script with its payload"));
    let run = with(workflow("run_book", "1.0.0"), "code", json!("harmless in a workflow"));
    let found = registry(&[file(Kind::Command, "c", &said), file(Kind::Workflow, "w", &run)]);
    assert_eq!(resolved(&found, Kind::Command, "cmd_c", None), "usable 1.0.0");
    assert_eq!(resolved(&found, Kind::Workflow, "run_book", None), "usable 1.0.0");
}
