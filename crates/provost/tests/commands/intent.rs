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
    assert_snapshot!(repository.run(&new), @"");
    assert_snapshot!(repository.run(&new), @"");
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
        (&"provost/intent/1".into(), &"bug.json".into(), &"fix_bug".into())
    );
}

#[test]
fn a_goal_that_cannot_be_planned_is_not_written() {
    let repository = initialised();
    assert_snapshot!(repository.run(&["intent", "new", "Guests are greeted", "--workflow", "fix_bugs"]), @"");
    assert_snapshot!(repository.run(&["intent", "new", "x"]), @"");
    let bare = Repository::new();
    assert_snapshot!(bare.run(&["intent", "new", "Guests are greeted"]), @"");
}

#[test]
fn a_changed_intent_is_sealed_again() {
    let repository = initialised();
    repository.run(&["intent", "new", "Guests are greeted by name", "--out", "i.json"]);
    assert_snapshot!(repository.run(&["intent", "seal", "i.json"]), @"");
    let file = repository.path().join("i.json");
    let sealed = fs::read_to_string(&file).unwrap();
    fs::write(&file, sealed.replace("greeted by name", "greeted twice")).unwrap();
    assert_snapshot!(repository.run(&["intent", "seal", "i.json"]), @"");
    assert!(repository.run(&["intent", "seal", "i.json"]).contains("it was sealed in the profile jcs"));
    let broken = fs::read_to_string(&file).unwrap().replace("\"interactive\"", "\"sometimes\"");
    fs::write(&file, &broken).unwrap();
    assert!(repository.run(&["intent", "seal", "i.json"]).contains("sometimes"));
    assert_eq!(fs::read_to_string(&file).unwrap(), broken, "what does not fit is left alone");
    repository.write("i.yaml", "id: intent_x\n");
    assert_snapshot!(repository.run(&["intent", "seal", "i.yaml"]), @"");
}
