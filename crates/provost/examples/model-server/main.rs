//! A model on the loopback that does what the prompt tells it to, for trying real agents without a network and without
//! keys: `cargo run -p provost --example model-server -- [--port N] [--log FILE]`.
//!
//! | in the prompt | the model |
//! |---|---|
//! | `[[write: PATH \| text]]` | writes a file with the agent's own tool |
//! | `[[read: PATH]]` | looks at a file with the agent's own tool |
//! | `[[shell: COMMAND]]` | runs a command with the agent's own tool |
//! | `[[call: TOOL {json}]]` | calls a tool by the end of its name |
//! | `[[say: text]]` | answers, which ends the turn |
//! | `[[fault: 401]]`, `403`, `429`, `500`, `529`, `hang`, `reset`, `truncate` | fails; with `once` behind it only the first time |
//! | `[[as developer]]` … `[[as critic 2]]` … `[[end]]` | what is between is for that role, or that attempt of it |

mod http;
mod offer;
mod script;
mod serve;
mod talk;
mod wire;

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::{env, thread};

use serve::Server;

fn main() -> io::Result<()> {
    let (mut port, mut log) = (0, None);
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        match (word.as_str(), words.next()) {
            ("--port", Some(number)) => port = number.parse().map_err(|_| usage())?,
            ("--log", Some(file)) => log = Some(OpenOptions::new().create(true).append(true).open(file)?),
            _ => return Err(usage()),
        }
    }
    let listener = TcpListener::bind(("127.0.0.1", port))?;
    writeln!(io::stdout(), "{}", listener.local_addr()?.port())?;
    io::stdout().flush()?;
    let server = Arc::new(Server::new(log));
    for stream in listener.incoming() {
        let (stream, server) = (stream?, Arc::clone(&server));
        // A client that goes away is no trouble of the server's; the log has what it asked.
        thread::spawn(move || server.serve(stream).ok());
    }
    Ok(())
}

fn usage() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "usage: model-server [--port N] [--log FILE]")
}
