//! The other side: a command handed to the process that holds the project.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::{Reply, Request};

/// How long a holder may take for one answer. It flushes within milliseconds; a holder that hangs is no holder.
const ANSWER_MAX: Duration = Duration::from_secs(2);

/// A connection to a holder.
#[derive(Debug)]
pub struct Client {
    stream: BufReader<UnixStream>,
}

impl Client {
    /// Connects.
    pub fn connect(socket: &Path) -> io::Result<Client> {
        let stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(ANSWER_MAX))?;
        stream.set_write_timeout(Some(ANSWER_MAX))?;
        Ok(Client { stream: BufReader::new(stream) })
    }

    /// Asks and waits for the answer.
    pub fn ask(&mut self, request: &Request) -> io::Result<Reply> {
        let mut text = serde_json::to_vec(request).map_err(io::Error::other)?;
        text.push(b'\n');
        self.stream.get_mut().write_all(&text)?;
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        serde_json::from_str(&line).map_err(io::Error::other)
    }
}
