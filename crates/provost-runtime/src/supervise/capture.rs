//! Output on its way into a file of bounded size: the beginning, the end, and between them one line that says how
//! much is missing. The file with both is small enough to become an artifact.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, PipeReader, PipeWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// How the line begins that stands for what was cut: `[provost: cut 12345 bytes]`.
pub const CUT_MARK_PREFIX: &str = "[provost: cut ";

/// How much of the beginning of an output is kept.
pub const HEAD_MAX: usize = 2 * 1024 * 1024;

/// How much of the end of an output is kept; with the beginning and the line between it fits into an artifact.
pub const TAIL_MAX: usize = HEAD_MAX - 64;

/// A line up to this length is kept or cut as a whole, so that no part of one is taken for another line.
const LINE_MAX: usize = 64 * 1024;

/// How much is read at a time.
const CHUNK: usize = 64 * 1024;

/// One output and its file.
pub(super) struct Capture {
    /// Gone once it has ended.
    pipe: Option<PipeReader>,
    buffer: Box<[u8]>,
    store: Store,
}

/// A pipe for an output and what reading from it takes, made before it is known whose output it will be.
pub(super) struct Pipe {
    reader: PipeReader,
    writer: PipeWriter,
    buffer: Box<[u8]>,
}

impl Pipe {
    pub(super) fn open() -> io::Result<Pipe> {
        let (reader, writer) = io::pipe()?;
        Ok(Pipe { reader, writer, buffer: vec![0; CHUNK].into_boxed_slice() })
    }
}

/// What became of an output.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kept {
    pub(super) bytes: u64,
    pub(super) cut_bytes: u64,
}

impl Capture {
    /// A capture of what comes through a pipe, and the end that the program writes to.
    pub(super) fn new(path: &Path, pipe: Pipe) -> io::Result<(Capture, PipeWriter)> {
        let Pipe { reader, writer, buffer } = pipe;
        Ok((Capture { pipe: Some(reader), buffer, store: Store::new(path)? }, writer))
    }

    /// What to wait for.
    pub(super) fn source(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(PipeReader::as_fd)
    }

    /// Reads once, after a wait has shown that there is something, and gives what was read; nothing at the end.
    pub(super) fn read(&mut self) -> Option<&[u8]> {
        let pipe = self.pipe.as_mut()?;
        match pipe.read(&mut self.buffer) {
            Ok(count) if count > 0 => {
                let fresh = self.buffer.get(..count).unwrap_or_default();
                self.store.take(fresh);
                Some(fresh)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Some(&[]),
            _ => {
                self.pipe = None;
                None
            }
        }
    }

    /// Writes what is still to be written.
    pub(super) fn finish(self) -> Kept {
        self.store.finish()
    }
}

/// The beginning in the file, the end in memory until it is known to be the end.
pub(super) struct Store {
    path: PathBuf,
    /// There from the first byte on: making a file can take longer than a flush, and no program waits for that.
    file: Option<File>,
    bytes: u64,
    /// How much of the beginning is in the file.
    head: usize,
    /// Where the last whole line of the beginning ends.
    line_end: usize,
    tail: VecDeque<u8>,
    /// The last byte that fell out of `tail`; none fell out while there is none.
    before_tail: Option<u8>,
    /// The disk refused: nothing more is written, and the program is not made to wait for it.
    refused: bool,
}

impl Store {
    /// A store in place of whatever an earlier program left there.
    pub(super) fn new(path: &Path) -> io::Result<Store> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let (path, tail) = (path.to_owned(), VecDeque::new());
        let (file, before_tail) = (None, None);
        Ok(Store { path, file, bytes: 0, head: 0, line_end: 0, tail, before_tail, refused: false })
    }

    fn file(&mut self) -> io::Result<&mut File> {
        let file = match (self.file.take(), self.path.parent()) {
            (Some(file), _) => file,
            (None, folder) => {
                folder.map(fs::create_dir_all).transpose()?;
                OpenOptions::new().write(true).create_new(true).mode(0o600).open(&self.path)?
            }
        };
        Ok(self.file.insert(file))
    }

    pub(super) fn take(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let (head, rest) = bytes.split_at(bytes.len().min(HEAD_MAX - self.head));
        if !head.is_empty() && !self.refused {
            self.refused = self.file().and_then(|file| file.write_all(head)).is_err();
        }
        if !self.refused {
            if let Some(at) = head.iter().rposition(|byte| *byte == b'\n') {
                self.line_end = self.head + at + 1;
            }
            self.head += head.len();
        }
        if rest.is_empty() || self.refused {
            return;
        }
        let excess = (self.tail.len() + rest.len()).saturating_sub(TAIL_MAX).min(self.tail.len());
        if let Some(last) = self.tail.drain(..excess).next_back() {
            self.before_tail = Some(last);
        }
        self.tail.extend(rest);
    }

    pub(super) fn finish(mut self) -> Kept {
        let kept = if self.before_tail.is_some() { self.write_cut() } else { self.write_whole() };
        // What could not be written may still be there in part; it is not counted as kept.
        let kept = kept.unwrap_or(self.head);
        Kept { bytes: self.bytes, cut_bytes: self.bytes.saturating_sub(kept as u64) }
    }

    fn write_whole(&mut self) -> io::Result<usize> {
        let tail = std::mem::take(&mut self.tail);
        if !tail.is_empty() {
            let (first, second) = tail.as_slices();
            let file = self.file()?;
            file.write_all(first)?;
            file.write_all(second)?;
        }
        Ok(self.head + tail.len())
    }

    fn write_cut(&mut self) -> io::Result<usize> {
        let head = if self.head - self.line_end <= LINE_MAX { self.line_end } else { self.head };
        let mut whole = std::mem::take(&mut self.tail);
        let tail: &[u8] = whole.make_contiguous();
        let tail = match tail.iter().take(LINE_MAX).position(|byte| *byte == b'\n') {
            Some(end) if self.before_tail != Some(b'\n') => tail.get(end + 1..).unwrap_or_default(),
            _ => tail,
        };
        let kept = head + tail.len();
        let line_break = if head == self.line_end { "" } else { "\n" };
        let cut = self.bytes.saturating_sub(kept as u64);
        let file = self.file()?;
        file.set_len(head as u64)?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(format!("{line_break}{CUT_MARK_PREFIX}{cut} bytes]\n").as_bytes())?;
        file.write_all(tail)?;
        Ok(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifacts::ARTIFACT_MAX;

    /// Captures chunks and gives back what is in the file and what was cut.
    fn captured(chunks: impl Iterator<Item = Vec<u8>>) -> (Vec<u8>, Kept) {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("running/output");
        let mut store = Store::new(&path).unwrap();
        chunks.for_each(|chunk| store.take(&chunk));
        let kept = store.finish();
        (fs::read(&path).unwrap_or_default(), kept)
    }

    #[test]
    fn what_fits_is_kept_byte_for_byte() {
        for size in [0, 1, HEAD_MAX - 1, HEAD_MAX, HEAD_MAX + 1, HEAD_MAX + TAIL_MAX] {
            let all: Vec<u8> = (0_u8..=250).cycle().take(size).collect();
            let (found, kept) = captured(all.chunks(60_000).map(<[u8]>::to_vec));
            assert!(found == all, "{size} bytes were changed");
            assert_eq!((kept.bytes, kept.cut_bytes), (size as u64, 0));
        }
    }

    #[test]
    fn what_an_earlier_program_printed_is_not_taken_for_the_next_ones() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("output");
        let mut first = Store::new(&path).unwrap();
        first.take(b"of the first\n");
        first.finish();
        Store::new(&path).unwrap().finish();
        assert!(!path.exists(), "the second printed nothing");
    }

    #[test]
    fn lines_are_kept_or_cut_as_a_whole() {
        let line = |number: usize| format!("line {number:07} of many\n").into_bytes();
        let (found, kept) = captured((0..400_000).map(line));
        assert!(found.len() <= ARTIFACT_MAX);
        let text = String::from_utf8(found).unwrap();
        let (marks, lines): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with(CUT_MARK_PREFIX));
        assert_eq!(marks, [format!("[provost: cut {} bytes]", kept.cut_bytes)]);
        assert!(lines.iter().all(|text| text.len() + 1 == line(0).len() && text.starts_with("line ")));
        assert_eq!(lines.len() as u64 * line(0).len() as u64 + kept.cut_bytes, kept.bytes);
        assert_eq!(lines.first(), Some(&"line 0000000 of many"));
        assert_eq!(lines.last(), Some(&"line 0399999 of many"));
    }

    #[test]
    fn output_without_a_line_is_cut_where_it_must_be() {
        let (found, kept) = captured((0..200).map(|_| vec![b'x'; 60_000]));
        let cut = 200 * 60_000 - HEAD_MAX - TAIL_MAX;
        assert_eq!(kept.cut_bytes, cut as u64);
        assert!(found.len() <= ARTIFACT_MAX);
        let mark = format!("\n[provost: cut {cut} bytes]\n");
        assert_eq!(found[HEAD_MAX..HEAD_MAX + mark.len()], *mark.as_bytes());
        assert_eq!(found.len(), HEAD_MAX + mark.len() + TAIL_MAX);
    }

    #[test]
    fn a_tail_that_begins_with_a_line_loses_none() {
        let chunk = || [vec![b'y'; 31], vec![b'\n']].concat();
        let (_, kept) = captured((0..2 * HEAD_MAX / 32).map(|_| chunk()));
        // 64 bytes more than fit, and both halves are whole lines.
        assert_eq!(kept.cut_bytes, 64);
    }
}
