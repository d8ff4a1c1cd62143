//! The agents of the file: how each is driven, and the keys that go with it.

use std::path::PathBuf;

use provost_core::diagnostic::{self, Diagnostic, nearest, quoted};
use serde_json::json;
use strum::{EnumString, IntoStaticStr, VariantArray};
use toml::de::DeTable;

use super::reading::{Reading, Value};
use crate::agent::{Agent, Drive, Known, PRESETS, Preset, PromptBy};

/// Every key of an agent.
const KEYS: &[&str] = &[
    "drive", "argv", "prompt", "env", "script", "program", "model", "fallback", "network", "writable",
    "nests",
];

/// Those that every agent can have.
const EVERY: &[&str] = &["drive", "env", "fallback", "network", "writable", "nests"];

/// The words that are replaced in `argv`.
const PLACES: &[&str] = &["worktree", "role", "task", "attempt", "prompt_file"];

/// The longest name of an agent, in bytes.
const NAME_MAX: usize = 64;

/// The ways to drive an agent that are there.
#[derive(Clone, Copy)]
pub(super) enum Way {
    Command,
    Scripted,
    Claude,
    Codex,
    Acp,
    Preset(&'static Preset),
}

/// The ways that are no preset.
const WAYS: [(&str, Way); 5] = [
    ("command", Way::Command),
    ("scripted", Way::Scripted),
    ("claude", Way::Claude),
    ("codex", Way::Codex),
    ("acp", Way::Acp),
];

impl Way {
    /// Every way, by its name.
    fn all() -> impl Iterator<Item = (&'static str, Way)> {
        WAYS.into_iter().chain(PRESETS.iter().map(|preset| (preset.name, Way::Preset(preset))))
    }

    /// The keys that only this way has.
    fn keys(self) -> &'static [&'static str] {
        match self {
            Way::Command => &["argv", "prompt"],
            Way::Scripted => &["script"],
            Way::Acp => &["argv"],
            Way::Preset(Preset { model: None, .. }) => &["program"],
            Way::Claude | Way::Codex | Way::Preset(_) => &["program", "model"],
        }
    }

    /// What such an agent has to write beside its work.
    pub(super) fn writable(self) -> &'static [&'static str] {
        match self {
            Way::Command | Way::Scripted | Way::Acp => &[],
            Way::Claude => &["~/.claude", "~/.claude.json"],
            Way::Codex => &["~/.codex"],
            Way::Preset(preset) => preset.writable,
        }
    }
}

#[derive(Clone, Copy, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
enum Prompt {
    Stdin,
    File,
}

impl Reading<'_> {
    pub(super) fn agents(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            if name.is_empty() || name.len() > NAME_MAX || !name.bytes().all(is_plain) {
                let message = format!("{} cannot be the name of an agent", quoted(name));
                let help = format!("use at most {NAME_MAX} letters, digits, hyphens and underlines");
                let defect = Diagnostic::error(diagnostic::CONFIG_VALUE, message).with_help(help);
                self.complain(defect, key.span());
                continue;
            }
            let full = format!("agents.{name}");
            let Some(keys) = self.table(&full, value) else { continue };
            if let Some(agent) = self.agent(&full, keys, value) {
                self.config.agents.insert(name.to_owned(), agent);
            }
        }
        self.fallbacks(table);
    }

    /// Finds stand-ins that are not configured, or stand in for themselves.
    fn fallbacks(&mut self, table: &DeTable<'_>) {
        let wrong: Vec<(String, String)> = self
            .config
            .agents
            .iter()
            .flat_map(|(name, agent)| agent.fallback.iter().map(move |other| (name.clone(), other.clone())))
            .filter(|(name, other)| name == other || !table.contains_key(other.as_str()))
            .collect();
        for (name, other) in wrong {
            let span = table.get(name.as_str()).map(Value::span).unwrap_or_default();
            let message =
                format!("`agents.{name}.fallback` names {}, which cannot stand in for it", quoted(&other));
            let known = table.keys().map(|key| key.get_ref().as_ref()).filter(|known| *known != name);
            let help = match nearest(&other, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name another agent of the file".to_owned(),
            };
            self.complain(Diagnostic::error(diagnostic::CONFIG_VALUE, message).with_help(help), span);
        }
    }

    fn agent(&mut self, full: &str, keys: &DeTable<'_>, whole: &Value<'_>) -> Option<Agent> {
        self.only(keys, KEYS);
        let env = keys.get("env").and_then(|value| self.variables(full, value)).unwrap_or_default();
        let Some(drive) = keys.get("drive") else {
            self.wrong(format!("`{full}` does not say how it is driven: `drive` is missing"), whole.span());
            return self.undriven(full, keys);
        };
        let Some((named, way)) = self.way(&format!("{full}.drive"), drive) else {
            return self.undriven(full, keys);
        };
        for (key, value) in keys {
            let key = key.get_ref().as_ref();
            if KEYS.contains(&key) && !EVERY.contains(&key) && !way.keys().contains(&key) {
                self.wrong(format!("`{full}.{key}` means nothing with drive = \"{named}\""), value.span());
            }
        }
        let origin = self.origin(Some(drive));
        self.show(format!("{full}.drive"), named, origin);
        let found = match way {
            Way::Command => self.command(full, keys, whole),
            Way::Scripted => self.scripted(full, keys, whole),
            Way::Claude => self.known(full, keys, "claude").map(Drive::Claude),
            Way::Codex => self.known(full, keys, "codex").map(Drive::Codex),
            Way::Acp => self.started(full, keys, whole).map(|argv| Drive::Acp { argv }),
            Way::Preset(preset) => {
                self.known(full, keys, preset.name).map(|known| Drive::Preset(preset, known))
            }
        };
        let origin = self.origin(keys.get("env"));
        self.show(format!("{full}.env"), json!(env), origin);
        let reach = self.agent_reach(full, keys, way);
        let fallback = self.fallback(full, keys);
        Some(Agent { drive: found?, env, reach, fallback })
    }

    /// Says what is wrong with an agent whatever way it is meant to be driven in.
    fn undriven(&mut self, full: &str, keys: &DeTable<'_>) -> Option<Agent> {
        if let Some(value) = keys.get("argv")
            && let Some(argv) = self.argv(&format!("{full}.argv"), value)
        {
            self.places(full, &argv, value);
        }
        for key in ["script", "program", "model"] {
            keys.get(key).and_then(|value| self.string(&format!("{full}.{key}"), value));
        }
        keys.get("prompt").and_then(|value| self.choice::<Prompt>(&format!("{full}.prompt"), value));
        self.fallback(full, keys);
        None
    }

    fn way(&mut self, name: &str, value: &Value<'_>) -> Option<(&'static str, Way)> {
        let text = self.string(name, value)?;
        let way = Way::all().find(|(name, _)| *name == text);
        if way.is_none() {
            let message = format!("`{name}` is {}, which cannot be driven", quoted(&text));
            let known: Vec<&str> = Way::all().map(|(name, _)| name).collect();
            let help = match nearest(&text, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("use one of {}; `command` starts any program", known.join(", ")),
            };
            let defect = Diagnostic::error(diagnostic::CONFIG_VALUE, message).with_help(help);
            self.complain(defect, value.span());
        }
        way
    }

    /// The program to start and its arguments.
    fn started(&mut self, full: &str, keys: &DeTable<'_>, whole: &Value<'_>) -> Option<Vec<String>> {
        let Some(value) = keys.get("argv") else {
            self.wrong(format!("`{full}` has no `argv`, the program to start"), whole.span());
            return None;
        };
        let argv = self.argv(&format!("{full}.argv"), value)?;
        self.places(full, &argv, value);
        let origin = self.origin(Some(value));
        self.show(format!("{full}.argv"), json!(argv), origin);
        Some(argv)
    }

    /// A program whose way of being called is known.
    fn known(&mut self, full: &str, keys: &DeTable<'_>, usual: &str) -> Option<Known> {
        let program = match keys.get("program") {
            Some(value) => self.string(&format!("{full}.program"), value),
            None => Some(usual.to_owned()),
        };
        let model = match keys.get("model") {
            Some(value) => self.string(&format!("{full}.model"), value).map(Some),
            None => Some(None),
        };
        let (program, model) = (program?, model?);
        for (name, value) in [("program", json!(program)), ("model", json!(model))] {
            let origin = self.origin(keys.get(name));
            self.show(format!("{full}.{name}"), value, origin);
        }
        Some(Known { program, model })
    }

    /// Who stands in for an agent; whether they are configured is seen when all are read.
    fn fallback(&mut self, full: &str, keys: &DeTable<'_>) -> Vec<String> {
        let value = keys.get("fallback");
        let name = format!("{full}.fallback");
        let found =
            value.and_then(|value| self.strings(&name, "a list of agents, such as [\"codex\"]", value));
        let fallback = found.unwrap_or_default();
        let origin = self.origin(value);
        self.show(name, json!(fallback), origin);
        fallback
    }

    fn command(&mut self, full: &str, keys: &DeTable<'_>, whole: &Value<'_>) -> Option<Drive> {
        let argv = self.started(full, keys, whole);
        let prompt = match keys.get("prompt") {
            Some(value) => self.choice::<Prompt>(&format!("{full}.prompt"), value),
            None => Some(Prompt::Stdin),
        };
        let (argv, prompt, value) = (argv?, prompt?, keys.get("argv")?);
        if matches!(prompt, Prompt::File) && !argv.iter().any(|word| word.contains("{prompt_file}")) {
            let message = format!("`{full}` gets its prompt in a file, and `argv` has no `{{prompt_file}}`");
            self.wrong(message, value.span());
            return None;
        }
        let (origin, named) = (self.origin(keys.get("prompt")), <&str>::from(prompt));
        self.show(format!("{full}.prompt"), named, origin);
        let prompt = match prompt {
            Prompt::Stdin => PromptBy::Stdin,
            Prompt::File => PromptBy::File,
        };
        Some(Drive::Command { argv, prompt })
    }

    /// Finds misspelt places. Braces with anything else in them belong to the program: `awk '{print}'`.
    fn places(&mut self, full: &str, argv: &[String], value: &Value<'_>) {
        for word in argv {
            let inside = word.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|it| it.0);
            for place in inside.filter(|place| !PLACES.contains(place)) {
                if let Some(near) = nearest(place, PLACES.iter().copied()) {
                    let shown = format!("{{{place}}}");
                    let message = format!("`{full}.argv` has {}, which is not replaced", quoted(&shown));
                    let defect = Diagnostic::error(diagnostic::CONFIG_VALUE, message);
                    self.complain(defect.with_help(format!("did you mean `{{{near}}}`?")), value.span());
                }
            }
        }
    }

    fn scripted(&mut self, full: &str, keys: &DeTable<'_>, whole: &Value<'_>) -> Option<Drive> {
        let Some(value) = keys.get("script") else {
            self.wrong(format!("`{full}` has no `script`, the file with what to do"), whole.span());
            return None;
        };
        let script = self.string(&format!("{full}.script"), value)?;
        let origin = self.origin(Some(value));
        self.show(format!("{full}.script"), script.clone(), origin);
        Some(Drive::Scripted { script: PathBuf::from(script) })
    }

    /// Names of variables. Values are never configured: the file is committed.
    fn variables(&mut self, full: &str, value: &Value<'_>) -> Option<Vec<String>> {
        let name = format!("{full}.env");
        let names = self.strings(&name, "a list of names, such as [\"API_KEY\"]", value)?;
        let is_name = |name: &String| {
            !name.starts_with(|first: char| first.is_ascii_digit())
                && !name.is_empty()
                && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
        };
        if names.iter().all(is_name) {
            return Some(names);
        }
        // What stands there may be a secret, so it is not repeated.
        let message =
            format!("`{name}` must hold names of variables only; values are taken from where Provost runs");
        self.wrong(message, value.span());
        None
    }
}
