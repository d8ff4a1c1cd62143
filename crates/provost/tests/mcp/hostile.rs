//! What agents and their clients must not get by: tokens, sizes, numbers, ends in the middle.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};

use provost_core::adapter::Grant;
use provost_core::role::Role;
use serde_json::{Value, json};

use crate::client::{Scene, heard, server};

/// The socket and the token of a turn.
fn ticket(scene: &Scene) -> (String, String) {
    let ticket: Value = serde_json::from_slice(&std::fs::read(scene.dispatch.file()).unwrap()).unwrap();
    (ticket["socket"].as_str().unwrap().to_owned(), ticket["token"].as_str().unwrap().to_owned())
}

/// Sends one line to a turn's socket; nothing comes back where the connection was ended.
fn say(socket: &str, line: &str) -> Option<Value> {
    let mut stream = UnixStream::connect(socket).unwrap();
    // The other side may have closed before all was written.
    let _ = stream.write_all(line.as_bytes()).and_then(|()| stream.write_all(b"\n"));
    let mut answer = String::new();
    let read = BufReader::new(stream).read_line(&mut answer);
    read.ok().filter(|bytes| *bytes > 0).map(|_| serde_json::from_str(&answer).unwrap())
}

#[test]
fn without_the_token_nothing_is_answered() {
    let scene = Scene::new(Role::Developer);
    let (socket, token) = ticket(&scene);
    let ready = json!({ "signal": { "name": "READY_FOR_REVIEW", "fields": {} } });
    for wrong in ["", "0", &token.replace(&token[..1], "x"), &format!("{token} ")] {
        assert_eq!(say(&socket, &json!({ "token": wrong, "call": ready }).to_string()), None);
    }
    let refused = say(&socket, "{}").unwrap();
    assert!(refused["refused"].is_string(), "{refused}");
    let forged = scene.place.path().join("forged.json");
    std::fs::write(&forged, json!({ "socket": socket, "token": "guess" }).to_string()).unwrap();
    let output = server(&forged).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("mcp::dispatch"));
    assert_eq!(scene.word(), "silent");
}

#[test]
fn the_turn_judges_and_not_the_server() {
    let scene = Scene::new(Role::Critic);
    let (socket, token) = ticket(&scene);
    let send = |name: &str, fields: Value| {
        let call = json!({ "signal": { "name": name, "fields": fields } });
        say(&socket, &json!({ "token": token, "call": call }).to_string()).unwrap()
    };
    let refused = send("READY_FOR_REVIEW", json!({}));
    assert!(refused["refused"].as_str().unwrap().contains("wrong_role"), "{refused}");
    let refused = send("REVIEW_PASSED", json!({ "task": "t-2" }));
    assert!(refused["refused"].as_str().unwrap().contains("wrong_task"), "{refused}");
    let refused = send("REVIEW_PASSED", json!([]));
    assert!(refused["refused"].as_str().unwrap().contains("invalid_json"), "{refused}");
    let refused = send("REVIEW_INVENTED", json!({}));
    assert!(refused["refused"].is_string(), "{refused}");
    assert!(send("REVIEW_PASSED", json!({}))["said"].is_string());
    assert_eq!(scene.word(), "REVIEW_PASSED");
}

#[test]
fn one_turn_is_not_spoken_for_by_another() {
    let (mine, other) = (Scene::new(Role::Developer), Scene::new(Role::Developer));
    let ((socket, _), (_, token)) = (ticket(&mine), ticket(&other));
    let ready = json!({ "signal": { "name": "READY_FOR_REVIEW", "fields": {} } });
    assert_eq!(say(&socket, &json!({ "token": token, "call": ready }).to_string()), None);
    assert_eq!((mine.word(), other.word()), ("silent".to_owned(), "silent".to_owned()));
}

#[test]
fn huge_input_is_refused_and_the_turn_goes_on() {
    let scene = Scene::new(Role::Developer);
    let mut client = scene.client();
    let of = |mebibytes: usize| "x".repeat(mebibytes << 20);
    let why = client.call("report_ready", &json!({ "summary": of(2) })).unwrap_err();
    assert!(why.contains("Say less"), "{why}");
    let many: Vec<String> = (0..100_000).map(|number| number.to_string()).collect();
    let why = client.call("report_ready", &json!({ "files": many })).unwrap_err();
    assert!(why.contains("invalid_json"), "{why}");
    let asked = json!({ "tool_name": "Write", "input": { "content": of(2) } });
    assert!(client.call("permission", &asked).unwrap().contains("deny"));
    // More than the server takes in one line is passed over without an answer.
    let call = json!({ "name": "report_ready", "arguments": { "summary": of(17) } });
    client.send(&json!({ "jsonrpc": "2.0", "id": "huge", "method": "tools/call", "params": call }));
    let (socket, token) = ticket(&scene);
    let line = json!({ "token": token, "call": { "expert": { "question": of(3) } } }).to_string();
    assert_eq!(say(&socket, &line), None);
    client.call("report_ready", &json!({ "summary": "short" })).unwrap();
    assert_eq!(scene.word(), "READY_FOR_REVIEW");
}

#[test]
fn a_hundred_connections_are_too_many_and_do_no_harm() {
    let scene = Scene::new(Role::Developer);
    let (socket, _) = ticket(&scene);
    let mut client = scene.client();
    let mut streams: Vec<UnixStream> = (0..100).map(|_| UnixStream::connect(&socket).unwrap()).collect();
    // The server's own first connection may still have been counted when these came.
    let turned_away = streams.split_off(20);
    for mut stream in turned_away {
        assert_eq!(stream.read(&mut [0; 1]).unwrap_or(0), 0);
    }
    // A connection that has ended is counted until its thread has seen so; each further one takes such a place.
    let refused = (0..10_000).find_map(|_| {
        streams.push(UnixStream::connect(&socket).unwrap());
        client.call("checkpoint", &json!({ "status": "crowded" })).err()
    });
    let why = refused.unwrap();
    assert!(why.contains("call again"), "{why}");
    drop(streams);
    let called = (0..10_000).find_map(|_| client.call("report_ready", &json!({})).ok());
    assert!(called.is_some(), "nobody was let in again");
    assert_eq!(scene.word(), "READY_FOR_REVIEW");
}

#[test]
fn a_turn_has_so_many_calls_and_no_more() {
    let scene = Scene::new(Role::Developer);
    let (socket, token) = ticket(&scene);
    let mut stream = BufReader::new(UnixStream::connect(&socket).unwrap());
    let call = json!({ "signal": { "name": "CHECKPOINT", "fields": { "status": "again" } } });
    let line = format!("{}\n", json!({ "token": token, "call": call }));
    let mut answers = (0..5_000).map(|_| {
        stream.get_mut().write_all(line.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_line(&mut answer).unwrap();
        answer
    });
    let (at, refused) = answers.by_ref().enumerate().find(|(_, answer)| answer.contains("refused")).unwrap();
    assert_eq!(at, 4_096);
    assert!(refused.contains("as text"), "{refused}");
    assert_eq!(heard(scene.dispatch.close()).checkpoints.len(), 16);
}

#[test]
fn an_agent_killed_in_the_middle_of_a_call_harms_nobody() {
    let (scene, held) = Scene::held(Role::Developer);
    let mut client = held.asked(&scene);
    client.child.kill().unwrap();
    client.child.wait().unwrap();
    held.let_go();
    scene.client().call("report_ready", &json!({})).unwrap();
    assert_eq!(scene.word(), "READY_FOR_REVIEW");
}

#[test]
fn a_client_that_goes_away_ends_its_server_even_while_it_waits() {
    let (scene, held) = Scene::held(Role::Developer);
    let client = held.asked(&scene);
    assert_eq!(client.end(), Some(0));
    // Closing does not wait for a decision that nobody wants any more.
    assert_eq!(scene.word(), "silent");
    drop(held);
}

#[test]
fn leftovers_of_killed_processes_go_and_living_turns_stay() {
    let scene = Scene::new(Role::Developer);
    let at = |name: &str| scene.place.path().join(name);
    for name in ["turn-dead", "turn-begun", "kept"] {
        std::fs::create_dir(at(name)).unwrap();
    }
    // A socket that was bound and is listened on no more is what a kill leaves.
    drop(UnixListener::bind(at("turn-dead").join("s")).unwrap());
    let expected = provost_core::signal::Expected { role: Role::Critic, task_id: "t-2" };
    let permit = std::sync::Arc::new(|_: &_| Grant::Allow);
    let second =
        provost_runtime::dispatch::Dispatch::open(scene.place.path(), &expected, String::new(), permit)
            .unwrap();
    assert!(!at("turn-dead").exists());
    assert!(at("turn-begun").exists() && at("kept").exists());
    scene.client().call("report_ready", &json!({})).unwrap();
    drop(second);
    assert_eq!(scene.word(), "READY_FOR_REVIEW");
}

#[test]
fn a_place_that_is_too_deep_for_a_socket_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let deep = place.path().join("d".repeat(90));
    std::fs::create_dir(&deep).unwrap();
    let expected = provost_core::signal::Expected { role: Role::Critic, task_id: "t-2" };
    let permit = std::sync::Arc::new(|_: &_| Grant::Allow);
    assert!(provost_runtime::dispatch::Dispatch::open(&deep, &expected, String::new(), permit).is_err());
    assert_eq!(std::fs::read_dir(&deep).unwrap().count(), 0);
}

#[test]
fn what_is_not_the_protocol_ends_with_a_code() {
    let scene = Scene::new(Role::Developer);
    for file in ["missing.json", "turn"] {
        let output = server(&scene.place.path().join(file)).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
    }
    let output = server(&scene.dispatch.file()).stdin(std::process::Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("mcp::failed"));
    assert!(output.stdout.is_empty());
}
