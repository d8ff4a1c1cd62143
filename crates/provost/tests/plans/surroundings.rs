//! Where and when somebody plans changes no byte outside tape and audit: time zone, locale, working directory, how paths
//! are written, the order in which a folder lists its files.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use provost_core::planning::manifest::Manifest;
use serde_json::{Value, json};

use crate::documents;
use crate::stage::{Stage, high, low, said, sealed};

/// What a folder holds: every file but those that know the time, and of the manifest what does not.
fn timeless(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = fs::read(&path).unwrap();
        match name.as_str() {
            "tape.json" | "audit.jsonl" => (name, Vec::new()),
            "manifest.json" => {
                let manifest: Manifest = serde_json::from_slice(&bytes).unwrap();
                (name, manifest.content_digest().unwrap().to_string().into_bytes())
            }
            _ => (name, bytes),
        }
    };
    entries.map(read).collect()
}

/// A registry in which much is wrong, with file names in another order than ids.
fn broken(stage: &Stage) {
    let unheard = json!({ "moon_is_full": true });
    let deny = json!({ "decision": "deny", "reason": "Not here" });
    for (file, id) in [("z", "rule_r20_one"), ("a", "rule_r21_two"), ("m", "rule_r22_three")] {
        let rule = documents::rule(id, "error", &unheard, &deny);
        stage.write(&format!(".provost/registry/rules/{file}.json"), &rule.to_string());
    }
    stage.write(".provost/registry/rules/torn.json", "{");
    symlink("/nowhere", stage.path().join(".provost/registry/rules/linked.json")).unwrap();
    fs::create_dir(stage.path().join(".provost/registry/commands/folder.yaml")).unwrap();
    stage.write(".provost/registry/commands/torn.yaml", "id: [");
    let twin =
        documents::command("cmd_twin", &json!([{ "scope": "repo", "kind": "read" }]), "low").to_string();
    stage.write(".provost/registry/commands/twin_b.json", &twin);
    stage.write(".provost/registry/commands/twin_a.json", &twin);
}

/// Plans with everything named, in three places and three sets of surroundings, and compares what comes out.
fn same_everywhere(stage: &Stage, intent: &Value, status: i32) {
    let (intent, alone) = (stage.intent(intent), stage.alone());
    let top = stage.beside("");
    fs::create_dir_all(stage.beside("deep/er")).unwrap();
    let up = |path: &str| format!("../../{}", Path::new(path).strip_prefix(&top).unwrap().display());
    let mut plans = Vec::new();
    for (number, (folder, zone, locale)) in [
        ("", "UTC", "C"),
        ("repository", "Pacific/Kiritimati", "tr_TR.UTF-8"),
        ("deep/er", "America/St_Johns", "ar_EG.UTF-8"),
    ]
    .into_iter()
    .enumerate()
    {
        let out = stage.beside(&format!("out-{number}"));
        let mut arguments = vec!["plan".to_owned(), intent.clone()];
        arguments.extend(alone.iter().cloned());
        *arguments.last_mut().unwrap() = out.display().to_string();
        if number == 2 {
            arguments =
                arguments.iter().map(|it| if it.starts_with('/') { up(it) } else { it.clone() }).collect();
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut command = stage.command_in(&stage.beside(folder), &arguments);
        command.env("TZ", zone).env("LC_ALL", locale).env("LANG", locale);
        said(&mut command).ended(status);
        said(&mut stage.command_in(&top, &["verify", &out.display().to_string()])).ended(0);
        plans.push(timeless(&out));
    }
    assert_eq!(plans[0].keys().collect::<Vec<_>>(), plans[1].keys().collect::<Vec<_>>());
    for (name, bytes) in &plans[0] {
        for other in &plans[1..] {
            let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!(shown(bytes), shown(&other[name]), "{name}");
        }
    }
}

#[test]
fn a_frozen_plan_a_question_and_a_refusal_are_the_same_everywhere() {
    for (intent, status) in [(low(), 0), (high(), 5)] {
        same_everywhere(&Stage::new(), &sealed(intent), status);
    }
    let mut unknown = low();
    unknown["selected_agents"][0]["agent_id"] = json!("nobody_knows");
    same_everywhere(&Stage::new(), &sealed(unknown), 3);
}

#[test]
fn what_is_wrong_with_a_registry_is_said_alike_everywhere() {
    let stage = Stage::new();
    broken(&stage);
    same_everywhere(&stage, &sealed(low()), 4);
}

#[test]
fn a_project_gives_one_run_from_any_of_its_folders() {
    let stage = Stage::new();
    let intent = stage.intent(&sealed(low()));
    let first = stage.run(&["plan", &intent, "--json"]).ended(0).json();
    let mut command = stage.command_in(&stage.path().join("src"), &["plan", &intent, "--json"]);
    command.env("TZ", "Asia/Kathmandu").env("LC_ALL", "de_DE.UTF-8");
    let second = said(&mut command).ended(0).json();
    assert_eq!((&second["run_id"], &second["existing"]), (&first["run_id"], &json!(true)));
}
