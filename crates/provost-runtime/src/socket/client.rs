//! The other side: a command handed to the process that holds the project.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::{Reply, Request};

/// A connection to a holder.
#[derive(Debug)]
pub struct Client {
    stream: BufReader<UnixStream>,
}

impl Client {
    /// Connects.
    pub fn connect(socket: &Path) -> io::Result<Client> {
        Ok(Client { stream: BufReader::new(UnixStream::connect(socket)?) })
    }

    /// Asks and waits for the answer. A holder flushes within milliseconds; one that hangs is no holder.
    pub fn ask(&mut self, request: &Request, patience: Duration) -> io::Result<Reply> {
        let patience = Some(patience.max(Duration::from_millis(1)));
        self.stream.get_ref().set_read_timeout(patience)?;
        self.stream.get_ref().set_write_timeout(patience)?;
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
