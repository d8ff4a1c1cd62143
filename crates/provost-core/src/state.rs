//! The whole state of a project: each stream's part, one command and one event type over all of them.

use serde::{Deserialize, Serialize};

use crate::decider::{self, At, Decider, Impossible, Moment, Opening, Unreadable};
use crate::diagnostic::Diagnostic;
use crate::digest::Digest;
use crate::effects::{AfterCrash, EffectId, Effects};
use crate::project::{self, Project};
use crate::record::Record;
use crate::time::Timestamp;

/// Everything that the journal says, folded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The project stream.
    pub project: Project,
    effects: Effects<Effect>,
}

/// What can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "stream", rename_all = "snake_case")]
pub enum Command {
    /// Of the project stream.
    Project(project::Command),
    /// Time has passed.
    #[serde(skip)]
    Woken,
    /// An effect was running when its performer ended.
    #[serde(skip)]
    Lost(EffectId),
}

/// What can have happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// To the project.
    Project(project::Event),
}

/// What can be wanted of the world. The project stream wants nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {}

impl crate::effects::Effect for Effect {
    fn after_crash(&self) -> AfterCrash {
        match *self {}
    }
}

impl Decider for State {
    type Command = Command;
    type Event = Event;
    type Effect = Effect;

    fn decide(&self, command: &Command, _moment: Moment) -> Result<Vec<Event>, Diagnostic> {
        match command {
            Command::Project(command) => {
                Ok(self.project.decide(command)?.into_iter().map(Event::Project).collect())
            }
            Command::Woken | Command::Lost(_) => Ok(Vec::new()),
        }
    }

    fn apply(&mut self, at: At<'_>, event: &Event) -> Result<(), Impossible> {
        match event {
            Event::Project(event) => self.project.apply(at, event),
        }
    }

    fn due(&self) -> &Effects<Effect> {
        &self.effects
    }

    fn wake(&self) -> Option<Timestamp> {
        None
    }

    fn opened(&self, opening: Opening) -> Event {
        Event::Project(self.project.opened(opening))
    }

    fn woken() -> Command {
        Command::Woken
    }

    fn lost(effect: EffectId) -> Command {
        Command::Lost(effect)
    }
}

impl decider::Event for Event {
    fn stream(&self) -> &'static str {
        match self {
            Event::Project(event) => event.stream(),
        }
    }

    fn event_type(&self) -> &'static str {
        match self {
            Event::Project(event) => event.event_type(),
        }
    }

    fn artifacts(&self) -> Vec<Digest> {
        match self {
            Event::Project(event) => event.artifacts(),
        }
    }

    fn details(&self) -> String {
        match self {
            Event::Project(event) => event.details(),
        }
    }

    fn read(record: &Record<'_>) -> Result<Event, Unreadable> {
        match record.stream {
            project::STREAM => project::Event::read(record).map(Event::Project),
            _ => Err(Unreadable::Newer(record.event_type.to_owned())),
        }
    }
}
