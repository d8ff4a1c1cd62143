//! Every row of the planning table is taken, by documents and not by hand.

use std::collections::BTreeSet;



use provost_core::planning::shelf::{Examine, Strict, Unfit};
use provost_core::planning::{Inputs, Phase, Planning, Round, Run, Trigger, plan};
use provost_core::machine::Machine as _;
use provost_core::registry::Kind;
use provost_core::schema::Schema;
use serde_json::{Value, json};

use crate::kit::{Case, Ticking, command, rule, seal};

/// The last verdict of a run, and where it led.
fn end(run: &Run) -> (Phase, Trigger) {
    (run.state, *run.steps.last().unwrap())
}

fn code(run: &Run) -> &str {
    run.failure.as_ref().map_or("", |failure| failure.code.as_str())
}

#[test]
fn an_intent_with_little_at_stake_is_frozen_at_once() {
    let run = Case::low().plan();
    assert_eq!(end(&run), (Phase::Done, Trigger::OutputsFrozen), "{:?}", run.failure);
    assert_eq!(run.steps.len(), 8);
}
