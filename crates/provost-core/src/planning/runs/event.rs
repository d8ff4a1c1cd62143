//! What can have happened to a run, and how it stands on the record.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::{Asked, STREAM};
use crate::decider::{self, Unreadable};
use crate::digest::Digest;
use crate::planning::{Phase, Trigger};
use crate::record::Record;

/// An event of the planning stream.
#[derive(Clone, Debug, PartialEq, Eq, strum::EnumDiscriminants)]
#[strum_discriminants(
    name(Kind),
    doc = "An event of the planning stream without its data.",
    derive(PartialOrd, Ord, IntoStaticStr, EnumString, VariantArray)
)]
pub enum Event {
    /// A run began.
    #[strum_discriminants(strum(serialize = "planning.received"))]
    Received(Received),
    /// A run went from one state to the next.
    #[strum_discriminants(strum(serialize = "planning.advanced"))]
    Advanced(Advanced),
    /// A run came to rest.
    #[strum_discriminants(strum(serialize = "planning.rested"))]
    Rested(Rested),
    /// Somebody looked at a frozen plan and agrees.
    #[strum_discriminants(strum(serialize = "planning.approved"))]
    Approved(Approved),
}

/// A run began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// The run.
    pub run_id: String,
    /// The intent.
    pub intent_id: String,
    /// What the intent is called.
    pub title: String,
    /// The run that it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// The project's own policy at that time; the run may have been planned under another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_policy: Option<Digest>,
}

/// A run went from one state to the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advanced {
    /// The run.
    pub run_id: String,
    /// The state that was left.
    pub from: Phase,
    /// The verdict.
    pub on: Trigger,
    /// The state that was entered.
    pub to: Phase,
}

/// A run came to rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rested {
    /// The run.
    pub run_id: String,
    /// Where.
    pub state: Phase,
    /// All documents in one piece, an artifact.
    pub bundle: Digest,
    /// The manifest.
    pub manifest: Digest,
    /// What is asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Asked>,
    /// What has to be approved before it is delivered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<String>,
}

/// Somebody looked at a frozen plan and agrees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approved {
    /// The run.
    pub run_id: String,
    /// The gate; all of them where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<String>,
    /// Who.
    pub by: String,
    /// Why.
    pub reason: String,
    /// The manifest that was looked at.
    pub manifest: Digest,
}

impl Kind {
    /// Its name on the record.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What has happened when it is on the record.
    pub const fn what(self) -> &'static str {
        match self {
            Kind::Received => "an intent was handed in and has a run",
            Kind::Advanced => "a run went from one state of the planning machine to the next",
            Kind::Rested => "a run came to rest; the bundle holds its documents",
            Kind::Approved => "somebody looked at a frozen plan and agrees",
        }
    }
}

impl Event {
    /// The event without its data.
    pub fn kind(&self) -> Kind {
        self.into()
    }

    /// The run that it is about.
    pub fn run_id(&self) -> &str {
        match self {
            Event::Received(it) => &it.run_id,
            Event::Advanced(it) => &it.run_id,
            Event::Rested(it) => &it.run_id,
            Event::Approved(it) => &it.run_id,
        }
    }
}

impl decider::Event for Event {
    fn stream(&self) -> &'static str {
        STREAM
    }

    fn event_type(&self) -> &'static str {
        self.kind().name()
    }

    fn details(&self) -> String {
        let text = match self {
            Event::Received(it) => serde_json::to_string(it),
            Event::Advanced(it) => serde_json::to_string(it),
            Event::Rested(it) => serde_json::to_string(it),
            Event::Approved(it) => serde_json::to_string(it),
        };
        // Strings and lists of them always have a JSON form.
        text.unwrap_or_default()
    }

    fn artifacts(&self) -> Vec<Digest> {
        match self {
            Event::Rested(rested) => vec![rested.bundle],
            Event::Received(_) | Event::Advanced(_) | Event::Approved(_) => Vec::new(),
        }
    }

    fn read(record: &Record<'_>) -> Result<Event, Unreadable> {
        let kind = record.event_type.parse::<Kind>();
        let kind = kind.map_err(|_| Unreadable::Newer(record.event_type.to_owned()))?;
        let event = match kind {
            Kind::Received => serde_json::from_str(record.details).map(Event::Received),
            Kind::Advanced => serde_json::from_str(record.details).map(Event::Advanced),
            Kind::Rested => serde_json::from_str(record.details).map(Event::Rested),
            Kind::Approved => serde_json::from_str(record.details).map(Event::Approved),
        };
        event.map_err(|error| Unreadable::Details {
            event_type: record.event_type.to_owned(),
            why: error.to_string(),
        })
    }
}
