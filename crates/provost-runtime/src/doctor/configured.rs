//! What is configured: agents that can be started, roles that are played, checks that can prove something.

use std::ffi::OsStr;
use std::path::Path;

use provost_core::diagnostic::quoted;

use super::Findings;
use crate::agent::{Agent, Drive};
use crate::config::{self, Config};
use crate::detect::find_program;
use crate::home::Home;
use crate::walls::{Sandbox, Strength};

/// Looks at everything that is configured.
pub(super) fn all(config: &Config, home: &Home, search: Option<&OsStr>, findings: &mut Findings) {
    let exists = home.config().exists();
    if exists {
        findings.ok("settings", format!("{} is valid", config::NAME));
    } else {
        findings.warn("settings", format!("there is no {}", config::NAME), "provost init");
    }
    let looking = Looking { config, home, search };
    for (name, agent) in &config.agents {
        looking.agent(name, agent, findings);
    }
    looking.walls(findings);
    looking.roles(exists, findings);
    looking.checks(exists, findings);
    for argv in &config.worktree.setup {
        let program = argv.first().map_or("", String::as_str);
        // One with a slash may come with the files of the worktree.
        if !program.contains('/') && !looking.is_there(program) {
            let message = format!("the program {} of `worktree.setup` was not found", quoted(program));
            findings.error("worktree", message, mend_program(program, "`setup`"));
        }
    }
}

/// Looks only at the programs of agents and checks.
pub(super) fn programs(config: &Config, home: &Home, search: Option<&OsStr>, findings: &mut Findings) {
    let looking = Looking { config, home, search };
    for (name, agent) in &config.agents {
        looking.agent(name, agent, findings);
    }
    looking.checks(home.config().exists(), findings);
}

/// What is looked at, and where programs are looked for.
struct Looking<'a> {
    config: &'a Config,
    home: &'a Home,
    search: Option<&'a OsStr>,
}

impl Looking<'_> {
    fn is_there(&self, program: &str) -> bool {
        find_program(program, &self.home.root, self.search).is_some()
    }

    fn agent(&self, name: &str, agent: &Agent, findings: &mut Findings) {
        let missing = match &agent.drive {
            Drive::Scripted { script } if script.is_file() => None,
            Drive::Scripted { script } => {
                let script = script.display().to_string();
                Some((format!("its script {} is not there", quoted(&script)), format!("write {script}")))
            }
            _ => self.missing(agent.program().unwrap_or_default()),
        };
        let roles = &self.config.roles;
        let used =
            [&roles.developer, &roles.critic, &roles.auditor].iter().any(|it| it.as_deref() == Some(name));
        match missing {
            None => findings.ok("agents", format!("{name} can be started")),
            Some((what, mend)) if used => findings.error("agents", format!("{name}: {what}"), mend),
            Some((what, mend)) => findings.warn("agents", format!("{name}, which has no role: {what}"), mend),
        }
        for variable in agent.env.iter().filter(|variable| std::env::var_os(variable).is_none()) {
            let message = format!("{name}: the variable {variable} is not set here");
            findings.warn("agents", message, format!("export {variable}=…"));
        }
    }

    fn missing(&self, program: &str) -> Option<(String, String)> {
        // A program that is named by the turn is known only then.
        if program.contains('{') {
            return None;
        }
        if self.is_there(program) {
            return None;
        }
        if program.contains('/') && Path::new(program).is_file() {
            let what = format!("its program {} may not be executed", quoted(program));
            return Some((what, format!("chmod +x {program}")));
        }
        let what = format!("its program {} was not found", quoted(program));
        Some((what, mend_program(program, "the agent")))
    }

    /// What would stand around agents and checks, and what it leaves open.
    fn walls(&self, findings: &mut Findings) {
        match Strength::find(self.search).force(self.config.sandbox) {
            Err(diagnostic) => findings.diagnostic("walls", &diagnostic),
            Ok(force) if force.open().is_empty() => findings.ok("walls", force.words()),
            Ok(force) => {
                let message = format!("{}; open: {}", force.words(), force.open().join(", "));
                let mend = match self.config.sandbox {
                    Sandbox::Off => format!("remove `sandbox = \"off\"` from {}", config::NAME),
                    _ => "install bubblewrap".to_owned(),
                };
                findings.warn("walls", message, mend);
            }
        }
    }

    fn roles(&self, exists: bool, findings: &mut Findings) {
        let roles = &self.config.roles;
        let all = [("developer", &roles.developer), ("critic", &roles.critic), ("auditor", &roles.auditor)];
        let open: Vec<&str> = all.iter().filter(|(_, agent)| agent.is_none()).map(|it| it.0).collect();
        if open.is_empty() {
            let played: Vec<String> = all
                .iter()
                .filter_map(|(role, agent)| Some(format!("{role} {}", agent.as_deref()?)))
                .collect();
            findings.ok("roles", played.join(", "));
            return;
        }
        let mend = match self.config.agents.keys().next() {
            _ if !exists => "provost init".to_owned(),
            Some(name) => format!("set `default = \"{name}\"` in `[roles]` of {}", config::NAME),
            None => format!("add an `[agents.NAME]` with `drive` to {}", config::NAME),
        };
        findings.error("roles", format!("nobody plays {}", open.join(", ")), mend);
    }

    fn checks(&self, exists: bool, findings: &mut Findings) {
        if !self.config.checks.iter().any(|check| check.required) {
            let mend = if exists {
                format!("add a `[[checks]]` with `name` and `argv` to {}", config::NAME)
            } else {
                "provost init".to_owned()
            };
            let message = "no check is required, so only commands among a task's criteria prove anything";
            findings.warn("checks", message, mend);
        }
        for check in &self.config.checks {
            let program = check.argv.first().map_or("", String::as_str);
            if self.is_there(program) {
                findings.ok("checks", format!("{} can be started", quoted(&check.name)));
                continue;
            }
            let message = format!("{}: its program {} was not found", quoted(&check.name), quoted(program));
            let mend = mend_program(program, "the check");
            // One with a slash may be made by the setup of a worktree.
            if check.required && !program.contains('/') {
                findings.error("checks", message, mend);
            } else {
                findings.warn("checks", message, mend);
            }
        }
    }
}

fn mend_program(program: &str, whose: &str) -> String {
    let get = if program.contains('/') { "write" } else { "install" };
    format!("{get} {}, or change {whose} in {}", quoted(program), config::NAME)
}
