//! The scripted agent as a process: what it prints, edits and how it ends.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Output};

use insta::assert_snapshot;

use crate::repository::Repository;

fn turn(repository: &Repository, role: &str, task: &str, attempt: &str) -> Command {
    let mut command = repository.command(&["scripted-agent", "../script.yaml"]);
    command.env("PROVOST_ROLE", role).env("PROVOST_TASK", task).env("PROVOST_ATTEMPT", attempt);
    command
}

/// What a first developer's turn of a script comes to.
fn play(repository: &Repository, script: &str) -> Output {
    fs::write(repository.path().join("../script.yaml"), script).unwrap();
    turn(repository, "developer", "greet", "1").output().unwrap()
}

fn said(output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    format!("{out}{err}exit {:?}", output.status.code())
}

#[test]
fn the_example_of_the_page_plays_as_it_says() {
    let page = include_str!("../../../../docs/scripted-agent.md");
    let example = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let repository = Repository::new();
    let greeting = repository.path().join("greeting.txt");
    assert_snapshot!(said(&play(&repository, example)), @"
    looking at greet
    READY_FOR_REVIEW: greet
    Summary: everything is done and every check passes
    exit Some(0)
    ");
    assert!(!greeting.exists());
    let play = |role, task, attempt| said(&turn(&repository, role, task, attempt).output().unwrap());
    assert_snapshot!(play("developer", "greet", "2"), @"
    READY_FOR_REVIEW: greet
    Files Modified:
    - greeting.txt
    Summary: says good morning
    exit Some(0)
    ");
    assert_eq!(fs::read_to_string(&greeting).unwrap(), "good morning from greet\nattempt 2\n");
    assert_snapshot!(play("critic", "greet", "1"), @"
    REVIEW_FAILED: greet
    Required Fixes:
    - say it louder
    exit Some(0)
    ");
    assert_snapshot!(play("critic", "greet", "2"), @"
    REVIEW_PASSED: greet
    Summary: as a script without a word for it
    exit Some(0)
    ");
    assert_snapshot!(play("auditor", "broken", "1"), @"
    giving up
    exit Some(3)
    ");
}

#[test]
fn a_script_ends_a_turn_in_every_way() {
    let repository = Repository::new();
    assert_eq!(play(&repository, "- steps: [exit: 7]").status.code(), Some(7));
    assert_eq!(play(&repository, "- steps: [crash]").status.signal(), Some(9));
    let flood = play(&repository, "- steps: [flood_bytes: 1000000, say: done]");
    assert_eq!(flood.stdout.len(), 1_000_000 + "\ndone\n".len());
    let wrong = play(&repository, "- steps: [signal: {name: AUDIT_PASSED, task: other}]");
    assert_snapshot!(said(&wrong), @r#"
    {"signal":"AUDIT_PASSED","task":"other"}
    exit Some(0)
    "#);
    fs::write(repository.path().join("run.sh"), "true").unwrap();
    let done = play(&repository, "- steps: [chmod_x: run.sh, git_commit: 'all of {task}', delete: run.sh]");
    assert_snapshot!(said(&done), @"exit Some(0)");
    let log = Command::new("git").args(["log", "--format=%an %s"]).current_dir(repository.path()).output();
    assert_eq!(log.unwrap().stdout, b"scripted all of greet\n");
    assert!(!repository.path().join("run.sh").exists());
}

#[test]
fn a_file_becomes_executable() {
    let repository = Repository::new();
    play(&repository, "- steps: [write: {path: bin/run, text: 'true'}, chmod_x: bin/run]");
    let mode = fs::metadata(repository.path().join("bin/run")).unwrap().permissions().mode();
    assert_eq!(mode & 0o111, 0o111);
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let repository = Repository::new();
    std::os::unix::fs::symlink("..", repository.path().join("link")).unwrap();
    for path in ["../escaped", "/tmp/provost-escaped", "link/escaped", "a/../../escaped", "."] {
        let script = format!("- steps: [write: {{path: {path}, text: no}}]");
        let text = said(&play(&repository, &script));
        assert!(text.contains("is not inside the folder") && text.ends_with("exit Some(1)"), "{text}");
    }
    assert!(!repository.path().join("../escaped").exists());
}

#[test]
fn mistakes_are_shown_at_their_place() {
    let repository = Repository::new();
    assert_snapshot!(said(&play(&repository, "- rolle: developer\n  steps: []\n")), @"
    error[scripted::script]: unknown field `rolle`, expected one of role, task, attempt, steps
     --> ../script.yaml:1:3
      |
    1 | - rolle: developer
      |   ^^^^^
      |
      = help: mend the script; docs/scripted-agent.md has every word of it
    exit Some(2)
    ");
    assert_snapshot!(said(&play(&repository, "- steps:\n    - write: {path: a, txt: b}\n")), @"
    error[scripted::script]: unknown field `txt`, expected one of path, text
     --> ../script.yaml:2:24
      |
    2 |     - write: {path: a, txt: b}
      |                        ^^^
      |
      = help: mend the script; docs/scripted-agent.md has every word of it
    exit Some(2)
    ");
    assert_snapshot!(said(&play(&repository, "- steps:\n    - dance\n")), @"
    error[scripted::script]: unknown variant `dance`, expected one of write, append, delete, replace, chmod_x, say, stderr, signal, lie, wait_ms, hang, flood_bytes, spawn_child, git_commit, exit, crash
     --> ../script.yaml:2:7
      |
    2 |     - dance
      |       ^^^^^
      |
      = help: mend the script; docs/scripted-agent.md has every word of it
    exit Some(2)
    ");
    assert_snapshot!(said(&play(&repository, "- steps:\n    - signal: {name: REVIEW_PASSED, sumary: b}\n")), @"
    error[scripted::script]: REVIEW_PASSED has no field `sumary`
     --> ../script.yaml:2:15
      |
    2 |     - signal: {name: REVIEW_PASSED, sumary: b}
      |               ^^^^^
      |
      = help: mend the script; docs/scripted-agent.md has every word of it
    exit Some(2)
    ");
    let large = format!("- steps: []\n{}", "#".repeat(1024 * 1024));
    assert_snapshot!(said(&play(&repository, &large)), @"
    error[scripted::script]: `../script.yaml` has more than 1048576 bytes
     |
     = help: mend the script; docs/scripted-agent.md has every word of it
    exit Some(2)
    ");
    let output = repository.command(&["scripted-agent", "../script.yaml"]).output().unwrap();
    assert_snapshot!(said(&output), @"
    error[scripted::turn]: the environment has no `PROVOST_ROLE` that can be used
     |
     = help: set PROVOST_ROLE, PROVOST_TASK and PROVOST_ATTEMPT as Provost does for every agent
    exit Some(2)
    ");
}
