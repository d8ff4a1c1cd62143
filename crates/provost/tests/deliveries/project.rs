//! A repository with a plan, a check and an agent that is a shell script, as a person would write one.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::hermetic;

/// The agent: what it does depends on the task and the attempt, so that every turn of a story can be told.
const AGENT: &str = r#"#!/bin/sh
# Written from the page on agents: the prompt comes on standard input, signals go to standard output.
cat > /dev/null
case "$PROVOST_ROLE $PROVOST_TASK $PROVOST_ATTEMPT" in
  "developer liar 1") echo "all good, trust me"; printf 'READY_FOR_REVIEW: liar\nSummary: it works\n'; exit 0 ;;
  "developer fibber 1") echo no > elsewhere.txt; printf 'READY_FOR_REVIEW: fibber\nSummary: all tests pass\n'; exit 0 ;;
  "developer asker 1")
    printf 'SEEKING_DIVINE_CLARIFICATION\nTask: asker\nQuestion: tabs or spaces?\nOptions Considered:\n- tabs\n- spaces\n'; exit 0 ;;
  "developer hanger 1") exec sleep 600 ;;
  "critic picky 1")
    printf 'REVIEW_FAILED: picky\nIssues Found:\n- picky.txt:1: too short\nRequired Fixes:\n- say more\n'; exit 0 ;;
esac
case "$PROVOST_ROLE" in
  developer)
    echo "work of $PROVOST_TASK, attempt $PROVOST_ATTEMPT" >> "$PROVOST_TASK.txt"
    case "$PROVOST_TASK" in left|right) echo "$PROVOST_TASK" > shared.txt ;; esac
    printf 'READY_FOR_REVIEW: %s\nSummary: wrote the file\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\nSummary: fine\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\nSummary: verified\n' "$PROVOST_TASK" ;;
esac
"#;

/// Passes when every task's file is there that `need.txt` in the worktree names; used as the project's check.
const CHECK: &str = "#!/bin/sh\n! grep -q '<<<<<<<' *.txt\n";

pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    /// A repository with one commit, a check that passes, and an agent for all roles.
    pub(crate) fn new(plan: &str) -> Project {
        Project::with(plan, AGENT, CHECK, "developer_s = 20\nidle_s = 2\nkill_grace_s = 1\n")
    }

    /// The same with an agent, a check and limits of the test's own.
    pub(crate) fn with(plan: &str, agent: &str, check: &str, limits: &str) -> Project {
        let project = Project { folder: TempDir::new().unwrap() };
        let root = project.root();
        // What agents and checks want to tell the test, they put here.
        fs::create_dir(project.folder().join("told")).unwrap();
        fs::create_dir_all(root.join(".provost")).unwrap();
        project.script("agent.sh", agent);
        project.script("check.sh", check);
        let config = format!(
            "version = 1\n[limits]\n{limits}[agents.mine]\ndrive = \"command\"\nargv = [\"{}\"]\nwritable = [\"~/told\"]\n[[checks]]\nname = \"check\"\nargv = [\"{}\"]\nwritable = [\"~/told\"]\n",
            project.folder().join("agent.sh").display(),
            project.folder().join("check.sh").display(),
        );
        fs::write(root.join(".provost/provost.toml"), config).unwrap();
        fs::write(root.join("plan.md"), plan).unwrap();
        fs::write(root.join("base.txt"), "base\n").unwrap();
        project.git(&["init", "--quiet", "--initial-branch", "main"]);
        project.git(&["add", "."]);
        project.git(&[
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@example.org",
            "commit",
            "--quiet",
            "-m",
            "begin",
        ]);
        project
    }

    /// The same where nothing stands around agents and checks.
    pub(crate) fn unwalled(plan: &str, agent: &str, check: &str, limits: &str) -> Project {
        Project::with(plan, agent, check, &format!("{limits}[policy]\nsandbox = \"off\"\n"))
    }

    /// Has the agent driven in another way, with more settings behind.
    pub(crate) fn driven_as(&self, drive: &str, more: &str) {
        let agent = self.folder().join("agent.sh").display().to_string();
        let how = match drive {
            "acp" => format!("drive = \"acp\"\nargv = [\"{agent}\"]\n"),
            _ => format!("drive = \"{drive}\"\nprogram = \"{agent}\"\n"),
        };
        let path = self.root().join(".provost/provost.toml");
        let config = fs::read_to_string(&path).unwrap();
        let plain = format!("drive = \"command\"\nargv = [\"{agent}\"]\n");
        assert!(config.contains(&plain));
        fs::write(&path, format!("{}{more}", config.replace(&plain, &how))).unwrap();
    }

    /// Writes a program into the folder.
    pub(crate) fn script(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The folder of the repository, the scripts and Provost's own files; it is the person's home.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = hermetic::git(&self.root(), self.folder(), arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        hermetic::provost(&self.root(), self.folder(), arguments)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(&self.command(arguments).output().unwrap())
    }

    /// The files of the delivery's branch, each with its text.
    pub(crate) fn landed(&self, branch: &str) -> Vec<(String, String)> {
        let names = self.git(&["ls-tree", "-r", "--name-only", branch]);
        let texts = names.lines().filter(|name| !name.starts_with('.') && *name != "plan.md");
        texts.map(|name| (name.to_owned(), self.git(&["show", &format!("{branch}:{name}")]))).collect()
    }

    /// Folders that agents worked in and that are still there.
    pub(crate) fn worktrees(&self) -> Vec<PathBuf> {
        let top = self.folder.path().join(".local/state/provost");
        let mut found = Vec::new();
        let mut folders = vec![top];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.join(".git").exists() {
                    found.push(path);
                } else if path.is_dir() {
                    folders.push(path);
                }
            }
        }
        found
    }

    /// Processes that carry this project's mark.
    pub(crate) fn processes(&self) -> Vec<String> {
        let here = self.folder.path().display().to_string();
        let entries = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        let marked = entries.filter(|entry| {
            let environ = fs::read(entry.path().join("environ")).unwrap_or_default();
            let text = String::from_utf8_lossy(&environ);
            text.contains("PROVOST_MARK=") && text.contains(&here)
        });
        marked.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    /// What must hold after every delivery, however it went.
    pub(crate) fn check(&self, status_before: &str) {
        assert!(self.run(&["verify"]).out.starts_with("verified: "));
        assert_eq!(self.git(&["status", "--porcelain"]), status_before, "the checkout was touched");
        assert_eq!(self.git(&["rev-parse", "--abbrev-ref", "HEAD"]).trim(), "main");
        assert_eq!(self.processes(), Vec::<String>::new());
        assert_eq!(self.worktrees(), Vec::<PathBuf>::new());
    }
}

/// What a command said.
pub(crate) struct Ran {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: Option<i32>,
}

impl Ran {
    pub(crate) fn of(output: &Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { out: text(&output.stdout), err: text(&output.stderr), code: output.status.code() }
    }
}

/// A plan of tasks, each with what it waits for.
pub(crate) fn plan(tasks: &[(&str, &str)]) -> String {
    let mut text = String::from("# A plan\n\nTasks for a trial.\n\n### Phase 1: all\n");
    for (id, blockers) in tasks {
        let _ = write!(
            text,
            "\n#### Task {id}: make {id}\n\n**Work**: write `{id}.txt`.\n\n**Acceptance Criteria**:\n- [ ] `test -f {id}.txt` exits 0\n\n**Blocked By**: {blockers}\n\n---\n"
        );
    }
    text
}
