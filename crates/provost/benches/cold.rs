//! What the first `provost plan` of a project costs, from the process's start to its end: flushes counted by the kernel's
//! own word, time against a static program that does nothing plus as many flushes. Fails when a target is missed.
#![expect(clippy::unwrap_used, reason = "a bench fails by panicking")]
#![expect(clippy::print_stdout, reason = "a bench reports to whoever runs it")]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use tempfile::TempDir;

#[path = "../tests/commands/hermetic.rs"]
mod hermetic;
#[expect(dead_code, reason = "other benches compare what is timed once")]
#[path = "../../provost-core/benches/ratio.rs"]
mod ratio;

use ratio::{Target, compare, counted, report, time};

const ROUNDS: usize = 21;

/// Calls after which something is on the disk.
const FLUSHES: &str = "trace=fsync,fdatasync,sync,syncfs,sync_file_range,msync";

fn main() -> ExitCode {
    let project = Project::new();
    let flushes = project.flushes();
    println!("a cold plan of {} files: {flushes} flushes", project.files());
    report(&[
        counted("flushes of a cold plan", 20.0, f64::from(flushes)),
        compare(
            "a cold plan: static hello-world and its flushes",
            Target::Times(10.0),
            ROUNDS,
            || time(3, || project.floor(flushes)),
            || {
                project.forget();
                time(1, || project.plan())
            },
        ),
    ])
}

/// A repository as `provost init` leaves it, with an intent beside it.
struct Project {
    folder: TempDir,
}

impl Project {
    fn new() -> Project {
        let project = Project { folder: TempDir::new().unwrap() };
        fs::create_dir(project.root()).unwrap();
        fs::write(project.root().join("README.md"), "# A project\n").unwrap();
        project.done(hermetic::git(&project.root(), project.folder.path(), &["init", "--quiet"]));
        project.provost(&["init"]);
        project.done(hermetic::git(&project.root(), project.folder.path(), &["add", "--all"]));
        let intent = project.intent();
        project.provost(&["intent", "new", "The page says more", "--files", "README.md", "--out", &intent]);
        let source = project.folder.path().join("hello.rs");
        fs::write(&source, "fn main() { println!(\"hello, world\"); }\n").unwrap();
        let mut rustc = Command::new("rustc");
        rustc.args(["-O", "-C", "target-feature=+crt-static", "-o"]).arg(project.hello()).arg(&source);
        project.done(rustc);
        project
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn hello(&self) -> PathBuf {
        self.folder.path().join("hello")
    }

    fn intent(&self) -> String {
        self.folder.path().join("intent.json").display().to_string()
    }

    fn provost(&self, arguments: &[&str]) {
        self.done(hermetic::provost(&self.root(), self.folder.path(), arguments));
    }

    #[expect(clippy::unused_self, reason = "commands are the project's")]
    fn done(&self, mut command: Command) {
        let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn plan(&self) {
        self.provost(&["plan", &self.intent()]);
    }

    /// Makes the next plan the first one. What the last one made is put aside and not removed: a file system that has
    /// just removed as many files as are made next has more to do than one that has not.
    fn forget(&self) {
        let state = self.root().join(".git/provost");
        if state.exists() {
            let aside = TempDir::new_in(self.folder.path()).unwrap().keep();
            fs::rename(state, aside.join("provost")).unwrap();
        }
    }

    fn files(&self) -> usize {
        self.forget();
        self.plan();
        let plans = fs::read_dir(self.root().join(".git/provost/plans")).unwrap();
        plans.map(|run| fs::read_dir(run.unwrap().path()).unwrap().count()).sum()
    }

    /// Counts the flushes of a cold plan and of everything that it starts.
    fn flushes(&self) -> u32 {
        self.forget();
        let trace = self.folder.path().join("trace");
        let plan = hermetic::provost(&self.root(), self.folder.path(), &["plan", &self.intent()]);
        let mut strace = Command::new("strace");
        strace.args(["-f", "-e", FLUSHES, "-o"]).arg(&trace).arg(plan.get_program()).args(plan.get_args());
        strace.current_dir(self.root()).env_clear();
        strace.envs(plan.get_envs().filter_map(|(name, value)| Some((name, value?))));
        self.done(strace);
        let lines = fs::read_to_string(trace).unwrap();
        let is_call = |line: &&str| line.contains("sync") && line.contains('(') && !line.contains("resumed>");
        u32::try_from(lines.lines().filter(is_call).count()).unwrap()
    }

    /// Starts a program that does nothing and flushes as often as a plan does, in the same file system.
    fn floor(&self, flushes: u32) {
        self.done(Command::new(self.hello()));
        let path = self.root().join(".git/flushed");
        flush(&path, flushes);
    }
}

/// Appends and flushes, again and again.
fn flush(path: &Path, times: u32) {
    let mut file = File::create(path).unwrap();
    for _ in 0..times {
        file.write_all(&[b'x'; 512]).unwrap();
        file.sync_data().unwrap();
    }
}
