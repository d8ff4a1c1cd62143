//! The coordinator killed at every append and on both sides of every git effect: a resumed delivery ends as one
//! that was never interrupted.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::project::{Project, Ran, plan};

/// What a task leaves does not depend on how often its turns are repeated. `left` and `right` write the same file,
/// so that whichever lands second has to bring both together.
const AGENT: &str = r#"#!/bin/sh
echo "$PROVOST_ROLE $PROVOST_TASK $PROVOST_ATTEMPT" >> "$HOME/told/turns"
case "$PROVOST_ROLE $PROVOST_TASK $PROVOST_ATTEMPT" in
  "developer left 1") printf 'READY_FOR_REVIEW: left\nSummary: it works, trust me\n'; exit 0 ;;
  "developer hanger 1") exec sleep 600 ;;
  "developer asker 1")
    printf 'SEEKING_DIVINE_CLARIFICATION\nTask: asker\nQuestion: tabs or spaces?\nOptions Considered:\n- tabs\n- spaces\n'; exit 0 ;;
  "critic right 1")
    printf 'REVIEW_FAILED: right\nIssues Found:\n- right.txt:1: too short\nRequired Fixes:\n- say more\n'; exit 0 ;;
esac
case "$PROVOST_ROLE" in
  developer)
    echo "work of $PROVOST_TASK" > "$PROVOST_TASK.txt"
    case "$PROVOST_TASK" in left|right)
      shared=
      test ! -f shared.txt || read -r shared < shared.txt
      case "$shared" in
        "" | "$PROVOST_TASK") echo "$PROVOST_TASK" > shared.txt ;;
        *) echo both > shared.txt ;;
      esac ;;
    esac
    printf 'READY_FOR_REVIEW: %s\nSummary: wrote the file\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

/// Leaves a file behind that nobody ignores, as careless checks do: it must never be taken for work.
const CHECK: &str = "#!/bin/sh\necho checked > checked.log\n! grep -q '<<<<<<<' *.txt\n";

/// How many deliveries are tried at once.
const WORKERS: usize = 4;

/// The most commands that one delivery may need after a kill.
const COMMANDS_MAX: usize = 12;

/// A plan that is tried, and what its branch has in the end.
pub(crate) struct Trial {
    pub(crate) tasks: &'static [(&'static str, &'static str)],
    pub(crate) project: fn(&Trial) -> Project,
    /// The files of the branch, each with its text.
    pub(crate) files: fn(&Trial) -> BTreeMap<String, String>,
}

/// Small enough to be repeated hundreds of times: a lie, a rework, a conflict, and a task that waits.
const SMALL: Trial = Trial {
    tasks: &[("left", "none"), ("right", "none"), ("last", "left, right")],
    project: |trial| {
        let line = |line: &str| match line.strip_prefix("- [ ]") {
            Some(_) => "- [ ] the file is there\n".to_owned(),
            _ => format!("{line}\n"),
        };
        let plan: String = plan(trial.tasks).lines().map(line).collect();
        Project::with(&plan, AGENT, CHECK, "developer_s = 60\nidle_s = 60\nkill_grace_s = 1\n")
    },
    files: written,
};

/// The same with an agent that hangs and one that asks, and a check of its own for each task.
const LARGE: Trial = Trial {
    tasks: &[
        ("left", "none"),
        ("right", "none"),
        ("hanger", "none"),
        ("asker", "none"),
        ("next", "left, hanger"),
        ("last", "right, asker, next"),
    ],
    project: |trial| {
        let limits = "developer_s = 60\nidle_s = 3\nkill_grace_s = 1\n";
        Project::with(&plan(trial.tasks), AGENT, CHECK, limits)
    },
    files: written,
};

/// What the agent above leaves.
fn written(trial: &Trial) -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, String> =
        trial.tasks.iter().map(|(id, _)| (format!("{id}.txt"), format!("work of {id}\n"))).collect();
    files.insert("base.txt".to_owned(), "base\n".to_owned());
    files.insert("shared.txt".to_owned(), "both\n".to_owned());
    files
}

impl Trial {
    /// The names of all points that an uninterrupted delivery passes.
    pub(crate) fn points(&self) -> Vec<String> {
        let project = (self.project)(self);
        let file = project.folder().join("points");
        let mut command = project.command(&["run", "plan.md"]);
        let ran = Ran::of(&command.env("PROVOST_KILL_COUNT_FILE", &file).output().unwrap());
        finish(&project, ran);
        self.check(&project);
        // Where kill points are not built in, none is counted.
        fs::read_to_string(file).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    /// Kills `provost run` at a point and every `second`th resumption at a point too, then lets it end. Gives the
    /// name of the point, unless the delivery ended before it came.
    fn killed_at(&self, number: usize, second: Option<usize>) -> Option<String> {
        let project = (self.project)(self);
        let file = project.folder().join("points");
        let mut command = project.command(&["run", "plan.md"]);
        command.env("PROVOST_KILL_COUNT_FILE", &file).env("PROVOST_KILL_AT", number.to_string());
        let mut ran = Ran::of(&command.output().unwrap());
        let killed = ran.code.is_none();
        let name = fs::read_to_string(&file).unwrap().lines().nth(number - 1).map(str::to_owned);
        if let Some(second) = second {
            let mut command = project.command(&["resume"]);
            ran = Ran::of(&command.env("PROVOST_KILL_AT", second.to_string()).output().unwrap());
        }
        finish(&project, ran);
        self.check(&project);
        name.filter(|_| killed)
    }

    /// The branch has every task's work, each landed once; nothing else is left.
    fn check(&self, project: &Project) {
        let branches = branches(project);
        assert_eq!(branches.len(), 1, "{branches:?}");
        let branch = branches.first().unwrap().as_str();
        let log = || project.run(&["log"]).out;
        assert_eq!(unpacked(project, branch), (self.files)(self), "{}", log());
        let format = "--format=%(trailers:key=Provost-Task,valueonly,separator=)";
        let landed = project.git(&["log", format, &format!("main..{branch}")]);
        let mut landed: Vec<&str> = landed.lines().collect();
        landed.sort_unstable();
        let mut tasks: Vec<&str> = self.tasks.iter().map(|(id, _)| *id).collect();
        tasks.sort_unstable();
        assert_eq!(landed, tasks, "{}", log());
        // A turn may be on the record that never began; none may begin that is not.
        let turns = fs::read_to_string(project.folder().join("told/turns")).unwrap().lines().count();
        let given_out = |log: &str, role: &str| log.matches(&format!("\"{role}_dispatched\"")).count();
        let log_in_full = project.run(&["--json", "log"]).out;
        let recorded: usize =
            ["developer", "critic", "auditor"].iter().map(|role| given_out(&log_in_full, role)).sum();
        assert!(turns <= recorded, "{turns} turns, {recorded} on the record\n{}", log());
        project.check("");
        assert_eq!(project.git(&["worktree", "list"]).lines().count(), 1, "git knows of a worktree");
    }
}

/// The files of a branch, each with its text, in a folder in which they pass the project's check.
fn unpacked(project: &Project, branch: &str) -> BTreeMap<String, String> {
    let folder = project.folder().join("unpacked");
    fs::create_dir(&folder).unwrap();
    project.git(&["archive", &format!("--output={}/archive.tar", folder.display()), branch]);
    let script = "tar -xf archive.tar && rm archive.tar plan.md && test ! -e checked.log && ../check.sh && rm -f checked.log";
    let status = Command::new("sh").args(["-e", "-c", script]).current_dir(&folder).status().unwrap();
    assert!(status.success(), "the branch does not pass its check");
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.clone()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.extend((!name.starts_with('.')).then_some(path));
            } else {
                files.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    files
}

/// Resumes and answers until the delivery is complete.
fn finish(project: &Project, first: Ran) {
    let mut ran = first;
    let mut story = String::new();
    let mut ended = false;
    for _ in 0..COMMANDS_MAX {
        story = format!("{story}{:?}\n{}{}\n", ran.code, ran.out, ran.err);
        let nothing = ran.err.contains("no delivery is under way");
        ended = ran.code == Some(0) || (nothing && !branches(project).is_empty());
        if ended {
            break;
        }
        if ran.code == Some(5) {
            answer_all(project);
        }
        ran = project.run(if nothing { &["run", "plan.md"] } else { &["resume"] });
    }
    assert!(ended, "it does not end:\n{story}");
}

fn branches(project: &Project) -> Vec<String> {
    let all = project.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads/provost/"]);
    all.lines().filter(|name| !name.contains("/salvage/")).map(str::to_owned).collect()
}

/// Answers every question from a process of its own.
fn answer_all(project: &Project) {
    let questions = project.run(&["questions"]).out;
    for line in questions.lines().filter(|line| line.starts_with("q-")) {
        assert!(line.contains("tabs or spaces?"), "nobody should ask this: {line}");
        let id = line.split(' ').next().unwrap();
        let ran = project.run(&["reply", id, "tabs"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }
}

/// Tries points on several threads and gives the names of those at which the coordinator was killed.
pub(crate) fn try_points(trial: &Trial, points: &[(usize, Option<usize>)]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let killed = Mutex::new(Vec::new());
    let failed = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(&(number, second)) = points.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match catch_unwind(AssertUnwindSafe(|| trial.killed_at(number, second))) {
                        Ok(name) => killed.lock().unwrap().extend(name),
                        Err(_) => failed.lock().unwrap().push((number, second)),
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "killed at these points it does not end well: {failed:?}");
    killed.into_inner().unwrap()
}

#[test]
fn killed_at_every_point_a_delivery_ends_as_if_nothing_had_been() {
    if !cfg!(debug_assertions) {
        return;
    }
    let names = SMALL.points();
    // Every fourth delivery is killed a second time, while it is being resumed.
    let points: Vec<(usize, Option<usize>)> =
        (1..=names.len()).map(|number| (number, (number % 4 == 0).then(|| 1 + number * 7 % 60))).collect();
    let killed = try_points(&SMALL, &points);
    assert!(killed.len() >= 100, "only {} of {} points were reached", killed.len(), points.len());
    for kind in ["append", "make branch", "add worktree", "bring worktree", "commit", "keep", "join", "merge"]
    {
        assert!(killed.iter().any(|name| name.starts_with(kind)), "never killed around `{kind}`");
    }
    for kind in ["move branch", "remove worktree"] {
        assert!(killed.iter().any(|name| name.starts_with(kind)), "never killed around `{kind}`");
    }
}

#[test]
fn killed_anywhere_a_delivery_with_a_hung_agent_and_a_question_ends_the_same() {
    if !cfg!(debug_assertions) {
        return;
    }
    let count = LARGE.points().len();
    let points: Vec<(usize, Option<usize>)> = (0..8).map(|part| (1 + part * count / 8, None)).collect();
    assert!(try_points(&LARGE, &points).len() >= 6);
}
