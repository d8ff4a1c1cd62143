//! Agents are not people: what changes the record is refused to them, however they go about it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use provost_runtime::process::{Job, Limits, Stdin, Supervised};

use crate::project::{Project, plan};

/// The developer tries to answer, to end and to note: as it is, without its environment, and from a process that
/// nobody above answers for; then it looks, which it may.
const AGENT: &str = r#"#!/bin/sh
cat > /dev/null
try() {
  "$@" > "$HOME/said" 2>&1
  echo "$? $(grep -o 'actor::agent' "$HOME/said" | head -n 1)" >> "$HOME/codes"
}
if test "$PROVOST_ROLE" = developer; then
  try PROVOST reply q-1 yes
  try PROVOST cancel d-4
  try PROVOST note "from an agent"
  try PROVOST clean
  try env -i "PATH=$PATH" PROVOST note "without a mark"
  mkfifo "$HOME/done"
  (setsid env -i "PATH=$PATH" "HOME=$HOME" sh -c '
    PROVOST note "from afar" > "$HOME/afar" 2>&1; echo $? > "$HOME/done"' &) &
  wait
  echo "$(cat "$HOME/done") $(grep -o 'actor::agent' "$HOME/afar" | head -n 1)" >> "$HOME/codes"
  try PROVOST status
  echo done > "$PROVOST_TASK.txt"
  printf 'READY_FOR_REVIEW: %s\nSummary: done\n' "$PROVOST_TASK"
fi
case "$PROVOST_ROLE" in
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

#[test]
fn an_agent_can_look_and_not_act() {
    let agent = AGENT.replace("PROVOST ", &format!("{} ", env!("CARGO_BIN_EXE_provost")));
    let limits = "developer_s = 60\nidle_s = 60\nkill_grace_s = 1\n";
    let project = Project::unwalled(&plan(&[("sly", "none")]), &agent, "#!/bin/sh\n", limits);
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let codes = fs::read_to_string(project.folder().join("codes")).unwrap();
    assert_eq!(codes, format!("{}0 \n", "9 actor::agent\n".repeat(6)));
    assert!(!project.run(&["log"]).out.contains("note:"));
    project.check("");
}

/// Runs a command under a supervisor with a mark, as a check or an agent would, and gives its exit status.
fn supervised(project: &Project, argv: &[&str], mark: &str) -> Option<i32> {
    let text = |it: &str| it.to_owned();
    let folder = project.folder().display().to_string();
    let env =
        [("PATH", std::env::var("PATH").unwrap()), ("HOME", folder.clone()), ("XDG_RUNTIME_DIR", folder)];
    let job = Job {
        argv: argv.iter().copied().map(text).collect(),
        cwd: project.root(),
        env: env.into_iter().map(|(name, value)| (text(name), value)).collect::<BTreeMap<_, _>>(),
        stdin: Stdin::Null,
        stdout: project.folder().join("stdout"),
        stderr: project.folder().join("stderr"),
        limits: Limits { wall_ms: 60_000, idle_ms: None, grace_ms: 1_000 },
        mark: text(mark),
        walls: None,
    };
    let exe = Path::new(env!("CARGO_BIN_EXE_provost"));
    Supervised::start(exe, &job).unwrap().wait().unwrap().exit
}

#[test]
fn the_project_is_not_taken_by_who_works_for_it_when_nobody_holds_it() {
    let project = Project::new(&plan(&[("one", "none")]));
    let exe = env!("CARGO_BIN_EXE_provost");
    // There is no project yet, so nobody can be its agent.
    assert_eq!(supervised(&project, &[exe, "note", "begin"], "other/1"), Some(0));
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(0));
    let log = project.run(&["--json", "log"]).out;
    let (_, rest) = log.split_once("\"project_id\":\"").unwrap();
    let mark = format!("{}/99", rest.split('"').next().unwrap());
    let before = project.run(&["log"]).out;
    for argv in [&[exe, "note", "hi"][..], &[exe, "clean"], &["env", "-i", exe, "note", "hi"]] {
        assert_eq!(supervised(&project, argv, &mark), Some(9), "{argv:?}");
        assert!(fs::read_to_string(project.folder().join("stderr")).unwrap().contains("actor::agent"));
    }
    assert_eq!(project.run(&["log"]).out, before);
    assert_eq!(supervised(&project, &[exe, "note", "of another project"], "other/1"), Some(0));
}
