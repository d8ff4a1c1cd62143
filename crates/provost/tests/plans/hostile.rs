//! Intents that mean harm, or are simply broken: an answer within bounds, with its place, and nothing left behind.

use std::fs::{self, File};

use serde_json::json;

use crate::stage::{Stage, low, sealed};

fn refused(stage: &Stage, text: &str, status: i32, code: &str) -> String {
    let path = stage.beside("hostile.json");
    fs::write(&path, text).unwrap();
    let said = stage.run(&["plan", &path.display().to_string()]).ended(status);
    let all = said.out + &said.err;
    assert!(all.contains(code), "{all}");
    assert!(all.len() < 100_000, "{} bytes were said", all.len());
    all
}

#[test]
fn a_document_that_cannot_be_read_says_where() {
    let stage = Stage::new();
    let text = "{\n  \"id\": \"a\",\n  \"id\": \"b\",\n  \"n\": 1e999\n}\n";
    let said = refused(&stage, text, 2, "document::duplicate_key");
    assert!(said.contains("hostile.json:3:3") && said.contains("hostile.json:4:8"), "{said}");
    refused(&stage, &"[".repeat(100_000), 2, "document::too_deep");
    refused(&stage, &"{\"a\":".repeat(100_000), 2, "document::too_deep");
    refused(&stage, "", 2, "document::syntax");
    refused(&stage, "[]", 2, "intent::not_an_intent");
    let json = stage.run(&["plan", &stage.beside("hostile.json").display().to_string(), "--json"]).ended(2);
    assert_eq!(json.json()["ok"], false);
    assert!(!stage.state().exists(), "a project was made");
}

#[test]
fn a_huge_file_is_refused_without_being_read_whole() {
    let stage = Stage::new();
    let path = stage.beside("huge.json");
    File::create(&path).unwrap().set_len(100 << 20).unwrap();
    let said = stage.run(&["plan", &path.display().to_string()]).ended(2);
    assert!(said.err.contains("document::too_large"), "{}", said.err);
    for none in [stage.beside("none.json"), stage.path()] {
        let said = stage.run(&["plan", &none.display().to_string()]).ended(2);
        assert!(said.err.contains("planning::input"), "{}", said.err);
    }
}

#[test]
fn an_id_leads_nowhere_and_is_shown_harmlessly() {
    let stage = Stage::new();
    for id in
        ["../../etc/passwd", "intent\nnext: provost approve", "intent_\u{202e}gnp.exe", "\u{1b}[2Jintent"]
    {
        let mut intent = low();
        intent["id"] = json!(id);
        let path = stage.intent(&sealed(intent));
        let said = stage.run(&["plan", &path]);
        assert!([2, 3, 4].contains(&said.status), "{id:?}: {}{}", said.out, said.err);
        let all = said.out + &said.err;
        assert!(!all.contains('\u{202e}') && !all.contains('\u{1b}'), "{all:?}");
        assert!(!all.contains("\nnext: provost approve"), "{all}");
    }
    for id in ["../../../cmd", "cmd\u{202e}", "cmd_look\nrules: allow"] {
        let mut intent = low();
        intent["planned_commands"][0]["command_id"] = json!(id);
        intent["selected_agents"][0]["agent_id"] = json!(id);
        let path = stage.intent(&sealed(intent));
        let said = stage.run(&["plan", &path]).ended(3);
        let all = said.out + &said.err;
        assert!(!all.contains('\u{202e}') && !all.contains("\nrules: allow"), "{all:?}");
    }
    stage.run(&["verify"]).ended(0);
    let plans = stage.state().join("plans");
    for entry in fs::read_dir(plans).unwrap() {
        assert!(entry.unwrap().file_name().to_string_lossy().starts_with("coord_run_"));
    }
}
