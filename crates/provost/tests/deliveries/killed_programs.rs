//! Agents and their supervisors killed in the middle of a turn, and a question answered while work goes on.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use crate::project::{Project, plan};

/// The first developer says who it is and waits to be killed.
const VICTIM: &str = r#"#!/bin/sh
cat > /dev/null
case "$PROVOST_ROLE $PROVOST_ATTEMPT" in
  "developer 1") echo half > "$PROVOST_TASK.txt"; echo $$ > "$HOME/pids"; exec sleep 600 ;;
  developer*) echo whole > "$PROVOST_TASK.txt"; printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK" ;;
  critic*) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor*) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

const LIMITS: &str = "developer_s = 60\nidle_s = 60\nkill_grace_s = 1\n";

/// Runs a delivery whose first agent waits, and kills what `choose` makes of that agent's process id.
fn killed_in_a_turn(choose: impl Fn(&str) -> String) {
    // Within walls an agent does not know its own number.
    let project = Project::unwalled(&plan(&[("victim", "none")]), VICTIM, "#!/bin/sh\n", LIMITS);
    let pipe = project.folder().join("pids");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let child = project.command(&["run", "plan.md"]).stdout(Stdio::piped()).spawn().unwrap();
    // Opening waits for the agent.
    let pid = fs::read_to_string(&pipe).unwrap();
    let pid = choose(pid.trim());
    assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
    let ran = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(0), "{said}");
    let landed = project.landed("provost/d-4");
    assert_eq!(landed.last().unwrap(), &("victim.txt".to_owned(), "whole\n".to_owned()), "{said}");
    assert_eq!(project.git(&["rev-list", "--count", "main..provost/d-4"]).trim(), "1");
    project.check("");
}

#[test]
fn a_killed_agent_is_followed_by_a_fresh_one() {
    killed_in_a_turn(str::to_owned);
}

#[test]
fn a_killed_supervisor_takes_its_agent_with_it_and_a_fresh_one_follows() {
    killed_in_a_turn(parent);
}

/// The parent of a process.
fn parent(pid: &str) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap().trim().to_owned()
}

fn kill(signal: &str, pid: &str) {
    assert!(Command::new("kill").args([signal, pid]).status().unwrap().success());
}

#[test]
fn an_agent_that_outlived_coordinator_and_supervisor_is_ended_before_work_goes_on() {
    let project = Project::unwalled(&plan(&[("victim", "none")]), VICTIM, "#!/bin/sh\n", LIMITS);
    let pipe = project.folder().join("pids");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = project.command(&["run", "plan.md"]).stdout(Stdio::null()).spawn().unwrap();
    let agent = fs::read_to_string(&pipe).unwrap().trim().to_owned();
    fs::remove_file(&pipe).unwrap();
    let supervisor = parent(&agent);
    // It does not come to notice that the coordinator is gone.
    kill("-STOP", &supervisor);
    kill("-KILL", &child.id().to_string());
    child.wait().unwrap();
    kill("-KILL", &supervisor);
    assert!(project.processes().contains(&agent), "nobody was left to end it");
    let ran = project.run(&["resume"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    project.check("");
}

/// Every turn says who supervises it, under which mark, and which supervisors have nothing to do; the first developer
/// ends such a one.
const COUNTING: &str = r#"#!/bin/sh
cat > /dev/null
idle() {
  for it in /proc/[0-9]*; do
    if tr '\0' '\n' < "$it/environ" 2> /dev/null | grep -qx "PROVOST_MARK=${PROVOST_MARK%/*}/spare"; then
      pid=${it#/proc/}; test "$pid" = "$PPID" || echo "$pid"
    fi
  done
}
until test -n "$(idle)"; do :; done
echo "$PROVOST_ROLE $(idle | wc -l) $(tr '\0' '\n' < /proc/$PPID/environ | grep '^PROVOST_MARK=' | sed 's,.*/,,')" >> "$HOME/seen"
case "$PROVOST_ROLE" in
  developer) kill -9 $(idle); echo done > "$PROVOST_TASK.txt"; printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

#[test]
fn one_supervisor_waits_for_the_next_turn_and_a_killed_one_is_replaced() {
    let project = Project::unwalled(&plan(&[("one", "none")]), COUNTING, "#!/bin/sh\n", LIMITS);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let seen = fs::read_to_string(project.folder().join("seen")).unwrap();
    let seen: Vec<&str> = seen.lines().collect();
    let [developer, critic, auditor] = seen.as_slice() else { panic!("{seen:?}") };
    // The first had none to take, and the second found that it was gone.
    assert!(developer.starts_with("developer 1 ") && !developer.ends_with("spare"), "{developer}");
    assert!(critic.starts_with("critic 1 ") && !critic.ends_with("spare"), "{critic}");
    assert_eq!(*auditor, "auditor 1 spare");
    project.check("");
    assert_eq!(project.processes(), Vec::<String>::new());
}

/// Hangs when it is measured for the first time, and says so.
const HANGING: &str = r#"#!/bin/sh
if test -p "$HOME/told/measuring"; then echo now > "$HOME/told/measuring"; rm "$HOME/told/measuring"; exec sleep 600; fi
"#;

#[test]
fn an_interrupt_before_any_work_stops_there_and_resuming_begins_anew() {
    let project = Project::unwalled(&plan(&[("victim", "none")]), ASKER, HANGING, LIMITS);
    let pipe = project.folder().join("told/measuring");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let child = project.command(&["run", "plan.md"]).stdout(Stdio::piped()).spawn().unwrap();
    // Opening waits for the check.
    fs::read_to_string(&pipe).unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ran = child.wait_with_output().unwrap();
    assert_eq!(ran.status.code(), Some(130), "{}", String::from_utf8_lossy(&ran.stdout));
    project.check("");
    let ran = project.run(&["resume"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    project.check("");
}

/// One task asks, the other works until it is told to go on.
const ASKER: &str = r#"#!/bin/sh
cat > /dev/null
case "$PROVOST_ROLE $PROVOST_TASK $PROVOST_ATTEMPT" in
  "developer asker 1")
    printf 'SEEKING_DIVINE_CLARIFICATION\nTask: asker\nQuestion: tabs or spaces?\nOptions Considered:\n- tabs\n- spaces\n'; exit 0 ;;
  "developer worker 1") cat "$HOME/told/go" > /dev/null ;;
esac
case "$PROVOST_ROLE" in
  developer) echo done > "$PROVOST_TASK.txt"; printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

#[test]
fn a_question_is_answered_by_a_second_process_while_the_first_goes_on() {
    let project =
        Project::unwalled(&plan(&[("asker", "none"), ("worker", "none")]), ASKER, "#!/bin/sh\n", LIMITS);
    let pipe = project.folder().join("told/go");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = project.command(&["run", "plan.md"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut said = String::new();
    while !said.contains("tabs or spaces?") {
        assert!(lines.read_line(&mut said).unwrap() > 0, "it ended without asking\n{said}");
    }
    let questions = project.run(&["questions"]).out;
    let id = questions.split(' ').next().unwrap();
    let ran = project.run(&["reply", id, "tabs"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!ran.out.contains("nobody performs"), "{}", ran.out);
    fs::write(&pipe, "go\n").unwrap();
    lines.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    assert_eq!(project.landed("provost/d-4").len(), 3, "{said}");
    project.check("");
}
