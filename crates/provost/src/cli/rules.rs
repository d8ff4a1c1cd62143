//! `provost rules`: what is wrong with the content that plans are made of, before a plan is.

mod act;
mod explain;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use provost_core::diagnostic::{Diagnostic, Exit, Severity, visible};
use provost_core::registry::{Findings, Kind, Registry};
use provost_runtime::content::{self, REGISTRY};
use provost_runtime::permissions::{self, Origin};
use serde::Serialize;
use strum::VariantArray;

use super::{Context, Done};

/// Check the registry, or explain what its rules decided.
///
/// Example: `provost rules check`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

impl Arguments {
    /// What its document is called.
    pub(super) const fn name(&self) -> &'static str {
        match self.command {
            Command::Check(_) => "rules-check",
            Command::Explain(_) => "rules-explain",
        }
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say everything that is wrong with a registry, and what somebody should know about it.
    ///
    /// Ends with status 0 where nothing is an error, with 4 where a rule cannot be decided, which stops every plan, and
    /// with 2 where other content is broken, which then cannot be used.
    Check(Check),
    /// Say why rules decided as they did on a command or workflow of a plan, from what was frozen with it, or what they
    /// would say to an agent.
    Explain(explain::Arguments),
}

#[derive(Debug, Args)]
struct Check {
    /// The registry, instead of .provost/registry.
    #[arg(long, value_name = "DIR")]
    registry: Option<PathBuf>,
}

#[derive(Serialize)]
struct Checked<'a> {
    ok: bool,
    counts: Vec<Count>,
    digest: String,
    act_rules: usize,
    act_rules_built_in: bool,
    findings: &'a [Diagnostic],
}

#[derive(Serialize)]
struct Count {
    kind: Kind,
    usable: usize,
    broken: usize,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    match &arguments.command {
        Command::Check(arguments) => check(arguments, context),
        Command::Explain(arguments) => explain::run(arguments, context),
    }
}

fn check(arguments: &Check, context: &mut Context) -> Done {
    let (path, shown) = match &arguments.registry {
        Some(path) => (path.clone(), path.display().to_string()),
        None => (context.home()?.root.join(REGISTRY), REGISTRY.to_owned()),
    };
    let registry = content::registry(&path, shown.trim_end_matches('/'))?;
    let Findings { stops, errors, warnings } = registry.findings();
    let exit = match (stops, errors.len()) {
        (true, _) => Exit::Aborted,
        (false, 0) => Exit::Done,
        (false, _) => Exit::Usage,
    };
    let counts: Vec<Count> =
        <Kind as VariantArray>::VARIANTS.iter().map(|kind| count(&registry, *kind)).collect();
    let (permissions, origin) = permissions::of_registry(&registry);
    let act_rules = permissions.rules().len();
    let (errors_count, warnings_count) = (errors.len(), warnings.len());
    let findings: Vec<Diagnostic> = errors.into_iter().chain(warnings).collect();
    if context.screen.is_json() {
        let digest = registry.digest().to_string();
        let act_rules_built_in = origin == Origin::BuiltIn;
        let ok = errors_count == 0;
        let findings = &findings;
        context.screen.document(&Checked { ok, counts, digest, act_rules, act_rules_built_in, findings })?;
        return Ok(exit);
    }
    for finding in &findings {
        let mark = if finding.severity == Severity::Error { "error" } else { "warning" };
        context.screen.line(format!("{mark:<7}  {}", visible(&finding.to_string())))?;
        context.screen.line(format!("{:<9}help: {}", "", visible(&finding.help)))?;
    }
    if !findings.is_empty() {
        context.screen.line("")?;
    }
    let listed: Vec<String> = counts.iter().map(|it| format!("{} {}", it.usable, it.kind.folder())).collect();
    context.screen.line(format!("usable: {}", listed.join(", ")))?;
    context.screen.line(match origin {
        Origin::Registry => format!("agents: {act_rules} of the rules judge what they ask to do"),
        Origin::BuiltIn => format!("agents: no rule is about acts, so {act_rules} built-in ones judge them"),
        Origin::Broken => "agents: may do nothing until the rules are mended".to_owned(),
    })?;
    context.screen.line(format!("errors: {errors_count}, warnings: {warnings_count}"))?;
    Ok(exit)
}

fn count(registry: &Registry, kind: Kind) -> Count {
    let broken = registry.broken().iter().filter(|it| it.kind == kind).count();
    Count { kind, usable: registry.usable(kind).count(), broken }
}
