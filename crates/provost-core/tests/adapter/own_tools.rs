//! Provost's own tools where agents ask in the Agent Client Protocol: found in what real programs send, and not in what
//! a model can make them send.

use provost_core::adapter::{self, Act, Adapter, Conversation, Deed, Heard, Protocol, Server};

use super::fresh;

const OPTIONS: &str =
    r#"[{"optionId":"once","kind":"allow_once"},{"optionId":"reject","kind":"reject_once"}]"#;

/// What gemini offers for a call to a server, and for nothing else.
const OF_SERVERS: &str = r#"[{"optionId":"proceed_always_server","kind":"allow_always"},{"optionId":"proceed_always_tool","kind":"allow_always"},{"optionId":"proceed_once","kind":"allow_once"},{"optionId":"cancel","kind":"reject_once"}]"#;

/// An agent of a name that has been given Provost's tools and its prompt.
fn agent(name: &str) -> Box<dyn Adapter + Send> {
    let server = Server { name: "provost".into(), command: "provost".into(), args: vec![], env: vec![] };
    let mut agent = adapter::open(&Conversation { server: Some(server), ..fresh(Protocol::Acp) });
    agent.begin("prompt");
    let is = format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":1,"agentInfo":{{"name":"{name}","version":"1"}}}}}}"#
    );
    agent.feed(&is);
    agent.feed(r#"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}"#);
    agent
}

/// What an agent asks for.
fn asked(agent: &mut dyn Adapter, call: &str, options: &str) -> Act {
    let request = format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{{"sessionId":"s","options":{options},"toolCall":{call}}}}}"#
    );
    match agent.feed(&request).heard.pop() {
        Some(Heard::Asked(asked)) => asked.act,
        other => panic!("{other:?}"),
    }
}

/// Has opencode tell of a call that it begins.
fn begins(agent: &mut dyn Adapter, id: &str, title: &str, kind: &str) {
    let call = format!(
        r#"{{"sessionUpdate":"tool_call","toolCallId":"{id}","title":"{title}","kind":"{kind}","status":"pending","locations":[],"rawInput":{{}}}}"#
    );
    let params = format!(r#"{{"sessionId":"s","update":{call}}}"#);
    agent.feed(&format!(r#"{{"jsonrpc":"2.0","method":"session/update","params":{params}}}"#));
}

fn is_own(act: &Act) -> bool {
    act.tool == "mcp__provost__report_ready" && act.deed == Deed::Other
}

const GEMINI: &str = r#"{"toolCallId":"mcp_provost_report_ready__mcp_provost_report_ready_1794806396216_0","status":"pending","title":"report_ready (provost MCP Server)","content":[{"type":"content","content":{"type":"text","text":"{\"summary\":\"s\"}"}}],"locations":[],"kind":"other"}"#;
const QWEN: &str = r#"{"toolCallId":"call_2","status":"pending","title":"{\"summary\":\"s\"}","content":[],"locations":[],"kind":"other","rawInput":{"summary":"s"},"_meta":{"toolName":"mcp__provost__report_ready"}}"#;
const OPENCODE: &str = r#"{"toolCallId":"call_4","title":"provost_report_ready","kind":"other","status":"pending","locations":[],"rawInput":{}}"#;

#[test]
fn real_programs_ask_for_them_in_their_own_ways() {
    assert!(is_own(&asked(&mut *agent("gemini-cli"), GEMINI, OF_SERVERS)));
    assert!(is_own(&asked(&mut *agent("qwen-code"), QWEN, OPTIONS)));
    let mut opencode = agent("OpenCode");
    begins(&mut *opencode, "call_4", "provost_report_ready", "other");
    assert!(is_own(&asked(&mut *opencode, OPENCODE, OPTIONS)));
}

#[test]
fn a_program_that_is_not_known_has_none_of_them() {
    for call in [GEMINI, QWEN, OPENCODE] {
        let mut agent = agent("other");
        begins(&mut *agent, "call_4", "provost_report_ready", "other");
        assert_eq!(asked(&mut *agent, call, OF_SERVERS).tool, "other", "{call}");
    }
}

#[test]
fn a_kind_or_a_title_like_ours_makes_no_tool_ours() {
    let kind = GEMINI.replace(r#""kind":"other""#, r#""kind":"mcp__provost__report_ready""#);
    assert_eq!(asked(&mut *agent("gemini-cli"), &kind, OF_SERVERS).tool, "other");
    // Only calls to servers can be allowed for a server; a title alone may be what the model wrote.
    assert!(!is_own(&asked(&mut *agent("gemini-cli"), GEMINI, OPTIONS)));
    let run = GEMINI.replace(r#""kind":"other""#, r#""kind":"execute""#);
    assert_eq!(asked(&mut *agent("gemini-cli"), &run, OF_SERVERS).deed, Deed::Run);
    for title in ["report_ready (provost MCP Server) (other MCP Server)", "rm -rf / (provost MCP Server)"] {
        let call = GEMINI.replace("report_ready (provost MCP Server)", title);
        assert!(!asked(&mut *agent("gemini-cli"), &call, OF_SERVERS).tool.contains("provost"), "{title}");
    }
    let titled = QWEN.replace(r#"{\"summary\":\"s\"}"#, "mcp__provost__report_ready");
    let titled = titled.replace(r#","_meta":{"toolName":"mcp__provost__report_ready"}"#, "");
    assert!(!is_own(&asked(&mut *agent("qwen-code"), &titled, OPTIONS)));
    for name in ["mcp__provost__other__report_ready", "mcp__provost___report_ready", "mcp__provost__"] {
        let call = QWEN.replace("mcp__provost__report_ready", name);
        assert!(!asked(&mut *agent("qwen-code"), &call, OPTIONS).tool.contains("provost"), "{name}");
    }
}

#[test]
fn a_folder_described_like_one_of_them_is_none_of_them() {
    // opencode titles such a request with what the model says of its command.
    let folder = OPENCODE.replace(r#""rawInput":{}"#, r#""rawInput":{"description":"provost_report_ready"}"#);
    let mut opencode = agent("OpenCode");
    begins(&mut *opencode, "call_4", "bash", "execute");
    assert!(!is_own(&asked(&mut *opencode, &folder, OPTIONS)));
    assert!(!is_own(&asked(&mut *opencode, OPENCODE, OPTIONS)));
    // What was begun counts for one request, and not for the next of the same id.
    begins(&mut *opencode, "call_4", "provost_report_ready", "other");
    assert!(!is_own(&asked(&mut *opencode, &folder, OPTIONS)));
    assert!(!is_own(&asked(&mut *opencode, OPENCODE, OPTIONS)));
}

#[test]
fn the_title_of_a_command_is_the_command_where_that_is_known() {
    let run = r#"{"toolCallId":"c","title":"touch x","kind":"execute","locations":[]}"#;
    let command = |name| asked(&mut *agent(name), run, OPTIONS).command;
    assert_eq!(command("gemini-cli").as_deref(), Some("touch x"));
    assert_eq!([command("OpenCode"), command("other")], [None, None]);
}

#[test]
fn what_single_answers_used_is_added_up() {
    let mut qwen = agent("qwen-code");
    let chunk = r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":""},"_meta":{"usage":{"inputTokens":100,"outputTokens":20,"totalTokens":120,"thoughtTokens":0,"cachedReadTokens":10},"durationMs":64}}}}"#;
    let used = |agent: &mut Box<dyn Adapter + Send>| match agent.feed(chunk).heard.pop() {
        Some(Heard::Used(spent)) => spent.tokens.unwrap(),
        other => panic!("{other:?}"),
    };
    used(&mut qwen);
    let tokens = used(&mut qwen);
    assert_eq!((tokens.input, tokens.cached_read, tokens.output), (180, 20, 40));
}
