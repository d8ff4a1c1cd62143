//! The generated page of events: every one with an example that the code itself wrote and read back.

use std::fmt::Write as _;

use provost_core::decider::Event as _;
use provost_core::delivery::What;
use provost_core::digest::Digest;
use provost_core::machines::sheets;
use provost_core::planning::{Phase, Trigger, runs};
use provost_core::project::{Attachment, Change, Event, Kind, Noted, Opened};
use provost_core::record::{Batch, Cut, Draft, Head, Record, Writer};
use provost_core::time::Timestamp;
use strum::{VariantArray as _, VariantNames as _};

use crate::pages::same_as_page;

fn example(kind: Kind) -> Event {
    match kind {
        Kind::Initialised => {
            Event::Initialised { project_id: "19254046-dec2-40e8-9140-fd78ffbbb0ab".to_owned() }
        }
        Kind::Opened => Event::Opened(Opened {
            holder: "process 4711: provost note".to_owned(),
            previous_session_id: Some("cfa6b971-694f-49ac-9c3b-562e23549a90".to_owned()),
            cut: Some(Cut {
                segment: "0000000000000001.jsonl".to_owned(),
                offset: 1440,
                bytes: 873,
                sequence: 4,
            }),
        }),
        Kind::SettingsChanged => Event::SettingsChanged {
            changes: vec![Change { name: "limits.agents".to_owned(), from: 5, to: 3 }],
        },
        Kind::Noted => Event::Noted(Noted {
            text: "see the log".to_owned(),
            attached: vec![Attachment { name: "build.log".to_owned(), sha256: Digest::of(b"log"), bytes: 3 }],
        }),
    }
}

fn planning_example(kind: runs::Kind) -> runs::Event {
    let run_id = "coord_run_17f0c2a94be35d68".to_owned();
    match kind {
        runs::Kind::Received => runs::Event::Received(runs::Received {
            run_id,
            intent_id: "intent_names_for_guests".to_owned(),
            title: "Every guest has a name".to_owned(),
            supersedes: Some("coord_run_90b1d6e27f3c4a58".to_owned()),
            project_policy: Some(Digest::of(b"policy")),
        }),
        runs::Kind::Advanced => runs::Event::Advanced(runs::Advanced {
            run_id,
            from: Phase::QuestionsEmitted,
            on: Trigger::QuestionsSent,
            to: Phase::AwaitingAnswers,
        }),
        runs::Kind::Rested => runs::Event::Rested(runs::Rested {
            run_id,
            state: Phase::AwaitingAnswers,
            bundle: Digest::of(b"bundle"),
            manifest: Digest::of(b"manifest"),
            questions: vec![runs::Asked {
                id: "q_0001".to_owned(),
                text: "How is the change undone?".to_owned(),
            }],
            gates: vec!["data".to_owned()],
        }),
        runs::Kind::Approved => runs::Event::Approved(runs::Approved {
            run_id,
            gate: Some("data".to_owned()),
            by: "person:ada".to_owned(),
            reason: "looked at the migration with Bob".to_owned(),
            manifest: Digest::of(b"manifest"),
        }),
    }
}

#[test]
fn the_page_shows_every_event() {
    let mut page = String::from(
        "# Events\n\nGenerated from the code; a test keeps it equal. The envelope around `details` is in\n",
    );
    page.push_str("[journal.md](journal.md).\n\n## project\n");
    for kind in Kind::VARIANTS {
        let event = example(*kind);
        let _ = write!(page, "\n### {}\n\n{}.\n\n", kind.name(), sentence(kind.what()));
        let _ = write!(page, "```json\n{}\n```\n", event.details());
        assert_eq!(there_and_back(&event), event);
    }
    page.push_str(
        "\n## planning\n\nThe states and verdicts are those of the [machine](machines/planning.md).\n",
    );
    for kind in runs::Kind::VARIANTS {
        let event = planning_example(*kind);
        let _ = write!(page, "\n### {}\n\n{}.\n\n", kind.name(), sentence(kind.what()));
        let _ = write!(page, "```json\n{}\n```\n", event.details());
        assert_eq!(there_and_back(&event), event);
    }
    page.push_str("\n## delivery\n\nThe rows of the [machines](machines/README.md) that an event takes; an event without a row is about the\n");
    page.push_str(
        "delivery as a whole or is kept beside the status. `details` always names the `delivery`.\n\n",
    );
    page.push_str("| event | takes |\n|---|---|\n");
    for name in What::VARIANTS {
        let _ = writeln!(page, "| `{name}` | {} |", rows_on(name));
    }
    same_as_page("events.md", &page);
}

/// The rows that an event takes, from all machines that deliveries use.
fn rows_on(name: &str) -> String {
    let mut rows = Vec::new();
    for sheet in sheets().iter().filter(|it| ["delivery", "agent", "infrastructure"].contains(&it.name)) {
        let on = sheet.rows.iter().filter(|row| row.on == name);
        rows.extend(on.map(|row| format!("{} {} → {}", sheet.name, row.from, row.to)));
    }
    rows.join("<br>")
}

fn sentence(what: &str) -> String {
    let mut letters = what.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn there_and_back<E: provost_core::decider::Event>(event: &E) -> E {
    let draft = Draft {
        timestamp: Timestamp::EPOCH,
        stream: event.stream(),
        event_type: event.event_type(),
        actor: "person:ada".to_owned(),
        cause: None,
        agent_id: None,
        task_id: None,
        details: event.details(),
    };
    let writer = Writer { epoch: 1, session_id: "session".to_owned() };
    let batch = Batch::seal(Head::GENESIS, &writer, &[draft]).unwrap();
    E::read(&Record::parse(batch.bytes.trim_ascii_end()).unwrap()).unwrap()
}
