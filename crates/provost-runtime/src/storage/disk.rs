//! The real disk.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, StatxFlags};

use super::Storage;
use crate::lock::Lock;

/// A folder on a file system, open to its owner alone.
#[derive(Debug)]
pub struct Disk {
    root: PathBuf,
    lock: Option<Lock>,
}

impl Disk {
    /// A folder to read.
    pub fn reading(root: &Path) -> Disk {
        Disk { root: root.to_owned(), lock: None }
    }

    /// A folder that this process owns.
    pub fn owned(root: &Path, lock: Lock) -> Disk {
        Disk { root: root.to_owned(), lock: Some(lock) }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

impl Storage for Disk {
    type File = File;

    fn names(&self, folder: &str) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(self.root.join(folder)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names = Vec::new();
        for entry in entries {
            // A name that is not UTF-8 is not one of ours.
            names.extend(entry?.file_name().into_string().ok());
        }
        names.sort_unstable();
        Ok(names)
    }

    fn make_folder(&self, folder: &str) -> io::Result<()> {
        match DirBuilder::new().mode(0o700).create(self.root.join(folder)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            made => made,
        }
    }

    fn read(&self, path: &str, into: &mut Vec<u8>) -> io::Result<()> {
        into.clear();
        let mut file = File::open(self.root.join(path))?;
        into.reserve(usize::try_from(file.metadata()?.len()).unwrap_or_default());
        file.read_to_end(into)?;
        Ok(())
    }

    fn create(&self, path: &str) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(true).mode(0o600);
        options.open(self.root.join(path))
    }

    fn open(&self, path: &str) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).open(self.root.join(path))
    }

    fn write_at(&self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        file.write_all_at(bytes, offset)
    }

    fn allocate(&self, file: &File, length: u64) -> io::Result<()> {
        Ok(rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, length)?)
    }

    fn truncate(&self, file: &File, length: u64) -> io::Result<()> {
        file.set_len(length)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_data()
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        File::open(self.root.join(folder))?.sync_all()?;
        match self.root.parent() {
            Some(parent) if folder.is_empty() => File::open(parent)?.sync_all(),
            _ => Ok(()),
        }
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.root.join(from), self.root.join(to))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        fs::remove_file(self.root.join(path))
    }

    fn check(&self, file: &File) -> io::Result<()> {
        // Only the links are asked for: whoever asks a file's times as well makes its next write change them, and the
        // flush after it a third slower.
        let found = rustix::fs::statx(file, c"", AtFlags::EMPTY_PATH, StatxFlags::NLINK)?;
        if found.stx_nlink > 0 {
            return Ok(());
        }
        Err(io::Error::other("the file was removed while it was being written"))
    }

    fn fence(&self) -> io::Result<()> {
        let lock = self.lock.as_ref().ok_or_else(|| io::Error::other("the folder was opened for reading"))?;
        lock.check()
    }
}
