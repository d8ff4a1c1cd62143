//! How programs end and how they fail to begin.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output, Stdio};

use provost_runtime::process::{Ended, EndedBy, Job, Obstacle, Stdin, Told};

use crate::scene::{Scene, provost};

fn obstacle(ended: &Ended) -> Obstacle {
    assert_eq!((ended.exit, ended.signal), (None, None));
    match &ended.ended_by {
        EndedBy::NotStarted { obstacle, .. } => *obstacle,
        other => panic!("{other:?}"),
    }
}

#[test]
fn exit_statuses_and_signals_are_told_apart() {
    let scene = Scene::new();
    for exit in [0, 1, 3, 127, 255] {
        let ended = scene.run(&scene.script(&format!("exit {exit}")));
        assert_eq!((ended.exit, ended.signal, ended.ended_by), (Some(exit), None, EndedBy::Exited));
    }
    for signal in [9, 15, 6] {
        let ended = scene.run(&scene.script(&format!("kill -{signal} $$")));
        assert_eq!((ended.exit, ended.signal, ended.ended_by), (None, Some(signal), EndedBy::Exited));
    }
}

#[test]
fn a_program_that_takes_too_long_is_ended_and_that_is_said() {
    let scene = Scene::new();
    let mut job = scene.script("sleep 1000");
    job.limits.wall_ms = 50;
    let ended = scene.run(&job);
    assert_eq!((ended.exit, ended.signal, ended.ended_by), (None, Some(15), EndedBy::Wall));
    // A zero in answer to the request does not make it a success.
    let mut job = scene.script("trap 'exit 0' TERM; echo; while :; do sleep 0.1; done");
    job.limits.wall_ms = 50;
    assert_eq!(scene.run(&job).ended_by, EndedBy::Wall);
}

#[test]
fn a_program_that_says_nothing_is_ended() {
    let scene = Scene::new();
    let mut job = scene.script("echo once; echo twice >&2; sleep 1000");
    job.limits.idle_ms = Some(300);
    let ended = scene.run(&job);
    assert_eq!(ended.ended_by, EndedBy::Idle);
    assert_eq!((scene.printed().as_str(), scene.said().as_str()), ("once\n", "twice\n"));
}

#[test]
fn a_program_that_is_asked_to_stop_may_tidy_up() {
    let scene = Scene::new();
    // A shell that is just starting something hears the request only after that has ended.
    let job = scene.script("trap 'echo tidied; exit 7' TERM; echo ready; while :; do sleep 0.1; done");
    let running = scene.start(&job);
    let stopper = running.stopper();
    std::thread::spawn(move || stopper.stop());
    let ended = running.wait().unwrap();
    assert_eq!((ended.exit, ended.ended_by), (Some(7), EndedBy::Stopped));
    assert_eq!(scene.printed(), "ready\ntidied\n");
}

#[test]
fn a_program_that_ignores_the_request_is_killed_after_its_grace_or_when_asked_twice() {
    let scene = Scene::new();
    let mut job = scene.script("trap '' TERM; echo ready; sleep 1000; sleep 1000");
    let running = scene.start(&job);
    let stopper = running.stopper();
    stopper.stop();
    stopper.close();
    let ended = running.wait().unwrap();
    assert_eq!((ended.exit, ended.signal, ended.ended_by), (None, Some(9), EndedBy::Stopped));
    fs::remove_file(scene.path("stdout")).unwrap();
    job.limits.grace_ms = 50;
    let running = scene.start(&job);
    running.stopper().stop();
    let ended = running.wait().unwrap();
    assert_eq!((ended.signal, ended.ended_by), (Some(9), EndedBy::Stopped));
    scene.wait_until_nothing_is_marked();
}

#[test]
fn what_cannot_be_started_says_why() {
    let scene = Scene::new();
    let ended = |argv: &[&str]| obstacle(&scene.run(&scene.job(argv)));
    assert_eq!(ended(&["no-such-program-anywhere"]), Obstacle::ProgramMissing);
    assert_eq!(ended(&["./absent"]), Obstacle::ProgramMissing);
    assert_eq!(ended(&[]), Obstacle::ProgramMissing);
    fs::write(scene.path("plain"), "#!/bin/sh\n").unwrap();
    assert_eq!(ended(&["./plain"]), Obstacle::NotPermitted);
    fs::write(scene.path("led"), "#!/no/such/interpreter\n").unwrap();
    fs::set_permissions(scene.path("led"), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(ended(&["./led"]), Obstacle::ProgramMissing);
    assert_eq!(ended(&["true", &"x".repeat(4 << 20)]), Obstacle::TooLarge);
    let job = Job { cwd: scene.path("nowhere"), ..scene.job(&["true"]) };
    assert_eq!(obstacle(&scene.run(&job)), Obstacle::FolderMissing);
    let job = Job { stdout: scene.path("plain/output"), ..scene.job(&["true"]) };
    assert_eq!(obstacle(&scene.run(&job)), Obstacle::Other);
}

#[test]
fn output_has_a_file_once_there_is_some() {
    let scene = Scene::new();
    let job = |argv: &[&str]| Job { stdout: scene.path("new/output"), ..scene.job(argv) };
    assert_eq!(scene.run(&job(&["true"])).exit, Some(0));
    assert!(!scene.path("new").exists());
    assert_eq!(scene.run(&job(&["echo", "here"])).exit, Some(0));
    assert_eq!(fs::read_to_string(scene.path("new/output")).unwrap(), "here\n");
    assert_eq!(scene.run(&job(&["true"])).exit, Some(0));
    assert!(!scene.path("new/output").exists(), "the last one said nothing");
}

#[test]
fn arguments_reach_the_program_without_a_shell() {
    let scene = Scene::new();
    let odd = ["a b", "$HOME", "`id`", "; exit 3", "", "\"'\\", "line\nbreak", "*"];
    let argv = [&["printf", "%s|"], odd.as_slice()].concat();
    assert_eq!(scene.run(&scene.job(&argv)).exit, Some(0));
    assert_eq!(scene.printed(), format!("{}|", odd.join("|")));
    let long = "x".repeat(100_000);
    scene.run(&scene.job(&["printf", "%s", &long]));
    assert_eq!(scene.printed(), long);
}

#[test]
fn input_is_delivered_byte_for_byte() {
    let scene = Scene::new();
    let text: String = ('\0'..='\u{300}').cycle().take(300_000).collect();
    scene.run(&Job { stdin: Stdin::Text(text.clone()), ..scene.job(&["cat"]) });
    assert!(fs::read(scene.path("stdout")).unwrap() == text.as_bytes());
    scene.run(&scene.job(&["cat"]));
    assert_eq!(scene.printed(), "");
    // Nobody has to read it.
    assert_eq!(scene.run(&Job { stdin: Stdin::Text(text), ..scene.job(&["true"]) }).exit, Some(0));
}

/// Runs the hidden command with these bytes on its control pipe, which ends behind them.
fn supervise(control: &[u8]) -> Output {
    let mut command = Command::new(provost());
    command.arg("supervise").env("CANARY", "seen").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(control).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn the_program_sees_the_variables_it_was_given_and_no_others() {
    let scene = Scene::new();
    let mut job = scene.job(&["env"]);
    job.env.insert("GIVEN".to_owned(), "value".to_owned());
    let line = serde_json::to_string(&job).unwrap();
    let mut command = Command::new(provost());
    command.arg("supervise").env("CANARY", "seen").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut control = child.stdin.take().unwrap();
    writeln!(control, "{line}").unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    drop(control);
    let printed = scene.printed();
    let mut names: Vec<&str> = printed.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    names.sort_unstable();
    assert_eq!(names, ["GIVEN", "PATH", "PROVOST_MARK"]);
    assert!(printed.contains(&format!("PROVOST_MARK={}\n", scene.mark())));
}

#[test]
fn the_supervisor_prints_one_line_whatever_it_is_told() {
    let scene = Scene::new();
    let job = serde_json::to_string(&scene.script("touch started; sleep 1000")).unwrap();
    for control in ["", "\n", "{", "not a job\n", "{}\n", "[1,2]\nstop\n", &format!("{job}\nstop\n"), &job] {
        let output = supervise(control.as_bytes());
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(printed.lines().count(), 1, "{control}: {printed}");
        let Told::Ended(ended) = serde_json::from_str(&printed).unwrap() else { panic!("{printed}") };
        assert_ne!(ended.ended_by, EndedBy::Exited);
    }
    assert_eq!(scene.marked(), Vec::<u32>::new());
}

#[test]
fn the_report_keeps_its_form() {
    let scene = Scene::new();
    let ended = scene.run(&scene.script("printf abc; printf de >&2"));
    let mut shown = serde_json::to_value(&ended).unwrap();
    assert!(shown["duration_ms"].take().is_u64());
    let expected = serde_json::json!({
        "exit": 0, "signal": null, "ended_by": "exited", "stdout_bytes": 3, "stderr_bytes": 2, "cut_bytes": 0,
        "said_cut_bytes": 0,
        "duration_ms": null, "survivors_killed": 0, "survivors_left": 0
    });
    assert_eq!(shown, expected);
}
