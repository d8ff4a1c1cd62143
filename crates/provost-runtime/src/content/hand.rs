//! Documents that are handed to a person, written: never over another one unless that is what was asked for.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use provost_core::diagnostic::{self, Diagnostic, quoted};

/// Writes a new file; one that is there is never touched.
pub fn hand_out(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    let write = || {
        let mut file = File::create_new(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(|error| trouble(path, &error))
}

/// Puts other bytes into a file that is there: all of them or none.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    let write = || {
        // Where a link leads is what the person means.
        let path = fs::canonicalize(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let beside = path.with_file_name(format!(".{name}.{}", std::process::id()));
        let mut file = File::create_new(&beside)?;
        let written = file.write_all(bytes).and_then(|()| {
            file.set_permissions(fs::metadata(&path)?.permissions())?;
            file.sync_all()?;
            fs::rename(&beside, &path)
        });
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        written
    };
    write().map_err(|error| trouble(path, &error))
}

fn trouble(path: &Path, error: &io::Error) -> Diagnostic {
    let shown = path.display().to_string();
    let message = if error.kind() == io::ErrorKind::AlreadyExists {
        format!("{} is there already and is not written over", quoted(&shown))
    } else {
        format!("{} cannot be written: {error}", quoted(&shown))
    };
    Diagnostic::error(diagnostic::INTENT_OUTPUT, message)
}
