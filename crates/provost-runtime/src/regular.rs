//! Regular files that somebody else may have put there, or that a person names: read up to a limit, and never waiting for
//! the other end of a pipe. Apart so that everything that reads such files refuses the same.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use thiserror::Error;

/// Why a file was not read, in words that follow its name.
#[derive(Debug, Error)]
pub enum Unread {
    /// It is a link.
    #[error("is a link, and links are not followed")]
    Link,
    /// It is a folder, a pipe, a device.
    #[error("is not a regular file")]
    Irregular,
    /// The system refused.
    #[error("cannot be read: {0}")]
    Refused(#[from] io::Error),
}

/// The beginning of a regular file, at most so many bytes; a link is not followed.
pub(crate) fn beginning(path: &Path, bytes_max: u64) -> Result<Vec<u8>, Unread> {
    read(path, OFlags::NOFOLLOW, bytes_max)
}

/// The same of a file that a person names, which may be reached through a link.
pub fn named(path: &Path, bytes_max: u64) -> Result<Vec<u8>, Unread> {
    read(path, OFlags::empty(), bytes_max)
}

fn read(path: &Path, links: OFlags, bytes_max: u64) -> Result<Vec<u8>, Unread> {
    // Without blocking, so that nobody waits for the other end of a pipe that was put there.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | links;
    let opened = rustix::fs::open(path, flags, Mode::empty()).map_err(|error| match error {
        rustix::io::Errno::LOOP if links.contains(OFlags::NOFOLLOW) => Unread::Link,
        other => Unread::Refused(other.into()),
    })?;
    let file = File::from(opened);
    if !file.metadata()?.is_file() {
        return Err(Unread::Irregular);
    }
    let mut bytes = Vec::new();
    file.take(bytes_max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A whole regular file; none where it has more than so many bytes.
pub(crate) fn whole(path: &Path, bytes_max: u64) -> Result<Option<Vec<u8>>, Unread> {
    let bytes = beginning(path, bytes_max.saturating_add(1))?;
    Ok((bytes.len() as u64 <= bytes_max).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn files_are_read_up_to_the_limit() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "12345").unwrap();
        assert_eq!(beginning(&file, 3).unwrap(), b"123");
        assert_eq!(beginning(&file, 9).unwrap(), b"12345");
        assert_eq!(whole(&file, 5).unwrap().unwrap(), b"12345");
        assert_eq!(whole(&file, 4).unwrap(), None);
    }

    #[test]
    fn links_folders_and_pipes_are_refused_without_waiting() {
        let folder = TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        symlink(at("file"), at("link")).unwrap();
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        assert!(matches!(whole(&at("link"), 9), Err(Unread::Link)));
        assert!(matches!(whole(&at("pipe"), 9), Err(Unread::Irregular)));
        assert!(matches!(whole(folder.path(), 9), Err(Unread::Irregular)));
        assert!(matches!(whole(&at("gone"), 9), Err(Unread::Refused(_))));
    }

    #[test]
    fn what_a_person_names_may_be_a_link_but_no_pipe_and_no_device() {
        let folder = TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        symlink(at("file"), at("link")).unwrap();
        symlink(at("round"), at("round")).unwrap();
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        assert_eq!(named(&at("link"), 3).unwrap(), b"tex");
        assert!(matches!(named(&at("pipe"), 9), Err(Unread::Irregular)));
        assert!(matches!(named(Path::new("/dev/zero"), 9), Err(Unread::Irregular)));
        assert!(matches!(named(&at("round"), 9), Err(Unread::Refused(_))));
    }
}
