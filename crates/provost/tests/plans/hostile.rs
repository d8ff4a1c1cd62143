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
    // Also where nothing is shown, because a line is too long for that.
    let text = format!("{{\"id\": \"a\", \"b\": \"{}\", \"n\": 1e999}}", "c".repeat(1_000));
    let said = refused(&stage, &text, 2, "document::number");
    assert!(said.contains("hostile.json:1:1027: "), "{said}");
    refused(&stage, "[]", 2, "intent::not_an_intent");
    let json = stage.run(&["plan", &stage.beside("hostile.json").display().to_string(), "--json"]).ended(2);
    assert_eq!(json.json()["ok"], false);
    assert!(!stage.state().exists(), "a project was made");
}

#[test]
fn everything_that_is_wrong_with_an_intent_is_said_with_its_place() {
    let stage = Stage::new();
    let mut intent = low();
    intent["title"] = json!("x");
    intent["scope"]["Sh\u{200b}ell"] = json!("x");
    intent["planned_commands"][0]["evidence_refs"] = json!([]);
    let path = stage.beside("hostile.json");
    fs::write(&path, serde_json::to_string_pretty(&intent).unwrap()).unwrap();
    let said = stage.run(&["plan", &path.display().to_string()]).ended(4);
    for (code, key) in [
        ("intent::red_line_i1", "ell\": \"x\""),
        ("intent::schema", "\"title\": \"x\""),
        ("intent::red_line_i4", "\"evidence_refs\": []"),
        ("intent::schema", "\"checksum\""),
    ] {
        let text = fs::read_to_string(&path).unwrap();
        let line = text.lines().position(|line| line.contains(key)).unwrap() + 1;
        let stands = |said: &str| said.contains(&format!("hostile.json:{line}:")) && said.contains(code);
        assert!(said.out.lines().any(stands), "{code} at line {line}: {}", said.out);
    }
    let json = stage.run(&["plan", &path.display().to_string(), "--json"]).ended(4).json();
    assert!(json["places"].as_array().unwrap().iter().all(|it| it["place"]["line"].is_u64()), "{json}");
}

#[test]
fn what_calls_itself_nothing_or_far_too_much_is_refused() {
    let stage = Stage::new();
    for (id, status) in [(String::new(), 2), ("x".repeat(300), 3), ("\u{1f642}".repeat(50_000), 3)] {
        let mut intent = low();
        intent["id"] = json!(id);
        let path = stage.intent(&sealed(intent));
        let said = stage.run(&["plan", &path]).ended(status);
        assert!(said.out.len() + said.err.len() < 5_000);
    }
}

#[test]
fn a_huge_file_is_refused_without_being_read_whole() {
    let stage = Stage::new();
    let path = stage.beside("huge.json");
    File::create(&path).unwrap().set_len(100 << 20).unwrap();
    let said = stage.run(&["plan", &path.display().to_string()]).ended(2);
    assert!(said.err.contains("document::too_large"), "{}", said.err);
    let written = stage.run(&["plan", "plan.md"]).ended(2);
    assert!(written.err.contains("provost run --dry-run plan.md"), "{}", written.err);
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
