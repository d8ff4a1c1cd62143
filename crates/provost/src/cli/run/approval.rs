//! Asking for the approval that a written plan needs: on a terminal once, else who gives it has to be named.

use std::io::{self, BufRead as _, IsTerminal as _};

use provost_core::delivery::Consent;
use provost_core::diagnostic::{self, Diagnostic, visible};
use provost_core::digest::Digest;
use provost_core::plan::Plan;
use provost_core::planning::tasks::{Court, TaskVerdict, has_rules, judge};
use provost_core::registry::Registry;
use provost_runtime::acting::person;
use provost_runtime::config::{Approve, Config};
use provost_runtime::content::{self, REGISTRY};
use provost_runtime::home::Home;

use super::{Arguments, Context};
use crate::failure::Failure;
use crate::performing;

/// What came of it.
pub(super) struct Judged {
    pub(super) approved: Option<Consent>,
    /// What was decided, a line each.
    pub(super) judgement: Vec<String>,
    /// What nobody has approved yet; only in a dry run.
    pub(super) asks: Vec<String>,
}

/// Has a plan judged, and approved where it has to be.
pub(super) fn of(
    plan: &Plan,
    digest: Digest,
    name: &str,
    arguments: &Arguments,
    home: &Home,
    config: &Config,
    context: &mut Context,
) -> Result<Judged, Failure> {
    let folder = home.root.join(REGISTRY);
    let there = folder.symlink_metadata().is_ok();
    let registry = if there { content::registry(&folder, REGISTRY)? } else { Registry::default() };
    let developer = performing::roles(config)?.developer;
    let explicit = config.approve == Approve::Explicit;
    let court = Court { registry: &registry, policy: &config.policy, explicit, developer: &developer };
    let verdicts = judge(plan, digest, &court)?;
    let needed: Vec<String> = verdicts.iter().filter_map(wanted).collect();
    let judgement = if has_rules(&registry) {
        verdicts.iter().map(|it| format!("judged {}: {}, {}", it.id, it.decision, it.reason)).collect()
    } else {
        vec!["not judged: the project has no registry with rules".to_owned()]
    };
    if needed.is_empty() {
        return Ok(Judged { approved: None, judgement, asks: Vec::new() });
    }
    let by = match &arguments.approve_by {
        Some(by) if by.trim().is_empty() => {
            let message = "`--approve-by` needs the name of whoever approves";
            return Err(Diagnostic::error(diagnostic::CLI_USAGE, message).into());
        }
        Some(by) => Some(by.clone()),
        None if arguments.dry_run => None,
        None => Some(asked(&needed, name, context)?),
    };
    let Some(by) = by else {
        return Ok(Judged { approved: None, judgement, asks: needed });
    };
    Ok(Judged { approved: Some(Consent::new(&by, digest, &needed)), judgement, asks: Vec::new() })
}

fn wanted(verdict: &TaskVerdict) -> Option<String> {
    verdict.approval.as_ref().map(|why| format!("task `{}`: {why}", verdict.id))
}

/// Asks whoever sits there; who says yes is who typed the command.
fn asked(needed: &[String], name: &str, context: &mut Context) -> Result<String, Failure> {
    let somebody =
        io::stdin().is_terminal() && io::stdout().is_terminal() && std::env::var_os("CI").is_none();
    if !context.screen.is_json() && somebody {
        context.screen.line("a person has to approve this before anything starts:")?;
        for line in needed {
            context.screen.line(format!("  {}", visible(line)))?;
        }
        context.screen.text("approve? [y/N] ")?;
        context.screen.flush()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        if matches!(answer.trim(), "y" | "Y" | "yes") {
            return Ok(person());
        }
    }
    let line = |text: &String| {
        let help = format!("look at the plan, then type `provost run {name} --approve-by NAME`");
        Diagnostic::error(diagnostic::RUN_NOT_APPROVED, format!("nobody has approved {text}")).with_help(help)
    };
    Err(needed.iter().map(line).collect::<Vec<_>>().into())
}
