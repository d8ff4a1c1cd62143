//! Names that people mistype, each answered with the one that they may have meant.

use crate::project::{Project, plan};

#[test]
fn a_name_that_is_near_a_known_one_is_answered_with_that() {
    let project = Project::new(&plan(&[("parser", "none"), ("asker", "parser")]));
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(5));
    let question = project.run(&["status", "--json"]).out;
    let question = question.split("\"questions\":[\"").nth(1).unwrap().split('"').next().unwrap();
    for (arguments, meant) in [
        (&["why", "praser"][..], "parser"),
        (&["why", "d-4/askre"], "asker"),
        (&["why", "d-5/asker"], "d-4"),
        (&["show", "parsr"], "parser"),
        (&["show", "d-5"], "d-4"),
        (&["show", "d-4/pasrer", "--diff"], "parser"),
        (&["resume", "d-44"], "d-4"),
        (&["resume", "--task", "d-4/asekr"], "asker"),
        (&["cancel", "d-5"], "d-4"),
        (&["status", "d-5"], "d-4"),
        (&["reply", &question.replace('-', "_"), "tabs"], question),
        (&["explain", "task::unkown"], "task::unknown"),
        (&["explain", "journal-damaged"], "journal::damaged"),
        (&["explain", "not_halted"], "task::not_halted"),
    ] {
        let ran = project.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(&format!("did you mean `{meant}`?")), "{arguments:?}: {}", ran.err);
    }
    let ran = project.run(&["why", "d-4"]);
    assert!(
        ran.err.contains("`d-4` is a delivery") && ran.err.contains("such as `d-4/parser`"),
        "{}",
        ran.err
    );
    for arguments in [["show", "d-99"], ["why", "D-99"]] {
        let said = project.run(&arguments).err;
        assert!(said.contains(&format!("there is no delivery `{}`", arguments[1])), "{said}");
    }
    // Nothing is guessed where nothing is near.
    for arguments in [["why", "quite-another"], ["explain", "quite-another"]] {
        assert!(!project.run(&arguments).err.contains("did you mean"), "{arguments:?}");
    }
}

#[test]
fn whoever_answers_twice_is_told_of_the_first_answer() {
    let project = Project::new(&plan(&[("asker", "none")]));
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(5));
    let question = project.run(&["status", "--json"]).out;
    let question = question.split("\"questions\":[\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(project.run(&["reply", question, "tabs"]).code, Some(0));
    let again = project.run(&["reply", question, "spaces"]);
    assert_eq!(again.code, Some(2));
    assert!(
        again.err.contains(&format!("{question} was answered already: `tabs` by person:ada, 20")),
        "{}",
        again.err
    );
    assert!(again.err.contains("`provost show d-4` shows what came of it"), "{}", again.err);
}
