//! What a person waits for before the first agent works: git processes, counted from outside.

use std::env;
use std::fs;

use crate::project::{Project, plan};

/// Keeps what was counted when the first agent began.
const AGENT: &str = r#"#!/bin/sh
test -e "$HOME/told/counted" || cp "$HOME/told/calls" "$HOME/told/counted"
case "$PROVOST_ROLE" in
  developer) echo done > "$PROVOST_TASK.txt"; printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

/// The most git processes from the command to the first agent: finding the repository, reading its configuration,
/// looking at the checkout, making the branch, and a worktree each for the baseline and for the task.
const CALLS_MAX: usize = 6;

#[test]
fn few_git_processes_stand_between_the_command_and_the_first_agent() {
    let limits = "developer_s = 60\nidle_s = 60\n";
    let project = Project::with(&plan(&[("one", "none")]), AGENT, "#!/bin/sh\n", limits);
    let path = env::var_os("PATH").unwrap();
    let git = env::split_paths(&path).map(|folder| folder.join("git")).find(|git| git.is_file()).unwrap();
    let calls = project.folder().join("told/calls");
    // Only Provost's own: neither the project's check nor its agent calls git here, and what git starts in turn is
    // not looked for on the PATH.
    let wrapper =
        format!("#!/bin/sh\necho \"$*\" >> '{}'\nexec '{}' \"$@\"\n", calls.display(), git.display());
    fs::create_dir(project.folder().join("bin")).unwrap();
    project.script("bin/git", &wrapper);
    let folders = std::iter::once(project.folder().join("bin")).chain(env::split_paths(&path));
    let mut command = project.command(&["run", "plan.md"]);
    let output = command.env("PATH", env::join_paths(folders).unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let counted = fs::read_to_string(project.folder().join("told/counted")).unwrap();
    assert!((2..=CALLS_MAX).contains(&counted.lines().count()), "{counted}");
    project.check("");
}
