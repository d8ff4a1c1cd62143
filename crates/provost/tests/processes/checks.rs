//! Checks as real processes, each verdict once.

use std::ffi::OsString;
use std::fs;

use provost_core::delivery::Verdict;
use provost_core::digest::Digest;
use provost_runtime::checks::{Check, Environment, Measured, Surroundings, run_check, start_check};

use crate::scene::{Scene, provost, wait_until};

fn check(argv: &[&str]) -> Check {
    Check {
        name: "test".to_owned(),
        argv: argv.iter().map(|&part| part.to_owned()).collect(),
        environment: None,
        prefix: Vec::new(),
        expect_exit: 0,
        limit_s: 600,
        required: true,
    }
}

fn environment() -> Environment {
    let path = (OsString::from("PATH"), std::env::var_os("PATH").unwrap());
    Environment::scrubbed([path, (OsString::from("CANARY"), OsString::from("seen"))], &[])
}

fn measure(scene: &Scene, check: &Check) -> Measured {
    let (environment, output, mark) = (environment(), scene.path("stdout"), scene.mark());
    let surroundings =
        Surroundings { exe: provost(), environment: &environment, output: &output, mark: &mark, walls: None };
    let measured = run_check(check, scene.folder.path(), &surroundings).unwrap();
    assert_eq!(scene.marked(), Vec::<u32>::new());
    assert_eq!(measured.passed(), measured.verdict == Verdict::Passed);
    measured
}

fn verdict(scene: &Scene, argv: &[&str]) -> Verdict {
    measure(scene, &check(argv)).verdict
}

#[test]
fn verdicts_follow_from_what_was_measured() {
    let scene = Scene::new();
    assert_eq!(verdict(&scene, &["true"]), Verdict::Passed);
    assert_eq!(verdict(&scene, &["false"]), Verdict::Failed);
    assert_eq!(verdict(&scene, &["sh", "-c", "kill -9 $$"]), Verdict::Failed);
    assert_eq!(verdict(&scene, &["no-such-program-anywhere"]), Verdict::Missing);
    assert_eq!(verdict(&scene, &[]), Verdict::Missing);
    fs::write(scene.path("plain"), "").unwrap();
    assert_eq!(verdict(&scene, &["./plain"]), Verdict::Blocked);
    assert_eq!(verdict(&scene, &["echo", "# pass 0"]), Verdict::Empty);
    assert_eq!(
        measure(&scene, &Check { limit_s: 0, ..check(&["sleep", "1000"]) }).verdict,
        Verdict::TimedOut
    );
    assert_eq!(measure(&scene, &Check { expect_exit: 1, ..check(&["false"]) }).verdict, Verdict::Passed);
    let led =
        |prefix: &str| Check { prefix: vec![prefix.to_owned()], ..check(&["no-such-program-anywhere"]) };
    assert_eq!(measure(&scene, &led("env")).verdict, Verdict::Missing);
    assert_eq!(measure(&scene, &led("no-such-way-in")).verdict, Verdict::Blocked);
}

#[test]
fn a_check_that_is_stopped_is_interrupted() {
    let scene = Scene::new();
    let (environment, output, mark) = (environment(), scene.path("stdout"), scene.mark());
    let surroundings =
        Surroundings { exe: provost(), environment: &environment, output: &output, mark: &mark, walls: None };
    let endless = check(&["sh", "-c", "echo ready; sleep 1000"]);
    let measuring = start_check(&endless, scene.folder.path(), &surroundings).unwrap();
    wait_until(|| scene.printed() == "ready\n");
    measuring.stopper().stop();
    assert_eq!(measuring.wait().unwrap().verdict, Verdict::Interrupted);
    assert_eq!(scene.marked(), Vec::<u32>::new());
}

#[test]
fn the_result_carries_what_the_file_holds() {
    let scene = Scene::new();
    let measured = measure(&scene, &check(&["sh", "-c", "pwd; env; seq 1 10000; echo err >&2; exit 3"]));
    assert_eq!((measured.verdict, measured.exit), (Verdict::Failed, Some(3)));
    let file = fs::read(scene.path("stdout")).unwrap();
    assert_eq!(measured.output_sha256, Digest::of(&file));
    assert_eq!(measured.output_bytes, file.len() as u64);
    let top = scene.folder.path().canonicalize().unwrap();
    assert!(measured.output_head.starts_with(&format!("{}\n", top.display())));
    assert!(measured.output_tail.ends_with("10000\nerr\n"));
    assert!(!measured.output_head.contains("CANARY"));
    assert!(measured.output_head.contains("TERM=dumb\n"));
    // What an earlier run left is not this one's.
    assert_eq!(measure(&scene, &check(&["no-such-program-anywhere"])).output_sha256, Digest::of(b""));
}
