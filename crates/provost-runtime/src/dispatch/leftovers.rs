//! Folders of turns whose process was killed, apart because nobody else may be disturbed: only where nobody listens any
//! more is a folder removed.

use std::fs;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;

use super::{FOLDER, SOCKET};

/// How many folders are looked at; a place that holds more is cleared by and by.
const LOOKED_AT_MAX: usize = 256;

/// Removes what killed processes left in a place.
pub(super) fn remove(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten().take(LOOKED_AT_MAX) {
        let is_ours = entry.file_name().as_encoded_bytes().starts_with(FOLDER.as_bytes());
        // One that is just being made has no socket yet, and is not refused but missing.
        let refused = || {
            let connected = UnixStream::connect(entry.path().join(SOCKET));
            connected.is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
        };
        if is_ours && refused() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
