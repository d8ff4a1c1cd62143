//! Intents from the command line: written for a goal, sealed, never over another file.

use std::fs;

use insta::assert_snapshot;

use crate::repository::Repository;

fn initialised() -> Repository {
    let repository = Repository::new();
    repository.write("src/greet.rs", "");
    repository.write("README.md", "# Guestbook\n");
    repository.git(&["add", "--all"]);
    repository.run(&["init"]);
    repository
}

#[test]
fn a_goal_is_written_down_once() {
    let repository = initialised();
    let new = ["intent", "new", "Guests are greeted by name", "--files", "src/*.rs"];
    assert_snapshot!(repository.run(&new), @"
    wrote intent_guests_are_greeted_by_name.json
    workflow  implement_feature: the goal names no workflow, and this one implements something
    commands  cmd_read_code, cmd_write_code, cmd_verify_change
    files     src/greet.rs
    next: provost plan intent_guests_are_greeted_by_name.json
    ");
    assert_snapshot!(repository.run(&new), @"
    error[intent::output]: `intent_guests_are_greeted_by_name.json` is there already and is not written over
     |
     = help: name another file with `--out FILE`
    exit 2
    ");
    let written =
        fs::read_to_string(repository.path().join("intent_guests_are_greeted_by_name.json")).unwrap();
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!(written["constraints"]["lock_scope"]["paths"], serde_json::json!(["src/greet.rs"]));
    assert_eq!(
        written["planned_commands"][1]["evidence_refs"],
        serde_json::json!(["scan://file/src/greet.rs", "doc://README.md"])
    );
    let json = repository.run(&["intent", "new", "Fix the bug", "--out", "bug.json", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["schema"], &json["file"], &json["workflow"]),
        (&"provost/intent-new/1".into(), &"bug.json".into(), &"fix_bug".into())
    );
}

#[test]
fn a_goal_that_cannot_be_planned_is_not_written() {
    let repository = initialised();
    assert_snapshot!(repository.run(&["intent", "new", "Guests are greeted", "--workflow", "fix_bugs"]), @"
    error[intent::workflow]: the registry has no workflow `fix_bugs`
     |
     = help: did you mean `fix_bug`?
    exit 2
    ");
    assert_snapshot!(repository.run(&["intent", "new", "x"]), @"
    error[schema::out_of_range]: objective.goal has 1 characters, and 5 to 2000 are accepted
     |
     = help: stay within the bounds that the message names
    error[schema::out_of_range]: objective.success_criteria[0] has 1 characters, and 3 to 300 are accepted
     |
     = help: stay within the bounds that the message names
    error[schema::out_of_range]: title has 1 characters, and 5 to 160 are accepted
     |
     = help: stay within the bounds that the message names
    exit 2
    ");
    let bare = Repository::new();
    assert_snapshot!(bare.run(&["intent", "new", "Guests are greeted"]), @"
    error[registry::unreadable]: there is no registry in `.provost/registry`
     |
     = help: see that it exists, is a folder or a regular file, and can be read; `provost init` writes a first registry
    exit 2
    ");
}

#[test]
fn a_changed_intent_is_sealed_again() {
    let repository = initialised();
    repository.run(&["intent", "new", "Guests are greeted by name", "--out", "i.json"]);
    assert_snapshot!(repository.run(&["intent", "seal", "i.json"]), @"
    sealed i.json; it was sealed in the profile jcs
    next: provost plan i.json
    ");
    let file = repository.path().join("i.json");
    let sealed = fs::read_to_string(&file).unwrap();
    fs::write(&file, sealed.replace("greeted by name", "greeted twice")).unwrap();
    assert_snapshot!(repository.run(&["intent", "seal", "i.json"]), @"
    sealed i.json; its checksum was not that of its content in any profile
    next: provost plan i.json
    ");
    assert!(repository.run(&["intent", "seal", "i.json"]).contains("it was sealed in the profile jcs"));
    let broken = fs::read_to_string(&file).unwrap().replace("\"interactive\"", "\"sometimes\"");
    fs::write(&file, &broken).unwrap();
    assert!(repository.run(&["intent", "seal", "i.json"]).contains("sometimes"));
    assert_eq!(fs::read_to_string(&file).unwrap(), broken, "what does not fit is left alone");
    let stray =
        broken.replace("\"sometimes\"", "\"interactive\"").replacen('{', "{\"checksum_of_last_week\": 1,", 1);
    fs::write(&file, &stray).unwrap();
    let said = repository.run(&["intent", "seal", "i.json"]);
    assert!(said.contains("has no key `checksum_of_last_week`") && said.contains("exit 2"), "{said}");
    let bare: String = sealed.lines().filter(|line| !line.contains("\"checksum\"")).collect();
    fs::write(&file, bare.replace("\"human\",", "\"human\"")).unwrap();
    assert!(
        repository.run(&["intent", "seal", "i.json"]).contains("sealed i.json"),
        "a place for the seal is enough"
    );
    repository.write("i.yaml", "id: intent_x\n");
    assert_snapshot!(repository.run(&["intent", "seal", "i.yaml"]), @"
    error[intent::output]: `i.yaml` is YAML, and a sealed intent is written as JSON
     |
     = help: convert the file to JSON first; nothing was changed
    exit 2
    ");
}
