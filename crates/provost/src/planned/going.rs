//! A run on its way: planned round by round as answers come, and kept where it belongs. Apart from the commands because
//! `plan` and `answer` do the same from different beginnings.

use std::path::Path;

use provost_core::diagnostic::{self, Diagnostic};
use provost_core::planning::{Inputs, PLANNER_VERSION, Phase, Round, Run, again};
use provost_core::project::Preparation;
use provost_core::time::Timestamp;
use provost_runtime::acting::{Actor, new_id, person};
use provost_runtime::home::Home;
use provost_runtime::{config, planner};

use super::{Found, no_run};
use crate::failure::{self, Failure};
use crate::performing;
use crate::wording;

/// A run on its way.
pub(crate) struct Going {
    inputs: Inputs,
    pub(crate) run: Run,
}

impl Going {
    /// Plans from the beginning.
    pub(crate) fn begin(inputs: Inputs) -> Result<Going, Failure> {
        let run = planner::walk(&inputs, &[]).map_err(no_run)?;
        Ok(Going { inputs, run })
    }

    /// Goes on with a run that was kept.
    pub(crate) fn again(frozen: again::Frozen) -> Result<Going, Failure> {
        let made = &frozen.manifest.coordinator_version;
        if made != PLANNER_VERSION {
            let message = format!(
                "{} was planned by version {made} of the planner, and this is {PLANNER_VERSION}",
                frozen.manifest.run_id
            );
            let help = format!("plan its intent anew: `provost plan --again {}`", frozen.manifest.run_id);
            return Err(Diagnostic::error(diagnostic::PLANNING_NOT_WAITING, message).with_help(help).into());
        }
        let run = frozen.again().map_err(no_run)?;
        Ok(Going { inputs: frozen.inputs, run })
    }

    /// How many packs of questions were answered.
    pub(crate) fn rounds(&self) -> usize {
        self.inputs.rounds.len()
    }

    /// Whether the run waits for answers.
    pub(crate) fn waits(&self) -> bool {
        self.run.state == Phase::AwaitingAnswers
    }

    /// Takes what came for the questions; where it does not fit them, the run goes on waiting as it was.
    pub(crate) fn take(&mut self, round: Round) -> Result<(), Failure> {
        let mut inputs = self.inputs.clone();
        inputs.rounds.push(round);
        self.run = planner::walk(&inputs, &self.times()).map_err(no_run)?;
        self.inputs = inputs;
        Ok(())
    }

    /// When the steps so far were taken.
    fn times(&self) -> Vec<Timestamp> {
        again::Frozen::read(&self.run.files).map(|frozen| frozen.times).unwrap_or_default()
    }
}

/// Keeps a run on the record and gives back what the record has; false where it had the run already.
pub(crate) fn keep(home: &Home, run: &Run, doing: &str) -> Result<(Found, bool), Failure> {
    let config = config::read(&home.config(), config::NAME)?;
    let prepared = Preparation { project_id: new_id(), settings: config.settings };
    let mut actor = Actor::new(home.clone(), person(), doing);
    let changed = planner::keep(&mut actor, home, prepared, &config.policy, run)?;
    if let Some(cut) = actor.take_cut() {
        failure::print(&Diagnostic::warning(diagnostic::JOURNAL_CUT, wording::cut_off(&cut)), None);
    }
    drop(actor);
    let state = performing::state(home)?;
    Ok((Found::on_record(home.clone(), &state, &run.run_id)?, changed))
}

impl Found {
    /// Writes the documents to a folder of their own.
    pub(crate) fn write_to(&self, out: &Path) -> Result<(), Failure> {
        Ok(planner::write_folder(out, &self.files)?)
    }
}
