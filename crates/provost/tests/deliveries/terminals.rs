//! One project in several terminals: one process performs, the others watch; whoever leaves, nobody waits for ever.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::project::{Project, plan};

/// A developer waits at a gate of its task until the test lets it through.
const AGENT: &str = r#"#!/bin/sh
cat > /dev/null
case "$PROVOST_ROLE" in
  developer)
    read -r _ < "$HOME/gate-$PROVOST_TASK"
    echo done > "$PROVOST_TASK.txt"; printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

/// A repository with two plans of one task each, `one` and `two`.
fn project() -> Project {
    let limits = "developer_s = 60\nidle_s = 60\nkill_grace_s = 1\n";
    let project = Project::with(&plan(&[("one", "none")]), AGENT, "#!/bin/sh\n", limits);
    fs::write(project.root().join("other.md"), plan(&[("two", "none")])).unwrap();
    for task in ["one", "two"] {
        let made = Command::new("mkfifo").arg(project.folder().join(format!("gate-{task}"))).status();
        assert!(made.unwrap().success());
    }
    project
}

/// Lets the developer of a task through, now or when it comes, for as long as what is given back is kept.
fn open_gate(project: &Project, task: &str) -> File {
    // Both ways, so that opening does not wait for whoever reads.
    let mut gate =
        File::options().read(true).write(true).open(project.folder().join(format!("gate-{task}"))).unwrap();
    gate.write_all(b"go\ngo\n").unwrap();
    gate
}

/// A command in a terminal of its own.
struct Terminal {
    child: Child,
    out: BufReader<ChildStdout>,
    said: String,
}

impl Terminal {
    fn open(project: &Project, arguments: &[&str]) -> Terminal {
        let mut child = project.command(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Terminal { child, out, said: String::new() }
    }

    /// Reads on to a line that contains a text, and gives that line.
    fn until(&mut self, text: &str) -> String {
        loop {
            let mut line = String::new();
            let count = self.out.read_line(&mut line).unwrap();
            assert!(count > 0, "`{text}` was never printed:\n{}", self.said);
            self.said.push_str(&line);
            if line.contains(text) {
                return line;
            }
        }
    }

    fn interrupt(&self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
    }

    /// All that it said, and its exit status.
    fn end(mut self) -> (String, Option<i32>) {
        self.out.read_to_string(&mut self.said).unwrap();
        (self.said, self.child.wait().unwrap().code())
    }
}

/// A process that performs `one` and another that watches `two`, with the id of the delivery of `two`.
fn both(project: &Project) -> (Terminal, Terminal, String) {
    let mut holder = Terminal::open(project, &["run", "plan.md"]);
    holder.until("begins to implement");
    let mut watcher = Terminal::open(project, &["run", "other.md"]);
    let begun = watcher.until("delivering");
    watcher.until("begins to implement");
    let id = begun.trim().rsplit_once("provost/").unwrap().1.to_owned();
    (holder, watcher, id)
}

#[test]
fn whoever_performs_for_another_terminal_goes_on_when_its_own_delivery_is_done() {
    let project = project();
    let (mut holder, watcher, id) = both(&project);
    let _one = open_gate(&project, "one");
    let line = holder.until("still performing");
    assert_eq!(line, format!("still performing {id} for another terminal; Ctrl-C stops it\n"));
    assert!(holder.said.contains("d-4 complete: 1 of 1 tasks complete"), "{}", holder.said);
    let _two = open_gate(&project, "two");
    let (said, code) = watcher.end();
    assert_eq!(code, Some(0), "{said}");
    let (said, code) = holder.end();
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("lost"), "{said}");
    assert!(!project.run(&["log"]).out.contains("lost"));
    project.check("?? other.md\n");
}

#[test]
fn whoever_watches_takes_over_when_the_process_that_performs_is_killed() {
    let project = project();
    let (mut holder, watcher, _) = both(&project);
    holder.child.kill().unwrap();
    holder.child.wait().unwrap();
    let gates = [open_gate(&project, "one"), open_gate(&project, "two")];
    let (said, code) = watcher.end();
    assert_eq!(code, Some(0), "{said}");
    drop(gates);
    // What the killed process had begun was due as well.
    assert!(project.run(&["status", "d-4"]).out.contains("complete"), "{said}");
    project.check("?? other.md\n");
}

#[test]
fn whoever_watches_a_delivery_that_is_paused_elsewhere_is_told_how_to_go_on() {
    let project = project();
    let (mut holder, watcher, id) = both(&project);
    holder.interrupt();
    holder.until("stopping");
    let gates = [open_gate(&project, "one"), open_gate(&project, "two")];
    let (said, code) = holder.end();
    assert_eq!(code, Some(130), "{said}");
    let (said, code) = watcher.end();
    assert_eq!(code, Some(7), "{said}");
    assert!(said.contains(&format!("it goes on with: provost resume {id}\n")), "{said}");
    for delivery in ["d-4", &id] {
        let ran = project.run(&["resume", delivery]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    }
    drop(gates);
    project.check("?? other.md\n");
}

#[test]
fn resuming_elsewhere_waits_for_a_process_that_is_stopping_and_goes_on_itself() {
    let project = project();
    let mut holder = Terminal::open(&project, &["run", "plan.md"]);
    holder.until("begins to implement");
    holder.interrupt();
    holder.until("stopping");
    let mut other = Terminal::open(&project, &["resume"]);
    let line = other.until("is stopping");
    let pid = holder.child.id();
    assert_eq!(line, format!("process {pid} (`provost run`) is stopping; this goes on when it has ended\n"));
    assert!(!project.run(&["log"]).out.contains("session resumed"), "the pause still stands");
    let _gate = open_gate(&project, "one");
    let (said, code) = holder.end();
    assert_eq!(code, Some(130), "{said}");
    let (said, code) = other.end();
    assert_eq!(code, Some(0), "{said}");
    project.check("?? other.md\n");
}

#[test]
fn leaving_a_delivery_that_another_process_performs_does_not_stop_it() {
    let project = project();
    let (mut holder, watcher, id) = both(&project);
    watcher.interrupt();
    let (said, code) = watcher.end();
    assert_eq!(code, Some(130), "{said}");
    let pid = holder.child.id();
    let line =
        format!("{id} goes on in process {pid} (`provost run`); `provost resume {id}` watches it again\n");
    assert!(said.ends_with(&line), "{said}");
    let gates = [open_gate(&project, "one"), open_gate(&project, "two")];
    holder.until("complete: 1 of 1");
    let (said, code) = holder.end();
    assert_eq!(code, Some(0), "{said}");
    drop(gates);
    project.check("?? other.md\n");
}
