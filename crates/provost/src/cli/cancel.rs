//! `provost cancel`: a delivery, ended for good.

use clap::Args;
use provost_core::delivery;
use provost_core::diagnostic::Exit;
use provost_core::state;
use provost_runtime::acting::{Actor, person};
use serde::Serialize;

use super::{Context, Done};

/// End a delivery for good. What has landed on its branch stays there.
///
/// Example: `provost cancel d-4`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The delivery.
    delivery: String,
}

#[derive(Serialize)]
struct Cancelled<'a> {
    delivery: &'a str,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let mut actor = Actor::new(home, person(), "provost cancel");
    let delivery = arguments.delivery.clone();
    let cancel = state::Command::Delivery(delivery::Command::Cancel { delivery });
    actor.submit(vec![cancel]).into_iter().collect::<Result<Vec<_>, _>>()?;
    if context.screen.is_json() {
        context.screen.document(&Cancelled { delivery: &arguments.delivery })?;
        return Ok(Exit::Done);
    }
    context.screen.line(format!("{} is cancelled", arguments.delivery))?;
    Ok(Exit::Done)
}
