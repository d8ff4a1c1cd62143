//! A frozen plan: every digest, its lineage, and that the same inputs give the same bytes.

use std::path::Path;

use provost_core::diagnostic::Exit;
use provost_core::planning::again::{self, Broken};
use provost_core::planning::bundle::File;
use provost_runtime::planner;
use serde::Serialize;

use super::{Context, Done};
use crate::planned::{Found, Place, unverified};

#[derive(Serialize)]
struct Verified<'a> {
    ok: bool,
    run_id: Option<&'a str>,
    files: usize,
    planned_again: bool,
    why_not: Option<&'a str>,
    broken: Vec<BrokenForm<'a>>,
    errors: Vec<provost_core::diagnostic::Diagnostic>,
}

#[derive(Serialize)]
struct BrokenForm<'a> {
    file: &'a str,
    what: &'a str,
}

pub(super) fn verify(name: &str, context: &mut Context) -> Done {
    let folder = Path::new(name);
    // A folder may be too damaged to be shown and is verified all the same.
    let (run_id, files, seen) = if folder.is_dir() {
        (None, planner::read_folder(folder)?, Vec::new())
    } else {
        let found = Found::by_name(name, context)?;
        let seen = unpacked(&found);
        (Some(found.run_id), found.files, seen)
    };
    let (mut broken, why_not) = again::verify(&files);
    broken.extend(again::unpacked(&files, &seen));
    let screen = &mut context.screen;
    let exit = if broken.is_empty() { Exit::Done } else { Exit::Unverified };
    if screen.is_json() {
        screen.document(&Verified {
            ok: broken.is_empty(),
            run_id: run_id.as_deref(),
            files: files.len(),
            planned_again: broken.is_empty() && why_not.is_none(),
            why_not: why_not.as_deref(),
            broken: broken.iter().map(|Broken { file, what }| BrokenForm { file, what }).collect(),
            errors: unverified(name, &broken),
        })?;
        return Ok(exit);
    }
    if !broken.is_empty() {
        return Err(unverified(name, &broken).into());
    }
    let count = files.len();
    let line = match why_not {
        None => format!("verified: {count} documents, and planning again gives the same"),
        Some(why) => format!("verified: the digests of {count} documents; not planned again: {why}"),
    };
    screen.line(line)?;
    Ok(exit)
}

/// What people read of a run that is on the record; nothing where nobody unpacked it.
fn unpacked(found: &Found) -> Vec<File> {
    let Place::Record { home, .. } = &found.place else { return Vec::new() };
    planner::read_folder(&home.state.join("plans").join(&found.run_id)).unwrap_or_default()
}
