//! A frozen plan: every digest, its lineage, and that the same inputs give the same bytes.

use std::path::Path;

use provost_core::diagnostic::Exit;
use provost_core::planning::again::{self, Broken};
use provost_runtime::planner;
use serde::Serialize;

use super::{Context, Done};
use crate::planned::{Found, unverified};

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
    let (run_id, files) = if folder.is_dir() {
        (None, planner::read_folder(folder)?)
    } else {
        let found = Found::by_name(name, context)?;
        (Some(found.run_id), found.files)
    };
    let (broken, why_not) = again::verify(&files);
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
    match why_not {
        None => {
            screen.line(format!("verified: {} documents, and planning again gives the same", files.len()))?
        }
        Some(why) => screen
            .line(format!("verified: the digests of {} documents; not planned again: {why}", files.len()))?,
    }
    Ok(exit)
}
