//! A turn that is lost, and the one after it too: what the first agent had done is still there.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;

use crate::project::{Project, Ran, plan};

/// The first developer does some of the work and waits to be killed, and so does the second where that is wanted; every
/// other goes on with what is there.
const AGENT: &str = r#"#!/bin/sh
cat > /dev/null
waits() { : > "$HOME/told/$1"; echo > "$HOME/told/waits"; exec sleep 600; }
if test "$PROVOST_ROLE" = developer; then
  if test ! -e "$HOME/told/first"; then
    echo first > victim.txt
    test ! -e "$HOME/told/nests" || { git init --quiet nested && echo kept > nested/file; }
    waits first
  fi
  test -e victim.txt || echo nothing > victim.txt
  if test -e "$HOME/told/nests" && test ! -e "$HOME/told/second"; then echo second >> victim.txt; waits second; fi
  grep -q last victim.txt || echo last >> victim.txt
fi
case "$PROVOST_ROLE" in
  developer) printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

/// How many deliveries are tried at once.
const WORKERS: usize = 4;

/// What the first developer leaves.
#[derive(Clone, Copy, PartialEq)]
enum Leaves {
    Files,
    /// Also a repository, which no commit can have, so that its worktree stays.
    Repository,
}

/// A delivery whose coordinator was killed while the first developer was at work.
fn lost_once(leaves: Leaves) -> Project {
    let limits = "developer_s = 60\nidle_s = 60\nkill_grace_s = 1\n";
    let project = Project::with(&plan(&[("victim", "none")]), AGENT, "#!/bin/sh\n", limits);
    let pipe = project.folder().join("told/waits");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    if leaves == Leaves::Repository {
        fs::write(project.folder().join("told/nests"), "").unwrap();
    }
    killed_while_an_agent_waits(&project, &mut project.command(&["run", "plan.md"]));
    project
}

fn killed_while_an_agent_waits(project: &Project, command: &mut Command) {
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    // Opening waits for the agent.
    fs::read(project.folder().join("told/waits")).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The same once more, before the record could say that the second one had begun.
fn lost_twice() -> Project {
    let project = lost_once(Leaves::Repository);
    let pipe = project.folder().join("told/held");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = project.command(&["resume"]);
    command.env("PROVOST_HOLD_AT", "turn: job given").env("PROVOST_HOLD_PIPE", pipe);
    killed_while_an_agent_waits(&project, &mut command);
    project
}

fn ends_with(project: &Project, ran: &Ran, work: &str, killed_at: &str) {
    assert_eq!(ran.code, Some(0), "killed at `{killed_at}`\n{}\n{}", ran.out, ran.err);
    let story = || format!("killed at `{killed_at}`\n{}", project.run(&["log"]).out);
    let landed = project.landed("provost/d-4");
    assert_eq!(landed.last().unwrap(), &("victim.txt".to_owned(), work.to_owned()), "{}", story());
}

/// The points that a resumption passes until its agent has begun.
fn points(project: &Project, work: &str) -> Vec<String> {
    let file = project.folder().join("points");
    let mut command = project.command(&["resume"]);
    let ran = Ran::of(&command.env("PROVOST_KILL_COUNT_FILE", &file).output().unwrap());
    ends_with(project, &ran, work, "nothing");
    let names = fs::read_to_string(file).unwrap();
    let recorded = names.lines().position(|name| name == "turn: prompt kept").unwrap();
    let names: Vec<String> = names.lines().take(recorded + 4).map(str::to_owned).collect();
    for kind in ["add worktree", "take over", "remove worktree"] {
        assert!(names.iter().any(|name| name.starts_with(kind)), "{names:?}");
    }
    names
}

/// Kills a resumption at every one of those points, each of another delivery, and resumes again.
fn lost_again(
    names: &[String],
    lost: impl Fn() -> Project + Sync,
    work: &str,
    check: impl Fn(&Project) + Sync,
) {
    let (lost, check) = (&lost, &check);
    let one = move |place: usize, name: &str| {
        let project = lost();
        let mut command = project.command(&["resume"]);
        let ran = Ran::of(&command.env("PROVOST_KILL_AT", (place + 1).to_string()).output().unwrap());
        // What comes after the agent has begun is not always in the same order.
        let ran = if ran.code.is_none() { project.run(&["resume"]) } else { ran };
        ends_with(&project, &ran, work, name);
        check(&project);
    };
    thread::scope(|scope| {
        for worker in 0..WORKERS {
            scope.spawn(move || {
                let mine = names.iter().enumerate().skip(worker).step_by(WORKERS);
                mine.for_each(|(place, name)| one(place, name));
            });
        }
    });
}

#[test]
fn work_of_a_lost_turn_is_there_wherever_the_next_one_is_lost() {
    if !cfg!(debug_assertions) {
        return;
    }
    let (lost, work) = (|| lost_once(Leaves::Files), "first\nlast\n");
    let names = points(&lost(), work);
    lost_again(&names, lost, work, |project| project.check(""));
}

#[test]
fn work_is_not_taken_from_an_older_worktree_that_had_to_stay() {
    if !cfg!(debug_assertions) {
        return;
    }
    let work = "first\nsecond\nlast\n";
    let names = points(&lost_twice(), work);
    lost_again(&names, lost_twice, work, |project| {
        let [stays] = project.worktrees().try_into().unwrap();
        assert_eq!(fs::read_to_string(stays.join("nested/file")).unwrap(), "kept\n");
    });
}

/// Two of these write the same file, so that whichever lands second has to bring both together; it says how many conflicts
/// it was given.
const SHARING: &str = r#"#!/bin/sh
cat > /dev/null
case "$PROVOST_ROLE" in
  developer)
    shared=
    test ! -f shared.txt || read -r shared < shared.txt
    case "$shared" in "<"*) grep -c '^<<<<<<<' shared.txt >> "$HOME/told/conflicts" ;; esac
    case "$shared" in
      "" | "$PROVOST_TASK") echo "$PROVOST_TASK" > shared.txt ;;
      *) echo both > shared.txt ;;
    esac
    echo "work of $PROVOST_TASK" > "$PROVOST_TASK.txt"
    printf 'READY_FOR_REVIEW: %s\nSummary: wrote the file\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

/// What happened to worktrees while nobody performed.
#[derive(Clone, Copy, PartialEq)]
enum Meanwhile {
    Nothing,
    Removed,
    Linked,
}

#[test]
fn a_turn_that_is_lost_in_the_middle_of_a_merge_gets_the_whole_merge_also_where_the_worktree_is_gone() {
    if !cfg!(debug_assertions) {
        return;
    }
    for meanwhile in [Meanwhile::Nothing, Meanwhile::Removed, Meanwhile::Linked] {
        let limits = "developer_s = 60\nidle_s = 60\nkill_grace_s = 1\n";
        let tasks = [("left", "none"), ("right", "none")];
        let project = Project::with(&plan(&tasks), SHARING, "#!/bin/sh\n", limits);
        let pipe = project.folder().join("told/held");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let mut command = project.command(&["run", "plan.md"]);
        command.env("PROVOST_HOLD_AT", "merge: after the files").env("PROVOST_HOLD_PIPE", &pipe);
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        // Opening waits for the merge.
        let held = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        drop(held);
        let elsewhere = project.folder().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        for worktree in project.worktrees().iter().filter(|_| meanwhile != Meanwhile::Nothing) {
            fs::remove_dir_all(worktree).unwrap();
            if meanwhile == Meanwhile::Linked {
                std::os::unix::fs::symlink(&elsewhere, worktree).unwrap();
            }
        }
        let ran = project.run(&["resume"]);
        assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
        let landed = project.landed("provost/d-4");
        assert!(landed.contains(&("shared.txt".to_owned(), "both\n".to_owned())), "{landed:?}");
        if meanwhile == Meanwhile::Nothing {
            assert_eq!(fs::read_to_string(project.folder().join("told/conflicts")).unwrap(), "1\n");
        }
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0, "a link was followed");
        project.check("");
    }
}
