//! What an agent said with its tools during one turn, apart because calls come one by one, each is answered at once, and
//! only the end of the turn shows how they fit what was printed.

use super::{CHECKPOINTS_MAX, Checkpoint, Expected, Heard, Name, Outcome, Reason, Rejection, Signal, called};

/// The signals that were sent with tools in one turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// How far the agent said it was; of more than [`CHECKPOINTS_MAX`], the last.
    pub checkpoints: Vec<Checkpoint>,
    /// How the calls end the turn.
    ending: Option<Ending>,
}

/// How calls end a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ending {
    /// With a signal.
    Signal(Signal),
    /// With a call that could not be taken and was not made better.
    Refused(Rejection),
    /// With signals that exclude each other; nothing mends that.
    Several(Rejection),
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The turn goes on.
    Noted,
    /// The turn ends with it.
    Ends,
    /// The turn ends with it; what was said before under the same name counts no more.
    Replaces,
}

impl Calls {
    /// Takes a call in. What the agent gets back as a rejection it can mend by calling again, unless it has already
    /// said two things that exclude each other.
    pub fn take(&mut self, expected: &Expected<'_>, name: Name, fields: &str) -> Result<Taken, Rejection> {
        if let (Some(Ending::Several(rejection)), true) = (&self.ending, name.ends_the_turn()) {
            return Err(rejection.clone());
        }
        match called(expected, name, fields) {
            Ok(Signal::Checkpoint(checkpoint)) => {
                if self.checkpoints.len() == CHECKPOINTS_MAX {
                    self.checkpoints.remove(0);
                }
                self.checkpoints.push(checkpoint);
                Ok(Taken::Noted)
            }
            Ok(signal) => self.end(signal),
            Err(rejection) => {
                // What was taken before stands: the agent knows that this call was not.
                let stands = matches!(self.ending, Some(Ending::Signal(_) | Ending::Several(_)));
                if name.ends_the_turn() && !stands {
                    self.ending = Some(Ending::Refused(rejection.clone()));
                }
                Err(rejection)
            }
        }
    }

    fn end(&mut self, signal: Signal) -> Result<Taken, Rejection> {
        let taken = match &self.ending {
            Some(Ending::Signal(before)) if before.name() != signal.name() => {
                let rejection = several(before.name(), signal.name());
                self.ending = Some(Ending::Several(rejection.clone()));
                return Err(rejection);
            }
            Some(Ending::Signal(before)) if *before != signal => Taken::Replaces,
            _ => Taken::Ends,
        };
        self.ending = Some(Ending::Signal(signal));
        Ok(taken)
    }

    /// What the turn came to, with what was printed in it. A call counts before JSON and text, and what does not
    /// exclude it is forgotten; a refused call counts only where nothing was printed that is better.
    pub fn with(self, printed: Heard) -> Heard {
        let mut checkpoints = printed.checkpoints;
        checkpoints.retain(|checkpoint| !self.checkpoints.contains(checkpoint));
        checkpoints.extend(self.checkpoints);
        checkpoints.drain(..checkpoints.len().saturating_sub(CHECKPOINTS_MAX));
        let outcome = match (self.ending, printed.outcome) {
            (Some(Ending::Several(rejection)), _) | (Some(Ending::Refused(rejection)), Outcome::Silent) => {
                Outcome::Rejected(rejection)
            }
            (Some(Ending::Signal(called)), Outcome::Signal(other)) if called.name() != other.name() => {
                Outcome::Rejected(several(called.name(), other.name()))
            }
            (Some(Ending::Signal(called)), Outcome::Signal(_) | Outcome::Silent) => Outcome::Signal(called),
            (Some(Ending::Signal(called)), Outcome::Rejected(rejection)) => {
                if rejection.reason == Reason::SeveralSignals {
                    Outcome::Rejected(rejection)
                } else {
                    Outcome::Signal(called)
                }
            }
            (None | Some(Ending::Refused(_)), outcome) => outcome,
        };
        Heard { checkpoints, outcome }
    }
}

fn several(one: Name, other: Name) -> Rejection {
    Rejection::new(Reason::SeveralSignals, format!("the turn has both {one} and {other}"))
}
