//! One turn: decide and apply in order, one batch, one flush, then answers.

use provost_core::decider::{At, Decider, Event, Moment};
use provost_core::diagnostic::{self, Diagnostic};
use provost_core::effects::EffectId;
use provost_core::record::{Batch, Chain, DETAILS_MAX, Draft, Sequence, Unwritable, is_word};
use provost_core::time::Timestamp;

use super::{ACTOR, Cause, Driver, Launch, Performing, Start, Submission, is_request};
use crate::journal::Journal;

/// How many records a turn has before what time brings is left to the next one.
const DRAFTS_MAX: usize = 1024;

/// What a turn has to say, once its records are durable.
#[derive(Debug)]
pub struct Turn<E> {
    /// One answer for each submission, in order.
    pub answers: Vec<Result<Answer, Diagnostic>>,
    /// Effects to begin.
    pub start: Vec<Start<E>>,
    /// Effects that nobody wants any more.
    pub stop: Vec<EffectId>,
    /// Whether the disk refused the records, so that reports have to be sent again.
    pub failed: bool,
}

/// The records that a command led to, as they stand in the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Their lines.
    pub records: Vec<String>,
}

/// What a submission gets when the batch is durable.
enum Outcome {
    Refused(Diagnostic),
    /// Nothing had to change.
    Nothing,
    /// Records of this turn or of an earlier one, first and last.
    Recorded(Sequence, Sequence),
}

impl<D: Decider, J: Journal> Driver<D, J> {
    /// Does one turn over at most [`super::TURN_MAX`] submissions.
    pub fn turn(&mut self, submissions: &[Submission<D::Command>], now: Timestamp) -> Turn<D::Effect> {
        match self.decide_and_append(submissions, now) {
            Ok(answers) => {
                let (start, stop) = self.changes();
                Turn { answers, start, stop, failed: false }
            }
            Err(diagnostic) => {
                self.stale = true;
                // A defect of this program stays one: a report that meets it would be sent again for ever, and take
                // every command that shares its turn with it.
                let failed = diagnostic.code != diagnostic::PROVOST_BUG;
                let answers = submissions.iter().map(|_| Err(diagnostic.clone())).collect();
                Turn { answers, start: Vec::new(), stop: Vec::new(), failed }
            }
        }
    }

    fn decide_and_append(
        &mut self,
        submissions: &[Submission<D::Command>],
        now: Timestamp,
    ) -> Result<Vec<Result<Answer, Diagnostic>>, Diagnostic> {
        self.refresh().map_err(|fault| fault.diagnostic())?;
        // Time on the record never runs backwards, whatever the clock does.
        let now = now.max(self.memory.chain.timestamp);
        let mut drafts = Vec::new();
        let mut outcomes = Vec::with_capacity(submissions.len());
        for submission in submissions {
            outcomes.push(self.decide_one(submission, now, &mut drafts)?);
        }
        self.decide_what_time_brings(now, &mut drafts)?;
        if self.memory.opening.as_ref().is_some_and(|opening| opening.cut.is_some()) {
            // Bytes were removed from the journal: that is on the record even if nothing else comes of this opening.
            self.take_opening(now, &mut drafts)?;
        }
        let batch = if drafts.is_empty() { None } else { Some(self.append(&drafts, now)?) };
        Ok(outcomes.into_iter().map(|outcome| self.answer(outcome, batch.as_ref())).collect())
    }

    /// Decides what needs no further command: deadlines that have passed and work that can be given out. In the same
    /// batch as what made it possible, so that nothing waits for a second flush.
    fn decide_what_time_brings(&mut self, now: Timestamp, drafts: &mut Vec<Draft>) -> Result<(), Diagnostic> {
        let woken = Submission { cause: Cause::Time, actor: ACTOR.to_owned(), command: D::woken() };
        while self.performing == Performing::Yes
            && drafts.len() < DRAFTS_MAX
            && self.memory.state.wake().is_some_and(|at| at <= now)
        {
            let before = drafts.len();
            self.decide_one(&woken, now, drafts)?;
            if drafts.len() == before {
                break;
            }
        }
        Ok(())
    }

    fn decide_one(
        &mut self,
        submission: &Submission<D::Command>,
        now: Timestamp,
        drafts: &mut Vec<Draft>,
    ) -> Result<Outcome, Diagnostic> {
        if let Cause::Request(id) = &submission.cause
            && let Some((first, last)) = self.memory.requests.answered(id)
        {
            return Ok(Outcome::Recorded(first, last));
        }
        let cause = submission.cause.text();
        if let Some(text) = [&submission.actor, &cause].into_iter().find(|text| !is_word(text)) {
            // Here, where it concerns one submission: sealing the batch would refuse all of them.
            let message = Unwritable::Word(text.escape_debug().take(80).collect()).to_string();
            return Ok(Outcome::Refused(Diagnostic::error(diagnostic::PROVOST_BUG, message)));
        }
        let opening = u64::from(self.memory.opening.is_some());
        let sequence = self.memory.chain.head.sequence + 1 + drafts.len() as Sequence + opening;
        let events = match self.memory.state.decide(&submission.command, Moment { now, sequence }) {
            Ok(events) => events,
            Err(refusal) => return Ok(Outcome::Refused(refusal)),
        };
        let details: Vec<String> = events.iter().map(Event::details).collect();
        if let Some(size) = details.iter().map(String::len).find(|size| *size > DETAILS_MAX) {
            let message = format!("the command needs a record of {size} bytes, the limit is {DETAILS_MAX}");
            return Ok(Outcome::Refused(Diagnostic::error(diagnostic::RECORD_TOO_LARGE, message)));
        }
        if !events.is_empty() {
            self.take_opening(now, drafts)?;
        }
        let before = self.memory.chain.head.sequence;
        let first = before + 1 + drafts.len() as Sequence;
        for (event, details) in events.iter().zip(details) {
            self.take(event, details, &submission.actor, Some(&cause), now, drafts)?;
        }
        let last = before + drafts.len() as Sequence;
        Ok(if first > last { Outcome::Nothing } else { Outcome::Recorded(first, last) })
    }

    /// Puts on the record that this process began to write, unless it is there.
    fn take_opening(&mut self, now: Timestamp, drafts: &mut Vec<Draft>) -> Result<(), Diagnostic> {
        let Some(opening) = self.memory.opening.take() else { return Ok(()) };
        let event = self.memory.state.opened(opening);
        let details = event.details();
        self.take(&event, details, ACTOR, None, now, drafts)
    }

    /// Applies an event and drafts its record.
    fn take(
        &mut self,
        event: &D::Event,
        details: String,
        actor: &str,
        cause: Option<&str>,
        now: Timestamp,
        drafts: &mut Vec<Draft>,
    ) -> Result<(), Diagnostic> {
        let memory = &mut self.memory;
        let sequence = memory.chain.head.sequence + 1 + drafts.len() as Sequence;
        let at = At { sequence, timestamp: now, session_id: &memory.writer.session_id };
        memory
            .state
            .apply(at, event)
            .map_err(|why| Diagnostic::error(diagnostic::PROVOST_BUG, why.to_string()))?;
        if let Some(cause) = cause.filter(|cause| is_request(cause)) {
            memory.requests.note(cause, sequence);
        }
        drafts.push(Draft {
            timestamp: now,
            stream: event.stream(),
            event_type: event.event_type(),
            actor: actor.to_owned(),
            cause: cause.map(str::to_owned),
            agent_id: event.agent_id().map(str::to_owned),
            task_id: event.task_id().map(str::to_owned),
            details,
        });
        Ok(())
    }

    fn append(&mut self, drafts: &[Draft], now: Timestamp) -> Result<Batch, Diagnostic> {
        let head = self.memory.chain.head;
        let batch = Batch::seal(head, &self.memory.writer, drafts)
            .map_err(|why| Diagnostic::error(diagnostic::PROVOST_BUG, why.to_string()))?;
        self.journal.append(head, &batch).map_err(|fault| fault.diagnostic())?;
        self.memory.chain = Chain::after(&batch, self.memory.writer.epoch, now);
        Ok(batch)
    }

    fn answer(&mut self, outcome: Outcome, batch: Option<&Batch>) -> Result<Answer, Diagnostic> {
        let (first, last) = match outcome {
            Outcome::Refused(refusal) => return Err(refusal),
            Outcome::Nothing => return Ok(Answer::default()),
            Outcome::Recorded(first, last) => (first, last),
        };
        let records = match batch.filter(|batch| batch.first() <= first) {
            Some(batch) => batch.lines_between(first, last).map(str::to_owned).collect(),
            // Asked before. The batch of this turn is durable whatever becomes of this look into the past.
            None => self.journal.read(first, last).map_err(|fault| fault.diagnostic())?,
        };
        Ok(Answer { records })
    }

    /// What has to begin and end in the world, now that the records say so.
    fn changes(&mut self) -> (Vec<Start<D::Effect>>, Vec<EffectId>) {
        if self.performing == Performing::No {
            return (Vec::new(), Vec::new());
        }
        let due = self.memory.state.due();
        let stop: Vec<EffectId> = self.running.iter().copied().filter(|id| due.get(*id).is_none()).collect();
        for id in &stop {
            self.running.remove(id);
        }
        let mut start = Vec::new();
        for (id, effect) in due.iter() {
            if self.running.insert(id) {
                start.push(Start { id, effect: effect.clone(), launch: Launch::Do });
            }
        }
        (start, stop)
    }
}
