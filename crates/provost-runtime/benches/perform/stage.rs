//! A repository, a journal and a driver on the disk that the build is on, and a performer that hands some effects to
//! the real one and answers the others itself.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command as Program, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use provost_core::delivery::{
    self, Begin, CheckResult, CheckSpec, Effect, Measurement, NewTask, Outcome, Report, Roles, TurnEnd,
    Verdict,
};
use provost_core::effects::EffectId;
use provost_core::limits::Limit;
use provost_core::plan;
use provost_core::project::{self, Preparation, Settings};
use provost_core::role::Role;
use provost_core::state::{Command, State};
use provost_runtime::agent::{Agent, Drive, PromptBy};
use provost_runtime::artifacts::{Artifacts as _, FileArtifacts};
use provost_runtime::clock::SystemClock;
use provost_runtime::driver::{
    Cause, Driver, Handle, Identity, Perform, Performing, Reporter, Running, Start, Submission, run,
};
use provost_runtime::home::Home;
use provost_runtime::journal::FileJournal;
use provost_runtime::lock::{Holder, Lock};
use provost_runtime::perform::{Performer, Tools};
use provost_runtime::process::end_marked;
use provost_runtime::repository::Repository;
use provost_runtime::walls::{Force, Reach};
use tempfile::TempDir;

use crate::bell::{self, Bell};

/// The project's id, with which every process is marked.
const PROJECT: &str = "bench";

/// How many bytes a flush of the floor appends.
const FLUSH_BYTES: usize = 4 * 1024;

/// Whose turns are performed, and what critics answer; all else is answered at once.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) performed: Role,
    pub(crate) critic: Outcome,
    pub(crate) force: Force,
}

pub(crate) struct Stage {
    folder: TempDir,
    handle: Handle<Command>,
    driving: Option<JoinHandle<()>>,
    /// Where agents say that they are there.
    pub(crate) bell: Bell,
    pub(crate) times: Arc<Mutex<Times>>,
    base: String,
    requests: u64,
}

/// What was measured at the last report that was answered and not performed.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    /// When it was handed to the driver.
    pub(crate) handed: Duration,
    /// What was measured just before, so that whatever slows the machine slows both.
    pub(crate) floors: Floors,
}

/// What nothing that keeps a record and starts a program can do without.
#[derive(Clone, Copy, Default)]
pub(crate) struct Floors {
    /// Appending to a file beside the journal, and its flush.
    pub(crate) flush: Duration,
    /// The agent started by this process, without supervisor and record, until it is there.
    pub(crate) there: Duration,
    /// The same until it says so.
    pub(crate) speaking: Duration,
}

impl Stage {
    /// A project with some files; `argv` is how this program is an agent.
    pub(crate) fn new(scene: &Scene, argv: &[&str], agents: u32) -> Stage {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let (root, bell_path) = (folder.path().join("repository"), folder.path().join("bell"));
        let (base, commit) = repository(&root);
        let home = Home::find(&root).unwrap();
        home.make().unwrap();
        let exe = std::env::current_exe().unwrap();
        let words = [exe.display().to_string()].into_iter().chain(argv.iter().map(|&word| word.to_owned()));
        let argv = words.map(|word| word.replace("{bell}", &bell_path.display().to_string())).collect();
        let agent = Agent {
            drive: Drive::Command { argv, prompt: PromptBy::Stdin },
            env: Vec::new(),
            // A socket is written to.
            reach: Reach { writable: vec![bell_path.display().to_string()], ..Reach::default() },
            fallback: Vec::new(),
        };
        let tools = Tools {
            repository: Repository::open(&home).unwrap(),
            project_id: PROJECT.to_owned(),
            worktrees: folder.path().join("worktrees"),
            agents: [("agent".to_owned(), agent)].into(),
            setup: Vec::new(),
            setup_reach: Reach::default(),
            copy: Vec::new(),
            check_reach: BTreeMap::new(),
            force: scene.force.clone(),
            exe,
            home: home.clone(),
            permissions: provost_runtime::permissions::built_in().into(),
        };
        let lock = Lock::acquire(&home.lock(), &Holder::this_process("bench", None)).unwrap().unwrap();
        let identity = Identity { session_id: "bench".to_owned(), holder: "bench".to_owned() };
        let journal = FileJournal::new(home.owned(lock));
        let driver: Driver<State, _> = Driver::open(journal, identity, Performing::Yes).unwrap();
        let running = Running::new(driver);
        let handle = running.handle();
        let times = Arc::new(Mutex::new(Times { handed: bell::now(), floors: Floors::default() }));
        let ground = Ground::new(&home.state, folder.path());
        let speaker = speaker(ground, &times, scene.clone(), commit);
        let mut staged = Staged { performer: Performer::new(tools), performed: scene.performed, speaker };
        let driving = thread::spawn(move || drop(run(running, &mut staged, &SystemClock)));
        let bell = Bell::new(&bell_path);
        let driving = Some(driving);
        let mut stage = Stage { folder, handle, driving, bell, times, base, requests: 0 };
        let mut settings = Settings::default();
        settings.set(Limit::Agents, agents);
        for limit in [Limit::CriticFailures, Limit::AuditFailures] {
            settings.set(limit, 1_000_000);
        }
        let preparation = Preparation { project_id: PROJECT.to_owned(), settings };
        stage.submit(Command::Project(project::Command::Prepare(preparation)));
        stage
    }

    fn submit(&mut self, command: Command) {
        self.requests += 1;
        let cause = Cause::Request(format!("bench-{}", self.requests));
        self.handle.submit(Submission { cause, actor: "person:bench".to_owned(), command }).unwrap();
    }

    /// Begins a delivery of so many tasks that do not wait for each other.
    pub(crate) fn deliver(&mut self, tasks: usize) {
        let names: Vec<String> = (1..=tasks).map(|number| format!("T{number}")).collect();
        let task = |name: &String| {
            format!(
                "\n#### Task {name}: do {name}\n\n**Work**: do it, delivery {}.\n\n**Acceptance Criteria**:\n- [ ] it is done\n\n**Blocked By**: none\n\n---\n",
                self.requests
            )
        };
        let text = format!("# A plan\n\n### Phase 1: all\n{}", names.iter().map(task).collect::<String>());
        let plan = plan::read("plan.md", text.as_bytes()).unwrap().plan;
        let home = Home::find(&self.folder.path().join("repository")).unwrap();
        let kept = FileArtifacts::new(home.reading(), "bench").put(&plan.canonical().unwrap()).unwrap();
        let new = |name: &String| NewTask {
            id: name.clone(),
            title: format!("do {name}"),
            priority: 2,
            downstream: 0,
            blocked_by: Vec::new(),
            verify: false,
            checks: Vec::new(),
            files: Vec::new(),
            without_criteria: false,
        };
        let agent = || "agent".to_owned();
        self.submit(Command::Delivery(delivery::Command::Begin(Begin {
            bypassed: delivery::Bypassed::default(),
            again: true,
            warrant: Box::default(),
            terms: Box::default(),
            plan: kept,
            name: "plan.md".to_owned(),
            title: "A plan".to_owned(),
            base: self.base.clone(),
            tasks: names.iter().map(new).collect(),
            checks: vec![CheckSpec {
                name: "test".to_owned(),
                argv: vec!["true".to_owned()],
                expect_exit: 0,
                limit_s: 60,
                required: true,
            }],
            roles: Roles { developer: agent(), critic: agent(), auditor: agent() },
        })));
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.handle.close();
        self.driving.take().unwrap().join().unwrap();
        end_marked(PROJECT).unwrap();
    }
}

struct Staged {
    performer: Performer,
    performed: Role,
    speaker: Sender<(Effect, Reporter<Command>)>,
}

impl Perform<State> for Staged {
    fn start(&mut self, start: Start<Effect>, reporter: Reporter<Command>) {
        if matches!(&start.effect, Effect::Turn(turn) if turn.role == self.performed) {
            self.performer.start(start, reporter);
        } else {
            self.speaker.send((start.effect, reporter)).unwrap();
        }
    }

    fn stop(&mut self, id: EffectId) {
        self.performer.stop(id);
    }

    fn rest(&mut self) {
        self.performer.rest();
    }
}

/// What the floors are measured on.
struct Ground {
    appended: fs::File,
    flushes: u64,
    bell: Bell,
}

impl Ground {
    /// Files beside the journal, and a bell of its own.
    fn new(state: &Path, folder: &Path) -> Ground {
        let appended = fs::File::create(state.join("floor")).unwrap();
        Ground { appended, flushes: 0, bell: Bell::new(&folder.join("floor-bell")) }
    }

    fn measure(&mut self) -> Floors {
        let begin = bell::now();
        let mut agent = Program::new(std::env::current_exe().unwrap());
        agent.arg("agent").arg(&self.bell.path).args(["developer", "T1"]);
        let mut started = agent.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let rung = self.bell.wait();
        started.wait().unwrap();
        let (there, speaking) = (rung.there.saturating_sub(begin), rung.speaking.saturating_sub(begin));
        let offset = self.flushes * FLUSH_BYTES as u64;
        self.flushes += 1;
        let begin = Instant::now();
        self.appended.write_all_at(&[b'x'; FLUSH_BYTES], offset).unwrap();
        self.appended.sync_data().unwrap();
        Floors { flush: begin.elapsed(), there, speaking }
    }
}

/// A thread that answers effects: it measures the floors, notes the time and reports.
fn speaker(
    mut ground: Ground,
    times: &Arc<Mutex<Times>>,
    scene: Scene,
    commit: String,
) -> Sender<(Effect, Reporter<Command>)> {
    let (sender, receiver) = channel::<(Effect, Reporter<Command>)>();
    let times = Arc::clone(times);
    thread::spawn(move || {
        for (effect, reporter) in receiver {
            let command =
                |report| Command::Delivery(delivery::Command::Report { effect: reporter.effect(), report });
            if matches!(effect, Effect::Turn(_)) {
                reporter.confirm(command(Report::Started { prompt: None, token: None })).unwrap();
            }
            let floors = ground.measure();
            let report = command(answer(&effect, &scene, &commit));
            *times.lock().unwrap() = Times { handed: bell::now(), floors };
            reporter.report(report);
        }
    });
    sender
}

/// What an effect comes to that is not performed.
fn answer(effect: &Effect, scene: &Scene, commit: &str) -> Report {
    match effect {
        Effect::Baseline { .. } => Report::Baseline(vec![CheckResult {
            check: "test".to_owned(),
            verdict: Verdict::Passed,
            exit: Some(0),
            expected: 0,
            output: None,
            tail: String::new(),
            required: true,
        }]),
        Effect::Turn(turn) => {
            let outcome = match turn.role {
                Role::Developer => Outcome::Ready { summary: String::new() },
                Role::Critic | Role::Auditor => scene.critic.clone(),
            };
            let (exit, duration_ms, output, results) = (Some(0), 1, None, Vec::new());
            Report::Turn(TurnEnd {
                outcome,
                exit,
                duration_ms,
                output,
                results,
                checkpoints: Vec::new(),
                account: None,
            })
        }
        Effect::Measure(_) => Report::Measured(Measurement::Committed {
            commit: commit.to_owned(),
            tree: commit.to_owned(),
            files: Vec::new(),
            results: Vec::new(),
        }),
        Effect::Land(_) | Effect::Clean { .. } => Report::Cleaned,
    }
}

/// A repository with some hundred files: the commit that work begins from, and one with a change.
fn repository(root: &PathBuf) -> (String, String) {
    fs::create_dir(root).unwrap();
    for number in 0..300 {
        let folder = root.join(format!("part-{}", number % 10));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("file-{number}")), format!("line {number}\n").repeat(50)).unwrap();
    }
    let git = |words: &[&str]| {
        let output = Program::new("git").args(words).current_dir(root).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let commit = || {
        git(&["add", "."]);
        git(&["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "-m", "on"]);
        git(&["rev-parse", "HEAD"]).trim().to_owned()
    };
    git(&["init", "--quiet"]);
    let base = commit();
    fs::write(root.join("part-0/file-0"), "changed\n").unwrap();
    (base, commit())
}
