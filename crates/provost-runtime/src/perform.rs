//! Performing what deliveries want done: each effect on a thread of its own, beside the loop, ending with one report.
//!
//! A performer knows where things are and how to do them; what to do and what follows from it is decided in core.

mod context;
mod heard;
mod land;
mod measure;
mod turn;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use provost_core::delivery::{self, Effect, Report};
use provost_core::effects::EffectId;
use provost_core::record::{Head, Record};
use provost_core::state::{Command, State};
use provost_core::time::Timestamp;

use crate::agent::Agent;
use crate::artifacts::FileArtifacts;
use crate::driver::{Launch, Perform, Reporter, Start};
use crate::git::{GitFault, Oid};
use crate::home::Home;
use crate::journal::lines_between;
use crate::process::Stopper;
use crate::repository::{EffectName, Repository};
use crate::storage::Disk;
use crate::worktree::{Author, Marks};

/// What a performer works with.
#[derive(Clone, Debug)]
pub struct Tools {
    /// Where the project lives.
    pub home: Home,
    /// Its repository.
    pub repository: Repository,
    /// Its id.
    pub project_id: String,
    /// Where worktrees are made.
    pub worktrees: PathBuf,
    /// The agents by name.
    pub agents: BTreeMap<String, Agent>,
    /// Commands that prepare a new worktree.
    pub setup: Vec<Vec<String>>,
    /// Files of the checkout that a new worktree gets.
    pub copy: Vec<String>,
    /// Provost itself, to supervise.
    pub exe: PathBuf,
}

/// Starts and stops effects.
#[derive(Debug)]
pub struct Performer {
    tools: Arc<Tools>,
    stops: Stops,
}

/// Ways to end what runs, by effect.
#[derive(Clone, Debug, Default)]
struct Stops {
    running: Arc<Mutex<BTreeMap<EffectId, Stopping>>>,
}

#[derive(Clone, Debug)]
enum Stopping {
    /// Nothing that could be stopped runs yet, or any more.
    Idle,
    /// A program runs.
    Program(Stopper),
    /// It is to stop.
    Asked,
}

impl Performer {
    /// A performer with these tools, in a project where nothing runs.
    pub fn new(tools: Tools) -> Performer {
        // Worktrees that a killed process was making or removing are nobody's; what is wanted is made again.
        let _ = tools.repository.clear_unfinished(&|_| false);
        Performer { tools: Arc::new(tools), stops: Stops::default() }
    }
}

impl Perform<State> for Performer {
    fn start(&mut self, start: Start<Effect>, reporter: Reporter<Command>) {
        self.stops.lock().insert(start.id, Stopping::Idle);
        let work = Work {
            tools: Arc::clone(&self.tools),
            stops: self.stops.clone(),
            id: start.id,
            launch: start.launch,
            reporter,
        };
        let name = start.id.to_string();
        // Without a thread the effect stays open, and whoever opens the journal next takes it up.
        let _ = thread::Builder::new().name(name).spawn(move || work.perform(&start.effect));
    }

    fn stop(&mut self, id: EffectId) {
        let before = self.stops.lock().insert(id, Stopping::Asked);
        if let Some(Stopping::Program(stopper)) = before {
            stopper.stop();
        }
    }
}

impl Stops {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<EffectId, Stopping>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a program that can be stopped; one that was to stop before it began is stopped now.
    fn running(&self, id: EffectId, stopper: Stopper) {
        let mut running = self.lock();
        if matches!(running.get(&id), Some(Stopping::Asked)) {
            stopper.stop();
            return;
        }
        running.insert(id, Stopping::Program(stopper));
    }

    fn is_asked(&self, id: EffectId) -> bool {
        matches!(self.lock().get(&id), Some(Stopping::Asked))
    }
}

/// One effect being performed.
struct Work {
    tools: Arc<Tools>,
    stops: Stops,
    id: EffectId,
    launch: Launch,
    reporter: Reporter<Command>,
}

impl Work {
    fn perform(self, effect: &Effect) {
        let report = match effect {
            Effect::Baseline { delivery, base, checks } => {
                Report::Baseline(self.baseline(delivery, base, checks))
            }
            Effect::Turn(turn) => Report::Turn(self.turn(turn)),
            Effect::Measure(measure) => Report::Measured(self.measure(measure)),
            Effect::Land(land) => Report::Landing(self.land(land)),
            Effect::Clean { delivery, task, generation } => {
                self.clean(delivery, task, *generation);
                Report::Cleaned
            }
        };
        self.report(report);
        self.stops.lock().remove(&self.id);
        let _ = fs::remove_dir_all(self.folder());
    }

    fn report(&self, report: Report) {
        let effect = self.id;
        self.reporter.report(Command::Delivery(delivery::Command::Report { effect, report }));
    }

    /// A folder for what programs of this effect print, before it becomes an artifact.
    fn folder(&self) -> PathBuf {
        self.tools.home.state.join("running").join(self.id.0.to_string())
    }

    fn make_folder(&self) -> io::Result<PathBuf> {
        let folder = self.folder();
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Whose work this is, as processes carry it.
    fn mark(&self) -> String {
        format!("{}/{}", self.tools.project_id, self.id.0)
    }

    fn artifacts(&self) -> FileArtifacts<Disk> {
        FileArtifacts::new(self.tools.home.reading(), format!("{}-{}", std::process::id(), self.id.0))
    }

    fn effect_name(&self) -> EffectName {
        EffectName { project_id: self.tools.project_id.clone(), effect: self.id }
    }

    /// The record that asked for this: commits take their time and their link to the record from it, so that doing
    /// one again gives the same commit.
    fn origin(&self) -> Option<(Head, Timestamp)> {
        let lines = lines_between(&self.tools.home.reading(), self.id.0, self.id.0).ok()?;
        let record = Record::parse(lines.first()?.as_bytes()).ok()?;
        Some((Head { sequence: record.sequence, hash: record.hash }, record.timestamp))
    }

    fn author(&self, time: Timestamp) -> Author {
        Author { identity: self.tools.repository.identity().unwrap_or_default(), time }
    }

    fn marks(&self, task: &str, head: Head) -> Marks {
        Marks { task: task.to_owned(), effect: self.effect_name(), head }
    }
}

/// A commit's name as it stands on the record.
fn oid(text: &str) -> Result<Oid, GitFault> {
    let odd = || GitFault::Strange {
        command: "a name on the record".to_owned(),
        what: format!("`{text}` is not the name of a commit"),
    };
    Oid::parse(text).ok_or_else(odd)
}

/// A file's text as far as it can be kept, whatever its encoding.
fn text_of(path: &Path) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}
