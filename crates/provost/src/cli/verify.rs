//! `provost verify`: whether the record is what was written, or a plan what was frozen.

mod plan;

use std::collections::BTreeMap;

use clap::Args;
use provost_core::decider::Event as _;
use provost_core::diagnostic::{self, Diagnostic, Exit, quoted};
use provost_core::digest::Digest;
use provost_core::record::{Head, Tail};
use provost_core::state::State;
use provost_runtime::artifacts::{Artifacts as _, FileArtifacts};
use provost_runtime::journal::{Stop, Walk, fold, walk_along};
use provost_runtime::lock::Lock;
use serde::Serialize;

use super::{Context, Done};

/// Check the record: every byte, every link, every artifact.
///
/// A changed, missing, moved or added record is found and located. Records cut off at the very end leave a
/// shorter record that is whole; comparing it with a head that was kept elsewhere finds that too.
///
/// With a run, its plan: every digest, and that planning again from the same inputs gives the same bytes.
///
/// Example: `provost verify --head "$(cat head-of-yesterday)"`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only this run of planning, by the beginning of its id, or the folder of one.
    #[arg(value_name = "RUN|DIR", conflicts_with = "head")]
    run: Option<String>,

    /// A head that `provost log --head` printed earlier, as SEQUENCE:HASH or HASH.
    #[arg(long, value_name = "HEAD")]
    head: Option<String>,
}

#[derive(Serialize)]
struct Verified {
    ok: bool,
    records: u64,
    segments: usize,
    artifacts: usize,
    head: Option<String>,
    incomplete: Option<Incomplete>,
}

/// A last batch that was not written to its end.
#[derive(Serialize)]
struct Incomplete {
    segment: String,
    offset: usize,
    bytes: usize,
    being_written: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    if let Some(run) = &arguments.run {
        return plan::verify(run, context);
    }
    let wanted = arguments.head.as_deref().map(parse_head).transpose()?;
    let home = context.home()?;
    let mut state = State::default();
    let mut found = wanted.is_none_or(|head| head == Head::GENESIS);
    let mut named: BTreeMap<Digest, u64> = BTreeMap::new();
    let walked = walk_along(&home.reading(), &mut |record| {
        let event = fold(&mut state, record)?;
        for digest in event.artifacts() {
            named.entry(digest).or_insert(record.sequence);
        }
        found |= wanted.is_some_and(|head| {
            head.hash == record.hash && (head.sequence == 0 || head.sequence == record.sequence)
        });
        Ok::<(), Stop>(())
    })?;
    if !found {
        let sequence = walked.chain.head.sequence;
        let message = format!("the record, which ends at {sequence}, does not contain that head");
        return Err(Diagnostic::error(diagnostic::JOURNAL_HEAD, message).into());
    }
    let artifacts = FileArtifacts::new(home.reading(), "");
    for (digest, sequence) in &named {
        artifacts.get(*digest).map_err(|error| {
            let message = format!("artifact {digest}, named by record {sequence}: {error}");
            Diagnostic::error(diagnostic::JOURNAL_ARTIFACT, message)
        })?;
    }
    let being_written = Lock::is_held(&home.lock());
    report(&walked, named.len(), being_written, context)
}

fn report(walked: &Walk, artifacts: usize, being_written: bool, context: &mut Context) -> Done {
    let head = walked.chain.head;
    let incomplete = walked.ending.as_ref().and_then(|ending| match ending.scan.tail {
        Tail::Torn { bytes } => Some(Incomplete {
            segment: ending.segment.clone(),
            offset: ending.scan.whole,
            bytes,
            being_written,
        }),
        _ => None,
    });
    let verified = Verified {
        ok: true,
        records: head.sequence,
        segments: walked.segments,
        artifacts,
        head: (head.sequence > 0).then(|| format!("{}:{}", head.sequence, head.hash)),
        incomplete,
    };
    let screen = &mut context.screen;
    if screen.is_json() {
        screen.document(&verified)?;
        return Ok(Exit::Done);
    }
    let count =
        |number: u64, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    screen.line(format!(
        "verified: {} in {}, {}",
        count(verified.records, "record", "records"),
        count(verified.segments as u64, "segment", "segments"),
        count(artifacts as u64, "artifact", "artifacts"),
    ))?;
    if let Some(head) = &verified.head {
        screen.line(format!("head: {head}"))?;
    }
    if let Some(cut) = verified.incomplete.filter(|cut| !cut.being_written) {
        screen.line(format!(
            "incomplete: {} byte {}: {} bytes of a batch that was never acknowledged; the next command cuts them off",
            cut.segment, cut.offset, cut.bytes
        ))?;
    }
    screen.flush()?;
    Ok(Exit::Done)
}

/// Reads `SEQUENCE:HASH` or `HASH`; a sequence of 0 stands for any.
fn parse_head(text: &str) -> Result<Head, Diagnostic> {
    let unreadable = || Diagnostic::error(diagnostic::VERIFY_HEAD, format!("{} is not a head", quoted(text)));
    let (sequence, hash) = text.trim().split_once(':').unwrap_or(("0", text.trim()));
    let sequence = sequence.parse().map_err(|_| unreadable())?;
    Ok(Head { sequence, hash: hash.parse().map_err(|_| unreadable())? })
}
