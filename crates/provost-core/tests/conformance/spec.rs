//! The specification in docs/spec as the tests read it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The folder of the repository's documents.
pub(crate) fn docs() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"))
}

/// Reads one file of docs/spec.
pub(crate) fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = docs().join("spec").join(name).with_extension("toml");
    let text = std::fs::read_to_string(&path).unwrap();
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// An edge between two states; `on` or `label` says what takes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) struct Edge {
    pub(crate) from: String,
    #[serde(default)]
    pub(crate) on: String,
    pub(crate) to: String,
    #[serde(default)]
    pub(crate) label: String,
}

/// A state by name alone or with what is known of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum State {
    Name(String),
    Entry(Entry),
}

/// A state with its place, kind and guards.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Entry {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) order: usize,
    #[serde(default)]
    pub(crate) tag: String,
    #[serde(default)]
    pub(crate) guards: Vec<String>,
}

impl State {
    pub(crate) fn name(&self) -> &str {
        match self {
            State::Name(name) => name,
            State::Entry(entry) => &entry.name,
        }
    }
}

/// What every machine's specification has.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Machine {
    pub(crate) states: Vec<State>,
    pub(crate) edges: Vec<Edge>,
    #[serde(default)]
    pub(crate) silent_edges: Vec<Edge>,
}

/// The specification of delivery with the two machines that serve it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Delivery {
    #[serde(flatten)]
    pub(crate) machine: Machine,
    pub(crate) agent: Machine,
    pub(crate) infrastructure: Machine,
    pub(crate) thresholds: Vec<Threshold>,
    pub(crate) constants: BTreeMap<String, u32>,
    pub(crate) blockers: Vec<Blocker>,
    pub(crate) fields: Vec<Section>,
    pub(crate) structures: BTreeMap<String, Vec<String>>,
    pub(crate) events: BTreeMap<String, BTreeSet<String>>,
}

/// A counter and the number at which it escalates.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Threshold {
    pub(crate) attempts: String,
    pub(crate) at: u32,
}

/// A reason why a developer cannot finish.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Blocker {
    pub(crate) category: String,
}

/// The state fields of one section.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) struct Section {
    pub(crate) section: String,
    pub(crate) fields: Vec<Field>,
}

/// A field of the state document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) struct Field {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
}

/// Where a table and its specification differ on purpose.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Difference {
    pub(crate) machine: String,
    pub(crate) kind: Kind,
    #[serde(default)]
    pub(crate) states: Vec<String>,
    #[serde(default)]
    pub(crate) edges: Vec<Vec<String>>,
    pub(crate) decision: String,
    pub(crate) reason: String,
}

/// Which side has more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// The table has it, the specification does not.
    Extra,
    /// The specification has it, the table does not.
    Missing,
}

/// All differences that docs/spec admits.
pub(crate) fn differences() -> Vec<Difference> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        difference: Vec<Difference>,
    }
    read::<File>("differences").difference
}
