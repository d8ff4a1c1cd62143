//! That nothing is left: whatever programs do to hide, and whoever is killed first.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use provost_runtime::process::{EndedBy, MARK_VARIABLE, Told, end_marked};
use rustix::process::{Pid, Signal, kill_process};

use crate::scene::{Scene, is_alive, provost, wait_until};

/// Starts processes in the ways in which they are usually lost, among them one without a mark that prints its number.
const HIDING: &str = "
    (setsid sleep 1000 &)
    setsid sh -c '(setsid sleep 1000 &) ; exec sleep 1000' &
    (setsid sh -c 'trap \"\" TERM HUP; sleep 1000; sleep 1000' &)
    env -i \"$(command -v setsid)\" \"$(command -v sh)\" -c 'echo $$; kill -STOP $$' &
";

fn signal(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), signal).unwrap();
}

/// The number that the process without a mark has printed, once it has.
fn unmarked(scene: &Scene) -> String {
    let mut found = None;
    wait_until(|| {
        let printed = scene.printed();
        found = printed
            .split_inclusive('\n')
            .find_map(|line| Some(line.strip_suffix('\n')?.to_owned()).filter(|it| it != "ready"));
        found.is_some()
    });
    found.unwrap()
}

#[test]
fn descendants_that_hide_end_with_the_program() {
    let scene = Scene::new();
    let mut job = scene.script(&format!("{HIDING} read line < hold; exit 0"));
    job.limits.grace_ms = 50;
    let made = Command::new("mkfifo").arg(scene.path("hold")).status();
    assert!(made.unwrap().success());
    let running = provost_runtime::process::Supervised::start(provost(), &job).unwrap();
    let hidden = unmarked(&scene);
    std::fs::write(scene.path("hold"), "go on\n").unwrap();
    let ended = running.wait().unwrap();
    assert_eq!((ended.exit, ended.ended_by), (Some(0), EndedBy::Exited));
    assert!(ended.survivors_killed >= 4, "only {} were seen", ended.survivors_killed);
    assert_eq!(scene.marked(), Vec::<u32>::new());
    assert!(!is_alive(&hidden));
}

#[test]
fn descendants_that_hide_end_when_it_is_stopped() {
    let scene = Scene::new();
    let mut job = scene.script(&format!("trap '' TERM; {HIDING} echo ready; wait; sleep 1000"));
    job.limits.grace_ms = 50;
    let running = scene.start(&job);
    let hidden = unmarked(&scene);
    running.stopper().stop();
    let ended = running.wait().unwrap();
    assert_eq!((ended.signal, ended.ended_by), (Some(9), EndedBy::Stopped));
    assert_eq!(scene.marked(), Vec::<u32>::new());
    assert!(!is_alive(&hidden));
}

#[test]
fn thirty_sleeping_descendants_are_all_counted() {
    let scene = Scene::new();
    let text = "i=0; while [ $i -lt 30 ]; do sleep 1000 & i=$((i+1)); done; echo ready; wait";
    let running = scene.start(&scene.script(text));
    running.stopper().stop();
    let ended = running.wait().unwrap();
    assert_eq!((ended.survivors_killed, ended.survivors_left), (30, 0));
    assert_eq!(scene.marked(), Vec::<u32>::new());
}

#[test]
fn processes_that_are_started_while_dying_are_found() {
    let scene = Scene::new();
    let again =
        "trap 'setsid sleep 1000 & setsid sleep 1000 &' TERM; echo ready; while :; do sleep 1000; done";
    let mut job = scene.script(again);
    job.limits.grace_ms = 100;
    let running = scene.start(&job);
    running.stopper().stop();
    assert_eq!(running.wait().unwrap().signal, Some(9));
    assert_eq!(scene.marked(), Vec::<u32>::new());
}

#[test]
fn a_stopped_process_is_ended() {
    let scene = Scene::new();
    let running = scene.start(&scene.script("echo ready; kill -STOP $$; sleep 1000"));
    running.stopper().stop();
    assert_eq!(running.wait().unwrap().ended_by, EndedBy::Stopped);
    assert_eq!(scene.marked(), Vec::<u32>::new());
}

#[test]
fn a_program_that_signals_its_group_does_not_reach_the_supervisor() {
    let scene = Scene::new();
    let ended = scene.run(&scene.script("sleep 1000 & kill -KILL 0"));
    assert_eq!((ended.signal, ended.ended_by), (Some(9), EndedBy::Exited));
}

#[test]
fn nothing_survives_a_coordinator_that_is_killed() {
    let scene = Scene::new();
    let mut job = scene.script(&format!("trap '' TERM; {HIDING} echo ready; wait; sleep 1000"));
    job.limits.grace_ms = 50;
    // The coordinator is `cat`: the only process that holds the other end of the control pipe.
    let (control, mut held) = std::io::pipe().unwrap();
    let mut supervise = Command::new(provost());
    supervise.arg("supervise").env(MARK_VARIABLE, &job.mark).stdin(control).stdout(Stdio::piped());
    let mut supervisor = supervise.spawn().unwrap();
    drop(supervise);
    writeln!(held, "{}", serde_json::to_string(&job).unwrap()).unwrap();
    let mut coordinator = Command::new("cat").stdin(Stdio::piped()).stdout(held).spawn().unwrap();
    wait_until(|| scene.printed().lines().any(|line| line == "ready"));
    let hidden = unmarked(&scene);
    coordinator.kill().unwrap();
    coordinator.wait().unwrap();
    let mut report = String::new();
    supervisor.stdout.take().unwrap().read_to_string(&mut report).unwrap();
    supervisor.wait().unwrap();
    let Told::Ended(ended) = serde_json::from_str(&report).unwrap() else { panic!("{report}") };
    assert_eq!(ended.ended_by, EndedBy::Stopped);
    assert_eq!(scene.marked(), Vec::<u32>::new());
    assert!(!is_alive(&hidden));
}

#[test]
fn nothing_survives_when_nobody_waits() {
    let scene = Scene::new();
    let mut job = scene.script(&format!("{HIDING} echo ready; wait"));
    job.limits.grace_ms = 50;
    // Dropping it closes both pipes: there is nobody to report to.
    drop(scene.start(&job));
    scene.wait_until_nothing_is_marked();
}

#[test]
fn a_supervisor_that_is_asked_to_end_ends_the_program_first() {
    for asked in [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT] {
        let scene = Scene::new();
        let mut job = scene.script(&format!("{HIDING} echo ready; wait"));
        job.limits.grace_ms = 50;
        let running = scene.start(&job);
        signal(running.id(), asked);
        assert_eq!(running.wait().unwrap().ended_by, EndedBy::Stopped);
        assert_eq!(scene.marked(), Vec::<u32>::new());
    }
}

#[test]
fn what_a_killed_supervisor_leaves_is_ended_before_it_is_reported() {
    let scene = Scene::new();
    let text = "trap '' TERM; (setsid sleep 1000 &); echo ready; sleep 1000; sleep 1000";
    let running = scene.start(&scene.script(text));
    signal(running.id(), Signal::KILL);
    let error = running.wait().unwrap_err();
    assert!(error.to_string().contains("without a report"), "{error}");
    assert_eq!(scene.marked(), Vec::<u32>::new());
}

#[test]
fn marks_of_a_project_are_ended_and_no_others() {
    let (scene, other) = (Scene::new(), Scene::new());
    let text = "(setsid sleep 1000 &); echo ready; sleep 1000";
    let lost = scene.start(&scene.script(text));
    let kept = other.start(&other.script(text));
    signal(lost.id(), Signal::KILL);
    assert!(end_marked(&scene.project).unwrap() >= 2);
    assert_eq!(scene.marked(), Vec::<u32>::new());
    assert_eq!(end_marked(&scene.project).unwrap(), 0);
    // The supervisor, the shell and two that sleep.
    wait_until(|| other.marked().len() == 4);
    assert_eq!(end_marked(&format!("{}/1", other.project)).unwrap(), 0);
    kept.stopper().stop();
    assert_eq!(kept.wait().unwrap().ended_by, EndedBy::Stopped);
}
