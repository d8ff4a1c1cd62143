//! Views: files that show the state to people and other programs. They are written from the journal and never
//! read back, so that deleting all of them changes nothing.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use provost_core::record::Chain;
use provost_core::state::State;
use provost_core::view;

/// Writes every view of a project and says which.
pub fn write(folder: &Path, state: &State, chain: &Chain) -> io::Result<Vec<PathBuf>> {
    let path = folder.join("state.json");
    let mut text = serde_json::to_vec_pretty(&view::state(state, chain))?;
    text.push(b'\n');
    replace(&path, &text)?;
    Ok(vec![path])
}

/// Puts a file in place whole, so that nobody reads half of it. It is not flushed: it can be made again.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let draft = path.with_extension(format!("{}.tmp", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(&draft)?.write_all(text)?;
    fs::rename(&draft, path)
}
