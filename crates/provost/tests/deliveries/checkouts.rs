//! A delivery's branch that somebody has checked out: it is never moved under them.

use crate::hermetic;
use crate::project::{Project, plan};

/// While the second task is worked on, somebody looks at what has landed in a worktree of their own.
const AGENT: &str = r#"#!/bin/sh
cat > /dev/null
case "$PROVOST_ROLE $PROVOST_TASK" in
  'developer two') git -C "$HOME/repository" worktree add --quiet "$HOME/mine" provost/d-4 ;;
esac
case "$PROVOST_ROLE" in
  developer) echo done > "$PROVOST_TASK.txt"; printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

#[test]
fn a_branch_that_somebody_has_checked_out_is_not_moved_under_them() {
    let limits = "developer_s = 60\nidle_s = 60\n";
    let tasks = plan(&[("one", "none"), ("two", "one")]);
    let project = Project::unwalled(&tasks, AGENT, "#!/bin/sh\n", limits);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(5), "{}{}", ran.out, ran.err);
    let mine = project.folder().join("mine");
    let in_mine = |arguments: &[&str]| {
        let said = hermetic::git(&mine, project.folder(), arguments).output().unwrap();
        assert!(said.status.success(), "{said:?}");
        String::from_utf8(said.stdout).unwrap()
    };
    assert_eq!(in_mine(&["status", "--porcelain"]), "", "files look changed that nobody changed");
    assert!(mine.join("one.txt").exists());
    let asked = project.run(&["questions"]).out;
    let place = format!("the branch provost/d-4 is checked out in `{}`", mine.display());
    assert!(asked.contains(&place) && asked.contains("git switch --detach"), "{asked}");
    in_mine(&["switch", "--quiet", "--detach"]);
    let id = asked.split(' ').next().unwrap();
    assert_eq!(project.run(&["reply", id, "go-on"]).code, Some(0));
    let ran = project.run(&["resume"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_eq!(project.landed("provost/d-4").len(), 3, "{}", ran.out);
    assert_eq!(in_mine(&["status", "--porcelain"]), "");
}

#[test]
fn what_an_agent_checks_out_in_its_own_worktree_stops_nobody() {
    let limits = "developer_s = 60\nidle_s = 60\n";
    let tasks = plan(&[("one", "none"), ("two", "one")]);
    let agent = AGENT
        .replace("git -C \"$HOME/repository\" worktree add --quiet \"$HOME/mine\"", "git checkout --quiet");
    let project = Project::unwalled(&tasks, &agent, "#!/bin/sh\n", limits);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_eq!(project.landed("provost/d-4").len(), 3, "{}", ran.out);
    project.check("");
}
