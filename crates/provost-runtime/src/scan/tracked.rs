//! Tracked files with the digests of what is in the work tree now, bounded in number and bytes.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use provost_core::diagnostic::Diagnostic;
use provost_core::digest::Digest;
use provost_core::planning::facts::{FILES_MAX, File};

use crate::git::{Call, GitFault, pieces};
use crate::home::Home;
use crate::regular::{self, Unread};

/// The most bytes of one file that are digested.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// The most bytes that are digested in all.
const BYTES_MAX: u64 = 2 << 30;

/// What git tracks, as far as it was looked at.
pub(super) struct Tracked {
    /// The commit that is checked out.
    pub(super) commit: Option<String>,
    /// Files that are there, by path.
    pub(super) files: Vec<File>,
    /// How many are tracked in all.
    pub(super) total: u64,
    /// Whether some were left out.
    pub(super) truncated: bool,
}

/// Lists what git tracks and digests it: two git processes.
pub(super) fn list(home: &Home) -> Result<Tracked, Diagnostic> {
    let index = home.git.join("index");
    let call = || Call::within(&home.git).on(&home.root, &index);
    let said =
        call().args(["ls-files", "--stage", "-z"]).run().map_err(|it: GitFault| Diagnostic::from(it))?;
    let head = call().args(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).ask()?;
    let commit =
        (head.status == Some(0)).then(|| String::from_utf8_lossy(head.out.trim_ascii()).into_owned());
    let mut tracked = Tracked { commit, files: Vec::new(), total: 0, truncated: false };
    let mut paths: BTreeMap<&str, bool> = BTreeMap::new();
    for piece in pieces(&said) {
        let Some(tab) = piece.iter().position(|&byte| byte == b'\t') else { continue };
        let (head, path) = piece.split_at(tab);
        // A submodule is a repository of its own.
        if head.starts_with(b"160000") {
            continue;
        }
        if let Some(Ok(path)) = path.get(1..).map(str::from_utf8) {
            paths.insert(path, head.starts_with(b"120000"));
        } else {
            tracked.total += 1;
            tracked.truncated = true;
        }
    }
    tracked.total += paths.len() as u64;
    let mut inside = Inside {
        root: home.root.canonicalize().unwrap_or_else(|_| home.root.clone()),
        known: BTreeMap::new(),
    };
    let mut bytes = 0;
    for (path, is_link) in paths {
        if tracked.files.len() >= FILES_MAX as usize || bytes >= BYTES_MAX {
            tracked.truncated = true;
            break;
        }
        match inside.digest(path, is_link) {
            Look::Found(file) => {
                bytes += file.bytes;
                tracked.files.push(file);
            }
            Look::Gone => {}
            Look::TooMuch => tracked.truncated = true,
        }
    }
    Ok(tracked)
}

/// What became of looking at a file.
enum Look {
    Found(File),
    /// It is not in the work tree, or something else is in its place.
    Gone,
    /// It is too large, or cannot be read.
    TooMuch,
}

/// The work tree, and which of its folders are really inside it.
struct Inside {
    root: PathBuf,
    known: BTreeMap<PathBuf, bool>,
}

impl Inside {
    fn digest(&mut self, path: &str, is_link: bool) -> Look {
        let whole = self.root.join(path);
        let folder = whole.parent().unwrap_or(&self.root).to_owned();
        // A folder that was replaced by a link would lead out of the repository.
        let is_inside = *self
            .known
            .entry(folder)
            .or_insert_with_key(|it| it.canonicalize().is_ok_and(|real| real == *it));
        if !is_inside {
            return Look::Gone;
        }
        let found = |bytes: &[u8]| {
            let (sha256, bytes) = (Digest::of(bytes), bytes.len() as u64);
            Look::Found(File { path: path.to_owned(), sha256, bytes })
        };
        if is_link {
            return std::fs::read_link(&whole)
                .map_or(Look::Gone, |target| found(target.as_os_str().as_bytes()));
        }
        match regular::whole(&whole, FILE_BYTES_MAX) {
            Ok(Some(bytes)) => found(&bytes),
            Ok(None) => Look::TooMuch,
            Err(Unread::Refused(error)) if error.kind() == io::ErrorKind::PermissionDenied => Look::TooMuch,
            Err(_) => Look::Gone,
        }
    }
}
