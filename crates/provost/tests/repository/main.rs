//! The rules of this repository that no compiler checks, as tests: style is not a matter for review comments.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod documents;
mod purity;
mod tidy;

use std::path::{Path, PathBuf};

/// The top of the repository.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every file below a folder, except what builds leave behind, as paths from the top.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![top().join(folder)];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            // In a worktree `.git` is a file.
            if name == "target" || name == ".git" {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(top()).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Every Rust source file.
fn sources() -> Vec<(PathBuf, String)> {
    let rust = files("crates").into_iter().filter(|path| path.extension().is_some_and(|it| it == "rs"));
    rust.map(|path| (path.clone(), std::fs::read_to_string(top().join(path)).unwrap())).collect()
}
