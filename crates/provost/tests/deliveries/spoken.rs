//! Agents that speak a protocol, in whole deliveries: programs that say what the real ones were recorded to say, so that
//! every turn of a story can be told.

use std::fs;
use std::process::Stdio;

use provost_core::decider::Event as _;
use provost_core::delivery::What;
use provost_core::record::Record;
use provost_core::state::Event;

use crate::project::{Project, plan};

/// In Claude Code's protocol: asks before it writes, and goes on with its conversation.
const CLAUDE: &str = r#"#!/bin/sh
printf '%s\n' "$*" >> "$HOME/told/arguments"
config=$(printf '%s\n' "$*" | sed -n 's/.*--mcp-config \([^ ]*\).*/\1/p')
# The real one ends where its file is not there.
cat "$config" >> "$HOME/told/tools" || exit 1
read -r prompt
session=$(printf '%s\n' "$*" | sed -n 's/.*--\(session-id\|resume\) \([^ ]*\).*/\2/p')
printf '%s\n' '{"type":"system","subtype":"init","session_id":"'"$session"'","claude_code_version":"9.9","model":"m"}'
say() {
  printf '%s\n' '{"type":"assistant","message":{"content":[{"type":"text","text":"'"$1"'"}]}}'
  printf '%s\n' '{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","session_id":"'"$session"'","total_cost_usd":'"$2"',"modelUsage":{"m":{"inputTokens":100,"outputTokens":20}},"permission_denials":[]}'
  exit "$3"
}
fail() {
  printf '%s\n' '{"type":"result","subtype":"success","is_error":true,"terminal_reason":"api_error","api_error_status":'"$1"',"result":"no"}'
  exit 0
}
case "$PROVOST_ROLE $PROVOST_TASK $PROVOST_ATTEMPT" in
  "developer away 1") fail 503 ;;
  "developer spent 1")
    printf '%s\n' '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":4102444800}}'
    fail 429 ;;
  "developer shut 1") fail 401 ;;
  "developer killed 1") printf '%s\n' '{"type":"assistant","message":{"content":[{"type":"text","text":"READY_FOR_REVIEW: killed\nSummary: x"}]}}'; kill -9 $$ ;;
  "developer broken 1") printf '%s\n' '{"type":"assistant","message":{"content":[{"type":"text","text":"READY_FOR_REVIEW: broken\nSummary: x"}]}}'; exit 0 ;;
  "critic again 1") say 'REVIEW_FAILED: again\nIssues Found:\n- a:1: short\nRequired Fixes:\n- more' 0.5 0 ;;
  developer*)
    printf '%s\n' '{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Write","input":{"file_path":"'"$PWD/$PROVOST_TASK.txt"'","content":"x"}}}'
    read -r answer
    printf '%s\n' "$answer" >> "$HOME/told/answers"
    printf '%s\n' "work of $PROVOST_TASK $PROVOST_ATTEMPT" > "$PROVOST_TASK.txt"
    # Its exit says nothing: the stream has come to its end.
    say "READY_FOR_REVIEW: $PROVOST_TASK\\nSummary: done" "0.2$PROVOST_ATTEMPT" 1 ;;
  critic*) say "REVIEW_PASSED: $PROVOST_TASK\\nSummary: fine" 0.1 0 ;;
  auditor*) say "AUDIT_PASSED: $PROVOST_TASK\\nSummary: verified" 0.1 0 ;;
esac
"#;

/// In the Agent Client Protocol; it stays when there is nothing more to say.
const ACP: &str = r#"#!/bin/sh
id() { sed -n 's/.*"id":\([0-9]*\).*/\1/p'; }
read -r line; printf '%s\n' '{"jsonrpc":"2.0","id":'"$(printf '%s\n' "$line" | id)"',"result":{"protocolVersion":1,"agentInfo":{"name":"a","version":"7"}}}'
read -r line; printf '%s\n' '{"jsonrpc":"2.0","id":'"$(printf '%s\n' "$line" | id)"',"result":{"sessionId":"s1"}}'
read -r line
printf '%s\n' '{"jsonrpc":"2.0","id":5,"method":"fs/write_text_file","params":{}}'
read -r refused; printf '%s\n' "$refused" > "$HOME/told/refused"
case "$PROVOST_ROLE" in
  developer) printf '%s\n' done > "$PROVOST_TASK.txt"; word=READY_FOR_REVIEW ;;
  critic) word=REVIEW_PASSED ;;
  auditor) word=AUDIT_PASSED ;;
esac
printf '%s\n' '{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"'"$word: "'"}}}}'
printf '%s\n' '{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"'"$PROVOST_TASK"'\nSummary: fine"}}}}'
printf '%s\n' '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn","usage":{"inputTokens":7,"outputTokens":3}}}'
exec sleep 600
"#;

fn spoken(tasks: &[(&str, &str)], drive: &str, program: &str, more: &str) -> Project {
    let project = Project::with(&plan(tasks), program, "#!/bin/sh\n", "developer_s = 60\nkill_grace_s = 1\n");
    project.driven_as(drive, more);
    project
}

/// What happened, in order.
fn events(project: &Project) -> Vec<What> {
    let log = project.run(&["--json", "log"]).out;
    let read = |line: &str| match Event::read(&Record::parse(line.as_bytes()).unwrap()) {
        Ok(Event::Delivery(event)) => Some(event.what),
        _ => None,
    };
    log.lines().filter_map(read).collect()
}

#[test]
fn rework_goes_on_with_the_conversation_and_what_it_cost_is_taken_apart() {
    let project = spoken(&[("again", "none")], "claude", CLAUDE, "");
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let arguments = fs::read_to_string(project.folder().join("told/arguments")).unwrap();
    let session = |line: &str, flag: &str| {
        let mut words = line.split(' ').skip_while(|word| *word != flag).skip(1);
        words.next().map(str::to_owned)
    };
    let lines: Vec<&str> = arguments.lines().collect();
    let first = session(lines[0], "--session-id").unwrap();
    // The critic, the developer again, the critic again: only work is gone on with.
    assert_eq!(session(lines[2], "--resume"), Some(first));
    assert!(lines[1].contains("--session-id") && lines[3].contains("--session-id"), "{arguments}");
    let spent: Vec<u64> = events(&project)
        .iter()
        .filter_map(|what| match what {
            What::AgentSpent { spent, .. } => spent.micro_usd,
            _ => None,
        })
        .collect();
    // 0.21 at first, 0.22 in all after the second turn.
    assert_eq!(spent, [210_000, 500_000, 10_000, 100_000, 100_000]);
    let used = "used by agents: ";
    for shown in [&["show", "d-4"][..], &["show", "d-4/again"]] {
        let said = project.run(shown).out;
        let line = said.lines().find(|line| line.contains(used)).unwrap_or_default();
        assert!(line.ends_with("$0.92 as agents say"), "{said}");
    }
}

#[test]
fn an_agent_that_is_told_of_its_tools_in_a_file_finds_it_within_the_walls() {
    let project = spoken(&[("a", "none")], "claude", CLAUDE, "");
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let tools = fs::read_to_string(project.folder().join("told/tools")).unwrap();
    assert_eq!(tools.matches("--dispatch").count(), 3, "{tools}");
}

#[test]
fn what_an_agent_asks_for_is_on_the_record_before_it_is_answered() {
    let project = spoken(&[("a", "none")], "claude", CLAUDE, "");
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(0));
    let decided: Vec<bool> = events(&project)
        .iter()
        .filter_map(|what| match what {
            What::PermissionDecided { allowed, .. } => Some(*allowed),
            _ => None,
        })
        .collect();
    let answers = fs::read_to_string(project.folder().join("told/answers")).unwrap();
    let word = if decided[0] { "allow" } else { "deny" };
    assert_eq!((decided.len(), answers.lines().count()), (1, 1));
    assert!(answers.contains(&format!("\"behavior\":\"{word}\"")), "{answers}");
}

#[test]
fn a_passing_trouble_is_tried_again_and_a_stream_that_breaks_off_is_no_success() {
    let project = spoken(&[("away", "none"), ("broken", "none"), ("killed", "none")], "claude", CLAUDE, "");
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let mut classes: Vec<String> = events(&project)
        .iter()
        .filter_map(|what| match what {
            What::AgentTroubled { class, until, .. } => Some(format!("{class} {}", until.is_some())),
            _ => None,
        })
        .collect();
    classes.sort();
    assert_eq!(classes, ["crashed false", "protocol false", "server true"]);
}

#[test]
fn an_agent_that_nobody_signed_in_is_stood_in_for_or_asked_about() {
    let project = spoken(&[("shut", "none")], "claude", CLAUDE, "");
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(5), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("not signed in, or not permitted"), "{}", ran.out);

    let project = spoken(&[("shut", "none")], "claude", CLAUDE, "");
    project.script("spare.sh", &CLAUDE.replace("fail 401", "echo never"));
    let path = project.root().join(".provost/provost.toml");
    let config = fs::read_to_string(&path).unwrap();
    let spare = project.folder().join("spare.sh").display().to_string();
    let config = config
        .replace("[agents.mine]\n", "[roles]\ndefault = \"mine\"\n[agents.mine]\nfallback = [\"spare\"]\n");
    fs::write(
        &path,
        format!(
            "{config}[agents.spare]\ndrive = \"claude\"\nprogram = \"{spare}\"\nwritable = [\"~/told\"]\n"
        ),
    )
    .unwrap();
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("spare begins to implement"), "{}", ran.out);
}

#[test]
fn who_waits_for_a_quota_is_said_to_rest_also_when_nobody_performs() {
    let project = spoken(&[("spent", "none")], "claude", CLAUDE, "");
    let mut running = project.command(&["run", "plan.md"]).stdout(Stdio::null()).spawn().unwrap();
    let rests = |words: &str| words.contains("rests until 2100-01-01T00:05:00");
    let why = (0..10_000).map(|_| project.run(&["why", "spent"]).out).find(|why| rests(why)).unwrap();
    assert!(why.contains("works on it as developer"), "{why}");
    let status = project.run(&["status"]).out;
    assert!(rests(&status), "{status}");
    running.kill().unwrap();
    running.wait().unwrap();
    let why = project.run(&["why", "spent"]).out;
    assert!(rests(&why) && why.contains("provost resume"), "{why}");
}

#[test]
fn an_agent_of_the_open_protocol_is_talked_with_and_ended_when_it_stays() {
    let project = spoken(&[("a", "none")], "acp", ACP, "");
    let before = project.git(&["status", "--porcelain"]);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let refused = fs::read_to_string(project.folder().join("told/refused")).unwrap();
    assert!(refused.contains("-32601"), "{refused}");
    project.check(&before);
}

#[test]
fn a_task_that_has_cost_enough_is_asked_about_before_it_costs_more() {
    let project = spoken(&[("again", "none")], "claude", CLAUDE, "[spend]\ntask_usd = 0.6\n");
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(5), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("task again has used $0.71 of the $0.60 that it may cost"), "{}", ran.out);
    let question = ran.out.split("provost reply ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    assert_eq!(project.run(&["reply", &question, "continue"]).code, Some(0));
    assert_eq!(project.run(&["resume"]).code, Some(0));
}
