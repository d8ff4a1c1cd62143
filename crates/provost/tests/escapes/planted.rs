//! Protected files where walls cannot stand before them: deep inside the worktree, or named by the plan.

use crate::project::{Project, plan};

/// The first attempt plants a file that an editor would obey.
const AGENT: &str = r#"#!/bin/sh
cat > /dev/null
case "$PROVOST_ROLE $PROVOST_ATTEMPT" in
  "developer 1") mkdir -p web/.vscode; echo '{}' > web/.vscode/tasks.json; echo done > one.txt ;;
  developer*) rm -rf web; echo done > one.txt ;;
esac
case "$PROVOST_ROLE" in
  developer) printf 'READY_FOR_REVIEW: one\nSummary: written\n' ;;
  critic) printf 'REVIEW_PASSED: one\nSummary: fine\n' ;;
  auditor) printf 'AUDIT_PASSED: one\nSummary: fine\n' ;;
esac
"#;

/// Where git would wait for somebody to write.
const PIPES: &str = r#"#!/bin/sh
cat > /dev/null
case "$PROVOST_ROLE" in
  developer) mkdir -p web/deep; mkfifo .gitignore web/.gitattributes web/deep/.gitignore; echo done > one.txt
    printf 'READY_FOR_REVIEW: one\nSummary: written\n' ;;
  critic) printf 'REVIEW_PASSED: one\nSummary: fine\n' ;;
  auditor) printf 'AUDIT_PASSED: one\nSummary: fine\n' ;;
esac
"#;

fn deliver(plan: &str, agent: &str) -> (Project, String) {
    let project = Project::with(plan, agent, "#!/bin/sh\ntrue\n", "developer_s = 60\n");
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.err);
    let log = project.run(&["log"]).out;
    (project, log)
}

#[test]
fn what_was_planted_deep_inside_is_sent_back() {
    let (project, log) = deliver(&plan(&[("one", "none")]), AGENT);
    assert!(log.contains("web/.vscode/tasks.json"), "{log}");
    let landed = project.git(&["ls-tree", "-r", "--name-only", "provost/d-4"]);
    assert!(landed.contains("one.txt") && !landed.contains(".vscode"), "{landed}");
}

#[test]
fn what_the_plan_names_may_be_written() {
    let text = plan(&[("one", "none")]);
    let text =
        text.replace("**Blocked By**", "**Files**: `web/.vscode/tasks.json`, `one.txt`\n**Blocked By**");
    let (project, _) = deliver(&text, AGENT);
    let landed = project.git(&["ls-tree", "-r", "--name-only", "provost/d-4"]);
    assert!(landed.contains("web/.vscode/tasks.json"), "{landed}");
}

#[test]
fn pipes_that_git_would_wait_at_hold_nobody_up() {
    let (project, _) = deliver(&plan(&[("one", "none")]), PIPES);
    assert!(project.git(&["ls-tree", "-r", "--name-only", "provost/d-4"]).contains("one.txt"));
}
