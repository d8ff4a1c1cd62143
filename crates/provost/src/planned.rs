//! A run of planning as commands find and show it: by its id on the record, or as a folder that stands for itself.

mod going;
mod page;

use std::path::{Path, PathBuf};

use provost_core::diagnostic::{self, Diagnostic, Exit, quoted};
use provost_core::planning::account::Account;
use provost_core::planning::bundle::File;
use provost_core::planning::files::NotFrozen;
use provost_core::planning::runs::PlanRun;
use provost_core::planning::{NoRun, Phase, RUN_PREFIX, again};
use provost_core::state::State;
use provost_runtime::home::Home;
use provost_runtime::planner;

use crate::cli::Context;
use crate::failure::Failure;
use crate::performing;

pub(crate) use going::{Going, keep};
pub(crate) use page::{Shown, print, print_located};

/// Where a run is.
pub(crate) enum Place {
    /// On the record of a project.
    Record { home: Home, run: Box<PlanRun> },
    /// In a folder.
    Folder(PathBuf),
}

/// A run that was found.
pub(crate) struct Found {
    pub(crate) run_id: String,
    pub(crate) place: Place,
    pub(crate) files: Vec<File>,
    pub(crate) account: Account,
}

impl Found {
    /// The run of a name: a folder with the documents of one, else the beginning of an id.
    pub(crate) fn by_name(name: &str, context: &Context) -> Result<Found, Failure> {
        let folder = Path::new(name);
        if folder.is_dir() {
            return Found::in_folder(folder);
        }
        let home = context.home()?;
        let state = performing::state(&home)?;
        Found::on_record(home, &state, name)
    }

    /// The run in a folder.
    pub(crate) fn in_folder(folder: &Path) -> Result<Found, Failure> {
        if !planner::is_frozen(folder) {
            let message = format!("{} is not the folder of a run", quoted(&folder.display().to_string()));
            return Err(Diagnostic::error(diagnostic::PLANNING_UNKNOWN_RUN, message).into());
        }
        let files = planner::read_folder(folder)?;
        Found::of(Place::Folder(folder.to_owned()), files)
    }

    /// The run of an id, or of its beginning.
    pub(crate) fn on_record(home: Home, state: &State, name: &str) -> Result<Found, Failure> {
        let (run_id, run) = state.plans.find(name)?;
        let files = planner::load(&home, run_id, run)?;
        Found::of(Place::Record { home, run: Box::new(run.clone()) }, files)
    }

    /// A run of documents that are at hand.
    pub(crate) fn of(place: Place, files: Vec<File>) -> Result<Found, Failure> {
        let account = Account::read(&files)
            .map_err(|error| Diagnostic::error(diagnostic::PLANNING_UNVERIFIED, error.to_string()))?;
        Ok(Found { run_id: account.manifest.run_id.clone(), place, files, account })
    }

    /// Whether the run waits for answers.
    pub(crate) fn waits(&self) -> bool {
        self.account.state() == Phase::AwaitingAnswers
    }

    /// What the run is called on the command line.
    pub(crate) fn name(&self) -> String {
        match &self.place {
            Place::Record { .. } => self.run_id.clone(),
            Place::Folder(folder) => folder.display().to_string(),
        }
    }

    /// What nobody has approved yet.
    pub(crate) fn unapproved(&self) -> Vec<&str> {
        match &self.place {
            Place::Record { run, .. } => run.unapproved().collect(),
            Place::Folder(_) => self.account.gates.iter().map(|gate| gate.category.as_str()).collect(),
        }
    }

    /// What was planned from, once it is seen that nobody changed it.
    pub(crate) fn frozen(&self) -> Result<again::Frozen, Failure> {
        let (broken, _) = again::verify(&self.files);
        if !broken.is_empty() {
            return Err(unverified(&self.name(), &broken).into());
        }
        let changed = |error: NotFrozen| {
            Failure::from(Diagnostic::error(diagnostic::PLANNING_UNVERIFIED, error.to_string()))
        };
        again::Frozen::read(&self.files).map_err(changed)
    }

    /// How a command ends whose result is this run.
    pub(crate) const fn exit(&self) -> Exit {
        match self.account.state() {
            Phase::Blocked => Exit::Blocked,
            Phase::Aborted => Exit::Aborted,
            Phase::AwaitingAnswers => Exit::Waiting,
            _ => Exit::Done,
        }
    }
}

/// Whether a name is that of a run or of a folder with one, and not of something else.
pub(crate) fn is_run(name: &str) -> bool {
    name.starts_with(RUN_PREFIX) || planner::is_frozen(Path::new(name))
}

/// Every file that does not hold, one diagnostic each.
pub(crate) fn unverified(name: &str, broken: &[again::Broken]) -> Vec<Diagnostic> {
    let one = |it: &again::Broken| {
        let message = format!("{} of {}: {}", quoted(&it.file), quoted(name), it.what);
        Diagnostic::error(diagnostic::PLANNING_UNVERIFIED, message)
    };
    broken.iter().map(one).collect()
}

/// Why there is no run, in the words of whoever has to mend it.
pub(crate) fn no_run(error: NoRun) -> Failure {
    match error {
        NoRun::NotAnIntent(diagnostic) => (*diagnostic).into(),
        NoRun::Answers(unreadable) => unreadable.defects.into(),
        NoRun::Unfit(unfit) => Diagnostic::error(diagnostic::PROVOST_BUG, unfit.to_string()).into(),
        NoRun::NotCanonical(error) => Diagnostic::error(diagnostic::PROVOST_BUG, error.to_string()).into(),
    }
}
