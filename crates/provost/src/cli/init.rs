//! `provost init`: the first files of a project, from what is there already.

use clap::Args;
use provost_core::diagnostic::Exit;
use provost_core::plan;
use provost_runtime::detect::{self, Found};
use provost_runtime::init::{self, Made};
use serde::Serialize;

use super::{Context, Done};

/// Write provost.toml, a first registry and a sample plan from what is found.
///
/// Looks for agents on the PATH and for the commands that test, lint and build the project: Cargo, npm, pnpm, yarn,
/// Python, Go, Make. Files that are there are left as they are.
///
/// Example: `provost init`
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

#[derive(Serialize)]
struct Initialised<'a> {
    agents: Vec<&'a str>,
    checks: Vec<Check<'a>>,
    wrote: Vec<&'a str>,
    kept: Vec<&'a str>,
}

#[derive(Serialize)]
struct Check<'a> {
    name: &'a str,
    argv: &'a [String],
}

pub(crate) fn run(_: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let found = detect::look(&home.root, std::env::var_os("PATH").as_deref());
    let made = init::make(&home, &found)?;
    if context.screen.is_json() {
        let names = |new: bool| made.iter().filter(|it| it.new == new).map(|it| it.name).collect();
        let checks = found.checks.iter().map(|it| Check { name: &it.name, argv: &it.argv });
        context.screen.document(&Initialised {
            agents: found.agents.iter().map(|agent| agent.name).collect(),
            checks: checks.collect(),
            wrote: names(true),
            kept: names(false),
        })?;
        return Ok(Exit::Done);
    }
    for line in found_lines(&found).into_iter().chain(made_lines(&made, &found)) {
        context.screen.line(line)?;
    }
    Ok(Exit::Done)
}

fn found_lines(found: &Found) -> Vec<String> {
    let mut lines = Vec::new();
    for agent in &found.agents {
        let how = if agent.driven { "" } else { ", which needs a `command` agent to be driven" };
        lines.push(format!("found the agent {}{how}", agent.name));
    }
    if !found.agents.iter().any(|agent| agent.driven) {
        lines.push("found no agent that Provost drives by itself".to_owned());
    }
    for check in &found.checks {
        lines.push(format!(
            "found the check {}: `{}` ({})",
            check.name,
            plan::shown(&check.argv),
            check.file
        ));
    }
    if found.checks.is_empty() {
        lines.push("found no command that tests the project".to_owned());
    }
    lines
}

fn made_lines(made: &[Made], found: &Found) -> Vec<String> {
    let mut lines = Vec::new();
    for file in made {
        let what = if file.new { "wrote" } else { "left as it is:" };
        lines.push(format!("{what} {}", file.name));
    }
    let wrote = |name: &str| made.iter().any(|file| file.new && file.name == name);
    let settings = provost_runtime::config::NAME;
    lines.extend([String::new(), "next:".to_owned()]);
    if wrote(settings) && !found.agents.iter().any(|agent| agent.driven) {
        lines.push(format!("  configure an agent in {settings}; it has an example"));
    }
    if wrote(settings) && found.checks.is_empty() {
        lines.push(format!("  name a check in {settings}"));
    }
    if made.iter().any(|file| file.new && file.name.starts_with(".provost")) {
        lines.push("  git add .provost       and commit it: it belongs to the project, all of it".to_owned());
    }
    lines.push("  provost doctor         see that all is in place".to_owned());
    if wrote(init::PLAN_NAME) {
        lines.push(format!("  $EDITOR {}        say what you want, or keep the sample", init::PLAN_NAME));
    }
    lines.push(format!("  provost run {}    deliver it", init::PLAN_NAME));
    lines
}
