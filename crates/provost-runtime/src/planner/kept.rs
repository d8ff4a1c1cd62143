//! A run on the record of a project: its documents as one artifact, then the event that names it, then the view.

use std::io;

use provost_core::diagnostic::{self, Diagnostic};
use provost_core::digest::Digest;
use provost_core::planning::policy::Policy;
use provost_core::planning::runs::{self, PlanRun, Walked};
use provost_core::planning::{Run, bundle, manifest};
use provost_core::project::{self, Preparation};
use provost_core::state;

use crate::acting::{Actor, folder_trouble, new_id};
use crate::artifacts::{Artifacts as _, FileArtifacts};
use crate::home::Home;
use crate::views;

/// Keeps a run; false where the record had it already and nothing changed.
pub fn keep(
    actor: &mut Actor,
    home: &Home,
    prepared: Preparation,
    project: &Policy,
    run: &Run,
) -> Result<bool, Diagnostic> {
    home.make().map_err(|error| folder_trouble(&error))?;
    let artifacts = FileArtifacts::new(home.reading(), new_id()).holding(bundle::BYTES_MAX);
    let bundle = artifacts.put(&run.bundle()).map_err(|error| folder_trouble(&error))?;
    let walked = Walked::of(run, bundle, project)
        .map_err(|error| Diagnostic::error(diagnostic::PROVOST_BUG, error.to_string()))?;
    let answers = actor.submit(vec![
        state::Command::Project(project::Command::Prepare(prepared)),
        state::Command::Planning(runs::Command::Keep(walked)),
    ]);
    let answers = answers.into_iter().collect::<Result<Vec<_>, _>>()?;
    let changed = answers.last().is_some_and(|answer| !answer.records.is_empty());
    if changed {
        // A view that cannot be written is made again by `provost rebuild`.
        let _ = views::unpack(&home.state, &run.run_id, &run.files);
    }
    Ok(changed)
}

/// The documents of a run on the record.
pub fn load(home: &Home, run_id: &str, run: &PlanRun) -> Result<Vec<bundle::File>, Diagnostic> {
    let lost = |why: String| {
        let message = format!("the documents of {run_id} are not what the record names: {why}");
        Diagnostic::error(diagnostic::JOURNAL_ARTIFACT, message)
    };
    let kept = run.kept.ok_or_else(|| lost("it names none".to_owned()))?;
    let bytes = FileArtifacts::new(home.reading(), new_id()).get(kept.bundle).map_err(|error| match error
        .kind()
    {
        io::ErrorKind::NotFound | io::ErrorKind::InvalidData => lost(error.to_string()),
        _ => folder_trouble(&error),
    })?;
    let files = bundle::read(&bytes).map_err(|error| lost(error.to_string()))?;
    let manifest = files.iter().find(|file| file.name == manifest::FILE);
    if manifest.map(|file| Digest::of(&file.bytes)) != Some(kept.manifest) {
        return Err(lost("the manifest has another digest".to_owned()));
    }
    Ok(files)
}
