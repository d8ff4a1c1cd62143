//! A worktree gets what it needs beside the commit once, however many turns are in it.

use std::fs;

use crate::project::{Project, plan};

/// The first critic asks for changes.
const REWORKING: &str = r#"#!/bin/sh
cat > /dev/null
case "$PROVOST_ROLE $PROVOST_ATTEMPT" in
  "critic 1") printf 'REVIEW_FAILED: %s\nIssues Found:\n- a:1: short\nRequired Fixes:\n- more\n' "$PROVOST_TASK" ;;
  developer*) echo more >> "$PROVOST_TASK.txt"; printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK" ;;
  critic*) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor*) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

#[test]
fn a_worktree_is_prepared_once_however_many_turns_are_in_it() {
    let setup =
        "[worktree]\nsetup = [[\"sh\", \"-c\", \"pwd >> $HOME/told/prepared\"]]\nwritable = [\"~/told\"]\n";
    let settings = format!("developer_s = 60\nidle_s = 60\nkill_grace_s = 1\n{setup}");
    let project = Project::with(&plan(&[("one", "none")]), REWORKING, "#!/bin/sh\n", &settings);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let prepared = fs::read_to_string(project.folder().join("told/prepared")).unwrap();
    assert_eq!(prepared.lines().filter(|line| line.ends_with("/one-1")).count(), 1, "{prepared}");
}
