//! What the record proves about the demo's delivery. Nothing is taken from what was printed.

use std::collections::{BTreeMap, BTreeSet};

use provost_core::delivery::{Course, Verdict, What};
use provost_core::state::{Event, State};
use provost_runtime::journal::{fold, walk_along};

use super::stage::Stage;
use super::{Shown, failed};
use crate::failure::Failure;

/// The delivery's events with their sequences, and how it stands.
pub(super) struct Evidence {
    events: Vec<(u64, Option<String>, What)>,
    /// The first record of each opening.
    openings: BTreeMap<u64, u64>,
    state: State,
}

impl Evidence {
    pub(super) fn gather(stage: &Stage) -> Result<Evidence, Failure> {
        let mut evidence =
            Evidence { events: Vec::new(), openings: BTreeMap::new(), state: State::default() };
        walk_along(&stage.home()?.reading(), &mut |record| {
            evidence.openings.entry(record.epoch).or_insert(record.sequence);
            if let Event::Delivery(event) = fold(&mut evidence.state, record)? {
                evidence.events.push((record.sequence, event.task, event.what));
            }
            Ok(())
        })?;
        Ok(evidence)
    }

    /// Everything that had to happen, each with the records that prove it.
    pub(super) fn prove(&self) -> Result<Vec<Shown>, Failure> {
        Ok(vec![
            self.parallel()?,
            self.sent_back()?,
            self.false_success()?,
            self.killed()?,
            self.all_landed()?,
        ])
    }

    fn find(&self, wanted: impl Fn(&What) -> bool) -> impl Iterator<Item = (u64, &Option<String>, &What)> {
        let events = self.events.iter().map(|(sequence, task, what)| (*sequence, task, what));
        events.filter(move |(_, _, what)| wanted(what))
    }

    /// Several developers began before the first of them had ended.
    fn parallel(&self) -> Result<Shown, Failure> {
        let end = self.find(|what| matches!(what, What::AgentComplete { .. })).next().map_or(0, |it| it.0);
        let begun = self.find(|what| matches!(what, What::DeveloperDispatched { .. }));
        let records: Vec<u64> = begun.map(|it| it.0).filter(|sequence| *sequence < end).collect();
        if records.len() < 2 {
            return Err(failed("no two agents worked at the same time"));
        }
        Ok(Shown { what: format!("{} agents worked at the same time", records.len()), records })
    }

    fn sent_back(&self) -> Result<Shown, Failure> {
        let fail = self.find(|what| matches!(what, What::CriticFail { .. })).next();
        let (sequence, task, _) = fail.ok_or_else(|| failed("no critic sent anything back"))?;
        let passed = self.find(|what| matches!(what, What::CriticPass { .. }));
        let passed =
            passed.filter(|(later, other, _)| *later > sequence && *other == task).map(|it| it.0).next();
        let passed = passed.ok_or_else(|| failed("what the critic sent back never passed"))?;
        let what = format!(
            "the critic sent `{}` back; its second version passed",
            task.as_deref().unwrap_or_default()
        );
        Ok(Shown { what, records: vec![sequence, passed] })
    }

    fn false_success(&self) -> Result<Shown, Failure> {
        for (sequence, task, what) in
            self.find(|what| matches!(what, What::EnvironmentVerificationFailed { .. }))
        {
            let What::EnvironmentVerificationFailed { results, .. } = what else { continue };
            let red = results.iter().find(|result| result.verdict == Verdict::Failed);
            if let Some(exit) = red.and_then(|result| result.exit) {
                let claim = self.find(|what| matches!(what, What::ReadyClaimed { .. }));
                let claim = claim.filter(|(earlier, other, _)| *earlier < sequence && *other == task).last();
                let name = task.as_deref().unwrap_or_default();
                let what = format!("`{name}` said \"all tests pass\"; measured exit status {exit}, refused");
                return Ok(Shown {
                    what,
                    records: claim.map(|it| it.0).into_iter().chain([sequence]).collect(),
                });
            }
        }
        Err(failed("no false success was refused"))
    }

    fn killed(&self) -> Result<Shown, Failure> {
        // Nobody pauses before being killed: the delivery goes on in an opening that has another before it, and what was
        // being done in that one is taken up.
        let Some(again) = self.openings.values().copied().nth(1) else {
            return Err(failed("the coordinator was not killed and resumed"));
        };
        if self.find(|what| matches!(what, What::SessionPause { .. })).next().is_some() {
            return Err(failed("the coordinator was stopped, and not killed"));
        }
        let before = again.saturating_sub(1);
        let lost = self.find(|what| matches!(what, What::AgentLost {})).map(|it| it.0);
        let records: Vec<u64> = [before, again].into_iter().chain(lost).collect();
        Ok(Shown {
            what: "the coordinator was killed with SIGKILL and resumed; nothing was lost".to_owned(),
            records,
        })
    }

    fn all_landed(&self) -> Result<Shown, Failure> {
        let board = self.state.deliveries.boards.values().next();
        let board = board.ok_or_else(|| failed("there is no delivery"))?;
        let landed: BTreeSet<&String> =
            board.tasks.iter().filter(|(_, task)| task.landed.is_some()).map(|it| it.0).collect();
        if board.course != Course::Complete || landed.len() != board.tasks.len() {
            return Err(failed(format!("{} of {} tasks landed", landed.len(), board.tasks.len())));
        }
        let complete = self.find(|what| matches!(what, What::TaskComplete { .. }));
        let records: Vec<u64> = complete.map(|it| it.0).collect();
        if records.len() != board.tasks.len() {
            return Err(failed("a task landed twice"));
        }
        Ok(Shown {
            what: format!("all {} tasks landed, each once, on {}", records.len(), board.branch),
            records,
        })
    }
}
