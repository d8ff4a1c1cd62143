//! `provost verify`: whether the record is what was written, or a plan what was frozen.

mod plan;

use std::collections::BTreeMap;

use clap::Args;
use provost_core::decider::Event as _;
use provost_core::diagnostic::{self, Diagnostic, Exit, quoted};
use provost_core::digest::Digest;
use provost_core::record::{Head, Record, Sequence, Tail};
use provost_core::state::State;
use provost_runtime::artifacts::{Artifacts as _, FileArtifacts};
use provost_runtime::home::Home;
use provost_runtime::journal::{Stop, Walk, fold, walk_along};
use provost_runtime::lock::Lock;
use provost_runtime::repository::{Witness, witnesses};
use serde::Serialize;

use super::{Context, Done};
use crate::failure::Failure;
use crate::wording::one_line;

/// The most contradictions between commits and the record that are named.
const CONTRADICTIONS_MAX: usize = 10;

/// The shortest beginning of an id that stands for a commit.
const ID_MIN: usize = 7;

/// Check the record: every byte, every link, every artifact.
///
/// A changed, missing, moved or added record is found and located. A record that was rewritten with all its hashes is
/// found by the commits that landed: each names a record and its hash. Records cut off at the very end leave a shorter
/// record that is whole; comparing it with a head that was kept elsewhere finds that too.
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

    /// A commit that Provost did not make, though its trailers say so; what it says is only noted.
    #[arg(long, value_name = "COMMIT", conflicts_with = "run")]
    except: Vec<String>,
}

#[derive(Serialize)]
struct Verified {
    ok: bool,
    records: u64,
    segments: usize,
    artifacts: usize,
    head: Option<String>,
    incomplete: Option<Incomplete>,
    commits: Option<Compared>,
}

/// Commits that name records, compared with them.
#[derive(Serialize)]
struct Compared {
    agreeing: usize,
    of_other_projects: usize,
    /// What commits say that were excepted, and the record does not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    excepted: Vec<String>,
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
    // Read before the record: what a commit names was recorded before the commit was made.
    let mut testimony = Testimony::read(&home, &arguments.except);
    let walked = walk_along(&home.reading(), &mut |record| {
        let event = fold(&mut state, record)?;
        for digest in event.artifacts() {
            named.entry(digest).or_insert(record.sequence);
        }
        testimony.see(record);
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
    testimony.contradictions(state.project.id.as_deref(), walked.chain.head.sequence)?;
    let artifacts = FileArtifacts::new(home.reading(), "");
    for (digest, sequence) in &named {
        artifacts.get(*digest).map_err(|error| {
            let message = format!("artifact {digest}, named by record {sequence}: {error}");
            Diagnostic::error(diagnostic::JOURNAL_ARTIFACT, message)
        })?;
    }
    let being_written = Lock::is_held(&home.lock());
    let commits = testimony.compared(state.project.id.as_deref(), walked.chain.head.sequence);
    report(&walked, named.len(), being_written, commits, context)
}

fn report(
    walked: &Walk,
    artifacts: usize,
    being_written: bool,
    commits: Result<Compared, String>,
    context: &mut Context,
) -> Done {
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
        commits: None,
    };
    let (commits, not_compared) = match commits {
        Ok(compared) => (Some(compared), None),
        Err(why) => (None, Some(why)),
    };
    let verified = Verified { commits, ..verified };
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
    for line in said_of_commits(verified.commits.as_ref(), not_compared.as_deref()) {
        screen.line(line)?;
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

fn said_of_commits(compared: Option<&Compared>, not_compared: Option<&str>) -> Vec<String> {
    let Some(Compared { agreeing, of_other_projects, excepted }) = compared else {
        let why = not_compared.unwrap_or_default();
        return vec![format!("commits: not compared with the record: {}", one_line(why))];
    };
    let agreed = (*agreeing > 0).then(|| format!("commits: {agreeing} name a record, and it is as they say"));
    let others = (*of_other_projects > 0).then(|| {
        format!("commits: {of_other_projects} name a record of another project and were not compared")
    });
    let note = |said: &String| format!("note: {said}; it was excepted");
    agreed.into_iter().chain(others).chain(excepted.iter().map(note)).collect()
}

/// What commits say about the record, and what the record says about itself at those places.
struct Testimony {
    witnesses: Result<Vec<Witness>, String>,
    named: BTreeMap<Sequence, Option<Digest>>,
    /// The beginnings of the ids of commits that are not held against the record.
    except: Vec<String>,
}

impl Testimony {
    fn read(home: &Home, except: &[String]) -> Testimony {
        // Without git, or with a repository that it cannot read, the record itself can still be verified.
        let witnesses = witnesses(home).map_err(|fault| fault.to_string());
        let named = witnesses.iter().flatten().map(|witness| (witness.head.sequence, None)).collect();
        let except = except.iter().map(|commit| commit.trim().to_ascii_lowercase()).collect();
        Testimony { witnesses, named, except }
    }

    fn see(&mut self, record: &Record<'_>) {
        if let Some(hash) = self.named.get_mut(&record.sequence) {
            *hash = Some(record.hash);
        }
    }

    fn is_excepted(&self, witness: &Witness) -> bool {
        self.except.iter().any(|begin| begin.len() >= ID_MIN && witness.commit.as_str().starts_with(begin))
    }

    fn of(&self, project: Option<&str>) -> impl Iterator<Item = &Witness> {
        let all = self.witnesses.iter().flatten();
        all.filter(move |witness| Some(witness.project_id.as_str()) == project)
    }

    /// What a commit says and the record does not, if they differ.
    fn contradiction(&self, witness: &Witness, last: Sequence) -> Option<String> {
        let Head { sequence, hash } = witness.head;
        let here = match self.named.get(&sequence).copied().flatten() {
            Some(here) if here == hash => return None,
            Some(here) => format!("here it has {here}"),
            None => format!("the record ends at {last}"),
        };
        Some(format!("commit {} says that record {sequence} has the hash {hash}; {here}", witness.commit))
    }

    /// Refuses a record that differs from what commits say that Provost made for the same project.
    fn contradictions(&self, project: Option<&str>, last: Sequence) -> Result<(), Failure> {
        let counting = self.of(project).filter(|witness| !self.is_excepted(witness));
        let differing = counting.filter_map(|witness| {
            let message = self.contradiction(witness, last)?;
            let help = format!(
                "the commit was made from another history: find the copy of the journal that it belongs to; if you know \
                 that Provost did not make it, `provost verify --except {}`",
                witness.commit
            );
            Some(Diagnostic::error(diagnostic::JOURNAL_HEAD, message).with_help(help))
        });
        let diagnostics: Vec<Diagnostic> = differing.take(CONTRADICTIONS_MAX).collect();
        if diagnostics.is_empty() { Ok(()) } else { Err(Failure::Said { diagnostics, source: None }) }
    }

    /// How what commits say compares with the record, when nothing that counts contradicts it.
    fn compared(self, project: Option<&str>, last: Sequence) -> Result<Compared, String> {
        let ours = self.of(project).count();
        let excepted: Vec<String> =
            self.of(project).filter_map(|witness| self.contradiction(witness, last)).collect();
        let agreeing = ours - excepted.len();
        let of_other_projects = self.witnesses?.len() - ours;
        let excepted = excepted.into_iter().take(CONTRADICTIONS_MAX).collect();
        Ok(Compared { agreeing, of_other_projects, excepted })
    }
}

/// Reads `SEQUENCE:HASH` or `HASH`; a sequence of 0 stands for any.
fn parse_head(text: &str) -> Result<Head, Diagnostic> {
    let unreadable = || Diagnostic::error(diagnostic::VERIFY_HEAD, format!("{} is not a head", quoted(text)));
    let (sequence, hash) = text.trim().split_once(':').unwrap_or(("0", text.trim()));
    let sequence = sequence.parse().map_err(|_| unreadable())?;
    Ok(Head { sequence, hash: hash.parse().map_err(|_| unreadable())? })
}
