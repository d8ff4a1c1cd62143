//! `provost resume`: deliveries go on where they were.

use clap::Args;
use provost_core::delivery;
use provost_core::diagnostic::{self, Diagnostic};
use provost_core::project::{self, Preparation};
use provost_core::state;
use provost_runtime::acting::{Actor, person};
use provost_runtime::config;

use super::watch::{self, Watched};
use super::{Context, Done};
use crate::performing;

/// Go on with a delivery where it was.
///
/// After a crash, a kill, a power cut or an answer. What was running is looked for, done again or given to a fresh
/// agent, each as it has to be; nothing lands twice.
///
/// Example: `provost resume d-4`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The delivery; the newest that has not ended where none is named.
    delivery: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let config = config::read(&home.config(), ".provost/provost.toml")?;
    let state = performing::state(&home)?;
    let newest = || state.deliveries.newest().cloned();
    let nothing = || Diagnostic::error(diagnostic::DELIVERY_UNKNOWN, "no delivery is under way");
    let delivery = arguments.delivery.clone().or_else(newest).ok_or_else(nothing)?;
    let (project_id, tools) = performing::tools(&home, &config)?;
    let since = watch::head(&home)?;
    let mut actor = Actor::new(home.clone(), person(), "provost resume").performing(tools);
    let preparation = Preparation { project_id, settings: config.settings };
    let resume = delivery::Command::Resume { delivery: Some(delivery.clone()) };
    let answers = actor.submit(vec![
        state::Command::Project(project::Command::Prepare(preparation)),
        state::Command::Delivery(resume),
    ]);
    answers.into_iter().collect::<Result<Vec<_>, _>>()?;
    watch::until_rest(&Watched { home: &home, delivery: &delivery, since }, &mut actor, context)
}
