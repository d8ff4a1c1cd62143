//! A frozen run, delivered: what the record holds of it, and whether it still stands on what it was made from.

use std::path::Path;

use provost_core::delivery::{Consent, Warrant};
use provost_core::diagnostic::{self, Diagnostic};
use provost_core::digest::Digest;
use provost_core::planning::RUN_PREFIX;
use provost_core::planning::deliver::{Delivery, Now};
use provost_runtime::acting::person;
use provost_runtime::clock::{Clock as _, SystemClock};
use provost_runtime::config::Config;
use provost_runtime::content::{self, REGISTRY};
use provost_runtime::home::Home;
use provost_runtime::{planner, scan};

use super::{Arguments, Wanted};
use crate::failure::Failure;
use crate::performing;

/// The name of a run, or the beginning of one, where that is what was typed: a file of the same name comes first.
pub(super) fn named(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let is_hex = !text.is_empty() && text.len() <= 16 && text.bytes().all(|it| it.is_ascii_hexdigit());
    ((is_hex || text.starts_with(RUN_PREFIX)) && !path.exists()).then_some(text)
}

pub(super) fn wanted(
    name: &str,
    arguments: &Arguments,
    home: &Home,
    config: &Config,
) -> Result<Wanted, Failure> {
    if arguments.approve_by.is_some() {
        let message = "`--approve-by` is about files; a run is approved with `provost approve RUN`";
        return Err(Diagnostic::error(diagnostic::CLI_USAGE, message).into());
    }
    let state = performing::state(home)?;
    let (id, run, kept) = state.plans.deliverable(name)?;
    let files = planner::load(home, id, run)?;
    let delivery = Delivery::of(id, kept, &files)?;
    let moved = moved(&delivery, run.project_policy, home, config)?;
    let mut judgement: Vec<String> = run.approvals.iter().map(approved).collect();
    judgement.extend(delivery.run.models.iter().map(|it| format!("model for the {}: {}", it.role, it.model)));
    let mut warrant = Warrant { run: Some(delivery.run.clone()), ..Warrant::default() };
    if !moved.is_empty() {
        if !arguments.accept_drift {
            let drifted = |line: &String| {
                let message = format!("{line} since {id} was frozen");
                let help =
                    format!("plan again, or go on with `provost run {id} --accept-drift`, which is recorded");
                Diagnostic::error(diagnostic::RUN_DRIFTED, message).with_help(help)
            };
            return Err(moved.iter().map(drifted).collect::<Vec<_>>().into());
        }
        judgement.extend(moved.iter().map(|line| format!("accepted: {line}")));
        warrant.drift = Some(Consent::new(&person(), kept.manifest, &moved));
    }
    let Delivery { plan, verifying, .. } = delivery;
    Ok(Wanted { name: id.to_owned(), plan, verifying, warrant, judgement, asks: Vec::new() })
}

fn approved(given: &provost_core::planning::runs::GivenApproval) -> String {
    let gate = given.gate.as_deref().unwrap_or("all gates");
    format!("approved: {gate}, by {} (record {})", given.by, given.sequence)
}

fn moved(
    delivery: &Delivery,
    policy_then: Option<Digest>,
    home: &Home,
    config: &Config,
) -> Result<Vec<String>, Failure> {
    let registry = content::registry(&home.root.join(REGISTRY), REGISTRY)?;
    let facts = scan::look(home, SystemClock.now())?;
    Ok(delivery.drift(&Now { registry: &registry, policy: &config.policy, policy_then, facts: &facts }))
}
