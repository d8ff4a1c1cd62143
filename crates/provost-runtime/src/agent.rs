//! How agents are started: from what is configured to a program, its input and its environment. Adapters only
//! translate; they decide nothing, and the one process runner starts what they say.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use provost_core::delivery::Turn;

use crate::walls::Reach;

/// An agent as configured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// How it is driven.
    pub drive: Drive,
    /// Variables of this process that it may see, by name.
    pub env: Vec<String>,
    /// How far it reaches beyond its worktree.
    pub reach: Reach,
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
    /// Claude Code in print mode.
    Claude,
}

/// How an agent gets its prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptBy {
    /// On its standard input.
    Stdin,
    /// In a file that is named among its arguments.
    File,
}

/// A program to start for one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// Whether the prompt goes to its standard input.
    pub prompt: PromptBy,
    /// What it sees beside the ordinary environment.
    pub env: BTreeMap<String, String>,
}

impl Agent {
    /// The program for a turn; `exe` is Provost itself.
    pub fn invoke(&self, turn: &Turn, exe: &Path, worktree: &Path, prompt_file: &Path) -> Invocation {
        let role: &str = turn.role.into();
        let places = [
            ("{worktree}", worktree.display().to_string()),
            ("{role}", role.to_owned()),
            ("{task}", turn.task.clone()),
            ("{attempt}", turn.attempt.to_string()),
            ("{prompt_file}", prompt_file.display().to_string()),
        ];
        let fill =
            |word: &String| places.iter().fold(word.clone(), |word, (place, text)| word.replace(place, text));
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let (argv, prompt) = match &self.drive {
            Drive::Command { argv, prompt } => (argv.iter().map(fill).collect(), *prompt),
            Drive::Scripted { script } => {
                let exe = exe.display().to_string();
                (words(&[&exe, "scripted-agent", &script.display().to_string()]), PromptBy::Stdin)
            }
            Drive::Claude => (words(&["claude", "-p", "--permission-mode", "acceptEdits"]), PromptBy::Stdin),
        };
        let mut env: BTreeMap<String, String> = BTreeMap::from([
            ("PROVOST_ROLE".to_owned(), role.to_owned()),
            ("PROVOST_TASK".to_owned(), turn.task.clone()),
            ("PROVOST_ATTEMPT".to_owned(), turn.attempt.to_string()),
        ]);
        for name in &self.env {
            if let Ok(value) = std::env::var(name) {
                env.insert(name.clone(), value);
            }
        }
        Invocation { argv, prompt, env }
    }
}
