//! Planning without a project: everything named, and nothing written but one folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::json;

use crate::stage::{Said, Stage, high, low, said, sealed};

/// Plans in a folder that is in no repository.
fn plan(stage: &Stage, intent: &serde_json::Value, more: &[&str]) -> Said {
    let (intent, alone) = (stage.intent(intent), stage.alone());
    let mut arguments = vec!["plan", &intent, "--json"];
    arguments.extend(alone.iter().map(String::as_str));
    arguments.extend(more);
    elsewhere(stage, &arguments)
}

fn elsewhere(stage: &Stage, arguments: &[&str]) -> Said {
    let folder = stage.beside("elsewhere");
    fs::create_dir_all(&folder).unwrap();
    said(&mut stage.command_in(&folder, arguments))
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
        .collect()
}

#[test]
fn a_folder_is_written_shown_and_verified_and_nothing_else_is_touched() {
    let stage = Stage::new();
    let planned = plan(&stage, &sealed(low()), &[]).ended(0).json();
    let out = stage.beside("out");
    assert_eq!(
        (&planned["final_state"], &planned["out"]),
        (&json!("DONE"), &json!(out.display().to_string()))
    );
    let shown = out.display().to_string();
    let page = elsewhere(&stage, &["show", &shown]).ended(0).out;
    assert!(
        page.contains("cmd_change_code · write · low") && page.contains("next: provost verify"),
        "{page}"
    );
    elsewhere(&stage, &["verify", &shown]).ended(0);
    elsewhere(&stage, &["rules", "explain", &shown, "cmd_change_code"]).ended(0);
    assert!(!stage.state().exists(), "a project was made");
    let around: Vec<_> = fs::read_dir(stage.beside("")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert!(around.iter().all(|name| !name.to_string_lossy().ends_with(".tmp")), "{around:?}");
    // The same again is success and changes nothing.
    let before = contents(&out);
    let again = plan(&stage, &sealed(low()), &[]).ended(0).json();
    assert_eq!((&again["existing"], &again["run_id"]), (&json!(true), &planned["run_id"]));
    assert_eq!(contents(&out), before);
}

#[test]
fn a_folder_that_somebody_changed_is_not_taken_for_the_plan() {
    let stage = Stage::new();
    plan(&stage, &sealed(low()), &[]).ended(0);
    let file = stage.beside("out").join("review.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("architecture", "compliance")).unwrap();
    let again = plan(&stage, &sealed(low()), &[]).ended(6).json();
    assert_eq!(again["ok"], false);
    assert!(again["errors"][0]["message"].as_str().unwrap().contains("`review.json`"), "{again}");
}

#[test]
fn a_folder_with_something_else_is_left_alone() {
    let stage = Stage::new();
    plan(&stage, &sealed(low()), &[]).ended(0);
    let before = contents(&stage.beside("out"));
    plan(&stage, &sealed(high()), &[]).ended(9);
    assert_eq!(contents(&stage.beside("out")), before);
    fs::remove_dir_all(stage.beside("out")).unwrap();
    fs::create_dir(stage.beside("out")).unwrap();
    fs::write(stage.beside("out/mine.txt"), "mine").unwrap();
    plan(&stage, &sealed(low()), &[]).ended(9);
    assert_eq!(contents(&stage.beside("out")).len(), 1);
    fs::remove_file(stage.beside("out/mine.txt")).unwrap();
    plan(&stage, &sealed(low()), &[]).ended(0);
}

#[test]
fn the_same_inputs_give_the_same_content_with_a_project_and_without() {
    let stage = Stage::new();
    let alone = plan(&stage, &sealed(low()), &[]).ended(0).json();
    let within = stage.plan(&sealed(low()), 0);
    assert_eq!((&alone["run_id"], &alone["content_digest"]), (&within["run_id"], &within["content_digest"]));
}

#[test]
fn questions_in_a_folder_are_answered_there() {
    let stage = Stage::new();
    plan(&stage, &sealed(high()), &[]).ended(5);
    let shown = stage.beside("out").display().to_string();
    let other = stage.beside("answered").display().to_string();
    elsewhere(&stage, &["answer", &shown, "q_0001=restore the copy", "--out", &other]).ended(0);
    assert_eq!(elsewhere(&stage, &["show", &shown, "--json"]).json()["final_state"], "AWAITING_ANSWERS");
    elsewhere(&stage, &["answer", &shown, "q_0001=restore the copy"]).ended(0);
    for folder in [&shown, &other] {
        assert_eq!(elsewhere(&stage, &["show", folder, "--json"]).json()["final_state"], "DONE");
        elsewhere(&stage, &["verify", folder]).ended(0);
    }
    // The pack that was built there fits the same run anywhere, because ids follow from content.
    let pack = stage.beside("answers.json");
    fs::copy(stage.beside("answered/answers.1.json"), &pack).unwrap();
    fs::remove_dir_all(stage.beside("out")).unwrap();
    let whole = plan(&stage, &sealed(high()), &["--answers", &pack.display().to_string()]).ended(0).json();
    assert_eq!(whole["final_state"], "DONE");
    fs::write(&pack, "{\"pack_id\": 1, \"pack_id\": 2}").unwrap();
    fs::remove_dir_all(stage.beside("out")).unwrap();
    plan(&stage, &sealed(high()), &["--answers", &pack.display().to_string()]).ended(2);
}

#[test]
fn a_changed_byte_in_any_file_is_found_and_named() {
    let stage = Stage::new();
    plan(&stage, &sealed(high()), &[]).ended(5);
    let out = stage.beside("out");
    let shown = out.display().to_string();
    elsewhere(&stage, &["answer", &shown, "q_0001=restore the copy"]).ended(0);
    let files = contents(&out);
    assert!(files.len() > 20, "{:?}", files.keys());
    for (name, bytes) in &files {
        let mut changed = bytes.clone();
        let middle = changed.len() / 2;
        changed[middle] ^= 1;
        fs::write(out.join(name), &changed).unwrap();
        let said = elsewhere(&stage, &["verify", &shown]).ended(6);
        assert!(said.err.contains(&format!("`{name}`")), "{name}: {}", said.err);
        fs::remove_file(out.join(name)).unwrap();
        let said = elsewhere(&stage, &["verify", &shown]).ended(6);
        assert!(said.err.contains(&format!("`{name}`")), "{name}: {}", said.err);
        fs::write(out.join(name), bytes).unwrap();
    }
    fs::write(out.join("extra.json"), "{}").unwrap();
    let said = elsewhere(&stage, &["verify", &shown, "--json"]).ended(6).json();
    assert_eq!((&said["ok"], &said["broken"][0]["file"]), (&json!(false), &json!("extra.json")));
    elsewhere(&stage, &["answer", &shown, "q_0001=x"]).ended(9);
    fs::remove_file(out.join("extra.json")).unwrap();
    elsewhere(&stage, &["verify", &shown]).ended(0);
}
