//! One turn of one agent in a temporary repository: a delivery like any other, ended when it has shown what works.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use provost_core::decider::Event as _;
use provost_core::delivery::{self, Begin, CheckSpec, NewTask, Roles, What};
use provost_core::diagnostic::{self, Diagnostic, Exit, visible};
use provost_core::limits::Limit;
use provost_core::plan;
use provost_core::project::{self, Preparation};
use provost_core::state::{self, Event};
use provost_runtime::acting::{Actor, folder_trouble, new_id, person};
use provost_runtime::agent::Agent;
use provost_runtime::artifacts::{Artifacts as _, FileArtifacts};
use provost_runtime::config::{Config, Worktree};
use provost_runtime::home::Home;
use provost_runtime::journal::walk_along;
use serde::Serialize;

use crate::cli::{Context, Done};
use crate::failure::Failure;
use crate::performing;
use crate::wording::used;

/// How often the record is looked at.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

const TASK: &str = "1-1";
const FILE: &str = "hello.txt";

/// What the agent is asked to do.
const PLAN: &str = "# A trial\n\n#### Task 1-1: Write a greeting\n\n**Work**: Make a file `hello.txt` in the current folder with the one word \
`hello` in it. Then say that it is ready.\n\n**Acceptance Criteria**:\n- [ ] `test -f hello.txt` exits 0\n\n**Files**: hello.txt\n";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The agent, as it is called in provost.toml.
    pub(super) name: String,

    /// The most seconds that it may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    pub(super) limit: u32,
}

/// What the trial showed.
#[derive(Default, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is an answer of its own in the document")]
struct Shown {
    agent: String,
    works: bool,
    /// Whether its program was started.
    started: bool,
    /// Whether it gave a signal that Provost takes.
    signal: bool,
    /// Whether it changed what it was asked to.
    changed: bool,
    version: Option<String>,
    model: Option<String>,
    used: Option<String>,
    /// Whether its conversation can be gone on with.
    resumes: bool,
    allowed: u32,
    refused: Vec<String>,
    trouble: Option<String>,
    /// How it ended.
    end: Option<String>,
}

pub(super) fn run(arguments: &Arguments, agent: &Agent, config: &Config, context: &mut Context) -> Done {
    let stage = Stage::build()?;
    let home = Home::find(&stage.folder.join("project"))?;
    let config = Config {
        agents: [(arguments.name.clone(), agent.clone())].into(),
        checks: Vec::new(),
        worktree: Worktree::default(),
        ..config.clone()
    };
    let (project_id, mut tools) = performing::tools(&home, &config)?;
    tools.worktrees = stage.folder.join("worktrees");
    let begin = begin(&arguments.name, arguments.limit, &home, stage.base()?)?;
    let mut settings = config.settings;
    settings.set(Limit::DeveloperS, arguments.limit);
    // A second turn would show nothing new, and cost as much as the first.
    for limit in [Limit::AgentFailures, Limit::Incomplete] {
        settings.set(limit, 1);
    }
    let preparation = Preparation { project_id, settings };
    let mut actor = Actor::new(home.clone(), person(), "provost agents test").performing(tools);
    let commands = vec![
        state::Command::Project(project::Command::Prepare(preparation)),
        state::Command::Delivery(delivery::Command::Begin(begin)),
    ];
    for answer in actor.submit(commands) {
        answer?;
    }
    let give_up = Instant::now() + Duration::from_secs(u64::from(arguments.limit) + 30);
    let shown = loop {
        let shown = look(&home, &arguments.name)?;
        if shown.end.is_some() || Instant::now() >= give_up {
            break shown;
        }
        thread::sleep(LOOK_AGAIN);
    };
    drop(actor);
    let exit = if shown.works { Exit::Done } else { Exit::Refused };
    say(&shown, context)?;
    Ok(exit)
}

/// The delivery of one task that the agent develops. Nobody reviews it: that would be a second turn.
fn begin(agent: &str, limit_s: u32, home: &Home, base: String) -> Result<Begin, Failure> {
    let bug = |why: String| Diagnostic::error(diagnostic::PROVOST_BUG, why);
    let plan =
        plan::read("trial.md", PLAN.as_bytes()).map_err(|unreadable| bug(unreadable.to_string()))?.plan;
    let bytes = plan.canonical().map_err(|error| bug(error.to_string()))?;
    home.make().map_err(|error| folder_trouble(&error))?;
    let kept = FileArtifacts::new(home.reading(), new_id()).put(&bytes);
    let argv = ["test", "-f", FILE].map(str::to_owned).to_vec();
    let check = CheckSpec { name: FILE.to_owned(), argv, expect_exit: 0, limit_s, required: true };
    let task = NewTask {
        id: TASK.to_owned(),
        title: "Write a greeting".to_owned(),
        priority: 0,
        downstream: 0,
        blocked_by: Vec::new(),
        verify: false,
        checks: vec![check],
        files: vec![FILE.to_owned()],
        without_criteria: false,
    };
    // No agent can be called so.
    let nobody = || "nobody else".to_owned();
    Ok(Begin {
        plan: kept.map_err(|error| folder_trouble(&error))?,
        name: "trial.md".to_owned(),
        title: plan.title.clone(),
        base,
        tasks: vec![task],
        checks: Vec::new(),
        roles: Roles { developer: agent.to_owned(), critic: nobody(), auditor: nobody() },
        bypassed: delivery::Bypassed::Ask,
        again: false,
        warrant: Box::default(),
        terms: Box::default(),
    })
}

/// What the record shows so far.
fn look(home: &Home, agent: &str) -> Result<Shown, Failure> {
    let mut shown = Shown { agent: agent.to_owned(), ..Shown::default() };
    walk_along(&home.reading(), &mut |record| {
        if let Ok(Event::Delivery(event)) = Event::read(record) {
            shown.see(&event.what);
        }
        Ok(())
    })?;
    shown.works = shown.signal && shown.changed;
    Ok(shown)
}

impl Shown {
    fn see(&mut self, what: &What) {
        let end = match what {
            What::AgentDispatched { .. } => {
                self.started = true;
                None
            }
            What::AgentSpent { spent, session, version, model, .. } => {
                self.used = (!spent.is_unknown()).then(|| used(spent));
                self.resumes = session.is_some();
                (self.version, self.model) = (version.clone(), model.clone());
                None
            }
            What::PermissionDecided { allowed: true, .. } => {
                self.allowed += 1;
                None
            }
            What::PermissionDecided { act, why, .. } => {
                self.refused.push(format!("{}: {why}", act.tool));
                None
            }
            What::ReadyClaimed { .. } => {
                self.signal = true;
                None
            }
            What::DeveloperReadyForReview { .. } => {
                self.changed = true;
                Some("it wrote the file and said so".to_owned())
            }
            What::EnvironmentVerificationFailed { .. } => {
                Some("it said that it is done, and the file is not there".to_owned())
            }
            What::SignalRejected { reason } => Some(format!("its answer cannot be taken: {reason}")),
            What::AgentTroubled { class, said, .. } => {
                self.trouble = Some(class.to_string());
                Some(format!("{}: {said}", class.label()))
            }
            What::AgentFailure { why, .. } => Some(why.clone()),
            What::EnvironmentUnavailable { issue } if self.end.is_none() => {
                // The record may have been faster than a start that failed; one that had trouble of its own did begin.
                self.started &= self.trouble.is_some();
                Some(issue.clone())
            }
            What::DeveloperBlocked { issue } => Some(issue.clone()),
            What::AgentSeeksGuidance { question } => Some(format!("it asks: {}", question.text)),
            What::DeveloperIncomplete { blocker, .. } => Some(format!("it cannot do it: {blocker}")),
            _ => None,
        };
        self.end = self.end.take().or(end);
    }
}

fn say(shown: &Shown, context: &mut Context) -> Result<(), Failure> {
    let screen = &mut context.screen;
    if screen.is_json() {
        screen.document(shown)?;
        return Ok(());
    }
    let mark = |is: bool| if is { "yes" } else { "no" };
    for (is, what) in [
        (shown.started, "its program starts"),
        (shown.signal, "it gives a signal that Provost takes"),
        (shown.changed, "it changes files in its worktree"),
        (shown.resumes, "its conversation can be gone on with"),
    ] {
        screen.line(format!("{:<4} {what}", mark(is)))?;
    }
    let is = [&shown.version, &shown.model].into_iter().flatten().map(String::as_str).collect::<Vec<_>>();
    if !is.is_empty() {
        screen.line(format!("     it says that it is {}", visible(&is.join(", "))))?;
    }
    if let Some(used) = &shown.used {
        screen.line(format!("     it used {used}"))?;
    }
    if shown.allowed > 0 {
        screen.line(format!("     allowed by rules: {}", shown.allowed))?;
    }
    for refused in &shown.refused {
        screen.line(format!("     refused by rules: {}", visible(refused)))?;
    }
    let end = shown.end.as_deref().unwrap_or("it did not come to an end in time");
    screen.line(format!("\n{}: {}", shown.agent, visible(end)))?;
    Ok(())
}

/// A repository that is removed in the end.
struct Stage {
    folder: PathBuf,
}

impl Stage {
    fn build() -> Result<Stage, Failure> {
        let failed = |why: String| Diagnostic::error(diagnostic::AGENT_TRIAL, why);
        let folder = std::env::temp_dir().join(format!("provost-trial-{}", new_id()));
        let project = folder.join("project");
        let made = fs::create_dir_all(&project).and_then(|()| folder.canonicalize());
        let folder = made.map_err(|error| failed(format!("{} cannot be made: {error}", folder.display())))?;
        let stage = Stage { folder };
        stage.git(&["init", "--quiet", "--initial-branch", "main"])?;
        let identity = ["-c", "user.name=Trial", "-c", "user.email=trial@localhost"];
        stage.git(&[&identity[..], &["commit", "--quiet", "--allow-empty", "-m", "begin"]].concat())?;
        Ok(stage)
    }

    fn git(&self, arguments: &[&str]) -> Result<String, Failure> {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.folder.join("project")).env_remove("GIT_DIR");
        let ran = command.output().map_err(|error| {
            Diagnostic::error(diagnostic::AGENT_TRIAL, format!("`git` cannot be run: {error}"))
        })?;
        if ran.status.success() {
            return Ok(String::from_utf8_lossy(&ran.stdout).trim().to_owned());
        }
        let said = String::from_utf8_lossy(&ran.stderr).trim().to_owned();
        Err(Diagnostic::error(
            diagnostic::AGENT_TRIAL,
            format!("the trial's repository cannot be made: {said}"),
        )
        .into())
    }

    fn base(&self) -> Result<String, Failure> {
        self.git(&["rev-parse", "HEAD"])
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
