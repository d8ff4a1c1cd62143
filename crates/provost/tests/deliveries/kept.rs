//! What cannot be cleared away is kept, named, and does not stop the rest.

use std::fs;
use std::path::PathBuf;

use crate::project::{Project, plan};

/// The developer of `nester` makes a repository of its own inside its worktree; all of them ask.
const AGENT: &str = r#"#!/bin/sh
cat > /dev/null
echo "half of $PROVOST_TASK" > half.txt
case "$PROVOST_TASK" in nester)
  git init --quiet nested
  echo precious > nested/precious.txt
  git -C nested add precious.txt
  git -C nested -c user.name=x -c user.email=x@example.org commit --quiet -m precious ;;
esac
printf 'SEEKING_DIVINE_CLARIFICATION\nTask: %s\nQuestion: tabs or spaces?\n' "$PROVOST_TASK"
"#;

fn asked(tasks: &[(&str, &str)]) -> Project {
    let limits = "developer_s = 60\nidle_s = 60\n";
    let project = Project::with(&plan(tasks), AGENT, "#!/bin/sh\n", limits);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(5), "{}{}", ran.out, ran.err);
    project
}

#[test]
fn a_worktree_with_a_repository_inside_is_kept_until_that_is_forced() {
    let project = asked(&[("nester", "none")]);
    let worktrees = project.worktrees();
    let [worktree] = worktrees.as_slice() else { unreachable!("{worktrees:?}") };
    assert_eq!(project.run(&["cancel", "d-4"]).code, Some(0));
    let line = format!(
        "kept the worktree {}: no commit can hold nested; take out what you want to keep, then provost clean \
         --force removes it\n",
        worktree.display()
    );
    for arguments in [&["clean", "--dry-run"][..], &["clean"], &["clean"]] {
        let cleaned = project.run(arguments);
        assert_eq!(cleaned.code, Some(0), "{}{}", cleaned.out, cleaned.err);
        assert!(cleaned.out.contains(&line), "{}", cleaned.out);
        assert!(!cleaned.out.contains("removed the worktree"), "{}", cleaned.out);
        assert_eq!(fs::read_to_string(worktree.join("nested/precious.txt")).unwrap(), "precious\n");
    }
    assert_eq!(project.git(&["branch", "--list", "provost/salvage/*"]), "", "it is all where it was");
    let forced = project.run(&["clean", "--force"]).out;
    assert!(forced.contains(&format!("removed the worktree {}\n", worktree.display())), "{forced}");
    assert!(
        forced.contains(&format!("with {} went what was nowhere else: nested\n", worktree.display())),
        "{forced}"
    );
    assert_eq!(project.git(&["show", "provost/salvage/d-4/nester-1:half.txt"]), "half of nester\n");
    project.check("");
}

#[test]
fn a_removed_task_leaves_what_no_commit_can_hold_and_that_is_said() {
    let project = asked(&[("nester", "none")]);
    let worktree = project.worktrees().remove(0);
    // The next turn asks as well; then the task is given up.
    let questions = project.run(&["questions"]).out;
    let id = questions.split(' ').next().unwrap();
    assert_eq!(project.run(&["reply", id, "tabs"]).code, Some(0));
    project.script("agent.sh", "#!/bin/sh\nexit 1\n");
    assert_eq!(project.run(&["resume"]).code, Some(5));
    let questions = project.run(&["questions"]).out;
    let id = questions.split(' ').next().unwrap();
    assert_eq!(project.run(&["reply", id, "remove"]).code, Some(0));
    let ran = project.run(&["resume"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let line = format!("the worktree {} is still there; `provost clean` says why\n", worktree.display());
    assert!(ran.out.contains(&line), "{}", ran.out);
    assert_eq!(fs::read_to_string(worktree.join("nested/precious.txt")).unwrap(), "precious\n");
    assert!(project.run(&["clean"]).out.contains("no commit can hold nested"));
}

#[test]
fn one_worktree_that_cannot_be_removed_does_not_stop_the_rest() {
    let project = asked(&[("one", "none"), ("two", "none")]);
    assert_eq!(project.worktrees().len(), 2);
    project.git(&["update-ref", "refs/provost/d-4/one", "main"]);
    assert_eq!(project.run(&["cancel", "d-4"]).code, Some(0));
    // The commit that its work is based on is gone, so nobody can tell what in it is work.
    let made = project.root().join(".git/provost/worktrees/d-4/one-1/made");
    let text = fs::read_to_string(&made).unwrap();
    fs::write(&made, format!("{}{}", "1".repeat(40), &text[40..])).unwrap();
    let cleaned = project.run(&["clean", "--force"]);
    assert_eq!(cleaned.code, Some(1), "{}{}", cleaned.out, cleaned.err);
    assert!(cleaned.out.contains("removed the reference refs/provost/d-4/one"), "{}", cleaned.out);
    assert!(cleaned.out.contains("two-1\n"), "{}", cleaned.out);
    let left: Vec<PathBuf> = project.worktrees();
    let [left] = left.as_slice() else { unreachable!("{left:?}") };
    assert!(left.ends_with("d-4/one-1"), "{}", left.display());
    let named = format!("the worktree {} stays: ", left.display());
    assert!(cleaned.err.contains("error[git::") && cleaned.err.contains(&named), "{}", cleaned.err);
    assert_eq!(fs::read_to_string(left.join("half.txt")).unwrap(), "half of one\n");
    let json = project.run(&["--json", "clean"]);
    assert_eq!(json.code, Some(1));
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert!(json["errors"][0]["message"].as_str().unwrap().starts_with(&named), "{json}");
}

#[test]
fn one_reference_that_cannot_be_removed_does_not_stop_the_rest() {
    let project = Project::new(&plan(&[("one", "none"), ("two", "none")]));
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(0));
    // Another git is at work on it, or was killed there.
    fs::write(project.root().join(".git/refs/provost/d-4/one.lock"), "").unwrap();
    let cleaned = project.run(&["clean"]);
    assert_eq!(cleaned.code, Some(1), "{}{}", cleaned.out, cleaned.err);
    assert!(cleaned.out.contains("removed the reference refs/provost/d-4/two"), "{}", cleaned.out);
    assert!(!cleaned.out.contains("refs/provost/d-4/one"), "{}", cleaned.out);
    assert!(cleaned.err.contains("refs/provost/d-4/one"), "{}", cleaned.err);
    let left = project.git(&["for-each-ref", "--format=%(refname)", "refs/provost/"]);
    assert_eq!(left, "refs/provost/d-4/one\n");
}
