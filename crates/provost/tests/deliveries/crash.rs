//! The coordinator killed in the middle of a delivery.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::project::{Project, plan};

/// Kills `provost run` as soon as it has printed a line that contains `moment`, then resumes to the end.
fn killed_at(moment: &str) {
    let project = Project::new(&plan(&[("one", "none"), ("two", "one")]));
    let mut child = project.command(&["run", "plan.md"]).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let reached = lines.map_while(Result::ok).any(|line| line.contains(moment));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(reached, "`{moment}` was never printed");
    let ran = project.run(&["resume"]);
    assert_eq!(ran.code, Some(0), "killed at `{moment}`\n{}\n{}", ran.out, ran.err);
    let landed = project.landed("provost/d-4");
    let names: Vec<&str> = landed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["base.txt", "one.txt", "two.txt"], "killed at `{moment}`\n{}", ran.out);
    assert_eq!(
        project.git(&["rev-list", "--count", "main..provost/d-4"]).trim(),
        "2",
        "killed at `{moment}`"
    );
    project.check("");
}

#[test]
fn killed_at_every_stage_it_ends_the_same() {
    for moment in [
        "delivering",
        "begins to implement",
        "measuring",
        "begins to review",
        "begins to verify",
        "landing",
        "landed as",
    ] {
        killed_at(moment);
    }
}
