//! Where commands print: text for people, JSON for programs, and no noise when nobody reads on.

use std::fmt::Display;
use std::io::{self, BufWriter, Stdout, Write};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use serde::Serialize;

/// Standard output, in one of two forms.
pub(crate) struct Screen {
    command: &'static str,
    json: bool,
    out: Out,
}

/// Where it goes.
enum Out {
    /// To whoever reads standard output.
    Printed(BufWriter<Stdout>),
    /// Into memory, up to a limit; then nobody reads on.
    Kept { text: Vec<u8>, bytes_max: usize },
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Out::Printed(out) => out.write(bytes),
            Out::Kept { text, bytes_max } if text.len() + bytes.len() > *bytes_max => {
                *bytes_max = 0;
                Err(io::ErrorKind::BrokenPipe.into())
            }
            Out::Kept { text, .. } => text.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Out::Printed(out) => out.flush(),
            Out::Kept { .. } => Ok(()),
        }
    }
}

/// A JSON document with the name of its form.
#[derive(Serialize)]
struct Document<'a, T> {
    schema: String,
    #[serde(flatten)]
    body: &'a T,
}

impl Screen {
    pub(crate) fn new(command: &'static str, json: bool) -> Screen {
        Screen { command, json, out: Out::Printed(BufWriter::new(io::stdout())) }
    }

    /// A screen that nobody sees: what a command prints as JSON is kept, for another way to show it.
    pub(crate) fn keeping(command: &'static str, bytes_max: usize) -> Screen {
        Screen { command, json: true, out: Out::Kept { text: Vec::new(), bytes_max } }
    }

    /// Whether more was printed than is kept.
    pub(crate) fn is_full(&self) -> bool {
        matches!(self.out, Out::Kept { bytes_max: 0, .. })
    }

    /// What was kept.
    pub(crate) fn kept(self) -> String {
        match self.out {
            Out::Printed(_) => String::new(),
            Out::Kept { text, .. } => String::from_utf8_lossy(&text).into_owned(),
        }
    }

    /// Whether programs read this.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints a line.
    pub(crate) fn line(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// Prints text that ends its own lines.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }

    /// Prints the one JSON document of a command.
    pub(crate) fn document(&mut self, body: &impl Serialize) -> io::Result<()> {
        let document = Document { schema: format!("provost/{}/1", self.command), body };
        serde_json::to_writer(&mut self.out, &document)?;
        writeln!(self.out)?;
        self.flush()
    }

    /// Waits, and ends the waiting as soon as nobody reads on.
    pub(crate) fn wait(&mut self, time: Duration) -> io::Result<()> {
        self.flush()?;
        let stdout = io::stdout();
        let mut ends = [PollFd::new(&stdout, PollFlags::empty())];
        let time = Timespec { tv_sec: 0, tv_nsec: time.subsec_nanos().into() };
        match poll(&mut ends, Some(&time)) {
            Ok(0) | Err(Errno::INTR) => Ok(()),
            // A reader that is gone is told of without being asked for.
            Ok(_) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes sure that what was printed can be seen.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
