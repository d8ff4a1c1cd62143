//! Versions that somebody relies on.

use provost_core::document::{self, Limits};
use provost_core::registry::{Found, Kind, Lock, Pin, Registry, Status};
use serde_json::{Value, json};

use crate::{command, file, registry, workflow};

fn reading(text: &str) -> Result<Lock, String> {
    let document = document::read("registry.lock", text.as_bytes(), &Limits::default()).unwrap();
    Lock::read(&document).map_err(|it| it.to_string())
}

fn drifts(lock: &Lock, registry: &Registry) -> Vec<String> {
    lock.pins().iter().filter_map(|pin| pin.drift(registry)).map(|drift| drift.to_string()).collect()
}

#[test]
fn a_lock_is_read_as_it_was_written_and_holds_for_what_it_was_made_of() {
    let all = registry(&[
        file(Kind::Workflow, "w", &workflow("fix_bug", "1.0.0")),
        file(Kind::Command, "c", &command("cmd_write_code")),
    ]);
    let lock = Lock::of(&all);
    let read = reading(&lock.text()).unwrap();
    assert_eq!((read.digest(), &read), (lock.digest(), &lock));
    assert_eq!(drifts(&lock, &all), Vec::<String>::new());
}

#[test]
fn each_difference_is_named() {
    let draft = |id: &str| {
        let mut content = workflow(id, "1.0.0");
        content["status"] = json!("draft");
        content
    };
    let before = registry(&[
        file(Kind::Workflow, "a", &workflow("changed_inside", "1.0.0")),
        file(Kind::Workflow, "b", &workflow("gone_away", "1.0.0")),
        file(Kind::Workflow, "c", &workflow("moved_on", "1.0.0")),
        file(Kind::Workflow, "d", &workflow("now_broken", "1.0.0")),
        file(Kind::Workflow, "e", &workflow("taken_back", "1.0.0")),
    ]);
    let after = registry(&[
        file(
            Kind::Workflow,
            "a",
            &json!({ "id": "changed_inside", "version": "1.0.0", "phases": [{ "id": "other" }] }),
        ),
        file(Kind::Workflow, "c", &workflow("moved_on", "1.1.0")),
        file(Kind::Workflow, "d", &json!({ "id": "now_broken" })),
        file(Kind::Workflow, "e", &draft("taken_back")),
    ]);
    assert_eq!(
        drifts(&Lock::of(&before), &after),
        [
            "the workflow `changed_inside` is pinned to 1.0.0, and that version has changed since",
            "the workflow `gone_away` is pinned to 1.0.0, and is not in the registry",
            "the workflow `moved_on` is pinned to 1.0.0, and the registry has 1.1.0",
            "the workflow `now_broken` is pinned to 1.0.0, and its file cannot be used",
            "the workflow `taken_back` is pinned to 1.0.0, which is draft",
        ]
    );
}

#[test]
fn lock_files_are_read_strictly() {
    let pin = json!({ "kind": "workflow", "id": "fix_bug", "version": "1.0.0", "checksum": "0".repeat(64) });
    let whole = |items: Value| json!({ "schema": "provost/registry-lock/1", "items": items }).to_string();
    assert!(reading(&whole(json!([pin]))).is_ok());
    let mut extra = pin.clone();
    extra["note"] = json!("mine");
    let mut short = pin.clone();
    short["checksum"] = json!("0af");
    for (text, code) in [
        (whole(json!([pin, pin])), "registry::rivals"),
        (whole(json!([extra])), "schema::unknown_key"),
        (whole(json!([short])), "schema::not_allowed"),
        (json!({ "items": [] }).to_string(), "schema::missing"),
        ("[]".to_owned(), "schema::wrong_type"),
    ] {
        let said = reading(&text).unwrap_err();
        assert!(said.contains(code), "{said}");
    }
}

#[test]
fn references_carry_pins() {
    let pin = |reference: &str| Pin::of_reference(reference).map(|pin| (pin.kind, pin.id, pin.version));
    let fix = |kind| Some((kind, "fix_bug".to_owned(), "1.0.0".to_owned()));
    assert_eq!(pin("registry://workflows/fix_bug@1.0.0"), fix(Some(Kind::Workflow)));
    assert_eq!(pin("registry://workflow/fix_bug@1.0.0#phases"), fix(Some(Kind::Workflow)));
    assert_eq!(pin("registry:fix_bug:1.0.0"), fix(None));
    for without in [
        "registry://workflows/fix_bug",
        "registry://nothing/fix_bug@1.0.0",
        "registry:fix_bug",
        "registry:fix_bug:newest",
        "registry::1.0.0",
        "workflow://fix_bug@1.0.0",
        "",
    ] {
        assert_eq!(pin(without), None, "{without}");
    }
}

#[test]
fn a_reference_without_a_kind_means_whatever_has_the_name() {
    let all = registry(&[file(Kind::Command, "c", &command("cmd_write_code"))]);
    let drift = |reference: &str| Pin::of_reference(reference).unwrap().drift(&all).map(|drift| drift.found);
    assert_eq!(drift("registry:cmd_write_code:1.0.0"), None);
    assert_eq!(drift("registry:cmd_write_code:0.9.0"), Some(Found::Version("1.0.0".to_owned())));
    assert_eq!(drift("registry:cmd_other_thing:1.0.0"), Some(Found::Nothing));
    let mut gone = command("cmd_write_code");
    gone["status"] = json!("deprecated");
    let all = registry(&[file(Kind::Command, "c", &gone)]);
    let pin = Pin::of_reference("registry:cmd_write_code:1.0.0").unwrap();
    assert_eq!(pin.drift(&all).map(|drift| drift.found), Some(Found::NotUsable(Status::Deprecated)));
}
