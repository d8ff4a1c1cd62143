//! Everything that a plan is a function of, and the id that follows from it. Apart because whatever is not in here cannot
//! change a byte of a plan.

use serde::Serialize;

use super::PLANNER_VERSION;
use super::facts::FactPack;
use super::memory::MemoryPack;
use super::policy::Policy;
use crate::canonical::{self, NotCanonical, checksum};
use crate::digest::Digest;
use crate::document::Document;
use crate::registry::{Lock, Registry};

/// What every id of a run begins with.
pub const RUN_PREFIX: &str = "coord_run_";

/// Everything that a plan is a function of.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The intent, as it was read.
    pub intent: Document,
    /// The policy in force.
    pub policy: Policy,
    /// What may be named.
    pub registry: Registry,
    /// Versions that the submitter wants, and no others.
    pub pins: Option<Lock>,
    /// What is known of the project.
    pub facts: Option<FactPack>,
    /// What is remembered.
    pub memory: Option<MemoryPack>,
    /// The run that this one replaces.
    pub supersedes: Option<String>,
    /// What came for each pack of questions, in order.
    pub rounds: Vec<Round>,
}

/// What came for a pack of questions.
#[derive(Clone, Debug)]
pub enum Round {
    /// Answers, as they were read.
    Answers(Document),
    /// Nothing, and nobody waits any longer.
    Silence,
}

#[derive(Serialize)]
struct Identity<'i> {
    intent: Digest,
    policy: Digest,
    registry: Digest,
    pins: Option<Digest>,
    facts: Option<Digest>,
    memory: Option<Digest>,
    planner: &'static str,
    supersedes: Option<&'i str>,
}

impl Inputs {
    /// The id of the run that these make: the same for the same, however spelled and whenever asked. Answers are not part
    /// of it; they come to a run that exists.
    pub fn run_id(&self) -> Result<String, NotCanonical> {
        let identity = Identity {
            intent: Digest::of(&checksum::spelled(&self.intent.root)),
            policy: self.policy.digest()?,
            registry: self.registry.digest(),
            pins: self.pins.as_ref().map(Lock::digest),
            facts: self.facts.as_ref().map(FactPack::content_digest),
            memory: self.memory.as_ref().map(MemoryPack::content_digest),
            planner: PLANNER_VERSION,
            supersedes: self.supersedes.as_deref(),
        };
        let hex = canonical::digest(&identity)?.to_string();
        Ok(format!("{RUN_PREFIX}{}", hex.get(..16).unwrap_or(&hex)))
    }
}
