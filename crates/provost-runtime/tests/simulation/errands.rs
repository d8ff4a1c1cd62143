//! What the simulation decides about: errands, each an effect of one of the three kinds, with a deadline, retries
//! and cancellation. Small, and with everything in it that a driver has to get right.

use std::collections::BTreeMap;

use provost_core::decider::{self, At, Decider, Impossible, Moment, Opening, Unreadable};
use provost_core::diagnostic::{self, Diagnostic};
use provost_core::effects::{self, AfterCrash, EffectId, Effects, Standing};
use provost_core::record::{Cut, Record};
use provost_core::time::Timestamp;
use serde::{Deserialize, Serialize};

/// How often an errand is tried.
const ATTEMPTS_MAX: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    Redo,
    Probe,
    Lose,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Ask { errand: u32, kind: Kind, patience_ms: u64 },
    Cancel { errand: u32 },
    Started(EffectId),
    Ended { effect: EffectId, ok: bool },
    Lost(EffectId),
    Woken,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Event {
    Opened { holder: String, cut: Option<Cut> },
    Asked { errand: u32, kind: Kind, patience_ms: u64 },
    Tried { errand: u32 },
    Started { effect: EffectId },
    Done { errand: u32 },
    Failed { errand: u32 },
    Lost { errand: u32 },
    Expired { errand: u32 },
    GivenUp { errand: u32 },
    Cancelled { errand: u32 },
    Late { effect: EffectId },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) errand: u32,
    pub(crate) kind: Kind,
}

impl effects::Effect for Job {
    fn after_crash(&self) -> AfterCrash {
        match self.kind {
            Kind::Redo => AfterCrash::Redo,
            Kind::Probe => AfterCrash::Probe,
            Kind::Lose => AfterCrash::Lose,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Open,
    Done,
    GivenUp,
    Cancelled,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Errand {
    pub(crate) kind: Kind,
    pub(crate) status: Status,
    pub(crate) attempts: u32,
    pub(crate) effect: Option<EffectId>,
    pub(crate) last_effect: Option<EffectId>,
    patience_ms: u64,
    deadline: Option<Timestamp>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Errands {
    pub(crate) all: BTreeMap<u32, Errand>,
    pub(crate) late: u64,
    pub(crate) openings: u64,
    effects: Effects<Job>,
}

impl Errands {
    fn owner(&self, effect: EffectId) -> Option<u32> {
        self.effects.get(effect).map(|open| open.effect.errand)
    }

    /// What follows when an attempt came to nothing.
    fn again(&self, errand: u32, first: Event) -> Vec<Event> {
        let next = if self.all.get(&errand).unwrap().attempts < ATTEMPTS_MAX {
            Event::Tried { errand }
        } else {
            Event::GivenUp { errand }
        };
        vec![first, next]
    }

    fn close(&mut self, errand: u32) -> &mut Errand {
        let it = self.all.get_mut(&errand).unwrap();
        it.deadline = None;
        if let Some(effect) = it.effect.take() {
            self.effects.end(effect);
        }
        it
    }
}

impl Decider for Errands {
    type Command = Command;
    type Event = Event;
    type Effect = Job;

    fn decide(&self, command: &Command, moment: Moment) -> Result<Vec<Event>, Diagnostic> {
        let refused = |why: &str| Err(Diagnostic::error(diagnostic::PROJECT_MISSING, why));
        match *command {
            Command::Ask { errand, .. } if self.all.contains_key(&errand) => refused("asked before"),
            Command::Ask { errand, kind, patience_ms } => {
                Ok(vec![Event::Asked { errand, kind, patience_ms }, Event::Tried { errand }])
            }
            Command::Cancel { errand } => match self.all.get(&errand).map(|it| it.status) {
                Some(Status::Open) => Ok(vec![Event::Cancelled { errand }]),
                _ => refused("not open"),
            },
            Command::Started(effect) | Command::Ended { effect, .. } | Command::Lost(effect)
                if self.effects.standing(effect) == Standing::Late =>
            {
                Ok(vec![Event::Late { effect }])
            }
            Command::Started(effect) => Ok(vec![Event::Started { effect }]),
            Command::Ended { effect, ok } => {
                let errand = self.owner(effect).unwrap();
                Ok(if ok {
                    vec![Event::Done { errand }]
                } else {
                    self.again(errand, Event::Failed { errand })
                })
            }
            Command::Lost(effect) => {
                let errand = self.owner(effect).unwrap();
                Ok(self.again(errand, Event::Lost { errand }))
            }
            Command::Woken => {
                let expired =
                    self.all.iter().filter(|(_, it)| it.deadline.is_some_and(|at| at <= moment.now));
                Ok(expired.flat_map(|(&errand, _)| self.again(errand, Event::Expired { errand })).collect())
            }
        }
    }

    fn apply(&mut self, at: At<'_>, event: &Event) -> Result<(), Impossible> {
        match *event {
            Event::Opened { .. } => self.openings += 1,
            Event::Asked { errand, kind, patience_ms } => {
                let status = Status::Open;
                let it = Errand {
                    kind,
                    status,
                    attempts: 0,
                    effect: None,
                    last_effect: None,
                    patience_ms,
                    deadline: None,
                };
                self.all.insert(errand, it);
            }
            Event::Tried { errand } => {
                let it = self.all.get_mut(&errand).unwrap();
                let effect = EffectId(at.sequence);
                it.attempts += 1;
                (it.effect, it.last_effect) = (Some(effect), Some(effect));
                it.deadline = Some(at.timestamp.plus_ms(it.patience_ms));
                self.effects.begin(effect, Job { errand, kind: it.kind });
            }
            Event::Started { effect } => self.effects.start(effect),
            Event::Done { errand } => self.close(errand).status = Status::Done,
            Event::GivenUp { errand } => self.close(errand).status = Status::GivenUp,
            Event::Cancelled { errand } => self.close(errand).status = Status::Cancelled,
            Event::Failed { errand } | Event::Lost { errand } | Event::Expired { errand } => {
                self.close(errand);
            }
            Event::Late { .. } => self.late += 1,
        }
        Ok(())
    }

    fn due(&self) -> &Effects<Job> {
        &self.effects
    }

    fn wake(&self) -> Option<Timestamp> {
        self.all.values().filter_map(|it| it.deadline).min()
    }

    fn opened(&self, opening: Opening) -> Event {
        Event::Opened { holder: opening.holder, cut: opening.cut }
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
        "errands"
    }

    fn event_type(&self) -> &'static str {
        "errands.event"
    }

    fn details(&self) -> String {
        serde_json::to_string(self).unwrap()
    }

    fn read(record: &Record<'_>) -> Result<Event, Unreadable> {
        let unreadable = |error: serde_json::Error| Unreadable::Details {
            event_type: record.event_type.to_owned(),
            why: error.to_string(),
        };
        serde_json::from_str(record.details).map_err(unreadable)
    }
}
