//! The record, folded anew as it grows, and every step on it looked at: a second pair of eyes that shares nothing with
//! the driver but the journal.

use provost_core::decider::{At, Decider as _, Event as _};
use provost_core::effects::EffectId;
use provost_core::record::{Record, Sequence};
use provost_core::state::{Event, State};
use provost_runtime::journal::Medium;

use crate::rows::Rows;
use crate::steps::{self, Ghosts, Step};

/// How many records a failure is told with.
const TOLD: usize = 40;

#[derive(Default)]
pub(crate) struct Watch {
    pub(crate) state: State,
    /// The rows of the tables that were taken.
    pub(crate) rows: Rows,
    /// How many reports came late.
    pub(crate) late: u64,
    ghosts: Ghosts,
    /// How much of the medium was read.
    read: usize,
}

/// The records of one decision, or of all that time brought in a batch.
type Decision<'r> = Vec<Record<'r>>;

impl Watch {
    /// Takes in what has become durable since, and says what is wrong with it.
    pub(crate) fn catch_up(&mut self, medium: &Medium) -> Result<(), String> {
        let bytes = medium.bytes();
        let new = bytes.get(self.read..).unwrap_or_default();
        let mut decisions: Vec<Decision<'_>> = Vec::new();
        for line in new.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let record = Record::parse(line).map_err(|why| format!("{why:?}"))?;
            match decisions.last_mut().and_then(|decision| Some((*decision.last()?, decision))) {
                Some((last, decision)) if same_decision(&last, &record) => decision.push(record),
                _ => decisions.push(vec![record]),
            }
        }
        self.read = bytes.len();
        decisions
            .iter()
            .try_for_each(|decision| self.take(decision))
            .map_err(|why| format!("{why}\n{}", story(&bytes)))
    }

    fn take(&mut self, decision: &Decision<'_>) -> Result<(), String> {
        let (before, ghosts) = (self.state.clone(), self.ghosts.clone());
        let mut events = Vec::new();
        for record in decision {
            let event = Event::read(record).map_err(|why| why.to_string())?;
            self.rows.see(&self.state, &event);
            self.ghosts.see(&self.state, &event);
            let (sequence, timestamp, session_id) = (record.sequence, record.timestamp, record.session_id);
            let at = At { sequence, timestamp, session_id };
            self.state.apply(at, &event).map_err(|why| format!("record {sequence}: {why}"))?;
            self.late += u64::from(event.event_type() == "late_report");
            events.push(event);
        }
        let cause = decision.first().and_then(|record| record.cause);
        let reporter = cause.and_then(|cause| cause.strip_prefix("effect-")?.parse().ok()).map(EffectId);
        let step = Step { before: &before, after: &self.state, reporter, events: &events, ghosts: &ghosts };
        let places: Vec<Sequence> = decision.iter().map(|record| record.sequence).collect();
        steps::hold(&step).map_err(|why| format!("{why}\n  at records {places:?}: {events:?}"))
    }
}

/// Whether two records that follow one another belong together. No effect reports twice in one batch here.
fn same_decision(before: &Record<'_>, record: &Record<'_>) -> bool {
    before.batch == record.batch && before.cause == record.cause && before.stream == record.stream
}

/// The last records of a journal, in short.
fn story(bytes: &[u8]) -> String {
    let records: Vec<Record<'_>> =
        bytes.split(|&byte| byte == b'\n').filter_map(|line| Record::parse(line).ok()).collect();
    let short = |record: &Record<'_>| {
        let (sequence, task) = (record.sequence, record.task_id.unwrap_or("-"));
        format!("  {sequence} {} {task} {}", record.cause.unwrap_or("-"), record.event_type)
    };
    let from = records.len().saturating_sub(TOLD);
    records.iter().skip(from).map(short).collect::<Vec<_>>().join("\n")
}
