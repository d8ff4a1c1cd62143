//! Agents whose turns are not on the record as they should be: what they were told is not kept yet, or cannot be, or
//! nobody waits for them any more. Nothing is permitted to them.

use std::fs;
use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::project::{Project, Ran, plan};

/// In Claude Code's protocol. The first developer does something, says where its tools are told of, and waits to be told
/// to go, or to break off where there is no pipe for that.
const AGENT: &str = r#"#!/bin/sh
config=$(printf '%s\n' "$*" | sed -n 's/.*--mcp-config \([^ ]*\).*/\1/p')
read -r prompt
say() {
  printf '%s\n' '{"type":"assistant","message":{"content":[{"type":"text","text":"'"$1"'"}]}}'
  printf '%s\n' '{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","session_id":"s","total_cost_usd":0.1,"modelUsage":{},"permission_denials":[]}'
  exit 0
}
echo "work $PROVOST_ROLE $PROVOST_ATTEMPT" >> victim.txt
case "$PROVOST_ROLE $PROVOST_ATTEMPT" in
  "developer 1")
    printf '%s\n' "$config" > "$HOME/told/config"
    if test -e "$HOME/told/go"; then read -r go < "$HOME/told/go"; else read -r word; printf '%s\n' "$word" > "$HOME/told/word"; fi
    say "READY_FOR_REVIEW: victim\\nSummary: done" ;;
  developer*) say "READY_FOR_REVIEW: victim\\nSummary: done" ;;
  critic*) say "REVIEW_PASSED: victim\\nSummary: fine" ;;
  auditor*) say "AUDIT_PASSED: victim\\nSummary: verified" ;;
esac
"#;

/// A delivery whose first agent has begun and waits.
struct Waiting {
    project: Project,
    running: Child,
    /// The file that tells the agent of its tools.
    config: String,
}

impl Waiting {
    /// The coordinator waits too, before it keeps what the agent was told, where `held`; the agent has these pipes.
    fn new(held: bool, pipes: &[&str]) -> Waiting {
        let limits = "developer_s = 60\nidle_s = 60\nkill_grace_s = 300\n";
        let project = Project::unwalled(&plan(&[("victim", "none")]), AGENT, "#!/bin/sh\n", limits);
        project.driven_as("claude", "");
        let told = |name: &str| project.folder().join("told").join(name);
        for name in pipes {
            assert!(Command::new("mkfifo").arg(told(name)).status().unwrap().success());
        }
        let mut command = project.command(&["run", "plan.md"]);
        if held {
            command.env("PROVOST_HOLD_AT", "turn: job given").env("PROVOST_HOLD_PIPE", told("held"));
        }
        let running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Opening waits for the agent.
        let config = fs::read_to_string(told("config")).unwrap().trim().to_owned();
        Waiting { project, running, config }
    }

    /// Lets somebody go on who waits at a pipe.
    fn release(&self, name: &str) {
        let pipe = self.project.folder().join("told").join(name);
        fs::write(&pipe, "\n").unwrap();
        // Nobody waits there a second time.
        fs::remove_file(&pipe).unwrap();
    }

    /// Lets the agent go, and waits for the delivery.
    fn go(self) -> (Project, Ran) {
        self.release("go");
        let Waiting { project, running, .. } = self;
        let ran = Ran::of(&running.wait_with_output().unwrap());
        (project, ran)
    }

    fn artifacts(&self) -> PathBuf {
        self.project.root().join(".git/provost/artifacts")
    }

    /// Asks, as the agent's tool server would, whether a file of the worktree may be read; rules allow that.
    fn ask(&self) -> BufReader<UnixStream> {
        let read = |path: &str| serde_json::from_slice::<Value>(&fs::read(path).unwrap()).unwrap();
        let told = read(&self.config);
        let words = told["mcpServers"]["provost"]["args"].as_array().unwrap();
        let place = words.iter().position(|word| word == "--dispatch").unwrap();
        let ticket = read(words[place + 1].as_str().unwrap());
        let mut socket = UnixStream::connect(ticket["socket"].as_str().unwrap()).unwrap();
        let call = json!({"permission": {"tool": "Read", "input": {"file_path": "base.txt"}}});
        writeln!(socket, "{}", json!({"token": ticket["token"], "call": call})).unwrap();
        BufReader::new(socket)
    }
}

fn answer(mut asked: BufReader<UnixStream>) -> String {
    let mut answer = String::new();
    // A turn that ends ends its connections, and nothing comes of what was asked.
    let _ = asked.read_line(&mut answer);
    answer
}

#[test]
fn what_an_agent_asks_for_waits_until_it_is_recorded_what_it_was_told() {
    if !cfg!(debug_assertions) {
        return;
    }
    let waiting = Waiting::new(true, &["config", "go", "held"]);
    let mut asked = waiting.ask();
    asked.get_ref().set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    let early = asked.read_line(&mut String::new());
    assert!(early.is_err_and(|error| error.kind() == ErrorKind::WouldBlock), "it was answered before");
    asked.get_ref().set_read_timeout(None).unwrap();
    waiting.release("held");
    let answered = answer(asked);
    assert!(answered.contains("allow"), "{answered}");
    let (project, ran) = waiting.go();
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let log = project.run(&["--json", "log"]).out;
    let place = |name: &str| log.lines().position(|line| line.contains(name)).unwrap();
    assert!(place("\"agent_dispatched\"") < place("\"permission_decided\""), "{log}");
    project.check(" M .provost/provost.toml\n");
}

#[test]
fn an_agent_whose_prompt_cannot_be_kept_is_stopped_and_a_person_is_asked() {
    if !cfg!(debug_assertions) {
        return;
    }
    let waiting = Waiting::new(true, &["config", "held"]);
    let (artifacts, away) = (waiting.artifacts(), waiting.project.folder().join("away"));
    fs::rename(&artifacts, &away).unwrap();
    fs::write(&artifacts, "").unwrap();
    let asked = waiting.ask();
    waiting.release("held");
    let answered = answer(asked);
    // Whoever asks is told so, unless the turn is over before.
    let why = "what the turn was told cannot be recorded";
    assert!(answered.is_empty() || answered.contains(why), "{answered}");
    // It was asked to break off and does, and says all the same that it is done: that does not count.
    let Waiting { project, running, .. } = waiting;
    let ran = Ran::of(&running.wait_with_output().unwrap());
    let word = fs::read_to_string(project.folder().join("told/word")).unwrap();
    assert!(word.contains("interrupt"), "{word}");
    assert_eq!(ran.code, Some(5), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("something around the work is broken"), "{}", ran.out);
    let log = project.run(&["--json", "log"]).out;
    assert!(!log.contains("\"agent_dispatched\"") && !log.contains("\"permission_decided\""), "{log}");
    // What it cost was spent all the same.
    assert!(log.contains("\"agent_spent\""), "{log}");
    fs::remove_file(&artifacts).unwrap();
    fs::rename(&away, &artifacts).unwrap();
    let questions = project.run(&["questions"]).out;
    assert_eq!(project.run(&["reply", questions.split(' ').next().unwrap(), "retry"]).code, Some(0));
    let ran = project.run(&["resume"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    project.check(" M .provost/provost.toml\n");
}

#[test]
fn nothing_is_permitted_to_an_agent_whose_turn_was_given_up() {
    let waiting = Waiting::new(false, &["config", "go"]);
    let first = answer(waiting.ask());
    assert!(first.contains("allow"), "{first}");
    assert_eq!(waiting.project.run(&["cancel", "d-4"]).code, Some(0));
    // The coordinator may be ending by now, and says so instead.
    let second = answer(waiting.ask());
    assert!(second.contains("deny"), "{second}");
    let (project, _) = waiting.go();
    let log = project.run(&["--json", "log"]).out;
    assert_eq!(log.matches("\"permission_decided\"").count(), 1, "{log}");
}
