//! Records in the words that people read.

use provost_core::decider::Event as _;
use provost_core::diagnostic::visible;
use provost_core::project;
use provost_core::record::{Cut, Record};
use provost_core::state::Event;

/// One record as one line.
pub(crate) fn record_line(record: &Record<'_>) -> String {
    let time = record.timestamp.to_string();
    let (date, clock) = time.split_once('T').unwrap_or_default();
    let clock = clock.get(..8).unwrap_or_default();
    let what = match Event::read(record) {
        Ok(event) => sentence(&event),
        // Written by a newer Provost: shown as it is.
        Err(_) => format!("{} {}", record.event_type, visible(record.details)),
    };
    format!("{:>6}  {date} {clock}  {:<16}  {what}", record.sequence, record.actor)
}

/// What happened, in words.
pub(crate) fn sentence(event: &Event) -> String {
    let event = match event {
        Event::Project(event) => event,
        Event::Delivery(event) => {
            let about = event.task.as_deref().unwrap_or(&event.delivery);
            return format!("{}: {}", visible(about), event.what.name().replace('_', " "));
        }
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

/// What was cut off the end of a journal, in words.
pub(crate) fn cut_off(cut: &Cut) -> String {
    format!(
        "an incomplete batch of {} bytes at {} byte {}, never acknowledged, was cut off",
        cut.bytes, cut.segment, cut.offset
    )
}
