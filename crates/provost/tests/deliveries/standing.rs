//! How deliveries stand, said in words that are true before work begins and after it ended.

use std::fs;
use std::process::Stdio;

use crate::project::{Project, Ran, plan};

#[test]
fn after_a_cancellation_nothing_is_being_done() {
    let project = Project::new(&plan(&[("asker", "none"), ("next", "asker")]));
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(5));
    assert_eq!(project.run(&["cancel", "d-4"]).code, Some(0));
    for arguments in [&["status"][..], &["show", "asker"], &["show", "next"], &["show", "d-4"]] {
        let said = project.run(arguments).out;
        assert!(said.contains("cancelled"), "{said}");
        for untrue in ["being implemented", "waiting for you", "blocked by other tasks"] {
            assert!(!said.contains(untrue), "`{untrue}`: {said}");
        }
    }
}

#[test]
fn before_the_first_checks_have_passed_only_what_waits_for_others_is_blocked() {
    let project = Project::with(
        &plan(&[("one", "none"), ("two", "one")]),
        "#!/bin/sh\n",
        "#!/bin/sh\nexit 1\n",
        "developer_s = 60\nidle_s = 60\n",
    );
    // The check fails before any work, so a person is asked first.
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(5));
    let said = project.run(&["status"]).out;
    let line = |task: &str| said.lines().find(|line| line.trim_start().starts_with(task)).unwrap();
    assert!(line("one").contains("waiting for the first checks"), "{said}");
    assert!(line("two").contains("blocked by other tasks"), "{said}");
    let refused = project.run(&["resume", "--task", "one"]).err;
    assert!(refused.contains("it is waiting for the first checks"), "{refused}");
    let why = project.run(&["why", "two"]).out;
    assert!(why.contains("one waits for the checks that come before any work"), "{why}");
}

#[test]
fn a_branch_that_was_removed_is_not_named_as_if_it_were_there() {
    let project = Project::new(&plan(&[("one", "none")]));
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(0));
    assert!(project.run(&["status"]).out.contains("(complete, branch provost/d-4)"));
    project.git(&["merge", "--quiet", "--ff-only", "provost/d-4"]);
    assert_eq!(project.run(&["clean"]).code, Some(0));
    let said = project.run(&["status"]).out;
    assert!(said.contains("(complete, its branch was removed)"), "{said}");
    assert!(project.run(&["--json", "status"]).out.contains("\"branch_gone\":true"));
}

#[test]
fn a_plan_that_was_delivered_is_delivered_again_only_on_purpose() {
    let project = Project::new(&plan(&[("one", "none")]));
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(0));
    fs::copy(project.root().join("plan.md"), project.root().join("copy.md")).unwrap();
    let refused = project.run(&["run", "copy.md"]);
    assert_eq!(refused.code, Some(9), "{}{}", refused.out, refused.err);
    assert!(
        refused.err.contains("error[delivery::done]: `copy.md` was delivered as d-4, on provost/d-4"),
        "{}",
        refused.err
    );
    assert!(
        refused
            .err
            .contains("see it with `provost show d-4`; `provost run copy.md --again` delivers it once more"),
        "{}",
        refused.err
    );
    let ran = project.run(&["run", "copy.md", "--again"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    fs::remove_file(project.root().join("copy.md")).unwrap();
    project.check("");
}

#[test]
fn a_delivery_whose_output_nobody_takes_is_paused_and_goes_on_later() {
    let project = Project::new(&plan(&[("one", "none")]));
    let mut running = project.command(&["run", "plan.md"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(running.stdout.take());
    assert_eq!(running.wait().unwrap().code(), Some(130));
    assert!(project.run(&["status"]).out.contains("(paused"), "{}", project.run(&["status"]).out);
    assert_eq!(project.run(&["resume"]).code, Some(0));
    let mut full = project.command(&["run", "plan.md", "--again"]);
    full.stdout(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let ran = Ran::of(&full.output().unwrap());
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("output::failed"), "{}", ran.err);
    assert!(project.run(&["status"]).out.contains("(paused"));
}
