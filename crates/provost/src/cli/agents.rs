//! `provost agents`: who there is, how each is driven, what it can do and what holds it.

mod trial;

use std::env;
use std::path::Path;

use clap::{Args, Subcommand};
use provost_core::diagnostic::{self, Diagnostic, Exit, nearest, quoted, visible};
use provost_runtime::agent::{self, Agent};
use provost_runtime::config::{self, Config};
use provost_runtime::detect;
use provost_runtime::walls::{Network, Strength};
use serde::Serialize;

use super::{Context, Done};
use crate::failure::Failure;

/// List the agents that are configured, and those that could be.
///
/// Says for each how it is driven, whether its program is there, what that way of driving can do, which roles it plays
/// and what it can reach. Nothing is started but `--version` of Claude Code and Codex.
///
/// Example: `provost agents test claude`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
}

impl Arguments {
    /// What its document is called.
    pub(super) const fn name(&self) -> &'static str {
        match self.what {
            None => "agents",
            Some(What::Test(_)) => "agents-test",
        }
    }
}

#[derive(Debug, Subcommand)]
enum What {
    /// Let one agent work for one turn in a temporary repository, and say in plain words what works.
    ///
    /// It is asked to write a small file and to say that it is done. Everything is as in a delivery: the same program,
    /// the same walls, the same rules. Whatever it costs is said.
    ///
    /// Example: `provost agents test claude`
    Test(trial::Arguments),
}

#[derive(Serialize)]
struct Listed {
    agents: Vec<Line>,
    /// Programs on the PATH that are agents, and no agent is configured to use.
    others: Vec<&'static str>,
    walls: String,
}

/// One agent.
#[derive(Serialize)]
struct Line {
    name: String,
    drive: &'static str,
    program: Option<String>,
    found: Option<String>,
    version: Option<String>,
    roles: Vec<&'static str>,
    fallback: Vec<String>,
    can: Vec<&'static str>,
    network: &'static str,
    writable: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let config = config::read(&home.config(), config::NAME)?;
    match &arguments.what {
        None => list(&home.root, &config, context),
        Some(What::Test(arguments)) => {
            let agent = find(&config, &arguments.name)?;
            trial::run(arguments, agent, &config, context)
        }
    }
}

fn find<'c>(config: &'c Config, name: &str) -> Result<&'c Agent, Failure> {
    config.agents.get(name).ok_or_else(|| {
        let message = format!("no agent {} is configured", quoted(name));
        let help = match nearest(name, config.agents.keys().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`provost agents` lists those that are".to_owned(),
        };
        Diagnostic::error(diagnostic::AGENT_UNKNOWN, message).with_help(help).into()
    })
}

fn list(root: &Path, config: &Config, context: &mut Context) -> Done {
    let search = env::var_os("PATH");
    let agents: Vec<Line> =
        config.agents.iter().map(|(name, agent)| line(name, agent, config, root)).collect();
    let used: Vec<&str> = agents.iter().filter_map(|line| line.program.as_deref()).collect();
    let found = detect::look(root, search.as_deref()).agents;
    let others = found.iter().map(|it| it.name).filter(|name| !used.contains(name)).collect();
    let walls = match Strength::of_this_machine().force(config.sandbox) {
        Ok(force) => force.words(),
        Err(refusal) => refusal.message,
    };
    let listed = Listed { agents, others, walls };
    let screen = &mut context.screen;
    if screen.is_json() {
        screen.document(&listed)?;
        return Ok(Exit::Done);
    }
    if listed.agents.is_empty() {
        screen.line(format!("no agent is configured; add an `[agents.NAME]` to {}", config::NAME))?;
    }
    for agent in &listed.agents {
        for text in agent.text() {
            screen.line(visible(&text))?;
        }
    }
    if !listed.others.is_empty() {
        screen.line(format!("also on the PATH: {}", listed.others.join(", ")))?;
    }
    screen.line(format!("walls: {}", visible(&listed.walls)))?;
    Ok(Exit::Done)
}

fn line(name: &str, agent: &Agent, config: &Config, root: &Path) -> Line {
    let program = agent.program();
    let search = env::var_os("PATH");
    let found = program.and_then(|program| detect::find_program(program, root, search.as_deref()));
    let plays = [
        ("developer", &config.roles.developer),
        ("critic", &config.roles.critic),
        ("auditor", &config.roles.auditor),
    ];
    let is_open = agent.reach.network.is_none_or(|network| network == Network::Open);
    Line {
        name: name.to_owned(),
        drive: agent.drive.name(),
        program: program.map(str::to_owned),
        version: found.as_deref().filter(|_| agent.drive.is_known()).and_then(version),
        found: found.map(|path| path.display().to_string()),
        roles: plays.iter().filter(|(_, it)| it.as_deref() == Some(name)).map(|it| it.0).collect(),
        fallback: agent.fallback.clone(),
        can: agent.drive.can().to_vec(),
        network: if is_open { "open" } else { "none" },
        writable: agent.reach.writable.clone(),
    }
}

/// What an agent's program says its version is.
fn version(program: &Path) -> Option<String> {
    agent::version(&env::current_exe().ok()?, program)
}

impl Line {
    fn text(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let version = self.version.as_ref().map_or_else(String::new, |version| format!(", {version}"));
        lines.push(match (&self.program, &self.found) {
            (None, _) => format!("{}  driven as {}", self.name, self.drive),
            (Some(_), Some(found)) => format!("{}  driven as {}: {found}{version}", self.name, self.drive),
            (Some(program), None) => {
                format!(
                    "{}  driven as {}: `{program}` is not there; install it, or name it with its path",
                    self.name, self.drive
                )
            }
        });
        let mut say = |what: &str, words: String| {
            if !words.is_empty() {
                lines.push(format!("    {what:<9} {words}"));
            }
        };
        say("plays", self.roles.join(", "));
        say("can", self.can.join(", "));
        say("stood in", self.fallback.join(", "));
        say("network", self.network.to_owned());
        say("writes", self.writable.join(", "));
        lines
    }
}
