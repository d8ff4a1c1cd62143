//! One turn's own socket: how the tools of its agent reach the process that started it, and nothing else.
//!
//! The folder is open to its owner alone, the peer's user is checked, and every request carries a token that only the
//! agent of this turn was given; so a call belongs to one role, one task and one attempt. What is called is judged by
//! the rules for what is printed, and told when the turn is over.

mod client;
mod leftovers;

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use provost_core::adapter::{self, Act, Grant};
use provost_core::digest::Digest;
use provost_core::role::Role;
use provost_core::signal::{Calls, Expected, Name, Taken};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

pub use client::Ticket;

use crate::socket::{self, Lines, PATH_MAX, REQUEST_MAX};

/// How many connections a turn's tools may have at once; more are turned away and try again.
const CLIENTS_MAX: usize = 16;

/// How many calls a turn may make; more are refused.
const CALLS_MAX: u32 = 4_096;

/// How the folders of turns begin.
const FOLDER: &str = "turn-";

/// The socket, inside the folder.
const SOCKET: &str = "s";

/// The file that lets a tool server speak for the turn, inside the folder.
const FILE: &str = "dispatch.json";

/// How many bytes folder and socket add to the path that they are in, with the slash between them.
const NAME_LEN: usize = FOLDER.len() + 16 + 1 + SOCKET.len();

/// What an agent gets when it asks for an expert.
const NO_EXPERTS: &str =
    "There are no experts in this project. Decide it yourself if your task allows it, or ask a person.";

/// What a tool server asks.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    token: String,
    call: Call,
}

/// One call of a tool.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Call {
    /// What the turn is about.
    MyTask,
    /// A signal, with its fields as a JSON object.
    Signal {
        /// Its name.
        name: Name,
        /// Its fields, as the agent wrote them.
        fields: Box<RawValue>,
    },
    /// A question for an expert.
    Expert {
        /// The question.
        question: String,
    },
    /// Whether a tool may be used.
    Permission {
        /// The tool.
        tool: String,
        /// Its input, as the agent wrote it.
        input: Box<RawValue>,
    },
}

/// What a call led to.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// What the turn is about.
    Task {
        /// Who the agent is.
        role: Role,
        /// The task's id.
        task: String,
        /// All that it was told when it began.
        page: String,
    },
    /// It was taken; this is for the agent.
    Said(String),
    /// Whether it may.
    Permission(Grant),
    /// It was not taken; this is for the agent, with what it can do.
    Refused(String),
}

/// Decides what an agent may do.
pub type Permit = Arc<dyn Fn(&Act) -> Grant + Send + Sync>;

/// The socket of one turn, for as long as it is kept.
#[derive(Debug)]
pub struct Dispatch {
    folder: PathBuf,
    token: Digest,
    lines: Arc<Lines>,
    turn: Arc<Turn>,
}

/// What all connections share.
struct Turn {
    role: Role,
    task: String,
    page: String,
    token: Digest,
    permit: Permit,
    calls_left: AtomicU32,
    /// Nothing, once the turn is over.
    calls: Mutex<Option<Calls>>,
}

impl std::fmt::Debug for Turn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Turn").field("role", &self.role).field("task", &self.task).finish_non_exhaustive()
    }
}

impl Dispatch {
    /// A place for the folders of turns, short enough for a socket and open to this user alone.
    pub fn place() -> Option<PathBuf> {
        socket::private_folder(NAME_LEN)
    }

    /// Opens the socket of a turn in a folder of its own; `page` is what the agent is told about its task.
    pub fn open(place: &Path, expected: &Expected<'_>, page: String, permit: Permit) -> io::Result<Dispatch> {
        leftovers::remove(place);
        let id = Uuid::new_v4().simple().to_string();
        let folder = place.join(format!("{FOLDER}{}", id.get(..16).unwrap_or_default()));
        let path = folder.join(SOCKET);
        if path.as_os_str().len() > PATH_MAX {
            return Err(io::Error::new(io::ErrorKind::InvalidFilename, "the path of the socket is too long"));
        }
        DirBuilder::new().mode(0o700).create(&folder)?;
        // Two of them, because each leaves a few of its bits fixed.
        let token = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        let opened = Lines::bind(&path, CLIENTS_MAX, REQUEST_MAX).and_then(|lines| {
            let mut file = private_file(&folder.join(FILE))?;
            let ticket = Ticket { socket: path, token: token.clone() };
            file.write_all(&serde_json::to_vec(&ticket).map_err(io::Error::other)?)?;
            Ok(lines)
        });
        let lines = opened.inspect_err(|_| drop(fs::remove_dir_all(&folder)))?;
        let token = Digest::of(token.as_bytes());
        let turn = Arc::new(Turn {
            role: expected.role,
            task: expected.task_id.to_owned(),
            page,
            token,
            permit,
            calls_left: AtomicU32::new(CALLS_MAX),
            calls: Mutex::new(Some(Calls::default())),
        });
        // From here on dropping it removes what was made.
        let dispatch = Dispatch { folder, token, lines, turn };
        dispatch.listen()?;
        Ok(dispatch)
    }

    fn listen(&self) -> io::Result<()> {
        let (lines, turn) = (Arc::clone(&self.lines), Arc::clone(&self.turn));
        let within = Arc::clone(&self.lines);
        thread::Builder::new().name("dispatch".to_owned()).spawn(move || {
            lines.accept(
                &(Arc::new(move |stream: &UnixStream, _| within.converse(stream, |line| turn.answer(line)))
                    as _),
            );
        })?;
        Ok(())
    }

    /// The folder of the turn, for its agent to reach.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file that lets a tool server speak for the turn.
    pub fn file(&self) -> PathBuf {
        self.folder.join(FILE)
    }

    /// What may stand on the record of the token.
    pub const fn token_digest(&self) -> Digest {
        self.token
    }

    /// Ends the turn: nothing more is taken, and this is what was.
    pub fn close(self) -> Calls {
        self.turn.end().unwrap_or_default()
    }
}

impl Drop for Dispatch {
    fn drop(&mut self) {
        self.turn.end();
        self.lines.close();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

impl Turn {
    /// Answers a request. Whoever has not the token gets no answer and no connection.
    fn answer(&self, line: &[u8]) -> Option<Reply> {
        let Ok(request) = serde_json::from_slice::<Request>(line) else {
            return Some(Reply::Refused("This version of Provost does not know the request.".to_owned()));
        };
        // Digests, so that how long it takes says nothing about the token.
        if Digest::of(request.token.as_bytes()) != self.token {
            return None;
        }
        let left =
            self.calls_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if left.is_err() {
            let message =
                format!("{CALLS_MAX} calls were made in this turn. End it with your signal as text.");
            return Some(Reply::Refused(message));
        }
        Some(self.call(request.call))
    }

    fn call(&self, call: Call) -> Reply {
        match call {
            Call::MyTask => Reply::Task { role: self.role, task: self.task.clone(), page: self.page.clone() },
            Call::Signal { name, fields } => self.signal(name, fields.get()),
            Call::Expert { .. } => Reply::Refused(NO_EXPERTS.to_owned()),
            Call::Permission { tool, input } => {
                Reply::Permission((self.permit)(&adapter::act(&tool, &input)))
            }
        }
    }

    fn signal(&self, name: Name, fields: &str) -> Reply {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(calls) = calls.as_mut() else {
            return Reply::Refused("The turn is over; nothing more is taken.".to_owned());
        };
        let expected = Expected { role: self.role, task_id: &self.task };
        match calls.take(&expected, name, fields) {
            Ok(Taken::Noted) => Reply::Said("Noted. Go on.".to_owned()),
            Ok(Taken::Ends) => Reply::Said(format!("{name} was taken. End your turn now.")),
            Ok(Taken::Replaces) => {
                Reply::Said(format!("{name} was taken in place of the one before. End your turn now."))
            }
            Err(rejection) => Reply::Refused(rejection.message(&self.task)),
        }
    }

    fn end(&self) -> Option<Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
