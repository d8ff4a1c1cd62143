//! A frozen plan, read back, checked and made again: the same inputs must give the same bytes. Apart from planning because
//! it trusts nothing that it reads.

use std::collections::BTreeMap;

use super::bundle::File;
use super::facts::FactPack;
use super::files::{Files, NotFrozen};
use super::inputs::{Inputs, Round};
use super::manifest::{self, Manifest};
use super::memory::MemoryPack;
use super::policy::Policy;
use super::shelf::Strict;
use super::walk::{NoRun, Run, Watch, plan};
use super::{PLANNER_VERSION, Trigger};
use crate::digest::Digest;
use crate::registry::{Lock, Registry};
use crate::time::Timestamp;

/// A frozen plan that was read back.
#[derive(Clone, Debug)]
pub struct Frozen {
    /// Its manifest.
    pub manifest: Manifest,
    /// What it was made from.
    pub inputs: Inputs,
    /// When each step was taken.
    pub times: Vec<Timestamp>,
}

/// Something about a frozen plan that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Broken {
    /// The file.
    pub file: String,
    /// What does not hold.
    pub what: String,
}

/// Gives the times of a tape back, then those of a clock.
pub struct Replayed<'t, W> {
    times: std::slice::Iter<'t, Timestamp>,
    then: W,
}

impl<'t, W: Watch> Replayed<'t, W> {
    /// The times of a tape, then those of a clock.
    pub fn new(times: &'t [Timestamp], then: W) -> Self {
        Self { times: times.iter(), then }
    }
}

impl<W: Watch> Watch for Replayed<'_, W> {
    fn now(&mut self) -> Timestamp {
        self.times.next().copied().unwrap_or_else(|| self.then.now())
    }
}

/// A clock that stands still, for a walk whose times are all known.
struct Stopped(Timestamp);

impl Watch for Stopped {
    fn now(&mut self) -> Timestamp {
        self.0
    }
}

impl Frozen {
    /// Reads back what a plan was made from.
    pub fn read(files: &[File]) -> Result<Frozen, NotFrozen> {
        let shelf = Files(files);
        let manifest: Manifest = shelf.needed(manifest::FILE)?;
        let tape: Times = shelf.needed("tape.json")?;
        let mut rounds = Vec::new();
        for step in &tape.states {
            match step.trigger {
                Some(
                    Trigger::AnswersAccepted
                    | Trigger::AnswersConflicted
                    | Trigger::ConflictsExhausted
                    | Trigger::RedLineCrossed,
                ) if step.from_state == "AWAITING_ANSWERS" => {
                    let file = format!("answers.{}.json", rounds.len() + 1);
                    rounds.push(Round::Answers(shelf.document(&file)?));
                }
                Some(Trigger::DefaultsApplied | Trigger::AnswersMissing) => rounds.push(Round::Silence),
                _ => {}
            }
        }
        let inputs = Inputs {
            intent: shelf.document("intent.json")?,
            policy: shelf.read("policy.json", Policy::read)?,
            registry: shelf.read("registry.json", Registry::thawed)?,
            pins: shelf.optional("pins.json", Lock::read)?,
            facts: shelf.optional("facts.json", FactPack::read)?,
            memory: shelf.optional("memory.json", MemoryPack::read)?,
            supersedes: manifest.supersedes.clone(),
            rounds,
        };
        let times = tape.states.iter().map(|step| step.timestamp).collect();
        Ok(Frozen { manifest, inputs, times })
    }

    /// Makes the plan again.
    pub fn again(&self) -> Result<Run, NoRun> {
        let last = self.times.last().copied().unwrap_or(Timestamp::EPOCH);
        plan(&self.inputs, &mut Replayed::new(&self.times, Stopped(last)), &Strict)
    }
}

/// Checks a frozen plan: digests, lineage, and that the same inputs give the same bytes. Every file that does not hold is
/// named; the second value says why the plan was not made again, where it was not.
pub fn verify(files: &[File]) -> (Vec<Broken>, Option<String>) {
    let mut broken = digests(files);
    let frozen = match Frozen::read(files) {
        Ok(frozen) => frozen,
        Err(NotFrozen::Missing(file)) => {
            broken.push(Broken { file, what: "it is missing".to_owned() });
            return (settled(broken), None);
        }
        Err(NotFrozen::Unreadable { file, why }) => {
            broken.push(Broken { file, what: why });
            return (settled(broken), None);
        }
    };
    if frozen.manifest.coordinator_version != PLANNER_VERSION {
        let made = &frozen.manifest.coordinator_version;
        return (
            settled(broken),
            Some(format!("it was planned by version {made}, this is {PLANNER_VERSION}")),
        );
    }
    match frozen.again() {
        Ok(run) => compare(files, &run.files, &mut broken),
        Err(error) => broken.push(Broken { file: "intent.json".to_owned(), what: error.to_string() }),
    }
    (settled(broken), None)
}

/// Files whose bytes are not those that the manifest names, and files that it does not name.
fn digests(files: &[File]) -> Vec<Broken> {
    let Ok(manifest) = Files(files).needed::<Manifest>(manifest::FILE) else { return Vec::new() };
    let mut broken = Vec::new();
    if manifest.covered().ok() != Some(manifest.bundle_checksum) {
        broken.push(Broken {
            file: manifest::FILE.to_owned(),
            what: "its own digest does not hold".to_owned(),
        });
    }
    for listed in &manifest.artifacts {
        match Files(files).bytes(&listed.file) {
            None => broken.push(Broken { file: listed.file.clone(), what: "it is missing".to_owned() }),
            Some(bytes) if Digest::of(bytes) != listed.checksum => {
                broken.push(Broken {
                    file: listed.file.clone(),
                    what: "its bytes are not those that were frozen".to_owned(),
                });
            }
            Some(_) => {}
        }
    }
    let is_known = |name: &str| {
        name == manifest::FILE
            || name.strip_suffix(".md").is_some()
            || manifest.artifacts.iter().any(|listed| listed.file == name)
    };
    for file in files.iter().filter(|file| !is_known(&file.name)) {
        broken.push(Broken { file: file.name.clone(), what: "it is not part of the plan".to_owned() });
    }
    broken
}

fn compare(files: &[File], again: &[File], broken: &mut Vec<Broken>) {
    let made: BTreeMap<&str, &[u8]> =
        again.iter().map(|file| (file.name.as_str(), file.bytes.as_slice())).collect();
    for file in files {
        match made.get(file.name.as_str()) {
            Some(bytes) if *bytes != file.bytes => {
                broken.push(Broken {
                    file: file.name.clone(),
                    what: "planning again gives other bytes".to_owned(),
                });
            }
            None => broken
                .push(Broken { file: file.name.clone(), what: "planning again does not make it".to_owned() }),
            Some(_) => {}
        }
    }
    for name in made.keys().filter(|name| !files.iter().any(|file| file.name == **name)) {
        broken.push(Broken { file: (*name).to_owned(), what: "it is missing".to_owned() });
    }
}

/// What somebody would read of a plan that is not what was frozen, in a folder that it was unpacked to; what is missing
/// there misleads nobody.
pub fn unpacked(frozen: &[File], seen: &[File]) -> Vec<Broken> {
    let differs = |file: &&File| Files(frozen).bytes(&file.name) != Some(file.bytes.as_slice());
    let broken = |file: &File| Broken {
        file: file.name.clone(),
        what: "the unpacked file is not what was frozen; `provost rebuild` unpacks it again".to_owned(),
    };
    seen.iter().filter(differs).map(broken).collect()
}

/// One line for each file: what was found first is the nearest to the cause.
fn settled(mut broken: Vec<Broken>) -> Vec<Broken> {
    let mut seen: Vec<String> = Vec::new();
    broken.retain(|it| {
        let new = !seen.contains(&it.file);
        seen.push(it.file.clone());
        new
    });
    broken.sort();
    broken
}

#[derive(serde::Deserialize)]
struct Times {
    states: Vec<Step>,
}

#[derive(serde::Deserialize)]
struct Step {
    from_state: String,
    timestamp: Timestamp,
    /// None for the step that no row has: that into the first state.
    #[serde(deserialize_with = "trigger")]
    trigger: Option<Trigger>,
}

fn trigger<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Trigger>, D::Error> {
    let name = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
    Ok(name.parse().ok())
}
