//! The few things that the journal and the artifacts ask of a disk, so that a test can stand in for one and
//! fail, tear or stop any call.
//!
//! Nothing is durable before it was synced: a file's bytes by [`Storage::sync`], its name by
//! [`Storage::sync_folder`]. Those two report where they were called from, so that a test can leave out each call
//! in turn and see that something notices.

mod disk;

use std::io;

pub use disk::Disk;

/// A folder of files. Paths are relative to it and use `/`.
pub trait Storage {
    /// An open file.
    type File;

    /// The names in a folder, sorted; none if the folder does not exist.
    fn names(&self, folder: &str) -> io::Result<Vec<String>>;
    /// Makes a folder, unless it is there.
    fn make_folder(&self, folder: &str) -> io::Result<()>;
    /// Replaces the content of `into` with that of a file.
    fn read(&self, path: &str, into: &mut Vec<u8>) -> io::Result<()>;
    /// Makes an empty file, in place of one that is there.
    fn create(&self, path: &str) -> io::Result<Self::File>;
    /// Opens a file for writing.
    fn open(&self, path: &str) -> io::Result<Self::File>;
    /// Writes all bytes at an offset.
    fn write_at(&self, file: &Self::File, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// Makes a file this long, the new part zeros that take room on the disk already.
    fn allocate(&self, file: &Self::File, length: u64) -> io::Result<()>;
    /// Cuts a file off.
    fn truncate(&self, file: &Self::File, length: u64) -> io::Result<()>;
    /// Makes a file's bytes durable.
    #[track_caller]
    fn sync(&self, file: &Self::File) -> io::Result<()>;
    /// Makes the names in a folder durable; for the root, written `""`, its own name too.
    #[track_caller]
    fn sync_folder(&self, folder: &str) -> io::Result<()>;
    /// Gives a file another name, in place of one that is there.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &str) -> io::Result<()>;
    /// Fails when a file is no longer in its folder, so that whatever is written to it would be lost.
    fn check(&self, file: &Self::File) -> io::Result<()>;
    /// Fails when this process no longer owns the folder.
    fn fence(&self) -> io::Result<()>;
}
