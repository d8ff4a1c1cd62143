//! What can have happened to a project, and how it stands on the record.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::STREAM;
use crate::decider::{self, Unreadable};
use crate::digest::Digest;
use crate::record::{Cut, Record};

/// An event of the project stream.
#[derive(Clone, Debug, PartialEq, Eq, strum::EnumDiscriminants)]
#[strum_discriminants(
    name(Kind),
    doc = "An event of the project stream without its data.",
    derive(PartialOrd, Ord, IntoStaticStr, EnumString, VariantArray)
)]
pub enum Event {
    /// The project was made.
    #[strum_discriminants(strum(serialize = "project.initialised"))]
    Initialised {
        /// Its id.
        project_id: String,
    },
    /// A process began to write.
    #[strum_discriminants(strum(serialize = "project.opened"))]
    Opened(Opened),
    /// Settings were changed.
    #[strum_discriminants(strum(serialize = "project.settings_changed"))]
    SettingsChanged {
        /// Each difference.
        changes: Vec<Change>,
    },
    /// A person made a remark.
    #[strum_discriminants(strum(serialize = "project.noted"))]
    Noted(Noted),
}

/// Who began to write, and what it found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    /// The process, for people.
    pub holder: String,
    /// The opening before this one.
    pub previous_session_id: Option<String>,
    /// The incomplete batch that was cut off.
    pub cut: Option<Cut>,
}

/// One setting that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Its full name.
    pub name: String,
    /// Its value before.
    pub from: u32,
    /// Its value from now on.
    pub to: u32,
}

/// A person's remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noted {
    /// What was said.
    pub text: String,
    /// Files that were handed in with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attached: Vec<Attachment>,
}

/// A file that was handed in, kept as an artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// Its name as given.
    pub name: String,
    /// Its content.
    pub sha256: Digest,
    /// Its size.
    pub bytes: u64,
}

#[derive(Serialize, Deserialize)]
struct Initialised<'a> {
    #[serde(borrow)]
    project_id: std::borrow::Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
struct SettingsChanged<'a> {
    changes: std::borrow::Cow<'a, [Change]>,
}

impl Kind {
    /// Its name on the record.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What has happened when it is on the record.
    pub const fn what(self) -> &'static str {
        match self {
            Kind::Initialised => "the project was made",
            Kind::Opened => "a process began to write; the first record of every epoch",
            Kind::SettingsChanged => "settings came into force that differ from those before",
            Kind::Noted => "a person made a remark",
        }
    }
}

impl Event {
    /// The event without its data.
    pub fn kind(&self) -> Kind {
        self.into()
    }

    /// The event's data as JSON text.
    fn details_text(&self) -> String {
        let text = match self {
            Event::Initialised { project_id } => {
                serde_json::to_string(&Initialised { project_id: project_id.as_str().into() })
            }
            Event::Opened(opened) => serde_json::to_string(opened),
            Event::SettingsChanged { changes } => {
                serde_json::to_string(&SettingsChanged { changes: changes.as_slice().into() })
            }
            Event::Noted(noted) => serde_json::to_string(noted),
        };
        // Strings, numbers and lists of them always have a JSON form.
        text.unwrap_or_default()
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
        self.details_text()
    }

    fn artifacts(&self) -> Vec<Digest> {
        match self {
            Event::Noted(noted) => noted.attached.iter().map(|file| file.sha256).collect(),
            Event::Initialised { .. } | Event::Opened(_) | Event::SettingsChanged { .. } => Vec::new(),
        }
    }

    fn read(record: &Record<'_>) -> Result<Event, Unreadable> {
        let kind = record.event_type.parse::<Kind>();
        let kind = kind.map_err(|_| Unreadable::Newer(record.event_type.to_owned()))?;
        let event = match kind {
            Kind::Initialised => serde_json::from_str::<Initialised<'_>>(record.details)
                .map(|it| Event::Initialised { project_id: it.project_id.into_owned() }),
            Kind::Opened => serde_json::from_str(record.details).map(Event::Opened),
            Kind::SettingsChanged => serde_json::from_str::<SettingsChanged<'_>>(record.details)
                .map(|it| Event::SettingsChanged { changes: it.changes.into_owned() }),
            Kind::Noted => serde_json::from_str(record.details).map(Event::Noted),
        };
        event.map_err(|error| Unreadable::Details {
            event_type: record.event_type.to_owned(),
            why: error.to_string(),
        })
    }
}
