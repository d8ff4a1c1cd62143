//! Where commands print: text for people, JSON for programs, and no noise when nobody reads on.

use std::fmt::Display;
use std::io::{self, BufWriter, Stdout, Write as _};

use serde::Serialize;

/// Standard output, in one of two forms.
pub(crate) struct Screen {
    command: &'static str,
    json: bool,
    out: BufWriter<Stdout>,
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
        Screen { command, json, out: BufWriter::new(io::stdout()) }
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

    /// Makes sure that what was printed can be seen.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
