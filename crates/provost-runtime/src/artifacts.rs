//! Artifacts: bytes that records name by their SHA-256, durable before the record that names them, never changed.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use provost_core::digest::Digest;

use crate::storage::Storage;

/// The folder of artifacts.
const FOLDER: &str = "artifacts";

/// The most bytes that an artifact from outside may have.
pub const ARTIFACT_MAX: usize = 4 * 1024 * 1024;

/// Bytes by their digest.
pub trait Artifacts {
    /// Keeps bytes durably and says how to get them back.
    fn put(&self, bytes: &[u8]) -> io::Result<Digest>;
    /// The bytes, if they are there and are what the digest says.
    fn get(&self, digest: Digest) -> io::Result<Vec<u8>>;
}

/// Artifacts in the folder `artifacts` of a storage.
#[derive(Debug)]
pub struct FileArtifacts<S: Storage> {
    storage: S,
    /// Distinguishes what several processes write at once.
    unique: String,
    /// Distinguishes what the threads of this process write at once.
    drafts: AtomicU64,
    /// The most bytes of one.
    bytes_max: usize,
    /// Whether every folder was made, and its name durable, before anything is put.
    has_folders: bool,
}

impl<S: Storage> FileArtifacts<S> {
    /// Artifacts of a storage; `unique` is a name that no other process uses at the same time.
    pub fn new(storage: S, unique: impl Into<String>) -> Self {
        let (unique, drafts) = (unique.into(), AtomicU64::new(0));
        FileArtifacts { storage, unique, drafts, bytes_max: ARTIFACT_MAX, has_folders: false }
    }

    /// The same with every folder made now, for whoever puts often: all names are durable with one flush, and no
    /// artifact waits for that of its own folder. Where they cannot be made, each is made when it is needed.
    #[must_use]
    pub fn with_folders(self) -> Self {
        let has_folders = self.make_folders().is_ok();
        FileArtifacts { has_folders, ..self }
    }

    fn make_folders(&self) -> io::Result<()> {
        self.make_folder(FOLDER, "")?;
        let found: BTreeSet<String> = self.storage.names(FOLDER)?.into_iter().collect();
        for first in 0..=u8::MAX {
            let name = format!("{first:02x}");
            if !found.contains(&name) {
                self.storage.make_folder(&format!("{FOLDER}/{name}"))?;
            }
        }
        // Also where all were there: whoever made them may have ended before this.
        self.storage.sync_folder(FOLDER)
    }

    /// The same for larger ones: what Provost made itself and bounds elsewhere.
    #[must_use]
    pub fn holding(self, bytes_max: usize) -> Self {
        FileArtifacts { bytes_max, ..self }
    }

    fn write(&self, folder: &str, draft: &str, path: &str, bytes: &[u8]) -> io::Result<()> {
        let make_both = || self.make_folder(FOLDER, "").and_then(|()| self.make_folder(folder, FOLDER));
        if !self.has_folders {
            make_both()?;
        }
        // Whoever removed a folder since is not to stop all work.
        let file =
            self.storage.create(draft).or_else(|_| make_both().and_then(|()| self.storage.create(draft)))?;
        self.storage.write_at(&file, 0, bytes)?;
        self.storage.sync(&file)?;
        let name_it = || self.storage.rename(draft, path);
        name_it().or_else(|_| make_both().and_then(|()| name_it()))
    }

    /// Makes a folder whose name is durable before anything is in it.
    fn make_folder(&self, folder: &str, parent: &str) -> io::Result<()> {
        self.storage.make_folder(folder)?;
        // Where something is in it, whoever put it there has done this.
        if self.storage.names(folder)?.is_empty() { self.storage.sync_folder(parent) } else { Ok(()) }
    }
}

impl<S: Storage> Artifacts for FileArtifacts<S> {
    fn put(&self, bytes: &[u8]) -> io::Result<Digest> {
        if bytes.len() > self.bytes_max {
            let message = format!("an artifact holds at most {} MiB", self.bytes_max >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        let digest = Digest::of(bytes);
        let (folder, path) = place(digest);
        if self.get(digest).is_err() {
            let number = self.drafts.fetch_add(1, Ordering::Relaxed);
            // In the one folder that is always in use: making a file elsewhere waits for the disk to find room there.
            let draft = format!("{FOLDER}/.{}-{number}", self.unique);
            self.write(&folder, &draft, &path, bytes).inspect_err(|_| {
                // Nobody would ever use it or look for it.
                let _ = self.storage.remove(&draft);
            })?;
        }
        // Also where the bytes were there before: whoever put them may have ended before this.
        self.storage.sync_folder(&folder)?;
        Ok(digest)
    }

    fn get(&self, digest: Digest) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.storage.read(&place(digest).1, &mut bytes)?;
        if Digest::of(&bytes) == digest {
            return Ok(bytes);
        }
        Err(io::Error::new(io::ErrorKind::InvalidData, "the artifact's bytes do not match its name"))
    }
}

/// The folder and the path of an artifact.
fn place(digest: Digest) -> (String, String) {
    let name = digest.to_string();
    let folder = format!("{FOLDER}/{}", name.get(..2).unwrap_or_default());
    let path = format!("{folder}/{name}");
    (folder, path)
}
