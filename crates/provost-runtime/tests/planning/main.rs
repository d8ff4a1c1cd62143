//! What planning is given from a real disk: content, memory, facts; hostile files included.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod catalogue;
mod content;
mod scan;
mod wish;

use std::fs;
use std::path::Path;

/// Writes a file and the folders above it.
fn write(root: &Path, name: &str, content: impl AsRef<[u8]>) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}
