//! The agents whose way of being called is known: each flag was tried with the real program.

use std::collections::BTreeMap;

use provost_core::adapter::Protocol;
use provost_core::delivery::Turn;
use provost_core::role::Role;
use serde_json::json;

use super::{Hand, Input, Invocation, Known, MCP, conversation, server};

/// What keeps agents from colouring, updating themselves and calling home.
pub(super) fn quiet() -> BTreeMap<String, String> {
    let quiet = [("NO_COLOR", "1"), ("CI", "true"), ("DISABLE_AUTOUPDATER", "1"), ("DO_NOT_TRACK", "1")];
    quiet.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

/// Claude Code: print mode with JSON lines both ways; what it may do is asked in the stream.
pub(super) fn claude(known: &Known, turn: &Turn, hand: &Hand<'_>) -> Invocation {
    let mut argv = vec![known.program.clone()];
    let mut say = |words: &[&str]| argv.extend(words.iter().map(|word| (*word).to_owned()));
    say(&["-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json"]);
    say(&["--permission-prompt-tool", "stdio", "--permission-mode", "default"]);
    match &turn.session {
        Some(session) => say(&["--resume", &session.id]),
        None => say(&["--session-id", hand.fresh]),
    }
    if let Some(model) = &known.model {
        say(&["--model", model]);
    }
    let mut files = Vec::new();
    if let Some(server) = server(hand) {
        let config = json!({ "command": server.command, "args": server.args });
        files.push((MCP, json!({ "mcpServers": { (server.name): config } }).to_string()));
        say(&["--strict-mcp-config", "--mcp-config", &hand.folder.join(MCP).display().to_string()]);
    }
    let mut env = quiet();
    env.insert("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC".to_owned(), "1".to_owned());
    // It would try ten times, for minutes, even with a key that is not one; trying again is decided here.
    env.insert("CLAUDE_CODE_MAX_RETRIES".to_owned(), "2".to_owned());
    let input = Input::Talk(Box::new(conversation(Protocol::Claude, turn, hand)));
    Invocation { argv, input, env, files }
}

/// Codex: it never asks, so walls say what each role may do: ours, or its own where ours are not there. Both at once
/// cannot be: it builds its own with bubblewrap too, and not every user may do that within walls.
pub(super) fn codex(known: &Known, turn: &Turn, hand: &Hand<'_>) -> Invocation {
    let mut argv = vec![known.program.clone()];
    let mut say = |words: &[&str]| argv.extend(words.iter().map(|word| (*word).to_owned()));
    let sandbox = match turn.role {
        _ if hand.walled => "danger-full-access",
        Role::Developer => "workspace-write",
        Role::Critic | Role::Auditor => "read-only",
    };
    say(&["exec", "--json", "--skip-git-repo-check", "--sandbox", sandbox]);
    if let Some(model) = &known.model {
        say(&["--model", model]);
    }
    if let Some(server) = server(hand) {
        let set = |key: &str, value: String| format!("mcp_servers.{}.{key}={value}", server.name);
        // What it reads there is TOML, in which a string and a list of strings are spelled as in JSON.
        say(&["-c", &set("command", json!(server.command).to_string())]);
        say(&["-c", &set("args", json!(server.args).to_string())]);
    }
    if let Some(session) = &turn.session {
        say(&["resume", &session.id]);
    }
    // The prompt comes on standard input.
    say(&["-"]);
    let input = Input::Talk(Box::new(conversation(Protocol::Codex, turn, hand)));
    Invocation { argv, input, env: quiet(), files: Vec::new() }
}
