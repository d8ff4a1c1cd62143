//! What people decide about tasks: one that is halted is tried again, one that nobody reviewed lands or asks.

use std::io::Write as _;
use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};

use crate::project::{Project, plan};
use crate::terminal::{at, at_each, typed};

/// The first turns of `stubborn` come to nothing; critics of `hasty` never answer; `slow` waits for a file.
const AGENT: &str = r#"#!/bin/sh
cat > /dev/null
case "$PROVOST_ROLE $PROVOST_TASK $PROVOST_ATTEMPT" in
  "developer stubborn 1") echo begun > begun.txt; exit 0 ;;
  "critic hasty "*) exec sleep 600 ;;
  "developer slow "*) until [ -e "${0%/*}/go" ]; do sleep 0.1; done ;;
esac
case "$PROVOST_ROLE" in
  developer) echo done > "$PROVOST_TASK.txt"; printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

fn project(tasks: &[(&str, &str)], settings: &str) -> Project {
    Project::with(&plan(tasks), AGENT, "#!/bin/sh\n", settings)
}

#[test]
fn a_halted_task_is_tried_again_in_the_name_of_whoever_typed_it() {
    let project = project(&[("stubborn", "none"), ("next", "stubborn")], "agent_failures = 1\n");
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(5), "{}", ran.out);
    let refused = project.run(&["resume", "--task", "next"]);
    assert_eq!(refused.code, Some(9));
    assert!(refused.err.contains("task next is not halted: it is blocked by other tasks"), "{}", refused.err);
    assert!(refused.err.contains("it waits for stubborn; `provost why d-4/next`"), "{}", refused.err);
    let json = project.run(&["--json", "resume", "d-4", "--task", "next"]);
    assert!(json.out.contains("\"code\":\"task::not_halted\""), "{}", json.out);
    assert_eq!(project.run(&["resume", "--task", "nobody"]).code, Some(2));
    let before = project.run(&["log"]).out;
    let ran = project.run(&["--json", "resume", "--task", "d-4/stubborn"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("\"complete\":2"), "{}", ran.out);
    let log = project.run(&["log"]).out;
    let answer = log.lines().find(|line| line.contains("you answered: retry")).unwrap();
    assert!(answer.contains("person:ada"), "{answer}");
    assert!(!before.contains("you answered"), "a refused command records nothing");
    // What the first turn left was kept.
    let landed = project.landed("provost/d-4");
    let names: Vec<&str> = landed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["base.txt", "begun.txt", "next.txt", "stubborn.txt"]);
    assert_eq!(project.run(&["resume", "--task", "stubborn"]).code, Some(9), "the delivery has ended");
    project.check("");
}

/// What is left is a question, asked on a terminal.
fn asked_on_a_terminal() -> (Project, Command) {
    let project = project(&[("stubborn", "none")], "agent_failures = 1\n");
    let mut command = project.command(&["run", "plan.md"]);
    command.env("TERM", "xterm").env_remove("CI");
    (project, command)
}

const PROMPT: &str = "type the answer here, or leave it open with Ctrl-C";

#[test]
fn on_a_terminal_the_last_question_is_answered_where_it_is_shown() {
    let (project, command) = asked_on_a_terminal();
    let (shown, code) = typed(command, PROMPT, "\nretry\n");
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("options: retry, remove"), "{shown}");
    assert!(shown.contains("d-4 complete: 1 of 1 tasks complete"), "{shown}");
    assert_eq!(shown.matches(PROMPT).count(), 2, "shown again until it is answered: {shown}");
    assert!(project.run(&["log"]).out.contains("you answered: retry"));
    project.check("");
}

#[test]
fn whoever_leaves_the_question_open_is_told_how_to_answer_it() {
    for (act, code) in [(Leave::Interrupt, 130), (Leave::End, 5)] {
        let (project, command) = asked_on_a_terminal();
        let (shown, ended) = at(command, PROMPT, |terminal, child| match act {
            Leave::Interrupt => {
                let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
                kill_process(pid, Signal::INT).unwrap();
            }
            Leave::End => terminal.write_all(b"\x04").unwrap(),
        });
        assert_eq!(ended, Some(code), "{shown}");
        assert!(shown.contains("provost reply q-"), "{shown}");
        assert!(project.run(&["questions"]).out.contains("stubborn"), "it stays open");
        assert!(!project.run(&["log"]).out.contains("paused"), "nothing was going on");
        assert_eq!(project.run(&["resume", "--task", "stubborn"]).code, Some(0));
    }
}

/// How somebody leaves.
#[derive(Clone, Copy)]
enum Leave {
    Interrupt,
    End,
}

const IMPATIENT: &str = "critic_s = 1\ncritic_timeouts = 1\nkill_grace_s = 1\n";

#[test]
fn a_task_that_nobody_reviewed_waits_for_a_person() {
    let project = project(&[("hasty", "none")], IMPATIENT);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(5), "{}", ran.out);
    assert!(ran.out.contains("land it all the same?"), "{}", ran.out);
    assert_eq!(project.run(&["cancel", "d-4"]).code, Some(0));
}

#[test]
fn a_task_that_nobody_reviewed_lands_where_the_project_says_so() {
    let settings = format!("{IMPATIENT}[landing]\nbypassed = \"land\"\n");
    let project = project(&[("hasty", "none")], &settings);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("the review is left out: critics ran out of time"), "{}", ran.out);
    assert!(project.run(&["show", "hasty"]).out.contains("not reviewed: critics ran out of time"));
    project.check("");
}

#[test]
fn what_is_typed_while_nothing_is_asked_is_no_answer() {
    let project = project(&[("stubborn", "none"), ("slow", "none")], "agent_failures = 1\n");
    let mut command = project.command(&["run", "plan.md"]);
    command.env("TERM", "xterm").env_remove("CI");
    let release = || std::fs::write(project.folder().join("go"), "").unwrap();
    let (shown, code) = at_each(
        command,
        vec![
            ("halted", Box::new(|terminal, _| terminal.write_all(b"remove\n").unwrap())),
            ("nothing is asked here now", Box::new(|_, _| release())),
            (PROMPT, Box::new(|terminal, _| terminal.write_all(b"\x04").unwrap())),
        ],
    );
    assert_eq!(code, Some(5), "{shown}");
    assert!(shown.contains("1 of 2 tasks complete"), "{shown}");
    assert!(project.run(&["questions"]).out.contains("stubborn"), "it stays open");
}

#[test]
fn a_task_that_was_removed_is_not_complete_and_its_question_has_an_answer() {
    let (project, command) = asked_on_a_terminal();
    let (shown, code) = typed(command, PROMPT, "remvoe\nremove\n");
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("`remvoe` is not an answer to q-"), "{shown}");
    assert!(shown.contains("d-4 complete: 0 of 1 tasks complete, 1 removed"), "{shown}");
    let page = project.run(&["show", "stubborn"]).out;
    assert!(page.contains("answered remove"), "{page}");
}
