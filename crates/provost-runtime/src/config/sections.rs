//! The sections of the file, from the top: version, limits, roles, worktrees, landing; agents, checks and the policy
//! have files of their own.

use std::path::{Component, Path, PathBuf};

use provost_core::delivery::Bypassed;
use provost_core::diagnostic::{self, Diagnostic, nearest, quoted};
use provost_core::limits::Limit;
use serde_json::json;
use strum::VariantArray as _;
use toml::de::DeTable;

use super::Origin;
use super::reading::{Reading, Value};
use crate::home::OUTSIDE;

/// The version of the file that this program reads.
const VERSION: &str = "1";

/// Every section.
const SECTIONS: &[&str] =
    &["version", "limits", "agents", "roles", "checks", "worktree", "landing", "policy", "prices", "spend"];

impl Reading<'_> {
    pub(super) fn top(&mut self, table: &DeTable<'_>) {
        self.only(table, SECTIONS);
        if let Some(version) = table.get("version") {
            self.version(version);
        }
        let section = |reading: &mut Self, name: &str| {
            table.get(name).and_then(|value| reading.table(name, value)).cloned().unwrap_or_default()
        };
        // Limits come first: a check without a limit of its own has the one that is set there.
        let limits = section(self, "limits");
        self.limits(&limits);
        let agents = section(self, "agents");
        self.agents(&agents);
        let roles = section(self, "roles");
        self.roles(&roles, &agents);
        if let Some(checks) = table.get("checks") {
            self.checks(checks);
        }
        let worktree = section(self, "worktree");
        self.worktree(&worktree);
        let landing = section(self, "landing");
        self.landing(&landing);
        let spend = section(self, "spend");
        self.spend(&spend);
        let prices = section(self, "prices");
        self.prices(&prices);
        let policy = section(self, "policy");
        let whole = table.get("policy").map_or(0..0, Value::span);
        self.policy(&policy, whole);
    }

    fn version(&mut self, value: &Value<'_>) {
        let is_known = value.get_ref().as_integer().is_some_and(|version| version.as_str() == VERSION);
        if !is_known {
            let message = format!("`version` is not {VERSION}, the only version that this Provost reads");
            self.wrong(message, value.span());
        }
    }

    fn limits(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let Ok(limit) = name.parse::<Limit>() else {
                let known: Vec<&str> = Limit::VARIANTS.iter().map(|limit| (*limit).into()).collect();
                self.unknown_key(name, &known, key.span());
                continue;
            };
            let (from, to) = limit.range().into_inner();
            if let Some(number) = self.number(&format!("limits.{name}"), from, to, value) {
                self.config.settings.set(limit, number);
                self.config.lines.insert(limit, self.place(key.span()).line);
            }
        }
    }

    fn roles(&mut self, table: &DeTable<'_>, agents: &DeTable<'_>) {
        self.only(table, &["default", "developer", "critic", "auditor"]);
        let default = table.get("default");
        let origin = if default.is_none() && agents.len() == 1 {
            Origin::Setting("the only agent")
        } else {
            self.origin(default)
        };
        let default = match default {
            Some(value) => self.role("default", value, agents),
            // Where there is one agent, nobody has to say that it plays every role.
            None if agents.len() == 1 => agents.keys().next().map(|key| key.get_ref().to_string()),
            None => None,
        };
        self.show("roles.default".to_owned(), default.clone(), origin);
        for name in ["developer", "critic", "auditor"] {
            let value = table.get(name);
            let own = value.and_then(|value| self.role(name, value, agents));
            let origin = match (value, &default) {
                (None, Some(_)) => Origin::Setting("roles.default"),
                _ => self.origin(value),
            };
            let agent = own.or_else(|| default.clone());
            self.show(format!("roles.{name}"), agent.clone(), origin);
            match name {
                "developer" => self.config.roles.developer = agent,
                "critic" => self.config.roles.critic = agent,
                _ => self.config.roles.auditor = agent,
            }
        }
    }

    /// The agent of a role. One that is configured wrongly exists nevertheless: its own mistake is enough.
    fn role(&mut self, role: &str, value: &Value<'_>, agents: &DeTable<'_>) -> Option<String> {
        let name = self.string(&format!("roles.{role}"), value)?;
        if agents.contains_key(name.as_str()) {
            return Some(name);
        }
        let message = format!("`roles.{role}` names the agent {}, which is not configured", quoted(&name));
        let known = agents.keys().map(|key| key.get_ref().as_ref());
        let help = match nearest(&name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                "configure the agent in a section such as `[agents.mine]`, or name one that is".to_owned()
            }
        };
        self.complain(Diagnostic::error(diagnostic::CONFIG_VALUE, message).with_help(help), value.span());
        None
    }

    fn worktree(&mut self, table: &DeTable<'_>) {
        self.only(table, &["setup", "copy", "root", "writable"]);
        if let Some(value) = table.get("setup") {
            let wanted = "a list of commands, such as [[\"npm\", \"ci\"]]";
            let commands = self.array("worktree.setup", wanted, value);
            for command in commands.into_iter().flatten() {
                let argv = self.argv("worktree.setup", command);
                self.config.worktree.setup.extend(argv);
            }
        }
        if let Some(value) = table.get("copy") {
            let wanted = "a list of paths, such as [\".env.test\"]";
            for path in self.strings("worktree.copy", wanted, value).unwrap_or_default() {
                if is_inside(&path) {
                    self.config.worktree.copy.push(path);
                } else {
                    let message =
                        format!("`worktree.copy` names {}, which is not below the checkout", quoted(&path));
                    self.wrong(message, value.span());
                }
            }
        }
        let root = table.get("root").and_then(|value| self.string("worktree.root", value));
        if let (Some(root), Some(value)) = (&root, table.get("root"))
            && stays_inside(root)
        {
            let message = format!("`worktree.root` is {}, which is inside the checkout", quoted(root));
            let defect = Diagnostic::error(diagnostic::CONFIG_VALUE, message);
            self.complain(defect.with_help(OUTSIDE), value.span());
        }
        let (setup, copy) = (json!(self.config.worktree.setup), json!(self.config.worktree.copy));
        for (name, value) in [("setup", setup), ("copy", copy), ("root", json!(root))] {
            let origin = self.origin(table.get(name));
            self.show(format!("worktree.{name}"), value, origin);
        }
        self.config.worktree.root = root.map(PathBuf::from);
        self.config.worktree.writable = self.writable("worktree", table, &[]);
    }

    fn landing(&mut self, table: &DeTable<'_>) {
        self.only(table, &["bypassed"]);
        let value = table.get("bypassed");
        if let Some(bypassed) = value.and_then(|value| self.choice::<Bypassed>("landing.bypassed", value)) {
            self.config.landing.bypassed = bypassed;
        }
        let bypassed: &str = self.config.landing.bypassed.into();
        let origin = self.origin(value);
        self.show("landing.bypassed".to_owned(), bypassed, origin);
    }
}

/// Whether a path from the top of the checkout never leads out of it, as far as it can be seen from its words.
fn stays_inside(path: &str) -> bool {
    let mut depth = Some(0_usize);
    for part in Path::new(path).components() {
        depth = depth.and_then(|depth| match part {
            Component::CurDir => Some(depth),
            Component::Normal(_) => Some(depth + 1),
            Component::ParentDir => depth.checked_sub(1),
            Component::RootDir | Component::Prefix(_) => None,
        });
    }
    depth.is_some()
}

/// Whether a path leads to something in the checkout that is not git's own.
fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    let first = parts.next();
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let is_git = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
    first.is_some_and(|first| is_plain(first) && !is_git(first)) && parts.all(is_plain)
}
