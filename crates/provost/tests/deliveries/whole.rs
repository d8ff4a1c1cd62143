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
    let landed = project.landed("provost/d-4");
    assert_eq!(landed.len(), 8, "{landed:?}");
    assert!(landed.iter().all(|(_, text)| !text.contains("<<<<<<<")));
    project.check("");
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
