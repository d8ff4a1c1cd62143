//! A dry run: what would be delivered, by whom, proven by what, and what would be asked. Apart because it makes nothing, not
//! even a project.

use provost_core::delivery::{self, CheckSpec, Roles};
use provost_core::diagnostic::{Exit, visible};
use provost_core::limits::Limit;
use provost_core::plan::{Shape, shown};
use provost_runtime::config::Config;
use provost_runtime::doctor::{self, Finding};
use provost_runtime::home::Home;
use provost_runtime::repository::Repository;
use serde::Serialize;

use super::{Context, Done, Wanted, base_of, planned_tasks, unseen};
use crate::performing;
use crate::screen::Screen;

/// What a run would do.
#[derive(Serialize)]
struct Preview<'a> {
    dry_run: bool,
    plan: &'a str,
    title: &'a str,
    base: String,
    /// In the order of waves: a task can start when all of the waves before it are complete.
    tasks: Vec<Task<'a>>,
    agents: Roles,
    agents_max: u32,
    checks: &'a [CheckSpec],
    judgement: &'a [String],
    asks: Vec<String>,
    /// What agents would not see.
    unseen: Vec<String>,
    /// Programs that a run would need and that are not there.
    missing: Vec<Finding>,
}

#[derive(Serialize)]
struct Task<'a> {
    id: String,
    title: &'a str,
    wave: usize,
    blocked_by: Vec<String>,
    files: &'a [String],
    checks: Vec<CheckSpec>,
}

pub(super) fn run(wanted: &Wanted, config: &Config, home: &Home, context: &mut Context) -> Done {
    performing::ground(home, config)?;
    let preflight = Repository::look(home).map_err(|fault| fault.diagnostic())?;
    let base = base_of(&preflight)?;
    let begun = planned_tasks(&wanted.plan, &wanted.verifying, config);
    let own = begun.iter().map(|task| (task.id.as_str(), task.checks.as_slice()));
    let aimless = begun.iter().filter(|task| task.without_criteria).map(|task| task.id.as_str());
    let unproven = delivery::unproven(&config.checks, own, aimless);
    let preview = Preview {
        dry_run: true,
        plan: &wanted.name,
        title: &wanted.plan.title,
        base,
        tasks: tasks(wanted, config),
        agents: performing::roles(config)?,
        agents_max: config.settings.limit(Limit::Agents),
        checks: &config.checks,
        judgement: &wanted.judgement,
        asks: wanted.asks.iter().cloned().chain(unproven).collect(),
        unseen: unseen(&preflight),
        missing: doctor::missing(config, home, std::env::var_os("PATH").as_deref()),
    };
    if context.screen.is_json() {
        context.screen.document(&preview)?;
    } else {
        preview.print(&mut context.screen)?;
    }
    Ok(Exit::Done)
}

fn tasks<'a>(wanted: &'a Wanted, config: &Config) -> Vec<Task<'a>> {
    let plan = &wanted.plan;
    let mut begun: Vec<_> = planned_tasks(plan, &wanted.verifying, config).into_iter().map(Some).collect();
    let mut tasks = Vec::new();
    for (level, members) in Shape::of(plan).levels().iter().enumerate() {
        for &at in members {
            let Some((task, begun)) = plan.tasks.get(at).zip(begun.get_mut(at).and_then(Option::take)) else {
                continue;
            };
            tasks.push(Task {
                id: begun.id,
                title: &task.title,
                wave: level + 1,
                blocked_by: begun.blocked_by,
                files: &task.files,
                checks: begun.checks,
            });
        }
    }
    tasks
}

impl Preview<'_> {
    fn print(&self, screen: &mut Screen) -> std::io::Result<()> {
        for unseen in &self.unseen {
            screen.line(format!("note: {unseen}"))?;
        }
        for Finding { message, mend, .. } in &self.missing {
            let mend = mend.as_ref().map(|mend| format!("; mend: {mend}")).unwrap_or_default();
            screen.line(visible(&format!("note: {message}{mend}")))?;
        }
        let tasks = if self.tasks.len() == 1 { "task" } else { "tasks" };
        screen.line(format!("{}: {} {tasks}", self.title, self.tasks.len()))?;
        let mut wave = 0;
        for task in &self.tasks {
            if task.wave != wave {
                wave = task.wave;
                screen.line(format!("\nwave {wave}"))?;
            }
            screen.line(format!("  {:<24} {}", task.id, task.title))?;
            for check in &task.checks {
                screen.line(format!("  {:<24}   proven by `{}`", "", shown(&check.argv)))?;
            }
            if !task.files.is_empty() {
                screen.line(format!("  {:<24}   may write {}", "", delivery::named(task.files, 0)))?;
            }
        }
        let Roles { developer, critic, auditor } = &self.agents;
        screen.line(format!(
            "\nagents: developer {developer}, critic {critic}, auditor {auditor}; at most {} tasks at once",
            self.agents_max
        ))?;
        for check in self.checks {
            screen.line(format!("check {}: `{}`", check.name, shown(&check.argv)))?;
        }
        for line in self.judgement {
            screen.line(visible(line))?;
        }
        for line in &self.asks {
            screen.line(visible(&format!("it would ask first: {line}")))?;
        }
        Ok(())
    }
}
