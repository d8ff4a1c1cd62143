//! Programs within walls: what the supervisor promises holds there too, for fifty of them at once.

use std::collections::BTreeMap;
use std::fs;

use provost_runtime::process::{EndedBy, Job, Limits, Obstacle, Supervised};
use provost_runtime::walls::{Access, Network, Strength, Walls};

use crate::scene::Scene;

/// How much this process may grow, whatever programs print.
const GROWTH_MAX_KIB: u64 = 64 * 1024;

/// Ways to be hard to end, and one that is not.
const BEHAVIOURS: &[&str] = &[
    "trap '' TERM; while :; do sleep 1000; done",
    "exec yes 'a line that is printed for ever'",
    "for i in 1 2 3 4 5 6 7 8 9; do (setsid sleep 1000 &) ; done; exec sleep 1000",
    "setsid sh -c \"trap '' TERM HUP; sleep 1000; sleep 1000\" & trap '' TERM; wait; sleep 1000",
    "kill -STOP $$; sleep 1000",
];

impl Scene {
    /// The same job within walls, where only its folder can be written.
    pub(crate) fn walled(&self, job: Job) -> Job {
        let force = Strength::of_this_machine().force(provost_runtime::walls::Sandbox::Require).unwrap();
        let scratch = self.path("scratch");
        fs::create_dir_all(&scratch).unwrap();
        let folder = self.folder.path().canonicalize().unwrap();
        let walls = Walls {
            by: force.builder().unwrap(),
            places: BTreeMap::from([
                ("/tmp".into(), Access::Scratch),
                (folder.clone(), Access::Writable),
                (folder.join(".envrc"), Access::Sealed),
            ]),
            scratch,
            network: Network::Loopback,
            nests: false,
        };
        Job { walls: Some(walls), ..job }
    }
}

#[test]
fn an_end_within_walls_is_told_like_any_other() {
    let scene = Scene::new();
    let ended = scene.run(&scene.walled(scene.script("echo out; echo err >&2; exit 3")));
    assert_eq!((ended.exit, ended.ended_by), (Some(3), EndedBy::Exited));
    assert_eq!((scene.printed().as_str(), scene.said().as_str()), ("out\n", "err\n"));
}

#[test]
fn a_program_that_cannot_be_started_within_walls_is_told_apart() {
    let scene = Scene::new();
    fs::write(scene.path("plain"), "no program").unwrap();
    let obstacle = |argv: &[&str]| match scene.run(&scene.walled(scene.job(argv))).ended_by {
        EndedBy::NotStarted { obstacle, .. } => obstacle,
        other => panic!("{other:?}"),
    };
    assert_eq!(obstacle(&["provost-no-such-program"]), Obstacle::ProgramMissing);
    assert_eq!(obstacle(&["./plain"]), Obstacle::NotPermitted);
}

#[test]
fn walls_that_cannot_be_built_let_nothing_run() {
    let scene = Scene::new();
    let mut job = scene.walled(scene.script("touch ran"));
    job.walls.as_mut().unwrap().scratch = scene.path("nowhere");
    let ended = scene.run(&job);
    let EndedBy::NotStarted { why, .. } = ended.ended_by else { panic!("{ended:?}") };
    assert!(why.contains("walls"), "{why}");
    assert!(!scene.path("ran").exists());
}

#[test]
fn a_program_within_walls_may_tidy_up_when_it_is_stopped() {
    let scene = Scene::new();
    let running =
        scene.start(&scene.walled(
            scene.script("trap 'echo tidied; exit 0' TERM; echo ready; while :; do sleep 0.01; done"),
        ));
    running.stopper().stop();
    let ended = running.wait().unwrap();
    assert_eq!(ended.ended_by, EndedBy::Stopped);
    assert!(scene.printed().contains("tidied"), "{}", scene.printed());
}

#[test]
fn what_was_masked_is_gone_afterwards_and_what_a_killed_supervisor_left_too() {
    let scene = Scene::new();
    let script = "mkdir .envrc/x 2>/dev/null || echo kept > told; rmdir .envrc 2>/dev/null; test -d .envrc";
    for _ in 0..2 {
        let ended = scene.run(&scene.walled(scene.script(script)));
        assert_eq!(ended.exit, Some(0));
        assert!(!scene.path(".envrc").exists());
        assert_eq!(fs::read_to_string(scene.path("told")).unwrap(), "kept\n");
        // As if the one who had put it there had been killed.
        fs::create_dir(scene.path(".envrc")).unwrap();
    }
}

#[test]
fn fifty_that_are_hard_to_end_leave_nothing_and_disturb_nobody() {
    let scenes: Vec<Scene> = (0..50).map(|_| Scene::new()).collect();
    let before = resident_kib();
    let running: Vec<Supervised> = scenes
        .iter()
        .zip(BEHAVIOURS.iter().cycle())
        .map(|(scene, behaviour)| {
            let mut job = scene.walled(scene.script(&format!("echo ready; {behaviour}")));
            job.limits = Limits { wall_ms: 600_000, idle_ms: None, grace_ms: 100 };
            scene.start(&job)
        })
        .collect();
    // In the middle of all that.
    let healthy = Scene::new();
    let ended = healthy.run(&healthy.walled(healthy.script("echo fine; exit 0")));
    assert_eq!((ended.exit, healthy.printed().as_str()), (Some(0), "fine\n"));
    for running in &running {
        running.stopper().stop();
    }
    for (running, scene) in running.into_iter().zip(&scenes) {
        let ended = running.wait().unwrap();
        assert_eq!((ended.ended_by, ended.survivors_left), (EndedBy::Stopped, 0));
        assert_eq!(scene.marked(), Vec::<u32>::new());
    }
    let growth = resident_kib().saturating_sub(before);
    assert!(growth < GROWTH_MAX_KIB, "{growth} KiB more");
}

fn resident_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn whoever_is_killed_first_nobody_within_walls_is_left() {
    let scene = Scene::new();
    let hiding = "(setsid sleep 1000 &) ; setsid sh -c 'sleep 1000' & env -i sleep 1000 & echo ready; wait";
    let running = scene.start(&scene.walled(scene.script(hiding)));
    let supervisor = rustix::process::Pid::from_raw(running.id().cast_signed()).unwrap();
    rustix::process::kill_process(supervisor, rustix::process::Signal::KILL).unwrap();
    assert!(running.wait().is_err());
    scene.wait_until_nothing_is_marked();
}
