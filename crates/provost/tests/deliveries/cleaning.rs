//! What ended deliveries leave behind is cleared away, and nothing that is nowhere else.

use std::fs;
use std::path::PathBuf;

use crate::project::{Project, plan};

#[test]
fn a_branch_goes_when_its_work_is_merged_and_not_before() {
    let project = Project::new(&plan(&[("one", "none")]));
    assert_eq!(project.run(&["clean"]).code, Some(9), "there is no project yet");
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(0));
    let kept = project.run(&["clean"]);
    assert!(kept.out.contains("kept the branch provost/d-4"), "{}", kept.out);
    assert!(
        kept.out.starts_with("removed the reference refs/provost/d-4/one, which was at "),
        "{}",
        kept.out
    );
    assert_eq!(project.git(&["for-each-ref", "refs/provost/"]), "");
    project.git(&["merge", "--quiet", "--ff-only", "provost/d-4"]);
    let dry = project.run(&["clean", "--dry-run"]).out;
    assert!(dry.starts_with("would remove the branch provost/d-4, which was at "), "{dry}");
    assert_eq!(project.git(&["branch", "--list", "provost/*"]).trim(), "provost/d-4");
    let done = project.run(&["clean"]).out;
    assert!(done.starts_with("removed the branch provost/d-4, which was at "), "{done}");
    assert_eq!(project.git(&["branch", "--list", "provost/*"]), "");
    assert_eq!(project.run(&["clean"]).out, "nothing is left behind that could be removed\n");
    project.check("");
}

/// The auditor leaves a note beside the work.
const NOTING: &str = r#"#!/bin/sh
case "$PROVOST_ROLE" in
  developer) echo done > "$PROVOST_TASK.txt"; printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) echo fine > note.md; printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

#[test]
fn what_an_auditor_leaves_does_not_keep_the_worktree_of_a_task_that_landed() {
    let limits = "developer_s = 60\nidle_s = 60\n";
    let project = Project::with(&plan(&[("one", "none")]), NOTING, "#!/bin/sh\n", limits);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    project.check("");
    assert_eq!(project.git(&["branch", "--list", "provost/salvage/*"]), "");
}

#[test]
fn work_of_a_removed_task_is_saved_before_its_worktree_goes() {
    let silent = "#!/bin/sh\necho half > half.txt\n";
    let limits = "developer_s = 60\nidle_s = 60\n";
    let project = Project::with(&plan(&[("one", "none")]), silent, "#!/bin/sh\n", limits);
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(5));
    let questions = project.run(&["questions"]).out;
    let id = questions.split(' ').next().unwrap();
    assert_eq!(project.run(&["reply", id, "remove"]).code, Some(0));
    let ran = project.run(&["resume"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    project.check("");
    assert_eq!(project.git(&["show", "provost/salvage/d-4/one-1:half.txt"]), "half\n");
}

#[test]
fn work_of_a_cancelled_delivery_is_saved_before_its_worktree_goes() {
    let project = Project::new(&plan(&[("asker", "none")]));
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(5));
    let worktrees = project.worktrees();
    assert_eq!(worktrees.len(), 1, "{worktrees:?}");
    fs::write(worktrees[0].join("begun.txt"), "half of it\n").unwrap();
    project.run(&["clean"]);
    assert_eq!(project.worktrees(), worktrees, "a delivery that may go on is not touched");
    assert_eq!(project.run(&["cancel", "d-4"]).code, Some(0));
    let dry = project.run(&["clean", "--dry-run"]).out;
    assert!(
        dry.starts_with("would save work that is nowhere else as provost/salvage/d-4/asker-1\n"),
        "{dry}"
    );
    let dry = project.run(&["--json", "clean", "--dry-run"]).out;
    assert!(dry.contains(r#""to_salvage":["provost/salvage/d-4/asker-1"]"#), "{dry}");
    assert_eq!(project.git(&["branch", "--list", "provost/salvage/*"]), "", "nothing is made yet");
    let done = project.run(&["clean"]).out;
    assert!(done.contains("saved work that was nowhere else as provost/salvage/d-4/asker-1"), "{done}");
    assert_eq!(project.worktrees(), Vec::<PathBuf>::new());
    assert_eq!(project.git(&["show", "provost/salvage/d-4/asker-1:begun.txt"]), "half of it\n");
    // Nothing of it has landed anywhere, so it stays until that is said.
    let kept = project.run(&["clean"]).out;
    assert!(kept.contains("kept the branch provost/salvage/d-4/asker-1: its work has not landed"), "{kept}");
    let dry = project.run(&["clean", "--dry-run", "--force"]).out;
    assert!(dry.contains("would remove the branch provost/salvage/d-4/asker-1, which was at "), "{dry}");
    assert_eq!(project.git(&["show", "provost/salvage/d-4/asker-1:begun.txt"]), "half of it\n");
    let done = project.run(&["--json", "clean", "--force"]).out;
    assert!(done.contains("\"branch\":\"provost/salvage/d-4/asker-1\""), "{done}");
    assert_eq!(project.git(&["for-each-ref", "refs/heads/provost/", "refs/provost/"]), "");
    project.check("");
}

#[test]
fn what_a_lost_turn_left_goes_when_its_task_has_landed() {
    let project = Project::new(&plan(&[("one", "none")]));
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(0));
    project.git(&["branch", "provost/salvage/d-4/one-1", "main"]);
    project.git(&["branch", "provost/salvage/d-4/two-1", "main"]);
    project.git(&["branch", "provost/mine/d-4", "main"]);
    let done = project.run(&["clean"]).out;
    assert!(done.contains("removed the branch provost/salvage/d-4/one-1"), "{done}");
    assert!(done.contains("kept the branch provost/salvage/d-4/two-1"), "{done}");
    assert!(!done.contains("mine"), "{done}");
}

#[test]
fn a_branch_that_is_checked_out_stays_whatever_is_forced() {
    let project = Project::new(&plan(&[("one", "none")]));
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(0));
    project.git(&["checkout", "--quiet", "provost/d-4"]);
    for arguments in [&["clean"][..], &["clean", "--force"]] {
        let cleaned = project.run(arguments).out;
        assert!(cleaned.contains("kept the branch provost/d-4"), "{cleaned}");
    }
    project.git(&["checkout", "--quiet", "--detach", "provost/d-4"]);
    let cleaned = project.run(&["clean"]).out;
    assert!(cleaned.contains("kept the branch provost/d-4"), "only a detached HEAD has the work: {cleaned}");
    project.git(&["checkout", "--quiet", "main"]);
    assert_eq!(project.git(&["branch", "--list", "provost/*"]).trim(), "provost/d-4");
}

/// The second task's developer takes back what has landed.
const REWINDING: &str = r#"#!/bin/sh
case "$PROVOST_ROLE $PROVOST_TASK" in
  'developer two') git update-ref refs/heads/provost/d-4 "$(git rev-list --max-parents=0 HEAD)" ;;
esac
case "$PROVOST_ROLE" in
  developer) echo done > "$PROVOST_TASK.txt"; printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

#[test]
fn a_branch_that_lost_what_has_landed_is_asked_about() {
    let limits = "developer_s = 60\nidle_s = 60\n";
    let tasks = plan(&[("one", "none"), ("two", "one")]);
    let project = Project::unwalled(&tasks, REWINDING, "#!/bin/sh\n", limits);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(5), "{}\n{}", ran.out, ran.err);
    let asked = project.run(&["questions"]).out;
    assert!(asked.contains("does not have what has landed"), "{asked}");
}

#[test]
fn a_worktree_that_became_a_link_leads_nowhere() {
    let linking = r#"#!/bin/sh
case "$PROVOST_ROLE" in
  developer) w=$PWD; cd /; rm -rf "$w"; ln -s "$HOME/elsewhere" "$w"; printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK" ;;
esac
"#;
    let project = Project::unwalled(
        &plan(&[("one", "none")]),
        linking,
        "#!/bin/sh\n",
        "developer_s = 60\nidle_s = 60\n",
    );
    let elsewhere = project.folder().join("elsewhere");
    fs::create_dir_all(elsewhere.join(".git")).unwrap();
    fs::write(elsewhere.join("mine.txt"), "mine\n").unwrap();
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(5), "{}\n{}", ran.out, ran.err);
    assert_eq!(fs::read_to_string(elsewhere.join("mine.txt")).unwrap(), "mine\n");
    assert!(elsewhere.join(".git").is_dir(), "what the link leads to is not Provost's");
}
