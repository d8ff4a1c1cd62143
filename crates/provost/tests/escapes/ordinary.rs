//! What agents and checks do every day works within walls: building, testing, looking at history, temporary files.

use std::fs;
use std::path::PathBuf;

use crate::project::{Project, plan};
use crate::suite::{demand_bubblewrap, without_bubblewrap};

/// The agent builds, tests, and looks around with git before it says that it is done.
const AGENT: &str = r#"#!/bin/sh
set -e
cat > /dev/null
case "$PROVOST_ROLE" in
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK"; exit 0 ;;
  auditor) cargo test --quiet --offline 1>&2; printf 'AUDIT_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK"; exit 0 ;;
esac
git log --oneline >&2
test -z "$(git status --porcelain)"
echo 'pub fn three() -> u8 { 3 }' >> src/lib.rs
git diff --stat | grep -q 'src/lib.rs'
cargo test --quiet --offline 1>&2
scratch=$(mktemp -d)
echo something > "$scratch/file"
sh -c 'sleep 0 & wait'
echo done > one.txt
printf 'READY_FOR_REVIEW: %s\nSummary: built and tested\n' "$PROVOST_TASK"
"#;

/// The check builds and tests too, and finds nothing of others among temporary files.
const CHECK: &str = r#"#!/bin/sh
set -e
cargo test --quiet --offline
test ! -e "$TMPDIR/own"
touch "$TMPDIR/own"
"#;

#[test]
fn an_ordinary_build_and_test_pass_inside() {
    demand_bubblewrap();
    build_and_test(|_| None);
}

#[test]
fn an_ordinary_build_and_test_pass_with_landlock_alone() {
    build_and_test(|project| Some(without_bubblewrap(project.folder())));
}

fn build_and_test(path: impl Fn(&Project) -> Option<PathBuf>) {
    let project = Project::with(&plan(&[("one", "none")]), AGENT, CHECK, "developer_s = 300\n");
    let root = project.root();
    fs::create_dir_all(root.join("src")).unwrap();
    fs::write(
        root.join("Cargo.toml"),
        "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    )
    .unwrap();
    fs::write(
        root.join("src/lib.rs"),
        "pub fn two() -> u8 { 2 }\n#[test]\nfn it_is() { assert_eq!(two(), 2); }\n",
    )
    .unwrap();
    fs::write(root.join(".gitignore"), "/target\nCargo.lock\n").unwrap();
    project.git(&["add", "."]);
    project.git(&["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "a crate"]);
    let mut command = project.command(&["run", "plan.md"]);
    // Where the toolchain is does not follow from a home that was made for the test.
    for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        let home = PathBuf::from(std::env::var_os("HOME").unwrap());
        command.env(name, std::env::var_os(name).unwrap_or_else(|| home.join(folder).into()));
    }
    command.envs(path(&project).map(|path| ("PATH", path)));
    let output = command.output().unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(project.git(&["show", "provost/d-4:src/lib.rs"]).contains("three"), "{said}");
}
