//! The agent of the page for authors, as a person would copy it from there, delivers a whole plan in every role.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::kills::{Trial, try_points};
use crate::project::Project;

/// Runs the page's script and says what it said as a loud tool in a terminal would: five megabytes of log, an example
/// of the signal in a fence, then the signal, all with colours and carriage returns.
const LOUD: &str = r#"#!/bin/sh
set -e
echo "$PROVOST_ROLE $PROVOST_TASK" >> "$HOME/told/turns"
mkdir -p "$PROVOST_TASK"
cd "$PROVOST_TASK"
said=$(sh "$HOME/page.sh")
escape=$(printf '\033')
yes 'compiling, which takes its time' | head -c 5000000
printf '\n```\n%s\n```\n%s\n' "$said" "$said" | sed "s/^/$escape[32m/;s/\$/$escape[0m$(printf '\r')/"
"#;

/// A greeting that others wait for, two at a time, and one that waits for both.
const GREETINGS: Trial = Trial {
    tasks: &[("first", "none"), ("left", "first"), ("right", "first"), ("last", "left, right")],
    project: |trial| {
        let project = Project::with(
            &plan(trial.tasks),
            LOUD,
            "#!/bin/sh\ntest -f base.txt\n",
            "developer_s = 60\nidle_s = 60\nkill_grace_s = 1\n",
        );
        fs::write(project.folder().join("page.sh"), script()).unwrap();
        project
    },
    files: |trial| {
        let greeting = |(id, _): &(&str, &str)| (format!("{id}/hello.txt"), format!("hello from {id}\n"));
        let mut files: BTreeMap<String, String> = trial.tasks.iter().map(greeting).collect();
        files.insert("base.txt".to_owned(), "base\n".to_owned());
        files
    },
};

/// The script exactly as it is printed.
fn script() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/agents.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, script) = page.split_once("\n```sh\n").unwrap();
    format!("{}\n", script.split_once("\n```\n").unwrap().0)
}

fn plan(tasks: &[(&str, &str)]) -> String {
    let mut text = String::from("# Greetings\n\nEverybody says hello.\n\n### Phase 1: all\n");
    for (id, blockers) in tasks {
        let _ = write!(
            text,
            "\n#### Task {id}: greet from {id}\n\n**Work**: say hello in `{id}/hello.txt`.\n\n**Acceptance Criteria**:\n- [ ] `grep -q hello {id}/hello.txt` exits 0\n\n**Blocked By**: {blockers}\n\n---\n"
        );
    }
    text
}

#[test]
fn the_agent_of_the_page_delivers_a_plan_wherever_the_coordinator_is_killed() {
    // An uninterrupted delivery first; it also counts where one can be interrupted.
    let count = GREETINGS.points().len();
    if !cfg!(debug_assertions) {
        return;
    }
    let points: Vec<(usize, Option<usize>)> =
        (0..10).map(|part| (1 + part * count / 10, (part % 3 == 0).then_some(1 + part * 5))).collect();
    assert!(try_points(&GREETINGS, &points).len() >= 9);
}
