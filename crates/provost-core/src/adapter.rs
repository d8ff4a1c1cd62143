//! What the streams of agents mean: lines in, what was heard and what to write back out.
//!
//! Apart from whoever starts agents: an adapter translates between one agent's own protocol and the words below. It
//! starts nothing, keeps no time, decides nothing, and what it hears is a claim. A turn counts as finished when its
//! stream says so in the event that its protocol has for that; an exit status or cheerful last words never do.

mod account;
mod acp;
mod act;
mod claude;
mod codex;
mod tokens;
mod trouble;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use strum::{EnumString, IntoStaticStr, VariantArray};

pub use account::Account;
pub use act::{Act, Deed};
pub use tokens::{Spent, Tokens};
pub use trouble::{Class, Trouble};

/// How an agent is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[derive(EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Protocol {
    /// Claude Code: JSON lines both ways, with requests for permission.
    Claude,
    /// Codex: JSON lines out.
    Codex,
    /// The Agent Client Protocol: JSON-RPC over standard input and output.
    Acp,
}

/// What a turn is begun with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversation {
    /// How the agent is spoken to.
    pub protocol: Protocol,
    /// The folder that it works in.
    pub cwd: String,
    /// A conversation of an earlier turn to go on with.
    pub resume: Option<String>,
    /// What that conversation had cost when its last turn ended.
    pub before: Spent,
    /// The tool server that it is given, for protocols that carry it.
    pub server: Option<Server>,
}

/// A tool server for an agent to start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// What it is called.
    pub name: String,
    /// Its program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its variables.
    pub env: Vec<(String, String)>,
}

/// One thing that a stream says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The name under which the conversation can be gone on with.
    Session(String),
    /// What the agent says that it is.
    Identity {
        /// Its version.
        version: Option<String>,
        /// Its model.
        model: Option<String>,
    },
    /// A whole piece of what it says; signals are looked for in it.
    Text(String),
    /// It uses a tool.
    Tool(String),
    /// It asks whether it may do something, and waits.
    Asked(Asked),
    /// Something was refused to it.
    Denied,
    /// What this turn has used so far.
    Used(Spent),
    /// What the conversation has used so far, earlier turns included.
    UsedInAll(Spent),
    /// Something went wrong, and the agent tries again by itself.
    Retrying(Trouble),
    /// The turn came to its proper end.
    Finished,
    /// The turn ended because of this.
    Failed(Trouble),
    /// A line that means nothing here.
    Unknown,
}

/// A request for permission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// What the answer refers to.
    pub request: String,
    /// What it wants to do.
    pub act: Act,
}

/// Whether an agent may do what it asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grant {
    /// It may, this once.
    Allow,
    /// It may not.
    Deny {
        /// Why, for the agent.
        why: String,
    },
}

/// What one line led to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fed {
    /// What was heard.
    pub heard: Vec<Heard>,
    /// What is to be written back, whole lines.
    pub reply: Vec<u8>,
}

impl Fed {
    fn of(heard: impl IntoIterator<Item = Heard>) -> Fed {
        Fed { heard: heard.into_iter().collect(), reply: Vec::new() }
    }
}

/// One turn's conversation in one agent's protocol.
pub trait Adapter {
    /// What is written first; the prompt is in it, unless the protocol has it wait.
    fn begin(&mut self, prompt: &str) -> Vec<u8>;

    /// Takes in a line of the agent's standard output, without its end.
    fn feed(&mut self, line: &str) -> Fed;

    /// Answers a request for permission. One that is not open is answered with nothing.
    fn answer(&mut self, request: &str, grant: &Grant) -> Vec<u8>;

    /// Asks the agent to break off by itself.
    fn interrupt(&mut self) -> Vec<u8>;

    /// Whether the agent has nothing more to be told, so that its input can end.
    fn is_over(&self) -> bool;
}

/// The adapter of a conversation.
pub fn open(conversation: &Conversation) -> Box<dyn Adapter + Send> {
    match conversation.protocol {
        Protocol::Claude => Box::new(claude::Claude::default()),
        Protocol::Codex => Box::new(codex::Codex),
        Protocol::Acp => Box::new(acp::Acp::new(conversation)),
    }
}

/// What a tool would do, by the name and the input that its client gives when it asks whether it may be used.
pub fn act(tool: &str, input: &RawValue) -> Act {
    claude::act(tool, input)
}

/// Tells what an agent's standard error says about a turn that its stream does not explain.
pub fn explained(complaint: &str) -> Option<Trouble> {
    let line = complaint.lines().find(|line| Class::of(None, line) != Class::Unclassified)?;
    Some(Trouble::said(None, line))
}

/// A value as one line.
fn line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}

/// The beginning of a text, for the record.
fn beginning(text: &str, most: usize) -> String {
    let end = text.char_indices().map(|(at, _)| at).chain([text.len()]).take_while(|at| *at <= most).last();
    text.get(..end.unwrap_or(0)).unwrap_or_default().to_owned()
}
