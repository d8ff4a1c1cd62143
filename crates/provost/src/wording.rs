//! Records in the words that people read.

use provost_core::adapter::Spent;
use provost_core::decider::Event as _;
use provost_core::delivery::{self, Basis, Bill, CheckResult, Course, Verdict, What, dollars};
use provost_core::diagnostic::{quoted, visible};
use provost_core::evidence::outside_of_files;
use provost_core::planning::runs;
use provost_core::project;
use provost_core::record::{Cut, Record};
use provost_core::signal::Checkpoint;
use provost_core::state::Event;
use serde::Serialize;

/// One record as one line.
pub(crate) fn record_line(record: &Record<'_>) -> String {
    let what = match Event::read(record) {
        Ok(event) => sentence(&event),
        // Written by a newer Provost: shown as it is.
        Err(_) => format!("{} {}", record.event_type, visible(record.details)),
    };
    format!("{:>6}  {}  {:<16}  {what}", record.sequence, moment(record), record.actor)
}

/// When a record was written, to the second.
pub(crate) fn moment(record: &Record<'_>) -> String {
    let time = record.timestamp.to_string();
    let (date, clock) = time.split_once('T').unwrap_or_default();
    format!("{date} {}", clock.get(..8).unwrap_or_default())
}

/// What happened, in words.
pub(crate) fn sentence(event: &Event) -> String {
    let event = match event {
        Event::Project(event) => event,
        Event::Planning(event) => return planned(event),
        Event::Delivery(event) => return delivered(event),
    };
    match event {
        project::Event::Initialised { project_id } => format!("made the project {}", visible(project_id)),
        project::Event::Opened(opened) => {
            let cut = opened.cut.as_ref().map(|cut| format!("; {}", cut_off(cut))).unwrap_or_default();
            format!("opened the journal ({}){cut}", visible(&opened.holder))
        }
        project::Event::SettingsChanged { changes } => {
            let one = |change: &project::Change| {
                format!("{} {} → {}", visible(&change.name), change.from, change.to)
            };
            format!("settings: {}", changes.iter().map(one).collect::<Vec<_>>().join(", "))
        }
        project::Event::Noted(noted) => {
            let one = |file: &project::Attachment| {
                format!(" [{}, {} bytes, {}]", visible(&file.name), file.bytes, file.sha256)
            };
            format!("note: {}{}", visible(&noted.text), noted.attached.iter().map(one).collect::<String>())
        }
    }
}

/// What happened to a run of planning, in words.
fn planned(event: &runs::Event) -> String {
    let run = visible(event.run_id());
    match event {
        runs::Event::Received(received) => format!("{run}: planning of {}", quoted(&received.title)),
        runs::Event::Advanced(advanced) => {
            let on: &'static str = advanced.on.into();
            format!("{run}: {} ({})", advanced.to.label(), on.replace('_', " "))
        }
        runs::Event::Rested(rested) => match rested.questions.len() {
            0 => format!("{run}: {}", rested.state.label()),
            count => format!("{run}: {}, {count} questions", rested.state.label()),
        },
        runs::Event::Approved(approved) => {
            let gate = approved
                .gate
                .as_deref()
                .map_or_else(|| "everything".to_owned(), |gate| quoted(gate).to_string());
            format!("{run}: {} approved {gate}: {}", visible(&approved.by), visible(&approved.reason))
        }
    }
}

/// What was cut off the end of a journal, in words.
pub(crate) fn cut_off(cut: &Cut) -> String {
    format!(
        "an incomplete batch of {} bytes at {} byte {}, never acknowledged, was cut off",
        cut.bytes, cut.segment, cut.offset
    )
}

/// What happened to a delivery, in words: the event's name where nothing better is known.
fn delivered(event: &delivery::Event) -> String {
    progress(event).unwrap_or_else(|| {
        let task = event.task.as_ref().map(|task| format!("{task}: ")).unwrap_or_default();
        format!("{task}{}", event.what.name().replace('_', " "))
    })
}

/// The events that people follow, in words; others only fill the record.
pub(crate) fn progress(event: &delivery::Event) -> Option<String> {
    let text = match &event.what {
        What::DeliveryStarted { title, branch, .. } => format!("delivering {} on {branch}", one_line(title)),
        What::PreExistingBaselineCaptured { results } => format!("before any work: {}", verdicts(results)),
        What::DeveloperDispatched { agent } => format!("{} begins to implement", visible(agent)),
        What::CriticDispatched { agent } => format!("{} begins to review", visible(agent)),
        What::AuditorDispatched { agent } => format!("{} begins to verify", visible(agent)),
        What::ReadyClaimed { .. } => "the developer says it is done; measuring".to_owned(),
        What::DeveloperReadyForReview { results, files, files_more, .. } => {
            let count = counted_files(files.len() as u64 + files_more);
            format!("measured: {}; {count} changed", verdicts(results))
        }
        What::EnvironmentVerificationFailed { results, outside, outside_more } => {
            let paths = (!outside.is_empty())
                .then(|| format!("; {}", one_line(&outside_of_files(outside, *outside_more))));
            format!("the claim does not hold: {}{}", verdicts(results), paths.unwrap_or_default())
        }
        What::SignalRejected { reason } => format!("the agent's answer is refused: {}", one_line(reason)),
        What::CriticPass { .. } => "the critic approves".to_owned(),
        What::CriticFail { feedback } => format!("the critic asks for changes: {}", one_line(feedback)),
        What::CriticBypassed { .. } => "the review is left out: critics ran out of time".to_owned(),
        What::AuditorPass { .. } => "the auditor confirms".to_owned(),
        What::AuditorFail { feedback } => format!("the auditor rejects: {}", one_line(feedback)),
        What::LandingStarted { .. } => "landing".to_owned(),
        What::MergeConflict { files } => format!("conflicts with what has landed in {}", files.join(", ")),
        What::LandingChecksFailed { results } => {
            format!("does not fit with what has landed: {}", verdicts(results))
        }
        What::TaskComplete { commit, .. } => {
            format!(
                "landed as {}",
                commit.as_deref().and_then(|it| it.get(..10)).unwrap_or("nothing to land")
            )
        }
        What::AgentCheckpoint { checkpoint: said } => format!("the agent said: {}", checkpoint(said)),
        What::AgentSpent { agent, spent, basis, .. } => {
            format!("{agent} used {}{}", used(spent), by_table(*basis))
        }
        What::LateReport { spent: Some(spent), basis, .. } => {
            format!("a turn that was given up had used {}{}", used(spent), by_table(*basis))
        }
        What::AgentTroubled { agent, class, until, rests, .. } => {
            let then = match (until, rests) {
                (Some(until), true) => format!("; it rests until {until}"),
                (Some(until), false) => format!("; tried again at {until}"),
                (None, true) => "; it rests until somebody resumes the work".to_owned(),
                (None, false) => String::new(),
            };
            format!("{agent} could not work: {}{then}", class.label())
        }
        What::PermissionDecided { act, allowed, why, .. } => {
            let what = act.about().map_or_else(String::new, |it| format!(" {}", one_line(it)));
            format!("{} {}{what}: {}", if *allowed { "allowed" } else { "refused" }, act.tool, one_line(why))
        }
        What::AgentFailure { why, .. } => format!("the agent failed: {}", one_line(why)),
        What::AgentLost {} => "the agent's turn was lost; somebody else goes on".to_owned(),
        What::EnvironmentUnavailable { issue } => format!("cannot go on: {}", one_line(issue)),
        What::TaskHalted { reason, .. } => format!("halted: {reason}"),
        What::AgentSeeksGuidance { question }
        | What::CoordinatorSeeksGuidance { question }
        | What::CoordinatorPrays { question }
        | What::RemediationUnavailable { question }
        | What::SpendLimitReached { question } => {
            format!("asks you ({}): {}", question.id, one_line(&question.text))
        }
        What::DivineResponseReceived { answer, .. } => format!("you answered: {}", one_line(answer)),
        What::WorkflowComplete {} => "all tasks have ended".to_owned(),
        _ => return None,
    };
    Some(event.task.as_ref().map_or(text.clone(), |task| format!("{task:<16} {text}")))
}

/// How far an agent said it was, on one line.
pub(crate) fn checkpoint(said: &Checkpoint) -> String {
    let percent = said.percent.map(|percent| format!("{percent} %"));
    let part =
        |name: &str, items: &[String]| (!items.is_empty()).then(|| format!("{name}: {}", items.join("; ")));
    let status = (!said.status.is_empty()).then(|| said.status.clone());
    let parts = [percent, status, part("done", &said.completed), part("left", &said.remaining)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "a checkpoint, and nothing more".to_owned() } else { one_line(&parts.join(", ")) }
}

fn verdicts(results: &[CheckResult]) -> String {
    let one = |result: &CheckResult| match (result.verdict, result.exit) {
        (Verdict::Passed, _) => format!("{} passed", visible(&result.check)),
        (_, Some(exit)) => format!("{} exit {exit}, expected {}", visible(&result.check), result.expected),
        (_, None) => format!("{} did not run", visible(&result.check)),
    };
    if results.is_empty() {
        "no checks".to_owned()
    } else {
        results.iter().map(one).collect::<Vec<_>>().join("; ")
    }
}

/// A number of files, in words.
pub(crate) fn counted_files(count: u64) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

/// How a delivery stands, in a word or two.
pub(crate) const fn course(course: &Course) -> &'static str {
    match course {
        Course::Preparing => "preparing",
        Course::Running => "running",
        Course::Paused => "paused",
        Course::Resting { .. } => "resting",
        Course::Complete => "complete",
        Course::Cancelled => "cancelled",
    }
}

/// Text from elsewhere on one line, cut when it is long.
pub(crate) fn one_line(text: &str) -> String {
    cut_line(text, 160)
}

/// What a person has to know to answer, on one line: cut only where nobody would read on.
pub(crate) fn question(text: &str) -> String {
    cut_line(text, 2_000)
}

fn cut_line(text: &str, shown_max: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = flat.chars().take(shown_max).collect();
    let more = if shown.len() < flat.len() { "…" } else { "" };
    format!("{}{more}", visible(&shown))
}

/// Whether a price is not the agent's own word.
const fn by_table(basis: Basis) -> &'static str {
    match basis {
        Basis::PriceTable => ", by the price table",
        Basis::Agent | Basis::Unknown => "",
    }
}

/// What agents have used, and on whose word it cost what, for programs.
#[derive(Serialize)]
pub(crate) struct Paid {
    tokens: Option<u64>,
    agent_micro_usd: u64,
    price_table_micro_usd: u64,
    unknown_turns: u32,
}

impl Paid {
    pub(crate) fn of(bill: &Bill) -> Paid {
        Paid {
            tokens: bill.spent.tokens.map(|tokens| tokens.total()),
            agent_micro_usd: bill.costs.by_agent,
            price_table_micro_usd: bill.costs.by_table,
            unknown_turns: bill.costs.unknown,
        }
    }
}

/// What was used, for people.
pub(crate) fn used(spent: &Spent) -> String {
    let tokens = spent.tokens.map(|tokens| format!("{} tokens", tokens.total()));
    match (spent.micro_usd.map(dollars), tokens) {
        (Some(price), Some(tokens)) => format!("{price}, {tokens}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "an amount that it does not say".to_owned(),
    }
}
