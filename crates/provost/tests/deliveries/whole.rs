//! Deliveries from the command to the branch.

use crate::project::{Project, plan};

#[test]
fn two_tasks_land_one_after_the_other() {
    let project = Project::new(&plan(&[("one", "none"), ("two", "one")]));
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let landed = project.landed("provost/d-4");
    let names: Vec<&str> = landed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["base.txt", "one.txt", "two.txt"], "{}", ran.out);
    project.check("");
}

#[test]
fn tasks_may_be_called_what_provost_calls_its_own_work() {
    let project = Project::new(&plan(&[("baseline", "none"), ("landing", "none")]));
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    assert_eq!(project.landed("provost/d-4").len(), 3, "{}", ran.out);
    project.check("");
}

#[test]
fn a_rework_a_lie_a_conflict_and_a_hung_agent_end_well() {
    let tasks = plan(&[
        ("picky", "none"),
        ("liar", "none"),
        ("left", "none"),
        ("right", "none"),
        ("hanger", "none"),
        ("last", "picky, liar, left, right, hanger"),
    ]);
    let project = Project::new(&tasks);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    for expected in ["the critic asks for changes", "refused", "the agent failed", "all tasks have ended"] {
        assert!(ran.out.contains(expected), "{expected}\n{}", ran.out);
    }
    let shown = project.run(&["show", "hanger"]).out;
    assert!(shown.contains("it ran out of time: 2 s without a word (`idle_s`)"), "{shown}");
    let landed = project.landed("provost/d-4");
    assert_eq!(landed.len(), 8, "{landed:?}");
    assert!(landed.iter().all(|(_, text)| !text.contains("<<<<<<<")));
    project.check("");
}

#[test]
fn a_turn_that_takes_too_long_says_which_limit_it_reached() {
    let slow = "#!/bin/sh\nexec sleep 600\n";
    let limits = "developer_s = 1\nidle_s = 60\nkill_grace_s = 1\nagent_failures = 1\n";
    let project = Project::with(&plan(&[("one", "none")]), slow, "#!/bin/sh\n", limits);
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(5));
    let shown = project.run(&["show", "one"]).out;
    assert!(shown.contains("it ran out of time: 1 s (`developer_s`)"), "{shown}");
}

#[test]
fn a_question_is_answered_from_elsewhere_and_the_delivery_goes_on() {
    let project = Project::new(&plan(&[("asker", "none")]));
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(5), "{}\n{}", ran.out, ran.err);
    let questions = project.run(&["questions"]).out;
    assert!(
        questions.contains("tabs or spaces?") && questions.contains("options: tabs, spaces"),
        "{questions}"
    );
    let id = questions.split(' ').next().unwrap().to_owned();
    assert_eq!(project.run(&["reply", &id, "tabs"]).code, Some(0));
    assert_eq!(project.run(&["reply", &id, "tabs"]).code, Some(2), "it is answered already");
    let ran = project.run(&["resume"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    project.check("");
}

/// Both write the same file. What the second wrote before the conflict is only in its worktree: afterwards it takes
/// the markers away and writes nothing else.
const MERGER: &str = r#"#!/bin/sh
case "$PROVOST_ROLE $PROVOST_ATTEMPT" in
  "developer 1")
    echo "$PROVOST_TASK" > shared.txt; echo "$PROVOST_TASK" > "$PROVOST_TASK.txt" ;;
  developer*)
    grep -v '^[<=>|]' shared.txt | sort > "$TMPDIR/sorted"; cp "$TMPDIR/sorted" shared.txt ;;
esac
case "$PROVOST_ROLE" in
  developer) printf 'READY_FOR_REVIEW: %s\nSummary: wrote the file\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

#[test]
fn a_conflict_leaves_markers_and_the_work_of_both() {
    let limits = "developer_s = 60\nidle_s = 60\n";
    let tasks = plan(&[("left", "none"), ("right", "none")]);
    let project = Project::with(&tasks, MERGER, "#!/bin/sh\n", limits);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let landed = project.landed("provost/d-4");
    let texts: Vec<(&str, &str)> = landed.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let expected = [
        ("base.txt", "base\n"),
        ("left.txt", "left\n"),
        ("right.txt", "right\n"),
        ("shared.txt", "left\nright\n"),
    ];
    assert_eq!(texts, expected, "{}", ran.out);
    project.check("");
}

#[test]
fn what_agents_will_not_see_is_said_before_anything_starts() {
    let project = Project::new(&plan(&[("one", "none")]));
    std::fs::write(project.root().join("base.txt"), "changed\n").unwrap();
    project.git(&["checkout", "--quiet", "--detach"]);
    let ran = project.run(&["run", "plan.md", "--dry-run"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("1 changed file is not committed"), "{}", ran.out);
    assert!(ran.out.contains("HEAD is detached"), "{}", ran.out);
}
