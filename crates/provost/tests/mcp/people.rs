//! The tools for people's own clients: the same documents as the commands, and nothing that writes.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;
use crate::hermetic;

const PLAN: &str = "# A plan\n\nOne task.\n\n### Phase 1: all\n\n#### Task one: make one\n\n**Work**: write `one.txt`.\n\n\
                    **Acceptance Criteria**:\n- [ ] `test -f one.txt` exits 0\n\n**Blocked By**: none\n\n---\n";

/// An agent that asks a person at once.
const SCRIPT: &str =
    "#!/bin/sh\ncat > /dev/null\nprintf 'SEEKING_DIVINE_CLARIFICATION\\nTask: one\\nQuestion: tabs?\\n'\n";

/// A project in which one task waits for a person.
fn project() -> TempDir {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("repository");
    fs::create_dir_all(root.join(".provost")).unwrap();
    let agent = folder.path().join("agent.sh");
    fs::write(&agent, SCRIPT).unwrap();
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
    let config = format!(
        "version = 1\n[policy]\nsandbox = \"off\"\n[agents.mine]\ndrive = \"command\"\nargv = [\"{}\"]\n[[checks]]\nname = \"check\"\nargv = [\"true\"]\n",
        agent.display()
    );
    fs::write(root.join(".provost/provost.toml"), config).unwrap();
    fs::write(root.join("plan.md"), PLAN).unwrap();
    let git = |arguments: &[&str]| {
        assert!(hermetic::git(&root, folder.path(), arguments).status().unwrap().success());
    };
    git(&["init", "--quiet", "--initial-branch", "main"]);
    git(&["add", "."]);
    git(&["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "-m", "begin"]);
    command(folder.path(), &["run", "plan.md"]);
    folder
}

/// What a command prints.
fn command(folder: &Path, arguments: &[&str]) -> String {
    let output = hermetic::provost(&folder.join("repository"), folder, arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn client(folder: &Path) -> Client {
    Client::start(&mut hermetic::provost(&folder.join("repository"), folder, &["mcp"]))
}

#[test]
fn every_tool_gives_what_its_command_prints() {
    let folder = project();
    let mut client = client(folder.path());
    assert_eq!(client.names(), ["status", "show_delivery", "show_task", "why", "questions", "log"]);
    for tool in client.tools() {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
    }
    let before = command(folder.path(), &["log", "--head"]);
    let status: Value = serde_json::from_str(&client.call("status", &json!({})).unwrap()).unwrap();
    let id = status["deliveries"][0]["id"].as_str().unwrap();
    let task = format!("{id}/one");
    let cases: &[(&str, Value, &[&str])] = &[
        ("status", json!({}), &["status"]),
        ("status", json!({ "delivery": id }), &["status", id]),
        ("show_delivery", json!({ "delivery": id }), &["show", id]),
        ("show_task", json!({ "task": "one" }), &["show", "one"]),
        ("show_task", json!({ "task": task, "part": "prompt" }), &["show", &task, "--prompt"]),
        ("why", json!({ "task": "one" }), &["why", "one"]),
        ("questions", json!({}), &["questions"]),
        ("log", json!({}), &["log"]),
        ("log", json!({ "since": 4, "task": "one" }), &["log", "--since", "4", "--task", "one"]),
    ];
    for (tool, arguments, words) in cases {
        let words: Vec<&str> = words.iter().copied().chain(["--json"]).collect();
        let printed = command(folder.path(), &words);
        assert_eq!(client.call(tool, arguments).as_ref(), Ok(&printed), "{tool} {arguments}");
        assert!(!printed.is_empty(), "{words:?} printed nothing");
    }
    assert!(client.call("questions", &json!({})).unwrap().contains("tabs?"));
    assert_eq!(client.end(), Some(0));
    assert_eq!(command(folder.path(), &["log", "--head"]), before);
}

#[test]
fn what_fails_says_the_same_as_the_command_and_nothing_writes() {
    let folder = project();
    let mut client = client(folder.path());
    let why = client.call("why", &json!({ "task": "nobody" })).unwrap_err();
    assert_eq!(why, command(folder.path(), &["why", "nobody", "--json"]));
    assert!(why.contains("task::unknown"), "{why}");
    for (tool, arguments) in [("show_task", json!({})), ("why", json!({ "task": 7 }))] {
        assert!(client.call(tool, &arguments).unwrap_err().contains("Call again"), "{tool}");
    }
    let part = json!({ "task": "one", "part": "everything" });
    assert!(client.call("show_task", &part).unwrap_err().contains("`diff`"));
    for writing in ["reply", "note", "run", "cancel", "report_ready", "permission"] {
        assert!(client.call(writing, &json!({})).unwrap_err().contains("no such tool"), "{writing}");
    }
}

#[test]
fn a_long_record_comes_in_pieces_of_whole_lines() {
    let folder = project();
    let text = "x".repeat(3_000);
    for _ in 0..50 {
        command(folder.path(), &["note", &text]);
    }
    let whole = command(folder.path(), &["log", "--json"]);
    let mut client = client(folder.path());
    let (mut read, mut since, mut pieces) = (String::new(), 1, 0);
    while read.len() < whole.len() {
        let piece = client.call("log", &json!({ "since": since })).unwrap();
        let last: Value = serde_json::from_str(piece.lines().last().unwrap()).unwrap();
        since = last["sequence"].as_u64().unwrap() + 1;
        read.push_str(&piece);
        pieces += 1;
    }
    assert!(read == whole, "the pieces are not the whole");
    assert_eq!(pieces, 2);
    assert_eq!(client.call("log", &json!({ "since": since })).as_deref(), Ok(""));
}

#[test]
fn without_a_project_each_call_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = hermetic::provost(folder.path(), folder.path(), &["mcp"]);
    let mut client = Client::start(&mut server);
    let why = client.call("status", &json!({})).unwrap_err();
    assert!(why.contains("\"ok\":false"), "{why}");
}
