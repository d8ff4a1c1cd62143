//! Talking with an agent that has a protocol, beside its output on the way into files: lines go to the adapter, what
//! the adapter answers goes back in, and only what somebody has to decide leaves this process.

use std::io::{self, PipeReader, PipeWriter, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};

use provost_core::adapter::{self, Account, Adapter, Asked, Fed, Heard, Spent};

use super::capture::{Kept, Store};
use crate::process::{Reply, Talking};

/// The longest line that is looked at; a longer one means nothing.
const LINE_MAX: usize = 16 * 1024 * 1024;

/// One turn's conversation.
pub(super) struct Talk {
    adapter: Box<dyn Adapter + Send>,
    before: Spent,
    lines: Lines,
    input: Input,
    /// What the agent says, apart from the events that it says it in.
    said: Store,
    account: Account,
}

impl Talk {
    /// Opens a conversation, and gives the end of the pipe that the agent reads.
    pub(super) fn open(talking: &Talking) -> io::Result<(Talk, PipeReader)> {
        let (reader, writer) = io::pipe()?;
        // Whoever does not read must not keep this process from watching it.
        rustix::io::ioctl_fionbio(&writer, true)?;
        let mut adapter = adapter::open(&talking.conversation);
        let mut input = Input { pipe: Some(writer), pending: Vec::new() };
        input.put(adapter.begin(&talking.prompt));
        let talk = Talk {
            adapter,
            before: talking.conversation.before,
            lines: Lines::default(),
            input,
            said: Store::new(&talking.said)?,
            account: Account::default(),
        };
        Ok((talk, reader))
    }

    /// Takes in output; what somebody has to decide is given back.
    pub(super) fn hear(&mut self, output: &[u8]) -> Vec<Asked> {
        let mut asked = Vec::new();
        for line in self.lines.take(output) {
            self.line(line, &mut asked);
        }
        self.write();
        asked
    }

    fn line(&mut self, line: Option<String>, asked: &mut Vec<Asked>) {
        let Fed { heard, reply } = match line {
            Some(line) if line.trim().is_empty() => return,
            Some(line) => self.adapter.feed(&line),
            None => Fed { heard: vec![Heard::Unknown], reply: Vec::new() },
        };
        self.input.put(reply);
        for heard in heard {
            self.account.hear(&heard, self.before);
            match heard {
                Heard::Text(text) => {
                    self.said.take(text.as_bytes());
                    self.said.take(b"\n");
                }
                Heard::Asked(it) => asked.push(it),
                _ => {}
            }
        }
    }

    /// Hands on what was decided.
    pub(super) fn answer(&mut self, reply: &Reply) {
        self.input.put(self.adapter.answer(&reply.request, &reply.grant));
        self.write();
    }

    /// Asks the agent to break off by itself; false when it cannot be asked.
    pub(super) fn interrupt(&mut self) -> bool {
        let words = self.adapter.interrupt();
        let can = !words.is_empty() && self.input.pipe.is_some();
        self.input.put(words);
        self.write();
        can
    }

    /// Whether the agent said that it is done, well or not.
    pub(super) fn is_over(&self) -> bool {
        self.account.ended
    }

    /// What to wait for before more can be written.
    pub(super) fn unwritten(&self) -> Option<BorrowedFd<'_>> {
        self.input.pipe.as_ref().filter(|_| !self.input.pending.is_empty()).map(PipeWriter::as_fd)
    }

    /// Writes as much as the agent takes.
    pub(super) fn write(&mut self) {
        self.input.write(self.adapter.is_over());
    }

    /// What the conversation came to, and what was kept of its words; a last line may have no end.
    pub(super) fn finish(mut self) -> (Account, Kept) {
        if let Some(line) = self.lines.rest() {
            self.line(Some(line), &mut Vec::new());
        }
        (self.account, self.said.finish())
    }
}

/// Lines put together from what was read.
#[derive(Default)]
struct Lines {
    partial: Vec<u8>,
    /// The line is too long, and its rest is passed over.
    passing: bool,
}

impl Lines {
    /// The whole lines; nothing for one that was too long.
    fn take(&mut self, bytes: &[u8]) -> Vec<Option<String>> {
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (piece, is_whole) = match piece.split_last() {
                Some((b'\n', piece)) => (piece, true),
                _ => (piece, false),
            };
            if self.partial.len() + piece.len() > LINE_MAX {
                self.partial = Vec::new();
                self.passing = true;
            }
            if !self.passing {
                self.partial.extend_from_slice(piece);
            }
            if is_whole {
                let line = std::mem::take(&mut self.partial);
                let passed = std::mem::take(&mut self.passing);
                lines.push((!passed).then(|| String::from_utf8_lossy(&line).into_owned()));
            }
        }
        lines
    }

    fn rest(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.partial);
        (!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned())
    }
}

/// What the agent reads.
struct Input {
    /// Gone once it has ended.
    pipe: Option<PipeWriter>,
    pending: Vec<u8>,
}

impl Input {
    fn put(&mut self, bytes: Vec<u8>) {
        if self.pipe.is_some() {
            self.pending.extend(bytes);
        }
    }

    /// Writes what can be written; with `last`, the end follows what is there.
    fn write(&mut self, last: bool) {
        while let Some(pipe) = self.pipe.as_mut().filter(|_| !self.pending.is_empty()) {
            match pipe.write(&self.pending) {
                Ok(count) if count > 0 => drop(self.pending.drain(..count)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // It reads no more.
                _ => self.pipe = None,
            }
        }
        if last {
            self.pipe = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_put_together_however_they_come() {
        let text = "one\n\ntwo longer\nrest";
        for size in 1..=text.len() {
            let mut lines = Lines::default();
            let mut found = Vec::new();
            for chunk in text.as_bytes().chunks(size) {
                found.extend(lines.take(chunk));
            }
            let whole = ["one", "", "two longer"].map(|line| Some(line.to_owned()));
            assert_eq!((found.as_slice(), lines.rest().as_deref()), (whole.as_slice(), Some("rest")));
        }
    }

    #[test]
    fn a_line_without_end_is_passed_over_and_the_next_is_heard() {
        let mut lines = Lines::default();
        let chunk = vec![b'x'; 1024 * 1024];
        for _ in 0..20 {
            assert!(lines.take(&chunk).is_empty());
            assert!(lines.partial.len() <= LINE_MAX);
        }
        assert_eq!(lines.take(b"x\nnext\n"), [None, Some("next".to_owned())]);
    }
}
