//! What agents are told of what happened before: why work came back from landing, and how far a turn was that was cut
//! short.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use crate::project::{Project, plan};

/// Keeps every prompt. `right` and `third` go on only when `left` has landed: `right` wrote the same file, and `third`
/// does not go with it.
const AGENT: &str = r#"#!/bin/sh
cat > "$HOME/told/prompt-$PROVOST_TASK-$PROVOST_ROLE-$PROVOST_ATTEMPT"
case "$PROVOST_ROLE $PROVOST_TASK $PROVOST_ATTEMPT" in
  "developer right 1" | "developer third 1") cat "$HOME/told/go-$PROVOST_TASK" > /dev/null ;;
  "developer third "*) echo both > both.txt ;;
  "developer slow 1")
    printf 'CHECKPOINT: slow\nStatus: testing\nCompleted:\n- the parser\nRemaining:\n- the boundary\nEstimated Progress: 70\n'
    exit 1 ;;
esac
case "$PROVOST_ROLE" in
  developer)
    echo "work of $PROVOST_TASK" > "$PROVOST_TASK.txt"
    case "$PROVOST_TASK" in left|right) echo "$PROVOST_TASK" > shared.txt ;; esac
    printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

const CHECK: &str = r#"#!/bin/sh
if test -f left.txt && test -f third.txt && ! test -f both.txt
then echo "left and third do not go together"; exit 3
fi
"#;

const LIMITS: &str = "developer_s = 60\nidle_s = 60\nkill_grace_s = 1\n";

/// A section of a prompt that an agent got.
fn section(project: &Project, turn: &str, heading: &str) -> String {
    let prompt = fs::read_to_string(project.folder().join(format!("told/prompt-{turn}"))).unwrap();
    let (_, rest) = prompt.split_once(&format!("\n## {heading}\n")).ok_or(&prompt).unwrap();
    rest.split("\n## ").next().unwrap().trim().to_owned()
}

#[test]
fn a_developer_is_told_what_landing_found() {
    let project =
        Project::with(&plan(&[("left", "none"), ("right", "none"), ("third", "none")]), AGENT, CHECK, LIMITS);
    for task in ["right", "third"] {
        let pipe = project.folder().join(format!("told/go-{task}"));
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    }
    let mut child = project.command(&["run", "plan.md"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut said = String::new();
    while !said.contains("landed as") {
        assert!(lines.read_line(&mut said).unwrap() > 0, "it ended before anything landed\n{said}");
    }
    for task in ["right", "third"] {
        fs::write(project.folder().join(format!("told/go-{task}")), "go\n").unwrap();
    }
    lines.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    let heading = "What came back from earlier attempts";
    insta::assert_snapshot!(section(&project, "right-developer-2", heading), @"
    The task was not accepted. Mend everything below, keep what already passed, and expect critic and auditor to look at all of it again.

    Attempt 1: the change conflicts with what landed meanwhile. The worktree has both now; these files have conflict marks in them, and each has to be resolved so that both intentions survive:

    - `shared.txt`
    ");
    insta::assert_snapshot!(section(&project, "third-developer-2", heading), @"
    The task was not accepted. Mend everything below, keep what already passed, and expect critic and auditor to look at all of it again.

    Attempt 1: joined with what landed meanwhile, not all checks passed. The worktree has both now.

    | check | environment | command | exit code | expected | result | before the work |
    |---|---|---|---|---|---|---|
    | `check` |  |  | `3` | `0` | `failed` | `not known` |
    | `test -f third.txt` |  |  | `0` | `0` | `passed` | `not known` |

    The end of what `check` printed:

    ````text
    left and third do not go together
    ````
    ");
    project.check("");
}

#[test]
fn a_checkpoint_is_recorded_shown_and_handed_on() {
    let project = Project::with(&plan(&[("slow", "none")]), AGENT, "#!/bin/sh\n", LIMITS);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert!(
        ran.out.contains("the agent said: 70 %, testing, done: the parser, left: the boundary"),
        "{}",
        ran.out
    );
    insta::assert_snapshot!(
        section(&project, "slow-developer-2", "Where an earlier turn stopped"), @"
    An earlier turn of your role ended without a result (`failed`). What it changed is in the worktree: look at it before you go on, and keep what is good.

    The last checkpoint that it gave:

    ````text
    CHECKPOINT: slow
    Status: testing
    Completed:
    - the parser
    Remaining:
    - the boundary
    Estimated Progress: 70%
    ````
    ");
    let shown = project.run(&["show", "slow"]).out;
    assert!(shown.contains("last checkpoint: developer, attempt 1 (record "), "{shown}");
    let json = project.run(&["--json", "show", "slow"]).out;
    assert!(json.contains("\"percent\":70"), "{json}");
    project.check("");
}
