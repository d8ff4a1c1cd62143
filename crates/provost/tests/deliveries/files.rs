//! What a task may write, from the plan to the report: outside is sent back, and a person may allow it.

use std::fs;

use crate::project::{Project, Ran};

/// A developer that leaves a stray file: `tidy` takes it back when it is told, `stubborn` never does.
const AGENT: &str = r#"#!/bin/sh
cat > "$HOME/told/prompt-$PROVOST_TASK-$PROVOST_ROLE-$PROVOST_ATTEMPT"
case "$PROVOST_ROLE" in
  developer)
    echo "$PROVOST_TASK" > "$PROVOST_TASK.txt"
    case "$PROVOST_TASK $PROVOST_ATTEMPT" in
      "tidy 2") rm -r stray ;;
      *) mkdir -p stray; echo stray > "stray/a file.txt" ;;
    esac
    printf 'READY_FOR_REVIEW: %s\nSummary: it needs the other file\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

const OUTSIDE: &str = "changes files that the plan does not let it write: `stray/a file.txt`";

fn project(task: &str) -> Project {
    let plan = format!(
        "# A plan\n\n#### Task {task}: make {task}\n\n**Work**: write it.\n\n**Acceptance Criteria**:\n- [ ] `test -f {task}.txt` exits 0\n\n**Blocked By**: none\n**Files**: `{task}.{{md,txt}}`\n"
    );
    // The check leaves something behind, which is nobody's work.
    Project::with(
        &plan,
        AGENT,
        "#!/bin/sh\necho log > left.log\n",
        "developer_s = 60\nidle_s = 60\nkill_grace_s = 1\n",
    )
}

fn said(ran: Ran, code: i32) -> String {
    assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
    ran.out
}

#[test]
fn what_lies_outside_is_sent_back_by_name_and_does_not_land() {
    let project = project("tidy");
    let dry = said(project.run(&["run", "plan.md", "--dry-run"]), 0);
    assert!(dry.contains("may write `tidy.{md,txt}`"), "{dry}");
    let out = said(project.run(&["run", "plan.md"]), 0);
    assert!(
        out.contains(&format!("the claim does not hold: check passed; test -f tidy.txt passed; {OUTSIDE}")),
        "{out}"
    );
    let told = fs::read_to_string(project.folder().join("told/prompt-tidy-developer-2")).unwrap();
    assert!(told.contains("- `stray/a file.txt`"), "{told}");
    let shown = said(project.run(&["show", "tidy"]), 0);
    assert!(
        shown.contains(&format!("): {OUTSIDE}")) && shown.contains("may write `tidy.{md,txt}`"),
        "{shown}"
    );
    let report = said(project.run(&["show", "d-4"]), 0);
    assert!(
        report.contains("Files that it may write: `tidy.{md,txt}`.\nIt changes `tidy.txt` (record "),
        "{report}"
    );
    assert!(report.contains("- files (record "), "{report}");
    assert!(!report.contains("as a person allowed"), "{report}");
    assert!(!project.git(&["ls-tree", "-r", "--name-only", "provost/d-4"]).contains("stray"));
}

#[test]
fn a_person_may_allow_it_and_the_report_says_so() {
    let project = project("stubborn");
    let out = said(project.run(&["run", "plan.md"]), 5);
    let reply = out.lines().find(|line| line.contains("provost reply")).unwrap();
    assert!(reply.contains(" allow, then provost resume d-4"), "{out}");
    let why = said(project.run(&["why", "stubborn"]), 0);
    assert!(
        why.contains("keeps changing files that the plan does not let it write: `stray/a file.txt`"),
        "{why}"
    );
    assert!(why.contains("its developer says: it needs the other file"), "{why}");
    assert!(why.contains("it was sent back (record ") && why.contains(OUTSIDE), "{why}");
    let json = said(project.run(&["show", "stubborn", "--json"]), 0);
    assert!(
        json.contains(r#""may_write":["stubborn.{md,txt}"],"allowed":[],"outside":["stray/a file.txt"]"#),
        "{json}"
    );
    let question = reply.split_whitespace().find(|word| word.starts_with("q-")).unwrap();
    let asked = said(project.run(&["questions"]), 0);
    assert!(asked.contains(&format!("provost reply {question} allow")), "{asked}");
    said(project.run(&["reply", question, "allow"]), 0);
    said(project.run(&["resume"]), 0);
    // What was allowed was measured again, and nobody worked on it for that.
    assert!(!project.folder().join("told/prompt-stubborn-developer-3").exists());
    let told = fs::read_to_string(project.folder().join("told/prompt-stubborn-critic-1")).unwrap();
    assert!(told.contains("`stubborn.{md,txt}`, `stray/a file.txt`"), "{told}");
    let report = said(project.run(&["show", "d-4"]), 0);
    assert!(
        report.contains(
            "- stubborn may write more than its files, as a person allowed: `stray/a file.txt` (record "
        ),
        "{report}"
    );
    let landed = project.git(&["ls-tree", "-r", "--name-only", "provost/d-4"]);
    assert!(landed.contains("stray/a file.txt") && !landed.contains("left.log"), "{landed}");
    said(project.run(&["verify"]), 0);
}
