//! The registry: everything that an intent may name, in one snapshot that planning looks at and never changes.
//!
//! A broken workflow, agent, command, model or expert only makes itself unknown; a broken rule stops every run, because
//! nobody can tell what it would have forbidden.

mod content;
mod frozen;
mod findings;
mod lock;
pub(crate) mod shape;
mod snapshot;

pub use content::{
    Agent, Command, CommandEffect, Expert, Header, Kind, Lineage, Location, Model, Parent, Slot, Status,
    Workflow, WorkflowLink, WorkflowPhase,
};
pub use findings::Findings;
pub(crate) use frozen::SNAPSHOT;
pub use lock::{Drift, Found, LOCK, Lock, Pin};
pub use shape::schema;
pub use snapshot::{Broken, Item, Registry, Resolution, Source, Spec};
pub(crate) use snapshot::{by_words, first_of};
