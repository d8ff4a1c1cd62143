//! What plans are made of: facts, memory, registry.

use insta::assert_snapshot;

use crate::repository::Repository;

#[test]
fn a_repository_is_looked_at() {
    let repository = Repository::new();
    repository.write("Cargo.toml", "[package]\nname = \"shop\"\n");
    repository.write("src/lib.rs", "");
    repository.write("README.md", "# Shop\n");
    repository.git(&["add", "--all"]);
    assert_snapshot!(repository.run(&["scan", "--out", "facts.json"]), @"");
    let written = std::fs::read_to_string(repository.path().join("facts.json")).unwrap();
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    let printed: serde_json::Value = serde_json::from_str(&repository.run(&["scan", "--json"])).unwrap();
    assert_eq!(printed["schema"], "provost/scan/1");
    assert_eq!(
        (&written["files"][0]["path"], &written["evidence"]),
        (&printed["files"][0]["path"], &printed["evidence"])
    );
    assert!(written.get("schema").is_none());
    assert_snapshot!(repository.run(&["scan", "--out", "none/facts.json"]), @"");
}

#[test]
fn something_is_written_down_and_listed() {
    let repository = Repository::new();
    assert_snapshot!(repository.run(&["memory", "list"]), @"");
    let add = ["memory", "add", "the public API never breaks", "--type", "constraint", "--tag", "api"];
    assert_snapshot!(repository.run(&add), @"");
    assert_snapshot!(repository.run(&add), @"");
    assert_snapshot!(repository.run(&["memory", "list"]), @"");
    let json: serde_json::Value =
        serde_json::from_str(&repository.run(&["memory", "list", "--json"])).unwrap();
    assert_eq!(json["memories"][0]["tags"][0], "api");
    assert_snapshot!(repository.run(&["memory", "add", "unsure", "--confidence", "2"]), @"");
    repository.write(".provost/memory/mine.yaml", "id: mine\nscope: here\n");
    assert_snapshot!(repository.run(&["memory", "list"]), @"");
}

#[test]
fn the_first_registry_passes_and_what_people_break_is_named() {
    let repository = Repository::new();
    assert_snapshot!(repository.run(&["rules", "check"]), @"");
    repository.run_among(&["claude"], &["init"]);
    assert_snapshot!(repository.run(&["rules", "check"]), @"");
    repository.write(
        ".provost/registry/commands/mine.yaml",
        "id: cmd_mine\nversion: 1.0.0\nrisk_level: low\neffects: [{scope: repo, kind: read}]\n\
         workflow_links:\n  - workflow: fix_bugs\n    phases: [analysis]\n",
    );
    repository.write(".provost/registry/agents/odd.yaml", "id: some_agent\n");
    assert_snapshot!(repository.run(&["rules", "check"]), @"");
    repository.write(".provost/registry/rules/mine.yaml", "id: rule_r13_mine\nversion: 1.0.0\n");
    let json: serde_json::Value = {
        let said = repository.run(&["rules", "check", "--json"]);
        assert!(said.ends_with("exit 4\n"), "{said}");
        serde_json::from_str(said.lines().next().unwrap()).unwrap()
    };
    assert_eq!(
        (&json["ok"], &json["counts"][3]["usable"], &json["counts"][3]["broken"]),
        (&false.into(), &12.into(), &1.into())
    );
}
