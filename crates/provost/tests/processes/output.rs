//! What is kept of what programs say.

use std::fs;

use provost_core::adapter::{Conversation, Protocol, Spent};
use provost_runtime::artifacts::ARTIFACT_MAX;
use provost_runtime::process::{EndedBy, Job, Stdin, Talking};
use provost_runtime::supervise::{CUT_MARK_PREFIX, HEAD_MAX, TAIL_MAX};

use crate::scene::{Scene, wait_until};

#[test]
fn the_streams_are_kept_apart_or_as_they_come() {
    let scene = Scene::new();
    let text = "echo one; echo two >&2; echo three";
    let ended = scene.run(&scene.script(text));
    assert_eq!((scene.printed().as_str(), scene.said().as_str()), ("one\nthree\n", "two\n"));
    assert_eq!((ended.stdout_bytes, ended.stderr_bytes, ended.cut_bytes), (10, 4, 0));
    let ended = scene.run(&Job { stderr: scene.path("stdout"), ..scene.script(text) });
    assert_eq!(scene.printed(), "one\ntwo\nthree\n");
    assert_eq!((ended.stdout_bytes, ended.stderr_bytes), (14, 0));
}

#[test]
fn a_flood_is_kept_at_both_ends_and_the_cut_is_stated() {
    let scene = Scene::new();
    let ended = scene.run(&scene.script("echo first; yes 0123456789abcde | head -c 200000000; echo last"));
    assert_eq!((ended.exit, ended.stdout_bytes), (Some(0), 200_000_011));
    let printed = scene.printed();
    assert!(printed.len() <= ARTIFACT_MAX && printed.len() + 100_000 > HEAD_MAX + TAIL_MAX);
    let marks: Vec<&str> = printed.lines().filter(|line| line.starts_with(CUT_MARK_PREFIX)).collect();
    assert_eq!(marks, [format!("[provost: cut {} bytes]", ended.cut_bytes)]);
    assert_eq!(
        printed.len() - marks[0].len() - 1,
        usize::try_from(ended.stdout_bytes - ended.cut_bytes).unwrap()
    );
    assert!(printed.starts_with("first\n") && printed.ends_with("\nlast\n"));
    let other = printed.lines().filter(|line| !["0123456789abcde", "first", "last", marks[0]].contains(line));
    assert_eq!(other.count(), 0, "a line was cut in two");
}

#[test]
fn a_flood_without_lines_and_without_end_is_bounded_and_can_be_stopped() {
    let scene = Scene::new();
    let job = scene.script("echo ready >&2; exec cat /dev/zero");
    let job = Job { stdout: scene.path("stderr"), stderr: scene.path("stdout"), ..job };
    let running = scene.start(&job);
    wait_until(|| fs::metadata(scene.path("stderr")).is_ok_and(|it| it.len() >= HEAD_MAX as u64));
    running.stopper().stop();
    let ended = running.wait().unwrap();
    assert_eq!(ended.ended_by, EndedBy::Stopped);
    assert!(fs::metadata(scene.path("stderr")).unwrap().len() <= ARTIFACT_MAX as u64);
    assert_eq!(scene.marked(), Vec::<u32>::new());
}

#[test]
fn what_was_said_just_before_a_kill_is_kept() {
    let scene = Scene::new();
    let ended = scene.run(&scene.script("seq 1 5000; kill -9 $$"));
    assert_eq!(ended.signal, Some(9));
    assert_eq!(scene.printed().lines().count(), 5000);
}

#[test]
fn an_output_that_outlives_the_program_is_not_waited_for() {
    let scene = Scene::new();
    // The one that keeps the pipe open is below the supervisor and ends with the program.
    let ended = scene.run(&scene.script("echo said; sleep 1000 & exit 4"));
    assert_eq!((ended.exit, ended.ended_by, ended.survivors_killed), (Some(4), EndedBy::Exited, 1));
    assert_eq!(scene.printed(), "said\n");
}

#[test]
fn what_an_agent_said_is_whole_though_much_else_was_cut() {
    let scene = Scene::new();
    let flood = "yes 0123456789abcde | head -c 9000000";
    let ended = scene.run(&scene.script(&format!("echo short; {flood} >&2")));
    assert!(ended.cut_bytes > 0);
    assert_eq!(ended.said_cut_bytes, 0);
    // In a protocol the words are few among the events.
    let word = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"short"}]}}"#;
    let conversation = Conversation {
        protocol: Protocol::Claude,
        cwd: scene.folder.path().display().to_string(),
        resume: None,
        before: Spent::default(),
        server: None,
    };
    let talking = Talking { conversation, prompt: "Begin.".to_owned(), said: scene.path("words") };
    let job = scene.script(&format!("echo '{word}'; {flood}"));
    let ended = scene.run(&Job { stdin: Stdin::Talk(Box::new(talking)), ..job });
    assert!(ended.cut_bytes > 0);
    assert_eq!(ended.said_cut_bytes, 0);
    assert_eq!(fs::read_to_string(scene.path("words")).unwrap(), "short\n");
}
