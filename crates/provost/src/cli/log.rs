//! `provost log`: the record, for people and programs.

use std::io;
use std::time::Duration;

use clap::Args;
use provost_core::diagnostic::Exit;
use provost_core::record::Record;
use provost_runtime::journal::{Follower, Stop, walk_along};
use serde::Serialize;

use super::{Context, Done};
use crate::screen::Screen;
use crate::wording;

/// How often a followed journal is looked at.
const PAUSE: Duration = Duration::from_millis(100);

/// Print the record.
///
/// With --json each record is printed as it is stored, one a line. Reading never waits for whoever writes.
///
/// Example: `provost log --since 40 --follow`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Go on printing records as they come, until interrupted.
    #[arg(long, conflicts_with = "head")]
    pub(super) follow: bool,

    /// Only records of this task.
    #[arg(long, value_name = "TASK")]
    pub(super) task: Option<String>,

    /// Only records from this sequence on.
    #[arg(long, value_name = "SEQUENCE", default_value_t = 1, hide_default_value = true)]
    pub(super) since: u64,

    /// Only where the record ends, as SEQUENCE:HASH; keep it elsewhere and compare it with `provost verify --head`.
    #[arg(long)]
    pub(super) head: bool,
}

#[derive(Serialize)]
struct Head {
    sequence: u64,
    hash: String,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    let screen = &mut context.screen;
    if arguments.head {
        let chain = walk_along(&home.reading(), &mut |_| Ok(()))?.chain;
        let (sequence, hash) = (chain.head.sequence, chain.head.hash.to_string());
        if screen.is_json() {
            screen.document(&Head { sequence, hash })?;
        } else {
            screen.line(format!("{sequence}:{hash}"))?;
        }
        screen.flush()?;
        return Ok(Exit::Done);
    }
    if arguments.follow {
        return follow(arguments, &mut Follower::new(&home.state), screen);
    }
    let mut printed = 0_u64;
    let walked = walk_along(&home.reading(), &mut |record| {
        printed += u64::from(print(record, arguments, screen)?);
        Ok::<(), Stop>(())
    });
    screen.flush()?;
    let walked = walked?;
    if printed == 0 && !screen.is_json() {
        let text = if walked.chain.head.sequence == 0 {
            "nothing is on record yet; `provost note \"TEXT\"` records a remark"
        } else {
            "no record fits"
        };
        screen.line(text)?;
    }
    screen.flush()?;
    Ok(Exit::Done)
}

fn follow(arguments: &Arguments, follower: &mut Follower, screen: &mut Screen) -> Done {
    loop {
        follower.poll(&mut |record| Ok(print(record, arguments, screen).map(drop)?))?;
        screen.wait(PAUSE)?;
    }
}

/// Prints a record if it was asked for, and says whether it was.
fn print(record: &Record<'_>, arguments: &Arguments, screen: &mut Screen) -> io::Result<bool> {
    let wanted = record.sequence >= arguments.since
        && arguments.task.as_deref().is_none_or(|task| record.task_id == Some(task));
    if wanted && screen.is_json() {
        screen.line(record.line)?;
    } else if wanted {
        screen.line(wording::record_line(record))?;
    }
    Ok(wanted)
}
