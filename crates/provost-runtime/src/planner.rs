//! Planning in the world: files become the inputs of a plan, and what came of it is kept. Apart from planning itself, which
//! knows neither files nor clocks.

mod folder;
mod kept;

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use provost_core::canonical;
use provost_core::diagnostic::{self, Diagnostic, quoted};
use provost_core::document::{self, Document, Limits, Unreadable};
use provost_core::planning::again::Replayed;
use provost_core::planning::facts::FactPack;
use provost_core::planning::memory::MemoryPack;
use provost_core::planning::policy::Policy;
use provost_core::planning::shelf::Strict;
use provost_core::planning::{Inputs, NoRun, Run, Watch, answers, plan};
use provost_core::registry::Lock;
use provost_core::time::Timestamp;

use crate::clock::{Clock as _, SystemClock};
use crate::config::{self, Rejected};
use crate::content::{self, MEMORY, Memory, REGISTRY};
use crate::home::Home;
use crate::regular;
use crate::scan;

pub use folder::{is_frozen, read as read_folder, replace as replace_folder, write as write_folder};
pub use kept::{keep, load};

/// The most bytes of an intent, a policy or a pack of answers.
const DOCUMENT_MAX: u32 = 4 << 20;

/// The most bytes of facts and of pins, which grow with the project.
const PACK_MAX: u32 = 64 << 20;

/// A line longer than this is not shown around a defect.
const LINE_MAX: usize = 500;

/// What the memory of a plan is dated where the intent has no date.
const EPOCH: &str = "1970-01-01T00:00:00Z";

/// Where the inputs of a plan come from; what is not named comes from the project.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The policy, instead of `[policy]` of provost.toml.
    pub policy: Option<PathBuf>,
    /// The registry, instead of the project's.
    pub registry: Option<PathBuf>,
    /// The facts, instead of a look at the repository.
    pub facts: Option<PathBuf>,
    /// The memory, instead of the project's.
    pub memory: Option<PathBuf>,
    /// Versions of registry content that are relied on.
    pub lock: Option<PathBuf>,
}

impl Sources {
    /// Whether nothing of a project is needed.
    pub const fn are_complete(&self) -> bool {
        self.registry.is_some() && self.facts.is_some() && self.memory.is_some()
    }
}

/// The wall clock, for tape and audit.
struct Wall;

impl Watch for Wall {
    fn now(&mut self) -> Timestamp {
        SystemClock.now()
    }
}

/// Puts the inputs of a plan together; without a project everything has to be named, and the policy has its default.
pub fn gather(home: Option<&Home>, sources: &Sources, intent: Document) -> Result<Inputs, Rejected> {
    let (folder, shown) = match (&sources.registry, home) {
        (Some(path), _) => (path.clone(), path.display().to_string()),
        (None, Some(home)) => (home.root.join(REGISTRY), REGISTRY.to_owned()),
        (None, None) => (PathBuf::from(REGISTRY), REGISTRY.to_owned()),
    };
    thread::scope(|scope| {
        // Beside the look at the repository, most of which is waiting for git.
        let registry = scope.spawn(|| content::registry(&folder, shown.trim_end_matches('/')));
        let facts = match (&sources.facts, home) {
            (Some(path), _) => Some(typed(path, PACK_MAX, FactPack::read)?),
            (None, Some(home)) => Some(scan::look(home, SystemClock.now()).map_err(refused)?),
            (None, None) => None,
        };
        let memory = memory(home, sources, &intent, facts.as_ref())?;
        let policy = match (&sources.policy, home) {
            (Some(path), _) => typed(path, DOCUMENT_MAX, Policy::read)?,
            (None, Some(home)) => config::read(&home.config(), config::NAME)?.policy,
            (None, None) => Policy::default(),
        };
        let pins = sources.lock.as_ref().map(|path| typed(path, PACK_MAX, Lock::read)).transpose()?;
        let registry = registry.join().unwrap_or_else(|panic| resume_unwind(panic)).map_err(refused)?;
        Ok(Inputs { intent, policy, registry, pins, facts, memory, supersedes: None, rounds: Vec::new() })
    })
}

/// Reads a document that was named on the command line: JSON, or YAML where its name says so.
pub fn named(path: &Path) -> Result<Document, Rejected> {
    Ok(opened(path)?.1)
}

/// The same with its bytes.
pub fn opened(path: &Path) -> Result<(Vec<u8>, Document), Rejected> {
    read(path, DOCUMENT_MAX)
}

/// Plans; the steps that are on a tape already keep their times.
pub fn walk(inputs: &Inputs, times: &[Timestamp]) -> Result<Run, NoRun> {
    plan(inputs, &mut Replayed::new(times, Wall), &Strict)
}

/// Answers that were built here, as the document that planning takes.
pub fn handed_in(pack: &answers::AnswerPack) -> Result<Document, Rejected> {
    let bytes = canonical::to_vec(pack)
        .map_err(|error| refused(Diagnostic::error(diagnostic::PROVOST_BUG, error.to_string())))?;
    document::read("answers.json", &bytes, &limits(DOCUMENT_MAX)).map_err(|it| rejected(it, &bytes))
}

fn limits(bytes_max: u32) -> Limits {
    Limits { bytes_max, ..Limits::default() }
}

fn memory(
    home: Option<&Home>,
    sources: &Sources,
    intent: &Document,
    facts: Option<&FactPack>,
) -> Result<Option<MemoryPack>, Rejected> {
    let (path, shown) = match (&sources.memory, home) {
        (Some(path), _) => (path.clone(), path.display().to_string()),
        // A project that has no memory at all is told so by its plan.
        (None, Some(home)) if home.root.join(MEMORY).exists() => (home.root.join(MEMORY), MEMORY.to_owned()),
        (None, _) => return Ok(None),
    };
    let memory = content::memory(&path, shown.trim_end_matches('/'))
        .map_err(|defects| Rejected { text: String::new(), defects })?;
    let items = match memory {
        Memory::Pack(pack) => return Ok(Some(*pack)),
        Memory::Items(items) => items,
    };
    let created_at = intent.root.get("created_at").and_then(|it| it.as_str());
    let created_at = created_at.filter(|text| Timestamp::from_rfc3339(text).is_some()).unwrap_or(EPOCH);
    let project = intent.root.get("scope").and_then(|it| it.get("project_id")).and_then(|it| it.as_str());
    let is_name = |name: &&str| (1..=128).contains(&name.chars().count());
    let project = project.filter(is_name).or(facts.map(|it| it.project_id.as_str())).unwrap_or("project");
    Ok(Some(MemoryPack::choose(&items, project, created_at)))
}

fn typed<T>(
    path: &Path,
    bytes_max: u32,
    read: impl Fn(&Document) -> Result<T, Unreadable>,
) -> Result<T, Rejected> {
    let (bytes, document) = self::read(path, bytes_max)?;
    read(&document).map_err(|it| rejected(it, &bytes))
}

fn read(path: &Path, bytes_max: u32) -> Result<(Vec<u8>, Document), Rejected> {
    let shown = path.display().to_string();
    let trouble = |why: String| {
        refused(Diagnostic::error(diagnostic::PLANNING_INPUT, format!("{} {why}", quoted(&shown))))
    };
    let bytes = regular::named(path, u64::from(bytes_max) + 1).map_err(|why| trouble(why.to_string()))?;
    let document =
        document::read_any(&shown, &bytes, &limits(bytes_max)).map_err(|it| rejected(it, &bytes))?;
    Ok((bytes, document))
}

/// Everything that is wrong with a file, with its text where that helps.
fn rejected(unreadable: Unreadable, bytes: &[u8]) -> Rejected {
    let text = str::from_utf8(bytes).ok().filter(|text| text.lines().all(|line| line.len() <= LINE_MAX));
    Rejected { text: text.unwrap_or_default().to_owned(), defects: unreadable.defects }
}

fn refused(diagnostic: Diagnostic) -> Rejected {
    Rejected { text: String::new(), defects: vec![diagnostic] }
}
