//! The whole state of a project: each stream's part, one command and one event type over all of them.

use serde::{Deserialize, Serialize};

use crate::decider::{self, At, Decider, Impossible, Moment, Opening, Unreadable};
use crate::delivery::{self, Board, Deliveries, Effect};
use crate::diagnostic::Diagnostic;
use crate::digest::Digest;
use crate::effects::{EffectId, Effects};
use crate::planning::Phase;
use crate::planning::runs::{self, PlanRun, Runs};
use crate::project::{self, Project};
use crate::record::Record;
use crate::time::Timestamp;

/// Everything that the journal says, folded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The project stream.
    pub project: Project,
    /// The planning stream.
    pub plans: Runs,
    /// The delivery stream.
    pub deliveries: Deliveries,
    effects: Effects<Effect>,
}

/// What can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "stream", rename_all = "snake_case")]
pub enum Command {
    /// Of the project stream.
    Project(project::Command),
    /// Of the planning stream.
    Planning(runs::Command),
    /// Of the delivery stream.
    Delivery(delivery::Command),
    /// Time has passed.
    #[serde(skip)]
    Woken,
    /// An effect was running when its performer ended.
    #[serde(skip)]
    Lost(EffectId),
}

impl Command {
    /// Whether somebody has to perform what follows from it.
    pub const fn wants_performing(&self) -> bool {
        matches!(self, Command::Delivery(command) if command.wants_performing())
    }
}

/// What can have happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// To the project.
    Project(project::Event),
    /// To a run of planning.
    Planning(runs::Event),
    /// To a delivery.
    Delivery(delivery::Event),
}

impl State {
    /// Runs of planning that somebody has still to do something with: they wait for answers, or they are frozen and
    /// nothing has replaced or delivered them.
    pub fn undelivered(&self) -> impl Iterator<Item = (&String, &PlanRun)> {
        let all = &self.plans.runs;
        let is_replaced = |id: &String| all.values().any(|other| other.supersedes.as_ref() == Some(id));
        let delivers =
            |board: &Board, id: &String| board.warrant.run.as_ref().is_some_and(|run| run.id == *id);
        let is_delivered = move |id: &String| self.deliveries.boards.values().any(|it| delivers(it, id));
        all.iter().filter(move |(id, run)| {
            matches!(run.phase, Phase::AwaitingAnswers | Phase::Done) && !is_replaced(id) && !is_delivered(id)
        })
    }
}

impl Decider for State {
    type Command = Command;
    type Event = Event;
    type Effect = Effect;

    fn decide(&self, command: &Command, moment: Moment) -> Result<Vec<Event>, Diagnostic> {
        match command {
            Command::Project(command) => {
                Ok(self.project.decide(command)?.into_iter().map(Event::Project).collect())
            }
            Command::Planning(command) => {
                Ok(self.plans.decide(command)?.into_iter().map(Event::Planning).collect())
            }
            Command::Delivery(command) => {
                if let delivery::Command::Begin(begin) = command {
                    self.plans.may_begin(begin)?;
                }
                let events =
                    self.deliveries.decide(command, moment, &self.project.settings, &self.effects)?;
                Ok(events.into_iter().map(Event::Delivery).collect())
            }
            Command::Woken => {
                let step = self.deliveries.step(&self.project.settings, moment);
                Ok(step.into_iter().map(Event::Delivery).collect())
            }
            Command::Lost(effect) => {
                let events = self.deliveries.lost(*effect, moment, &self.effects);
                Ok(events.into_iter().map(Event::Delivery).collect())
            }
        }
    }

    fn apply(&mut self, at: At<'_>, event: &Event) -> Result<(), Impossible> {
        match event {
            Event::Project(event) => self.project.apply(at, event),
            Event::Planning(event) => self.plans.apply(at, event),
            Event::Delivery(event) => {
                self.deliveries.apply(at, event, &self.project.settings, &mut self.effects)
            }
        }
    }

    fn due(&self) -> &Effects<Effect> {
        &self.effects
    }

    fn wake(&self) -> Option<Timestamp> {
        // Work that can be given out is due at once; limits on what runs are kept by whoever performs it.
        self.deliveries.has_step(&self.project.settings).then_some(Timestamp::EPOCH)
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
            Event::Planning(event) => event.stream(),
            Event::Delivery(event) => event.stream(),
        }
    }

    fn event_type(&self) -> &'static str {
        match self {
            Event::Project(event) => event.event_type(),
            Event::Planning(event) => event.event_type(),
            Event::Delivery(event) => event.event_type(),
        }
    }

    fn task_id(&self) -> Option<&str> {
        match self {
            Event::Project(event) => event.task_id(),
            Event::Planning(event) => event.task_id(),
            Event::Delivery(event) => event.task_id(),
        }
    }

    fn artifacts(&self) -> Vec<Digest> {
        match self {
            Event::Project(event) => event.artifacts(),
            Event::Planning(event) => event.artifacts(),
            Event::Delivery(event) => event.artifacts(),
        }
    }

    fn details(&self) -> String {
        match self {
            Event::Project(event) => event.details(),
            Event::Planning(event) => event.details(),
            Event::Delivery(event) => event.details(),
        }
    }

    fn read(record: &Record<'_>) -> Result<Event, Unreadable> {
        match record.stream {
            project::STREAM => project::Event::read(record).map(Event::Project),
            runs::STREAM => runs::Event::read(record).map(Event::Planning),
            delivery::STREAM => delivery::Event::read(record).map(Event::Delivery),
            _ => Err(Unreadable::Newer(record.event_type.to_owned())),
        }
    }
}
