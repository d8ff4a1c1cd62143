//! Performing what deliveries want done: each effect on a thread of its own, beside the loop, ending with one report.
//!
//! A performer knows where things are and how to do them; what to do and what follows from it is decided in core.

mod context;
mod heard;
mod land;
mod measure;
mod spare;
mod stops;
mod talked;
mod threads;
mod turn;
mod walled;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use provost_core::delivery::{self, Effect, Landing, Measurement, Outcome, Report};
use provost_core::digest::Digest;
use provost_core::effects::EffectId;
use provost_core::permission::Permissions;
use provost_core::plan::Plan;
use provost_core::record::{Head, Record};
use provost_core::state::{Command, State};
use provost_core::time::Timestamp;

use crate::agent::Agent;
use crate::artifacts::{Artifacts as _, FileArtifacts};
use crate::driver::{Launch, Perform, Reporter, Start};
use crate::git::{GitFault, Oid};
use crate::home::Home;
use crate::journal::lines_between;
use crate::repository::{EffectName, Repository};
use crate::storage::Disk;
use crate::walls::{Force, Reach};
use crate::worktree::{Author, Label, Marks, clear};

use spare::Spare;
use stops::Stops;
use threads::Threads;

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
    /// How far those reach beyond the worktree.
    pub setup_reach: Reach,
    /// Files of the checkout that a new worktree gets.
    pub copy: Vec<String>,
    /// How far checks reach beyond their worktree, by their names.
    pub check_reach: BTreeMap<String, Reach>,
    /// What is in force around programs.
    pub force: Force,
    /// What agents may do.
    pub permissions: Arc<Permissions>,
    /// Provost itself, to supervise.
    pub exe: PathBuf,
}

/// Starts and stops effects.
#[derive(Debug)]
pub struct Performer {
    tools: Arc<Tools>,
    stops: Stops,
    stock: Arc<Stock>,
    threads: Threads,
}

/// What is made once and used by every effect.
#[derive(Debug)]
struct Stock {
    spare: Spare,
    artifacts: FileArtifacts<Disk>,
    /// The plan that was read last: the turns of a delivery follow each other.
    plan: Mutex<Option<(Digest, Arc<Plan>)>>,
}

impl Performer {
    /// A performer with these tools, in a project where nothing runs.
    pub fn new(tools: Tools) -> Performer {
        tools.home.note_owner(&tools.project_id);
        // Worktrees that a killed process was making, removing or only running programs in are nobody's; what is
        // wanted is made again.
        let _ = tools.repository.clear_unfinished(&|_| false);
        // So are prompts and outputs of programs that were running then.
        let _ = clear(&tools.home.state.join("running"));
        // Whatever stands in the way stands in the way of the first artifact too, and is said there.
        let artifacts = FileArtifacts::new(tools.home.reading(), format!("{}-effects", std::process::id()));
        let stock =
            Stock { spare: Spare::default(), artifacts: artifacts.with_folders(), plan: Mutex::default() };
        let (stops, threads) = (Stops::default(), Threads::default());
        Performer { tools: Arc::new(tools), stops, stock: Arc::new(stock), threads }
    }
}

impl Perform<State> for Performer {
    fn start(&mut self, start: Start<Effect>, reporter: Reporter<Command>) {
        let Start { id, effect, launch } = start;
        self.stops.begin(id);
        self.stock.spare.want();
        let (tools, stops, stock) = (Arc::clone(&self.tools), self.stops.clone(), Arc::clone(&self.stock));
        let (apart, recorded) = (OnceLock::new(), OnceLock::new());
        let work = Arc::new(Work { tools, stops, stock, id, effect, launch, reporter, apart, recorded });
        let performing = Arc::clone(&work);
        if let Err(error) = self.threads.run(move || performing.perform()) {
            work.end(work.unavailable(&format!("no thread can be started: {error}")));
        }
    }

    fn stop(&mut self, id: EffectId) {
        self.stops.ask(id);
    }

    fn rest(&mut self) {
        self.stock.spare.end();
        self.threads.end();
    }

    fn is_settled(&self) -> bool {
        self.stops.is_settled()
    }
}

impl Drop for Performer {
    /// Waits for what is about to be over, so that a process that ends leaves nothing behind.
    fn drop(&mut self) {
        self.stops.wait();
        self.stock.spare.end();
    }
}

/// One effect being performed.
struct Work {
    tools: Arc<Tools>,
    stops: Stops,
    stock: Arc<Stock>,
    id: EffectId,
    effect: Effect,
    launch: Launch,
    reporter: Reporter<Command>,
    /// The worktree that checks of this effect have for themselves, if they have one.
    apart: OnceLock<Label>,
    /// Whether the record says what the turn's agent was told; unknown until it does, or never will.
    recorded: OnceLock<bool>,
}

/// Why an effect could not be performed: something around the work is broken, not the work.
struct Unavailable(String);

impl From<GitFault> for Unavailable {
    fn from(fault: GitFault) -> Unavailable {
        Unavailable(fault.to_string())
    }
}

impl From<io::Error> for Unavailable {
    fn from(error: io::Error) -> Unavailable {
        Unavailable(error.to_string())
    }
}

impl Work {
    fn perform(self: &Arc<Self>) {
        // A defect in one effect must not leave its delivery waiting for a report that never comes.
        let performed = catch_unwind(AssertUnwindSafe(|| self.try_perform()));
        let performed =
            performed.unwrap_or_else(|_| Err(Unavailable("Provost has a defect here".to_owned())));
        self.end(performed.unwrap_or_else(|Unavailable(issue)| self.unavailable(&issue)));
    }

    fn try_perform(self: &Arc<Self>) -> Result<Report, Unavailable> {
        Ok(match &self.effect {
            Effect::Baseline { delivery, base, checks } => {
                Report::Baseline(self.baseline(delivery, base, checks)?)
            }
            Effect::Turn(turn) => Report::Turn(self.turn(turn)?),
            Effect::Measure(measure) => Report::Measured(self.measure(measure)?),
            Effect::Land(land) => Report::Landing(self.land(land)?),
            Effect::Clean { delivery, task, generation, leftovers } => {
                self.clean(&turn::label(delivery, task, *generation)?, *leftovers)?;
                Report::Cleaned
            }
        })
    }

    /// The report of an effect that could not be performed.
    fn unavailable(&self, issue: &str) -> Report {
        let issue = issue.to_owned();
        match &self.effect {
            Effect::Baseline { .. } => Report::Unmeasured { issue },
            Effect::Turn(_) => {
                Report::Turn(turn::without_end(Outcome::Unavailable { issue }, None, Vec::new()))
            }
            Effect::Measure(_) => Report::Measured(Measurement::Unavailable { issue }),
            Effect::Land(_) => Report::Landing(Landing::Unavailable { issue }),
            // The folder stays, and `provost clean` tries again; nothing waits for it.
            Effect::Clean { .. } => Report::Cleaned,
        }
    }

    /// Reports the end first, so that what follows from it can begin, and then puts away what was made on the way.
    fn end(&self, report: Report) {
        // Noted before the report: whoever ends this process because of it waits until all is put away.
        let _putting_away = self.stops.put_away(self.id);
        // Whoever asks for something in a turn that never began does not wait for ever.
        let _ = self.recorded.set(false);
        self.reporter.report(self.command(report));
        if let Some(label) = self.apart.get() {
            // What cannot be removed now is removed when the journal is opened next.
            let _ = self.tools.repository.remove_apart(label);
        }
        let _ = clear(&self.folder());
    }

    fn command(&self, report: Report) -> Command {
        Command::Delivery(delivery::Command::Report { effect: self.id, report })
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

    fn effect_name(&self) -> EffectName {
        EffectName { project_id: self.tools.project_id.clone(), effect: self.id }
    }

    /// Keeps what a program printed, and gives it back; one that never ran has printed nothing.
    fn keep(&self, file: &Path) -> io::Result<(Vec<u8>, Digest)> {
        let bytes = match fs::read(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read?,
        };
        let kept = self.stock.artifacts.put(&bytes)?;
        Ok((bytes, kept))
    }

    /// The record that asked for this: commits take their time and their link to the record from it, so that doing
    /// one again gives the same commit.
    fn origin(&self) -> Result<(Head, Timestamp), Unavailable> {
        let read = || {
            let lines = lines_between(&self.tools.home.reading(), self.id.0, self.id.0).ok()?;
            let record = Record::parse(lines.first()?.as_bytes()).ok()?;
            Some((Head { sequence: record.sequence, hash: record.hash }, record.timestamp))
        };
        read().ok_or_else(|| Unavailable("the record that asked for this cannot be read".to_owned()))
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
