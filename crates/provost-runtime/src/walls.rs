//! Walls around a program: what it can reach of the machine. Plain data that travels with a job; the supervisor raises
//! them before the program begins.
//!
//! Two things build walls. With bubblewrap the program lives in namespaces of its own, where what is hidden is not
//! there at all; Landlock stands inside as a second wall. Without bubblewrap Landlock stands alone and leaves some
//! things open, which [`Force::open`] names.

mod bubblewrap;
mod confine;
mod grants;
mod raise;
mod strength;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

pub(crate) use confine::close_descriptors;
pub use confine::confine;
pub(crate) use raise::{Began, Raised, raise};
pub use strength::{Force, Strength};

/// The folder for temporary files inside of walls that have a file system of their own.
pub const TEMPORARY: &str = "/tmp";

/// Variables that say where tools keep what they have made, and the folder of the person's home that it otherwise is in:
/// these tools do not work where they cannot write it.
const CACHES: &[(&str, &str)] = &[("npm_config_cache", ".npm"), ("GOCACHE", ".cache/go-build")];

/// What a program can reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Walls {
    /// What builds them.
    pub by: Builder,
    /// Paths that differ from the folder that they are in; everything else can be read and not written.
    pub places: BTreeMap<PathBuf, Access>,
    /// A folder that is empty when the program begins, for its temporary files.
    pub scratch: PathBuf,
    /// What it can reach of the network.
    pub network: Network,
    /// Whether the program builds walls of its own, which Landlock would keep it from.
    pub nests: bool,
}

/// What builds walls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Builder {
    /// This `bwrap`, with Landlock inside where the kernel has it.
    Bubblewrap(PathBuf),
    /// The kernel's Landlock alone.
    Landlock,
}

/// What may be done with a path and all below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// It is read and run.
    ReadOnly,
    /// It is read, run and changed.
    Writable,
    /// It is read and run, and where it is missing it cannot be made.
    Sealed,
    /// It is not there.
    Hidden,
    /// The program's own scratch folder is there instead.
    Scratch,
}

/// What can be reached of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// Everything.
    Open,
    /// A loopback that nobody else is on; without namespaces everything.
    Loopback,
    /// A loopback that nobody else is on; without namespaces no TCP at all.
    None,
}

/// Whether programs run inside walls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Sandbox {
    /// Inside the best walls that the machine can build.
    #[default]
    Prefer,
    /// Inside walls with namespaces, or not at all.
    Require,
    /// Without walls.
    Off,
}

/// How far a configured program reaches beyond its worktree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// What it can reach of the network, if that is configured.
    pub network: Option<Network>,
    /// Paths that it may write; `~` is the person's home.
    pub writable: Vec<String>,
    /// Whether it builds walls of its own.
    pub nests: bool,
}

impl Walls {
    /// What may be done with a path: what is said of it, or of the nearest folder around it.
    fn at(&self, path: &Path) -> Access {
        path.ancestors().find_map(|part| self.places.get(part)).copied().unwrap_or(Access::ReadOnly)
    }

    /// What may be done with the folder that a path is in.
    fn around(&self, path: &Path) -> Access {
        path.parent().map_or(Access::ReadOnly, |folder| self.at(folder))
    }

    /// Variables that programs inside need beside their own.
    pub(crate) fn variables(&self, own: &BTreeMap<String, String>) -> Vec<(&'static str, PathBuf)> {
        let temporary = match self.by {
            Builder::Bubblewrap(_) => Path::new(TEMPORARY),
            Builder::Landlock => &self.scratch,
        };
        // Git would otherwise try to note what it has seen in an index that cannot be written.
        let mut variables =
            vec![("TMPDIR", temporary.to_owned()), ("GIT_OPTIONAL_LOCKS", PathBuf::from("0"))];
        let home = own.get("HOME").map(PathBuf::from).unwrap_or_default();
        for (name, folder) in CACHES.iter().copied().filter(|(name, _)| !own.contains_key(*name)) {
            if self.at(&home.join(folder)) != Access::Writable {
                variables.push((name, temporary.join(name)));
            }
        }
        variables
    }

    /// Paths that can be written.
    fn writable(&self) -> impl Iterator<Item = &Path> {
        let writable = self.places.iter().filter(|(_, access)| **access == Access::Writable);
        writable.map(|(path, _)| path.as_path())
    }
}
