//! Agents that need no more than their command line to be known: a row each, which was tried with the real program.
//! Apart from those of `known.rs`, because nothing here has a protocol or a way of going on of its own.

use provost_core::adapter::Protocol;
use provost_core::delivery::Turn;
use provost_core::role::Role;

use super::{Hand, Input, Invocation, Known, PromptBy, conversation, filled, known};

/// An agent whose command line is known.
#[derive(Debug, PartialEq, Eq)]
pub struct Preset {
    /// What it is called, in the settings and as a program.
    pub name: &'static str,
    /// How it is spoken to.
    pub speaks: Speaks,
    /// Its arguments.
    argv: &'static [&'static str],
    /// Those that it has beside them when it judges.
    judging: &'static [&'static str],
    /// What stands before the name of a model, where one can be named.
    pub model: Option<&'static str>,
    /// What stands before each file of the task that is there, where it does not look for them itself.
    file: Option<&'static str>,
    /// Its variables.
    env: &'static [(&'static str, &'static str)],
    /// What it has to write beside its work.
    pub writable: &'static [&'static str],
    /// The variable that most people have its key in.
    pub key: &'static str,
}

/// How a preset is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaks {
    /// In the Agent Client Protocol.
    Acp,
    /// It gets its prompt, and prints text. It asks nobody for anything.
    Text(PromptBy),
}

/// Every one of them.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "gemini",
        speaks: Speaks::Acp,
        argv: &["--acp", "--skip-trust", "--approval-mode", "default"],
        judging: &[],
        model: Some("--model"),
        file: None,
        // Else it starts itself a second time, to have more memory.
        env: &[("GEMINI_CLI_NO_RELAUNCH", "true")],
        writable: &["~/.gemini"],
        key: "GEMINI_API_KEY",
    },
    Preset {
        name: "opencode",
        speaks: Speaks::Acp,
        argv: &["acp"],
        judging: &[],
        model: None,
        file: None,
        env: &[
            // By itself it asks for nothing. What only looks inside need not be asked, and a refusal would end its turn.
            (
                "OPENCODE_PERMISSION",
                r#"{"*":"ask","read":"allow","list":"allow","glob":"allow","grep":"allow","lsp":"allow","todowrite":"allow","todoread":"allow","skill":"allow","task":"allow","provost_*":"allow"}"#,
            ),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
        ],
        writable: &[
            "~/.local/share/opencode",
            "~/.local/state/opencode",
            "~/.cache/opencode",
            "~/.config/opencode",
        ],
        key: "ANTHROPIC_API_KEY",
    },
    Preset {
        name: "qwen",
        speaks: Speaks::Acp,
        // By itself a model of its own judges what is harmless.
        argv: &["--acp", "--approval-mode", "default"],
        judging: &[],
        model: Some("--model"),
        file: None,
        env: &[],
        writable: &["~/.qwen"],
        key: "OPENAI_API_KEY",
    },
    Preset {
        name: "aider",
        speaks: Speaks::Text(PromptBy::File),
        // With git it would put new files into an index that is not its to change, and keep its own beside the work.
        argv: &[
            "--message-file",
            "{prompt_file}",
            "--yes-always",
            "--no-git",
            "--map-tokens",
            "0",
            "--chat-history-file",
            "/dev/null",
            "--input-history-file",
            "/dev/null",
            "--no-suggest-shell-commands",
            "--no-auto-lint",
            "--no-detect-urls",
            "--no-pretty",
            "--no-stream",
            "--no-fancy-input",
            "--no-analytics",
            "--no-check-update",
            "--no-show-release-notes",
            "--no-show-model-warnings",
        ],
        judging: &["--chat-mode", "ask"],
        model: Some("--model"),
        file: Some("--file="),
        env: &[],
        writable: &["~/.aider"],
        key: "OPENAI_API_KEY",
    },
    Preset {
        name: "pi",
        speaks: Speaks::Text(PromptBy::Stdin),
        argv: &["--print", "--no-session"],
        judging: &["--tools", "read,grep,find,ls"],
        model: Some("--model"),
        file: None,
        // It would ask for newer versions of itself first.
        env: &[("PI_OFFLINE", "1")],
        writable: &["~/.pi"],
        key: "ANTHROPIC_API_KEY",
    },
];

impl Preset {
    /// The one of a name.
    pub fn named(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// The program for a turn.
    pub(super) fn invoke(&self, known: &Known, turn: &Turn, hand: &Hand<'_>) -> Invocation {
        let judging = match turn.role {
            Role::Developer => &[],
            Role::Critic | Role::Auditor => self.judging,
        };
        let words = self.argv.iter().chain(judging).map(|word| filled(word, turn, hand));
        let mut argv: Vec<String> = [known.program.clone()].into_iter().chain(words).collect();
        if let (Some(flag), Some(model)) = (self.model, &known.model) {
            argv.extend([flag.to_owned(), model.clone()]);
        }
        if let Some(flag) = self.file {
            let is_there = |file: &&String| {
                hand.worktree.join(file).symlink_metadata().is_ok_and(|found| found.is_file())
            };
            argv.extend(hand.files.iter().filter(is_there).map(|file| format!("{flag}{file}")));
        }
        let input = match self.speaks {
            Speaks::Acp => Input::Talk(Box::new(conversation(Protocol::Acp, turn, hand))),
            Speaks::Text(prompt) => Input::Prompt(prompt),
        };
        let mut env = known::quiet();
        env.extend(self.env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        Invocation { argv, input, env, files: Vec::new() }
    }
}
