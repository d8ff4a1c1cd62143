//! Requests for permission: what they are about, and the one answer that each gets in the agent's own words.

use provost_core::adapter::{self, Act, Deed, Grant, Heard, Protocol};

use super::fresh;

const CLAUDE: &str = r#"{"type":"control_request","request_id":"r-1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"cargo  test","n":1.50}}}"#;

const ACP_OPEN: [&str; 2] = [
    r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}"#,
    r#"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}"#,
];
const ACP: &str = r#"{"jsonrpc":"2.0","id":"7","method":"session/request_permission","params":{"toolCall":{"kind":"edit","locations":[{"path":"/w/a"},{"path":"/w/a"}],"rawInput":{"filePath":"/w/b"}},"options":[{"optionId":"y!","kind":"allow_always"},{"optionId":"y","kind":"allow_once"},{"optionId":"n","kind":"reject_once"}]}}"#;

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn deny() -> Grant {
    Grant::Deny { why: "no rule allows it".to_owned() }
}

fn asked(heard: &[Heard]) -> (String, Act) {
    let [.., Heard::Asked(asked)] = heard else { panic!("{heard:?}") };
    (asked.request.clone(), asked.act.clone())
}

#[test]
fn claude_gets_its_own_input_back_byte_for_byte() {
    let mut claude = adapter::open(&fresh(Protocol::Claude));
    let (request, act) = asked(&claude.feed(CLAUDE).heard);
    assert_eq!((act.deed, act.command.as_deref()), (Deed::Run, Some("cargo  test")));
    let allowed = text(claude.answer(&request, &Grant::Allow));
    assert!(allowed.contains(r#""updatedInput":{"command":"cargo  test","n":1.50}"#), "{allowed}");
    assert!(allowed.contains(r#""behavior":"allow""#) && allowed.ends_with("}\n"), "{allowed}");
    // Answered once, and what nobody asked is not answered at all.
    assert_eq!(claude.answer(&request, &Grant::Allow), b"");
    claude.feed(CLAUDE);
    let denied = text(claude.answer(&request, &deny()));
    assert!(denied.contains(r#""behavior":"deny""#) && denied.contains("no rule allows it"), "{denied}");
}

#[test]
fn options_are_chosen_by_their_kind() {
    let mut agent = adapter::open(&fresh(Protocol::Acp));
    agent.begin("prompt");
    for line in ACP_OPEN {
        agent.feed(line);
    }
    let (request, act) = asked(&agent.feed(ACP).heard);
    assert_eq!((act.deed, act.paths), (Deed::Write, vec!["/w/a".to_owned(), "/w/b".to_owned()]));
    let allowed = text(agent.answer(&request, &Grant::Allow));
    assert_eq!(
        allowed,
        "{\"id\":\"7\",\"jsonrpc\":\"2.0\",\"result\":{\"outcome\":{\"optionId\":\"y\",\"outcome\":\"selected\"}}}\n"
    );
    agent.feed(ACP);
    assert!(text(agent.answer(&request, &deny())).contains(r#""optionId":"n""#));
    // Without an option that refuses, the request is called off.
    agent.feed(&ACP.replace("reject_once", "shrug"));
    assert!(text(agent.answer(&request, &deny())).contains(r#""outcome":"cancelled""#));
}

#[test]
fn requests_that_nobody_offers_are_refused_in_the_protocols_own_way() {
    let mut agent = adapter::open(&fresh(Protocol::Acp));
    agent.begin("prompt");
    let reply = agent.feed(r#"{"jsonrpc":"2.0","id":9,"method":"craft/drain","params":{}}"#).reply;
    assert!(text(reply).contains("-32601"));
    let mut claude = adapter::open(&fresh(Protocol::Claude));
    let reply =
        claude.feed(r#"{"type":"control_request","request_id":"x","request":{"subtype":"hook"}}"#).reply;
    assert!(text(reply).contains(r#""subtype":"error""#));
}

#[test]
fn an_interrupted_agent_is_told_and_permits_nothing() {
    let mut agent = adapter::open(&fresh(Protocol::Acp));
    agent.begin("prompt");
    assert_eq!(agent.interrupt(), b"");
    for line in ACP_OPEN {
        agent.feed(line);
    }
    agent.feed(ACP);
    let told = text(agent.interrupt());
    assert!(told.contains("session/cancel") && told.contains("cancelled"), "{told}");
    assert!(text(adapter::open(&fresh(Protocol::Claude)).interrupt()).contains("interrupt"));
}

#[test]
fn what_is_too_long_to_be_judged_says_so() {
    let long = format!("echo {}; rm -rf /", "x".repeat(5_000));
    let line = CLAUDE.replace("cargo  test", &long);
    let (_, act) = asked(&adapter::open(&fresh(Protocol::Claude)).feed(&line).heard);
    assert!(act.cut && !act.command.unwrap().contains("rm -rf"));
}

#[test]
fn looking_without_a_path_is_looking_where_the_agent_works() {
    let act = |tool: &str, input: &str| {
        let line = CLAUDE.replace("Bash", tool).replace(r#"{"command":"cargo  test","n":1.50}"#, input);
        asked(&adapter::open(&fresh(Protocol::Claude)).feed(&line).heard).1
    };
    assert_eq!(act("Grep", r#"{"pattern":"/etc/passwd"}"#).paths, ["."]);
    assert_eq!(act("Glob", r#"{"pattern":"/etc/**"}"#).paths, ["/etc/**"]);
    assert_eq!(act("Glob", r#"{"pattern":"**/*.rs","path":"src"}"#).paths, ["src", "**/*.rs"]);
    let unconfined = act("Bash", r#"{"command":"ls","dangerouslyDisableSandbox":true}"#);
    assert_eq!(unconfined.deed, Deed::Other);
}
