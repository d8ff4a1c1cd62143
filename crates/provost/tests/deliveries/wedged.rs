//! What nobody answers any more: an agent that asks for much at once, a supervisor that does not move, and a turn that
//! ends after its delivery was cancelled. None of it keeps a delivery from coming to an end, or its cost off the record.

use std::fs;
use std::process::{Command, Stdio};

use crate::project::{Project, Ran, plan};

/// In Claude Code's protocol. The first developer asks for as much as `told/asks` has and never ends.
const ASKING: &str = r#"#!/bin/sh
read -r prompt
say() {
  printf '%s\n' '{"type":"assistant","message":{"content":[{"type":"text","text":"'"$1"'"}]}}'
  printf '%s\n' '{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","session_id":"s","total_cost_usd":0.1,"modelUsage":{},"permission_denials":[]}'
  exit 0
}
echo "work $PROVOST_ROLE $PROVOST_ATTEMPT" >> victim.txt
case "$PROVOST_ROLE $PROVOST_ATTEMPT" in
  "developer 1") cat "$HOME/told/asks"; exec sleep 600 ;;
  developer*) say "READY_FOR_REVIEW: victim\\nSummary: done" ;;
  critic*) say "REVIEW_PASSED: victim\\nSummary: fine" ;;
  auditor*) say "AUDIT_PASSED: victim\\nSummary: verified" ;;
esac
"#;

/// Four requests whose names together are longer than two pipes hold.
#[test]
fn an_agent_that_asks_under_long_names_is_ended_by_its_limit() {
    let limits = "developer_s = 2\nidle_s = 60\nkill_grace_s = 1\n";
    let project = Project::with(&plan(&[("victim", "none")]), ASKING, "#!/bin/sh\n", limits);
    project.driven_as("claude", "");
    let long = "x".repeat(60_000);
    let ask = |number: u32| {
        let request = r#"{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"}}"#;
        format!("{{\"type\":\"control_request\",\"request_id\":\"{number}{long}\",\"request\":{request}}}\n")
    };
    let asks = (0..4).map(ask).collect::<Vec<_>>().concat();
    fs::write(project.folder().join("told/asks"), asks).unwrap();
    let run = project.command(&["run", "plan.md"]);
    let ran = Ran::of(&within(&run, "60").output().unwrap());
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

/// The same command, killed after so many seconds.
fn within(command: &Command, seconds: &str) -> Command {
    let mut within = Command::new("timeout");
    within.args(["-s", "KILL", seconds]).arg(command.get_program()).args(command.get_args());
    within.env_clear().current_dir(command.get_current_dir().unwrap()).stdin(Stdio::null());
    within.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    within
}

/// The developer stops the supervisor that waits for the critic.
const STOPPING: &str = r#"#!/bin/sh
cat > /dev/null
idle() {
  for it in /proc/[0-9]*; do
    if tr '\0' '\n' < "$it/environ" 2> /dev/null | grep -qx "PROVOST_MARK=${PROVOST_MARK%/*}/spare"; then
      pid=${it#/proc/}; test "$pid" = "$PPID" || echo "$pid"
    fi
  done
}
until test -n "$(idle)"; do :; done
idle > "$HOME/told/stopped"; kill -STOP $(idle); echo done > "$PROVOST_TASK.txt"; printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK"
"#;

#[test]
fn a_delivery_is_cancelled_also_where_a_supervisor_does_not_move() {
    let limits = "developer_s = 60\nidle_s = 60\nkill_grace_s = 1\n";
    let project = Project::unwalled(&plan(&[("victim", "none")]), STOPPING, "#!/bin/sh\n", limits);
    let points = project.folder().join("points");
    let mut command = project.command(&["run", "plan.md"]);
    command.env("PROVOST_KILL_COUNT_FILE", &points);
    let running = within(&command, "60").stdout(Stdio::null()).spawn().unwrap();
    // Until the critic's job is given to the supervisor that does not move.
    let given = || fs::read_to_string(&points).unwrap_or_default().matches("turn: job given").count();
    while given() < 2 {
        std::thread::yield_now();
    }
    assert_eq!(project.run(&["cancel", "d-4"]).code, Some(0));
    let ran = Ran::of(&running.wait_with_output().unwrap());
    let stopped = fs::read_to_string(project.folder().join("told/stopped")).unwrap();
    let _ = Command::new("kill").args(["-9", stopped.trim()]).status();
    assert_eq!(ran.code, Some(7), "it did not end by itself");
}

/// Breaks off when it is told to, and takes a moment for it.
const BREAKING_OFF: &str = r#"#!/bin/sh
read -r prompt
echo > "$HOME/told/begun"
read -r word
sleep 1
printf '%s\n' '{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","session_id":"s","total_cost_usd":0.1,"modelUsage":{},"permission_denials":[]}'
"#;

#[test]
fn what_a_turn_of_a_cancelled_delivery_used_is_on_the_record() {
    let limits = "developer_s = 60\nidle_s = 60\nkill_grace_s = 20\n";
    let project = Project::unwalled(&plan(&[("victim", "none")]), BREAKING_OFF, "#!/bin/sh\n", limits);
    project.driven_as("claude", "");
    let pipe = project.folder().join("told/begun");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let running = project.command(&["run", "plan.md"]).stdout(Stdio::null()).spawn().unwrap();
    // Opening waits for the agent.
    fs::read(&pipe).unwrap();
    assert_eq!(project.run(&["cancel", "d-4"]).code, Some(0));
    running.wait_with_output().unwrap();
    let log = project.run(&["log"]).out;
    assert!(log.contains("had used $0.10"), "{log}");
}
