//! Programs that fork faster than anybody can look: they are ended all the same, and their supervisor stays awake.
//!
//! Each ends by itself after a minute, so that a failing test leaves the machine usable; one that came so far says so.

use std::fs;

use provost_runtime::process::{EndedBy, Job, Supervised};

use crate::scene::{Scene, provost, wait_until};

/// `chains`: every process forks and ends, so that whoever is found is gone. `heads`: whoever is killed makes room for
/// another, as under a limit on processes. Locks count, because the system gives them back.
const BOMB: &str = r#"
import fcntl, os, random, signal, sys, time
kind, many, end = sys.argv[1], int(sys.argv[2]), time.monotonic() + 60
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print("ready", flush=True)
locks = open("locks", "w")
def over():
    os.write(1, b"outlived\n")
    os._exit(0)
for _ in range(many if kind == "chains" else 0):
    if os.fork() == 0:
        while time.monotonic() < end:
            if os.fork():
                os._exit(0)
            os.setsid()
        over()
while kind == "chains":
    signal.pause()
while time.monotonic() < end:
    slot = random.randrange(many)
    if os.fork() == 0:
        os.setsid()
        random.seed()
        try:
            fcntl.lockf(locks, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, slot)
        except OSError:
            os._exit(0)
        os.write(1, b"head\n")
over()
"#;

fn bomb(scene: &Scene, kind: &str, many: u32) -> Job {
    fs::write(scene.path("bomb.py"), BOMB).unwrap();
    let mut job = scene.job(&["python3", "bomb.py", kind, &many.to_string()]);
    job.limits.grace_ms = 50;
    job
}

fn is_over(scene: &Scene, running: Supervised, by: &EndedBy) {
    let ended = running.wait().unwrap();
    assert_eq!((&ended.ended_by, ended.survivors_left), (by, 0));
    assert_eq!(scene.marked(), Vec::<u32>::new());
    assert!(!scene.printed().contains("outlived"));
}

/// Lets as many come as can, and stops them.
fn grows_and_is_stopped(scene: &Scene, job: &Job, many: usize) {
    let running = scene.start(job);
    wait_until(|| scene.printed().matches("head").count() > many / 2);
    running.stopper().stop();
    is_over(scene, running, &EndedBy::Stopped);
}

#[test]
fn a_clock_is_kept_while_processes_end_as_fast_as_they_fork() {
    let scene = Scene::new();
    let mut job = bomb(&scene, "chains", 200);
    job.limits.wall_ms = 1_000;
    is_over(&scene, Supervised::start(provost(), &job).unwrap(), &EndedBy::Wall);
}

#[test]
fn killing_some_makes_no_room_for_others() {
    let scene = Scene::new();
    grows_and_is_stopped(&scene, &bomb(&scene, "heads", 80), 80);
}

#[test]
fn walls_fall_on_whoever_forks_within() {
    let scene = Scene::new();
    grows_and_is_stopped(&scene, &scene.walled(bomb(&scene, "heads", 80)), 80);
}

#[test]
fn a_bomb_is_ended_when_nobody_waits() {
    let scene = Scene::new();
    drop(scene.start(&bomb(&scene, "heads", 50)));
    scene.wait_until_nothing_is_marked();
    assert!(!scene.printed().contains("outlived"));
}
