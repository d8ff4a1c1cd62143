//! How agents are started: from what is configured to a program, its input and its environment. Adapters only
//! translate; they decide nothing, and the one process runner starts what they say.

mod known;
mod preset;
mod version;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use provost_core::adapter::{Conversation, Protocol, Server, Spent};
use provost_core::delivery::Turn;

use crate::walls::Reach;

pub use preset::{PRESETS, Preset, Speaks};
pub use version::version;

/// What an agent's own tool server is called among its tools.
pub const SERVER: &str = "provost";

/// The file in a turn's folder that tells Claude Code of its tool server.
pub(crate) const MCP: &str = "mcp.json";

/// An agent as configured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// How it is driven.
    pub drive: Drive,
    /// Variables of this process that it may see, by name.
    pub env: Vec<String>,
    /// How far it reaches beyond its worktree.
    pub reach: Reach,
    /// Who stands in for it, in order.
    pub fallback: Vec<String>,
}

/// How an agent is driven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drive {
    /// A program of the person's choice.
    Command {
        /// The program and its arguments, with places for what differs from turn to turn.
        argv: Vec<String>,
        /// How it gets its prompt.
        prompt: PromptBy,
    },
    /// A script of what to do and say, for trials and tests.
    Scripted {
        /// The script.
        script: PathBuf,
    },
    /// Claude Code in print mode, talked with in JSON lines.
    Claude(Known),
    /// Codex in `exec`, listened to in JSON lines.
    Codex(Known),
    /// Any agent that speaks the Agent Client Protocol.
    Acp {
        /// The program and its arguments.
        argv: Vec<String>,
    },
    /// An agent whose command line is known.
    Preset(&'static Preset, Known),
}

/// A program whose way of being called is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The program, where it is not the usual one.
    pub program: String,
    /// The model to ask, where it is not the agent's own choice.
    pub model: Option<String>,
}

/// What agents can do that speak the Agent Client Protocol.
const ACP: &[&str] = &["asks before it acts", "the rest as the agent offers it"];

impl Drive {
    /// What it is called in the file.
    pub const fn name(&self) -> &'static str {
        match self {
            Drive::Command { .. } => "command",
            Drive::Scripted { .. } => "scripted",
            Drive::Claude(_) => "claude",
            Drive::Codex(_) => "codex",
            Drive::Acp { .. } => "acp",
            Drive::Preset(preset, _) => preset.name,
        }
    }

    /// Whether it can be given a tool server of Provost's own.
    pub const fn takes_a_server(&self) -> bool {
        match self {
            Drive::Claude(_) | Drive::Codex(_) | Drive::Acp { .. } => true,
            Drive::Preset(preset, _) => matches!(preset.speaks, Speaks::Acp),
            Drive::Command { .. } | Drive::Scripted { .. } => false,
        }
    }

    /// Whether it is known to ask nobody before it acts, so that only walls hold it.
    pub const fn never_asks(&self) -> bool {
        match self {
            Drive::Codex(_) => true,
            Drive::Preset(preset, _) => matches!(preset.speaks, Speaks::Text(_)),
            Drive::Claude(_) | Drive::Acp { .. } | Drive::Command { .. } | Drive::Scripted { .. } => false,
        }
    }

    /// Whether its program says its version at once when it is asked.
    pub const fn is_known(&self) -> bool {
        matches!(self, Drive::Claude(_) | Drive::Codex(_))
    }

    /// What this way of driving can do, in words.
    pub const fn can(&self) -> &'static [&'static str] {
        match self {
            Drive::Command { .. } | Drive::Scripted { .. } => &["prints text"],
            Drive::Claude(_) => {
                &["asks before it acts", "goes on with conversations", "counts tokens", "says its price"]
            }
            Drive::Codex(_) => &["never asks: walls hold it", "goes on with conversations", "counts tokens"],
            Drive::Acp { .. } => ACP,
            Drive::Preset(preset, _) => match preset.speaks {
                Speaks::Acp => ACP,
                Speaks::Text(_) => &["prints text", "never asks: walls hold it"],
            },
        }
    }

    /// Makes names of files that are relative begin at the top of the checkout: an agent is the person's, and not part of
    /// what it works on.
    pub fn begin_at(&mut self, root: &Path) {
        match self {
            Drive::Command { argv, .. } | Drive::Acp { argv } => {
                if let Some(program) = argv.first_mut() {
                    begin_program_at(program, root);
                }
            }
            Drive::Scripted { script } => *script = root.join(&*script),
            Drive::Claude(known) | Drive::Codex(known) | Drive::Preset(_, known) => {
                begin_program_at(&mut known.program, root);
            }
        }
    }
}

/// Without a slash a program is looked for on the PATH; a place is filled in turn by turn.
fn begin_program_at(program: &mut String, root: &Path) {
    if program.contains('/') && !program.starts_with('{') {
        *program = root.join(program.trim_start_matches("./")).display().to_string();
    }
}

/// The place that stands for the file with the prompt.
const PROMPT_FILE: &str = "{prompt_file}";

/// How an agent gets its prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptBy {
    /// On its standard input.
    Stdin,
    /// In a file that is named among its arguments.
    File,
}

/// What the agent of one turn is handed.
#[derive(Clone, Copy, Debug)]
pub struct Hand<'a> {
    /// Provost itself.
    pub exe: &'a Path,
    /// Where it works.
    pub worktree: &'a Path,
    /// A folder of this turn's own.
    pub folder: &'a Path,
    /// The file with its prompt.
    pub prompt_file: &'a Path,
    /// The file that lets its tool server speak for this turn.
    pub dispatch: Option<&'a Path>,
    /// A name for a conversation that begins, which nobody else has.
    pub fresh: &'a str,
    /// Whether walls stand around it, so that it need not build its own.
    pub walled: bool,
    /// The files that its task may change, as the plan names them.
    pub files: &'a [String],
}

/// A program to start for one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// How its prompt gets to it.
    pub input: Input,
    /// What it sees beside the ordinary environment.
    pub env: BTreeMap<String, String>,
    /// Files to put into the turn's folder first, by name.
    pub files: Vec<(&'static str, String)>,
}

/// How a prompt gets to a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Once, and then nothing more.
    Prompt(PromptBy),
    /// In a conversation.
    Talk(Box<Conversation>),
}

impl Agent {
    /// The program for a turn.
    pub fn invoke(&self, turn: &Turn, hand: &Hand<'_>) -> Invocation {
        let mut invocation = match &self.drive {
            Drive::Command { argv, prompt } => {
                let argv = argv.iter().map(|word| filled(word, turn, hand)).collect();
                plain(argv, *prompt)
            }
            Drive::Scripted { script } => {
                let words = [hand.exe.display().to_string(), "scripted-agent".to_owned()];
                plain(words.into_iter().chain([script.display().to_string()]).collect(), PromptBy::Stdin)
            }
            Drive::Claude(known) => known::claude(known, turn, hand),
            Drive::Codex(known) => known::codex(known, turn, hand),
            Drive::Acp { argv } => Invocation {
                argv: argv.iter().map(|word| filled(word, turn, hand)).collect(),
                input: Input::Talk(Box::new(conversation(Protocol::Acp, turn, hand))),
                env: known::quiet(),
                files: Vec::new(),
            },
            Drive::Preset(preset, known) => preset.invoke(known, turn, hand),
        };
        let role: &str = turn.role.into();
        let own = [
            ("PROVOST_ROLE", role.to_owned()),
            ("PROVOST_TASK", turn.task.clone()),
            ("PROVOST_ATTEMPT", turn.attempt.to_string()),
        ];
        invocation.env.extend(own.map(|(name, value)| (name.to_owned(), value)));
        for name in &self.env {
            if let Ok(value) = std::env::var(name) {
                invocation.env.insert(name.clone(), value);
            }
        }
        invocation
    }

    /// Whether it is told where its prompt is.
    pub fn reads_a_file(&self) -> bool {
        match &self.drive {
            Drive::Command { argv, .. } | Drive::Acp { argv } => {
                argv.iter().any(|word| word.contains(PROMPT_FILE))
            }
            Drive::Preset(preset, _) => preset.speaks == Speaks::Text(PromptBy::File),
            Drive::Scripted { .. } | Drive::Claude(_) | Drive::Codex(_) => false,
        }
    }

    /// The program that has to be there.
    pub fn program(&self) -> Option<&str> {
        match &self.drive {
            Drive::Command { argv, .. } | Drive::Acp { argv } => argv.first().map(String::as_str),
            Drive::Claude(known) | Drive::Codex(known) | Drive::Preset(_, known) => Some(&known.program),
            Drive::Scripted { .. } => None,
        }
    }
}

fn plain(argv: Vec<String>, prompt: PromptBy) -> Invocation {
    Invocation { argv, input: Input::Prompt(prompt), env: BTreeMap::new(), files: Vec::new() }
}

/// A word with its places filled in.
fn filled(word: &str, turn: &Turn, hand: &Hand<'_>) -> String {
    let role: &str = turn.role.into();
    let places = [
        ("{worktree}", hand.worktree.display().to_string()),
        ("{role}", role.to_owned()),
        ("{task}", turn.task.clone()),
        ("{attempt}", turn.attempt.to_string()),
        (PROMPT_FILE, hand.prompt_file.display().to_string()),
    ];
    places.iter().fold(word.to_owned(), |word, (place, text)| word.replace(place, text))
}

fn conversation(protocol: Protocol, turn: &Turn, hand: &Hand<'_>) -> Conversation {
    Conversation {
        protocol,
        cwd: hand.worktree.display().to_string(),
        resume: turn.session.as_ref().map(|session| session.id.clone()),
        before: turn.session.as_ref().map_or_else(Spent::default, |session| session.in_all),
        server: server(hand),
    }
}

/// The tool server that lets an agent speak for its turn.
fn server(hand: &Hand<'_>) -> Option<Server> {
    let dispatch = hand.dispatch?.display().to_string();
    Some(Server {
        name: SERVER.to_owned(),
        command: hand.exe.display().to_string(),
        args: vec!["mcp".to_owned(), "--dispatch".to_owned(), dispatch],
        env: Vec::new(),
    })
}
