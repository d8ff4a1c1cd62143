//! The project stream: that a project exists, who opened its journal, which settings are in force, and what
//! people remarked. It is the part of the state that every other stream stands on.

mod event;
mod settings;

use serde::{Deserialize, Serialize};

use crate::decider::{At, Impossible, Opening};
use crate::diagnostic::{self, Diagnostic};
use crate::record::Sequence;
use crate::time::Timestamp;

pub use event::{Attachment, Change, Event, Kind, Noted, Opened};
pub use settings::Settings;

/// The name of this stream on the record.
pub const STREAM: &str = "project";

/// The most bytes that a remark may have.
pub const NOTE_MAX: usize = 8 * 1024;

/// What can be asked of the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Makes the project if there is none, and puts settings in force that differ from those on the record.
    Prepare(Preparation),
    /// Records a person's remark, after preparing: both or neither.
    Note {
        /// What has to be in place.
        preparation: Preparation,
        /// The remark.
        text: String,
        /// Files handed in with it, already kept as artifacts.
        attached: Vec<Attachment>,
    },
}

/// What has to be in place before anything else is recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preparation {
    /// The id that the project gets if it is made now.
    pub project_id: String,
    /// The settings as configured.
    pub settings: Settings,
}

/// What is known of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// Its id, once it exists.
    pub id: Option<String>,
    /// The settings in force.
    pub settings: Settings,
    /// The openings of its journal.
    pub sessions: Sessions,
    /// How many remarks there are.
    pub notes: u64,
    /// The last record of this stream.
    pub last: Sequence,
}

/// The openings of the journal, as far as anyone asks about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sessions {
    /// The opening that is writing or wrote last.
    pub current: Option<Session>,
    /// The id of the one before.
    pub previous_id: Option<String>,
    /// How many openings there were.
    pub count: u64,
}

/// One opening of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// When it wrote its first record.
    pub started_at: Timestamp,
}

impl Project {
    /// Says what a command makes happen.
    pub fn decide(&self, command: &Command) -> Result<Vec<Event>, Diagnostic> {
        match command {
            Command::Prepare(preparation) => Ok(self.decide_preparation(preparation)),
            Command::Note { preparation, text, attached } => {
                let mut events = self.decide_preparation(preparation);
                events.push(decide_note(text, attached)?);
                Ok(events)
            }
        }
    }

    fn decide_preparation(&self, preparation: &Preparation) -> Vec<Event> {
        let project_id = preparation.project_id.clone();
        let made = self.id.is_none().then_some(Event::Initialised { project_id });
        let changes = self.settings.differences(&preparation.settings);
        let set = (!changes.is_empty()).then_some(Event::SettingsChanged { changes });
        made.into_iter().chain(set).collect()
    }

    /// Says how an opening of the journal is recorded.
    pub fn opened(&self, opening: Opening) -> Event {
        let previous_session_id = self.sessions.current.as_ref().map(|session| session.id.clone());
        Event::Opened(Opened { holder: opening.holder, previous_session_id, cut: opening.cut })
    }

    /// Folds one event into the project.
    pub fn apply(&mut self, at: At<'_>, event: &Event) -> Result<(), Impossible> {
        let impossible = |why: &str| Impossible { event_type: event.kind().name(), why: why.to_owned() };
        match event {
            Event::Initialised { .. } if self.id.is_some() => return Err(impossible("the project exists")),
            Event::Initialised { project_id } => self.id = Some(project_id.clone()),
            Event::Opened(_) => self.sessions.open(at),
            Event::SettingsChanged { changes } => {
                for change in changes {
                    self.settings.take(change).map_err(|why| impossible(&why))?;
                }
            }
            Event::Noted(_) if self.id.is_none() => return Err(impossible("there is no project")),
            Event::Noted(_) => self.notes += 1,
        }
        self.last = at.sequence;
        Ok(())
    }
}

fn decide_note(text: &str, attached: &[Attachment]) -> Result<Event, Diagnostic> {
    if text.trim().is_empty() {
        return Err(Diagnostic::error(diagnostic::NOTE_EMPTY, "the note has no text"));
    }
    if text.len() > NOTE_MAX {
        let message = format!("the note has {} bytes, the limit is {NOTE_MAX}", text.len());
        return Err(Diagnostic::error(diagnostic::NOTE_TOO_LONG, message));
    }
    Ok(Event::Noted(Noted { text: text.to_owned(), attached: attached.to_vec() }))
}

impl Sessions {
    fn open(&mut self, at: At<'_>) {
        let session = Session { id: at.session_id.to_owned(), started_at: at.timestamp };
        self.previous_id = self.current.replace(session).map(|before| before.id);
        self.count += 1;
    }
}
