//! Views: files that show the state to people and other programs. They are written from the journal and never
//! read back, so that deleting all of them changes nothing.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use provost_core::decider::Event as _;
use provost_core::delivery::Board;
use provost_core::evidence::{Evidence, Trail};
use provost_core::plan::Plan;
use provost_core::planning::bundle;
use provost_core::record::{Chain, Record, Sequence};
use provost_core::report;
use provost_core::state::{Event, State};
use provost_core::view;

use crate::artifacts::{Artifacts as _, FileArtifacts};
use crate::journal::{lines_between, walk};
use crate::storage::{Disk, Storage};

/// Writes every view of a project and says which.
pub fn write(folder: &Path, state: &State, chain: &Chain) -> io::Result<Vec<PathBuf>> {
    let path = folder.join("state.json");
    let mut text = serde_json::to_vec_pretty(&view::state(state, chain))?;
    text.push(b'\n');
    replace(&path, &text)?;
    Ok(vec![path])
}

/// Writes the documents of a run where people look for them.
pub fn unpack(folder: &Path, run_id: &str, files: &[bundle::File]) -> io::Result<PathBuf> {
    let place = folder.join("plans").join(run_id);
    DirBuilder::new().recursive(true).mode(0o700).create(&place)?;
    for file in files {
        replace(&place.join(&file.name), &file.bytes)?;
    }
    Ok(place)
}

/// Writes the documents of every run and says which folders; a run whose bytes are lost is left to `verify`.
pub fn write_plans(folder: &Path, state: &State) -> io::Result<Vec<PathBuf>> {
    let artifacts = FileArtifacts::new(Disk::reading(folder), "reader");
    let mut written = Vec::new();
    for (run_id, run) in &state.plans.runs {
        let bytes = run.kept.and_then(|kept| artifacts.get(kept.bundle).ok());
        if let Some(files) = bytes.and_then(|bytes| bundle::read(&bytes).ok()) {
            written.push(unpack(folder, run_id, &files)?);
        }
    }
    Ok(written)
}

/// Takes one record into what is shown about deliveries; records of other streams, or of a newer Provost, say nothing.
pub fn observe(evidence: &mut Evidence, record: &Record<'_>) {
    if let Ok(Event::Delivery(event)) = Event::read(record) {
        evidence.observe(record.sequence, record.timestamp, &event);
    }
}

/// The report of a delivery as it stands.
pub fn report(folder: &Path, id: &str, board: &Board, trail: &Trail) -> String {
    report::markdown(id, board, plan(folder, board).as_ref(), trail)
}

/// The frozen plan of a delivery, if its bytes are there.
pub fn plan(folder: &Path, board: &Board) -> Option<Plan> {
    let bytes = FileArtifacts::new(Disk::reading(folder), "reader").get(board.plan).ok()?;
    Plan::from_canonical(&bytes).ok()
}

/// Writes the reports of the deliveries that are wanted and says which files.
pub fn write_reports(
    folder: &Path,
    state: &State,
    evidence: &Evidence,
    is_wanted: impl Fn(&Trail) -> bool,
) -> io::Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    for (id, trail) in evidence.deliveries.iter().filter(|(_, trail)| is_wanted(trail)) {
        let Some(board) = state.deliveries.boards.get(id) else { continue };
        let place = folder.join("deliveries").join(id);
        fs::create_dir_all(&place)?;
        let path = place.join("report.md");
        replace(&path, report(folder, id, board, trail).as_bytes())?;
        written.push(path);
    }
    Ok(written)
}

/// Writes the reports of the deliveries that have a record behind `since`, for whoever owns the journal.
pub(crate) fn report_changes<S: Storage>(
    storage: &S,
    folder: &Path,
    (state, chain): (&State, &Chain),
    since: Sequence,
) -> io::Result<()> {
    // The whole record is walked only where something happened to a delivery; few commands do that.
    let lines = lines_between(storage, since + 1, chain.head.sequence).map_err(io::Error::other)?;
    let is_delivery = |line: &String| {
        Record::parse(line.as_bytes()).is_ok_and(|record| record.stream == provost_core::delivery::STREAM)
    };
    if !lines.iter().any(is_delivery) {
        return Ok(());
    }
    let mut evidence = Evidence::default();
    let walked = walk(storage, &mut |record| {
        observe(&mut evidence, record);
        Ok(())
    });
    walked.map_err(io::Error::other)?;
    write_reports(folder, state, &evidence, |trail| trail.last > since).map(drop)
}

/// Puts a file in place whole, so that nobody reads half of it. It is not flushed: it can be made again.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let draft = path.with_extension(format!("{}.tmp", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(&draft)?.write_all(text)?;
    fs::rename(&draft, path)
}
