//! What agents can do with their tools, role by role.

use provost_core::adapter::{Act, Deed, Grant};
use provost_core::digest::Digest;
use provost_core::role::Role;
use provost_core::signal::{Outcome, Signal};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::mpsc;

use crate::client::{Client, PAGE, Scene, heard, server};

#[test]
fn each_role_sees_its_own_tools() {
    let names = |role| Scene::new(role).client().names();
    assert_eq!(
        names(Role::Developer),
        [
            "my_task",
            "report_ready",
            "report_incomplete",
            "report_infrastructure",
            "ask_person",
            "checkpoint",
            "ask_expert",
            "permission"
        ]
    );
    let judging = ["my_task", "ask_person", "checkpoint", "verdict", "ask_expert", "permission"];
    assert_eq!(names(Role::Critic), judging);
    assert_eq!(names(Role::Auditor), judging);
}

#[test]
fn every_place_of_every_input_has_a_type() {
    fn typed(schema: &Value, at: &str) {
        assert!(schema["type"].is_string(), "{at}: {schema}");
        for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
            typed(inner, &format!("{at}.{name}"));
        }
        if schema["type"] == "array" {
            typed(&schema["items"], &format!("{at}[]"));
        }
    }
    for role in [Role::Developer, Role::Critic, Role::Auditor] {
        let scene = Scene::new(role);
        for tool in scene.client().tools() {
            assert_eq!(tool["inputSchema"]["type"], "object");
            assert!(!tool["description"].as_str().unwrap().is_empty());
            // Without these, clients that cannot ask anybody refuse to call.
            let hints = &tool["annotations"];
            let harmless = hints["readOnlyHint"] == true || hints["destructiveHint"] == false;
            assert!(harmless && hints["openWorldHint"] == false, "{tool}");
            typed(&tool["inputSchema"], tool["name"].as_str().unwrap());
        }
    }
    let scene = Scene::new(Role::Developer);
    let tools = scene.client().tools();
    let incomplete = &tools.iter().find(|tool| tool["name"] == "report_incomplete").unwrap()["inputSchema"];
    assert_eq!(incomplete["required"], json!(["category", "blocker"]));
    let words = json!(["missing_info", "blocked_by_dependency", "infrastructure", "out_of_scope"]);
    assert_eq!(incomplete["properties"]["category"]["enum"], words);
}

#[test]
fn a_developer_reads_works_and_reports() {
    let scene = Scene::new(Role::Developer);
    let mut client = scene.client();
    let said = client.hello["instructions"].as_str().unwrap();
    assert!(said.contains("developer of task t-1") && said.contains("`report_ready`"), "{said}");
    assert_eq!(client.hello["serverInfo"]["name"], "provost");
    let page = client.call("my_task", &json!({})).unwrap();
    assert!(page.starts_with("You are the developer of task t-1.") && page.ends_with(PAGE), "{page}");
    client.call("checkpoint", &json!({ "status": "half", "percent": 50 })).unwrap();
    let why = client.call("ask_expert", &json!({ "question": "which crate?" })).unwrap_err();
    assert!(why.contains("no experts"), "{why}");
    let taken = client.call("report_ready", &json!({ "summary": "wrote it", "files": ["a.txt"] })).unwrap();
    assert!(taken.contains("End your turn"), "{taken}");
    assert_eq!(client.end(), Some(0));
    let heard = heard(scene.dispatch.close());
    assert_eq!(heard.checkpoints[0].percent, Some(50));
    match heard.outcome {
        Outcome::Signal(Signal::ReadyForReview(ready)) => {
            assert_eq!((ready.summary.as_str(), ready.files), ("wrote it", vec!["a.txt".to_owned()]));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_tool_that_ends_a_turn_is_its_signal() {
    let cases = [
        (Role::Developer, "report_ready", json!({}), "READY_FOR_REVIEW"),
        (
            Role::Developer,
            "report_incomplete",
            json!({ "category": "missing_info", "blocker": "no key" }),
            "TASK_INCOMPLETE",
        ),
        (Role::Developer, "report_infrastructure", json!({ "issue": "no disk" }), "INFRA_BLOCKED"),
        (Role::Critic, "verdict", json!({ "verdict": "pass" }), "REVIEW_PASSED"),
        (
            Role::Critic,
            "verdict",
            json!({ "verdict": "fail", "issues": [{ "file": "a.rs", "line": 3, "text": "wrong" }] }),
            "REVIEW_FAILED",
        ),
        (Role::Auditor, "verdict", json!({ "verdict": "pass", "task": "t-1" }), "AUDIT_PASSED"),
        (Role::Auditor, "verdict", json!({ "verdict": "fail", "failed": ["it is fast"] }), "AUDIT_FAILED"),
        (Role::Auditor, "verdict", json!({ "verdict": "blocked", "failures": ["red"] }), "AUDIT_BLOCKED"),
        (
            Role::Auditor,
            "ask_person",
            json!({ "question": "tabs?", "options": ["tabs", "spaces"] }),
            "SEEKING_DIVINE_CLARIFICATION",
        ),
    ];
    for (role, tool, arguments, signal) in cases {
        let scene = Scene::new(role);
        scene.client().call(tool, &arguments).unwrap();
        assert_eq!(scene.word(), signal);
    }
}

#[test]
fn what_is_refused_says_what_to_do_and_can_be_mended() {
    let scene = Scene::new(Role::Critic);
    let mut client = scene.client();
    let mut refused = |tool: &str, arguments: Value| client.call(tool, &arguments).unwrap_err();
    assert!(refused("report_ready", json!({})).contains("There are: my_task"));
    assert!(refused("verdict", json!({ "verdict": "blocked" })).contains("`pass`, `fail`"));
    assert!(refused("verdict", json!({})).contains("`pass`, `fail`"));
    assert!(refused("ask_expert", json!({})).contains("`question` is missing"));
    let why = refused("verdict", json!({ "verdict": "fail" }));
    assert!(why.contains("missing_field") && why.contains("Required action"), "{why}");
    let why = refused("verdict", json!({ "verdict": "pass", "task": "t-2" }));
    assert!(why.contains("wrong_task") && why.contains("`t-1`"), "{why}");
    client.call("verdict", &json!({ "verdict": "pass" })).unwrap();
    assert_eq!(scene.word(), "REVIEW_PASSED");
}

#[test]
fn two_signals_that_exclude_each_other_end_malformed() {
    let scene = Scene::new(Role::Developer);
    let mut client = scene.client();
    client.call("report_ready", &json!({})).unwrap();
    client.call("report_ready", &json!({ "summary": "again" })).unwrap();
    let why = client.call("report_infrastructure", &json!({ "issue": "no disk" })).unwrap_err();
    assert!(why.contains("several_signals"), "{why}");
    // Another server of the same turn does not make it good.
    assert!(scene.client().call("report_ready", &json!({})).is_err());
    assert_eq!(scene.word(), "several_signals");
}

#[test]
fn permission_is_answered_as_clients_read_it() {
    let (seen, acts) = mpsc::channel::<Act>();
    let scene = Scene::permitting(Role::Developer, move |act| {
        seen.send(act.clone()).unwrap();
        if act.deed == Deed::Write { Grant::Allow } else { Grant::Deny { why: "not here".to_owned() } }
    });
    let mut client = scene.client();
    let mut ask = |arguments: Value| -> Value {
        serde_json::from_str(&client.call("permission", &arguments).unwrap()).unwrap()
    };
    let input = json!({ "file_path": "a.txt", "content": "é\u{0}\n" });
    let allowed = ask(json!({ "tool_name": "Write", "input": input, "tool_use_id": "u-1" }));
    assert_eq!(allowed, json!({ "behavior": "allow", "updatedInput": input }));
    let denied = ask(json!({ "tool_name": "Bash", "input": { "command": "rm -rf /" } }));
    assert_eq!(denied, json!({ "behavior": "deny", "message": "not here" }));
    let acts: Vec<Act> = acts.try_iter().collect();
    assert_eq!(acts[0].paths, ["a.txt"]);
    assert_eq!(acts[1].command.as_deref(), Some("rm -rf /"));
    for broken in [json!({}), json!({ "tool_name": "Write" }), json!({ "tool_name": "Write", "input": 7 })] {
        assert_eq!(ask(broken)["behavior"], "deny");
    }
    drop(scene);
    assert_eq!(ask(json!({ "tool_name": "Write", "input": {} }))["behavior"], "deny");
}

#[test]
fn a_decision_that_takes_long_holds_nothing_else() {
    let (scene, held) = Scene::held(Role::Developer);
    let mut waiting = held.asked(&scene);
    scene.client().call("checkpoint", &json!({ "status": "on it" })).unwrap();
    held.let_go();
    let text = waiting.answer()["content"][0]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("allow"), "{text}");
}

#[test]
fn a_turn_that_is_over_takes_nothing_and_leaves_nothing() {
    let scene = Scene::new(Role::Developer);
    let (file, mut client) = (scene.dispatch.file(), scene.client());
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(scene.dispatch.folder()), mode(&file)), (0o700, 0o600));
    let ticket: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let token = ticket["token"].as_str().unwrap();
    assert!(token.len() >= 32);
    assert_eq!(Digest::of(token.as_bytes()), scene.dispatch.token_digest());
    let Scene { place, dispatch } = scene;
    dispatch.close();
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    let why = client.call("report_ready", &json!({})).unwrap_err();
    assert!(why.contains("did not answer") && why.contains("as text"), "{why}");
    let output = server(&file).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(Client::end(client), Some(0));
}
