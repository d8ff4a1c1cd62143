//! The documents of a run as a folder that stands for itself: there whole or not at all, and never over something else.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use provost_core::diagnostic::{self, Diagnostic, quoted};
use provost_core::digest::Digest;
use provost_core::planning::{bundle, manifest};
use rustix::fs::RenameFlags;

use crate::kill_point::kill_point;
use crate::regular;

/// The most entries of a folder that are looked at.
const ENTRIES_MAX: usize = 1_000;

/// The most bytes of one document.
const FILE_MAX: u32 = 64 << 20;

/// Whether a folder holds the documents of a run.
pub fn is_frozen(folder: &Path) -> bool {
    folder.join(manifest::FILE).is_file()
}

/// Reads the documents of a run; whatever is no document is listed without bytes, so that it is noticed.
pub fn read(folder: &Path) -> Result<Vec<bundle::File>, Diagnostic> {
    let shown = folder.display().to_string();
    let trouble = |why: String| {
        Diagnostic::error(diagnostic::PLANNING_INPUT, format!("{} cannot be read: {why}", quoted(&shown)))
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| trouble(error.to_string()))? {
        let name = entry.map_err(|error| trouble(error.to_string()))?.file_name();
        let bytes = regular::beginning(&folder.join(&name), u64::from(FILE_MAX) + 1).unwrap_or_default();
        files.push(bundle::File { name: name.to_string_lossy().into_owned(), bytes });
        if files.len() > ENTRIES_MAX {
            return Err(trouble(format!("it has more than {ENTRIES_MAX} entries")));
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}

/// Writes a folder that does not exist yet, or is empty; one that holds the same run is left as it is.
pub fn write(folder: &Path, files: &[bundle::File]) -> Result<(), Diagnostic> {
    if fs::symlink_metadata(folder).is_ok() {
        let digest = manifest_of(files);
        let there = regular::beginning(&folder.join(manifest::FILE), u64::from(FILE_MAX) + 1).ok();
        if there.is_some_and(|bytes| Digest::of(&bytes) == digest) {
            return Ok(());
        }
        let is_empty = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
        if !is_empty {
            return Err(taken(folder));
        }
    }
    put(folder, files, RenameFlags::empty())
}

/// Puts the documents of a run that went on in place of those before, in one step.
pub fn replace(folder: &Path, files: &[bundle::File]) -> Result<(), Diagnostic> {
    put(folder, files, RenameFlags::EXCHANGE)
}

fn put(folder: &Path, files: &[bundle::File], how: RenameFlags) -> Result<(), Diagnostic> {
    let draft = beside(folder);
    let done = make(&draft, files).and_then(|()| place(&draft, folder, how));
    // After an exchange it holds what was there before; after a failure what nobody will use.
    let _ = fs::remove_dir_all(&draft);
    done.map_err(|error| match error.kind() {
        io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists => taken(folder),
        _ => {
            let message = format!("{} cannot be written: {error}", quoted(&folder.display().to_string()));
            Diagnostic::error(diagnostic::PLANNING_OUT_FAILED, message)
        }
    })
}

fn make(draft: &Path, files: &[bundle::File]) -> io::Result<()> {
    fs::create_dir(draft)?;
    for file in files {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        options.open(draft.join(&file.name))?.write_all(&file.bytes)?;
    }
    kill_point("plan folder: written");
    // One flush for all of them, whatever their number.
    rustix::fs::syncfs(File::open(draft)?)?;
    for file in files {
        if fs::read(draft.join(&file.name))? != file.bytes {
            return Err(io::Error::other(format!("`{}` does not read back as it was written", file.name)));
        }
    }
    Ok(())
}

fn place(draft: &Path, folder: &Path, how: RenameFlags) -> io::Result<()> {
    rustix::fs::renameat_with(rustix::fs::CWD, draft, rustix::fs::CWD, folder, how)?;
    kill_point("plan folder: placed");
    File::open(parent(folder))?.sync_all()
}

fn beside(folder: &Path) -> PathBuf {
    let name = folder.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    parent(folder).join(format!(".{name}.{}.tmp", std::process::id()))
}

fn parent(folder: &Path) -> &Path {
    folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

fn manifest_of(files: &[bundle::File]) -> Digest {
    let manifest = files.iter().find(|file| file.name == manifest::FILE);
    Digest::of(manifest.map_or(&[], |file| &file.bytes))
}

fn taken(folder: &Path) -> Diagnostic {
    let message = format!("{} exists and holds something else", quoted(&folder.display().to_string()));
    Diagnostic::error(diagnostic::PLANNING_OUT_TAKEN, message)
}
