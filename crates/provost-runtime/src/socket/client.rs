//! The other side: a command handed to the process that holds the project.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

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
        ask(&mut self.stream, request, patience)
    }
}

/// Sends one line and reads one, each within a time.
pub(crate) fn ask<T: DeserializeOwned>(
    stream: &mut BufReader<UnixStream>,
    request: &impl Serialize,
    patience: Duration,
) -> io::Result<T> {
    let patience = Some(patience.max(Duration::from_millis(1)));
    stream.get_ref().set_read_timeout(patience)?;
    stream.get_ref().set_write_timeout(patience)?;
    let mut text = serde_json::to_vec(request).map_err(io::Error::other)?;
    text.push(b'\n');
    stream.get_mut().write_all(&text)?;
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    serde_json::from_str(&line).map_err(io::Error::other)
}
