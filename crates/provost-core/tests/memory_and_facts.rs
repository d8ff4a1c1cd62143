//! What planning is told: facts and memory, read strictly, chosen the same way by everybody.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use provost_core::document::{self, Document, Limits};
use provost_core::planning::facts::FactPack;
use provost_core::planning::memory::{MEMORIES_MAX, MemoryItem, MemoryPack};
use serde_json::{Value, json};

fn document(value: &Value) -> Document {
    document::read("it.json", value.to_string().as_bytes(), &Limits::default()).unwrap()
}

fn facts() -> Value {
    json!({
        "schema_version": "1.0.0",
        "project_id": "shop",
        "repo_root": ".",
        "detected_projects": [{ "type": "cli", "framework": "cargo", "root_path": ".", "language": "rust" }],
        "commands": { "test": "cargo test" },
        "evidence": [{ "id": "ev001", "source_file": "Cargo.toml", "category": "dependency" }],
        "files": [
            { "path": "src/main.rs", "sha256": "b".repeat(64), "bytes": 3 },
            { "path": "Cargo.toml", "sha256": "a".repeat(64), "bytes": 2 },
        ],
        "scanned_at": "2026-01-25T10:00:00Z",
    })
}

#[test]
fn facts_are_read_and_their_content_does_not_say_when_somebody_looked() {
    let pack = FactPack::read(&document(&facts())).unwrap();
    let mut later = facts();
    later["scanned_at"] = json!("2027-01-01T00:00:00Z");
    later["schema"] = json!("provost/scan/1");
    later["files"].as_array_mut().unwrap().reverse();
    let again = FactPack::read(&document(&later)).unwrap();
    assert_eq!(pack.content_digest(), again.content_digest());
    let written = serde_json::to_value(&pack).unwrap();
    assert_eq!(FactPack::read(&document(&written)).unwrap(), pack);
    later["files"][0]["bytes"] = json!(4);
    assert_ne!(FactPack::read(&document(&later)).unwrap().content_digest(), pack.content_digest());
    assert_eq!(pack.evidence("ev001").unwrap().source_file, "Cargo.toml");
}

#[test]
fn a_file_is_known_unknown_or_nobody_can_tell() {
    let mut pack = FactPack::read(&document(&facts())).unwrap();
    assert_eq!((pack.has_file("Cargo.toml"), pack.has_file("other")), (Some(true), Some(false)));
    pack.truncated = true;
    assert_eq!((pack.has_file("Cargo.toml"), pack.has_file("other")), (Some(true), None));
    pack.files = None;
    assert_eq!(pack.has_file("Cargo.toml"), None);
}

#[test]
fn facts_are_closed() {
    type Change = fn(&mut Value);
    let changes: [(Change, &str); 6] = [
        (|it| it["extra"] = json!(1), "schema::unknown_key"),
        (|it| it["evidence"] = json!([]), "schema::out_of_range"),
        (|it| it["evidence"][0]["id"] = json!("e1"), "schema::not_allowed"),
        (|it| it["files"][0]["sha256"] = json!("b"), "schema::not_allowed"),
        (|it| it["files"][1] = it["files"][0].clone(), "schema::not_allowed"),
        (|it| it["scanned_at"] = json!("yesterday"), "schema::not_allowed"),
    ];
    for (change, code) in changes {
        let mut value = facts();
        change(&mut value);
        let said = FactPack::read(&document(&value)).unwrap_err();
        assert_eq!(said.defects[0].code.name(), code, "{said}");
    }
}

fn memory(id: &str, scope: &str, confidence: f64, uses: u32) -> Value {
    json!({
        "id": id,
        "scope": scope,
        "type": "convention",
        "content": { "summary": "names are short" },
        "confidence": confidence,
        "use_count": uses,
        "created_at": "2026-01-01T00:00:00Z",
    })
}

fn item(value: &Value) -> MemoryItem {
    MemoryItem::read(&document(value)).unwrap()
}

fn chosen(items: &[Value]) -> Vec<String> {
    let items: Vec<_> = items.iter().map(item).collect();
    let pack = MemoryPack::choose(&items, "shop", "2026-01-25T10:00:00Z");
    pack.memories.iter().map(|memory| memory["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_matters_most_comes_first_and_ties_are_decided_by_the_id() {
    let items = [
        memory("mem-global", "global", 1.0, 0),
        memory("mem-used", "global", 1.0, 40),
        memory("mem-b", "project", 0.5, 0),
        memory("mem-a", "project", 0.5, 0),
        memory("mem-repo", "repo", 1.0, 0),
        memory("mem-agent", "agent", 1.0, 0),
        memory("mem-task", "task", 1.0, 0),
        memory("mem-unsure", "project", 0.29, 0),
        memory("mem-barely", "project", 0.3, 0),
    ];
    let order = ["mem-used", "mem-agent", "mem-repo", "mem-a", "mem-b", "mem-global", "mem-barely"];
    assert_eq!(chosen(&items), order);
    let backwards: Vec<_> = items.iter().rev().cloned().collect();
    assert_eq!(chosen(&backwards), order);
}

#[test]
fn what_has_run_out_or_belongs_elsewhere_is_left_out() {
    let mut old = memory("mem-old", "project", 1.0, 0);
    old["retention_policy"] = json!({ "type": "temporary" });
    let mut new = old.clone();
    new["id"] = json!("mem-new");
    new["created_at"] = json!("2026-01-20T00:00:00+02:00");
    let mut ended = memory("mem-ended", "project", 1.0, 0);
    ended["retention_policy"] = json!({ "type": "project", "expires_at": "2026-01-24T00:00:00Z" });
    let mut elsewhere = memory("mem-elsewhere", "project", 1.0, 0);
    elsewhere["project_id"] = json!("another");
    let mut everywhere = memory("mem-everywhere", "global", 1.0, 0);
    everywhere["project_id"] = json!("another");
    assert_eq!(chosen(&[old, new, ended, elsewhere, everywhere]), ["mem-new", "mem-everywhere"]);
}

#[test]
fn a_pack_is_bounded_in_tokens_and_in_number() {
    let mut long = memory("mem-long", "project", 0.9, 0);
    long["content"]["details"] = json!("word".repeat(3_900));
    let mut longer = memory("mem-longer", "project", 1.0, 0);
    longer["content"]["details"] = json!("é".repeat(800));
    // 4000 tokens: the first takes 204, so that the second no longer fits, and a short one behind it does.
    assert_eq!(chosen(&[long, longer, memory("mem-short", "global", 1.0, 0)]), ["mem-longer", "mem-short"]);
    let many: Vec<_> = (0..150).map(|at| memory(&format!("mem-{at:03}"), "global", 1.0, 0)).collect();
    assert_eq!(chosen(&many).len(), MEMORIES_MAX);
}

#[test]
fn a_pack_that_was_built_is_one_that_is_read_and_its_content_does_not_say_when() {
    let items = [item(&memory("mem-1", "project", 0.5, 2))];
    let pack = MemoryPack::choose(&items, "shop", "2026-01-25T10:00:00Z");
    assert_eq!(
        (pack.agent_type.as_str(), pack.generated_at.as_str()),
        ("coordinator", "2026-01-25T10:00:00Z")
    );
    let read = MemoryPack::read(&document(&serde_json::to_value(&pack).unwrap())).unwrap();
    assert_eq!(read.content_digest(), pack.content_digest());
    assert!(read.has("mem-1") && !read.has("mem-2"));
    let later = MemoryPack::choose(&items, "shop", "2026-02-25T10:00:00Z");
    assert_eq!(later.content_digest(), pack.content_digest());
    let empty = MemoryPack::choose(&[], "shop", "2026-01-25T10:00:00Z");
    assert_ne!(empty.content_digest(), pack.content_digest());
}

#[test]
fn memory_is_read_strictly() {
    let pack = |memories: Value| {
        json!({
            "schema_version": "1.0.0",
            "project_id": "shop",
            "agent_type": "coordinator",
            "memories": memories,
            "generated_at": "2026-01-25T10:00:00Z",
        })
    };
    let one = memory("mem-1", "project", 0.5, 0);
    let code = |value: &Value| {
        MemoryPack::read(&document(value)).map_or_else(|it| it.defects[0].code.name(), |_| "fine")
    };
    assert_eq!(code(&pack(json!([]))), "fine");
    assert_eq!(code(&pack(json!([one]))), "fine");
    assert_eq!(code(&pack(json!([one, one]))), "schema::not_allowed");
    assert_eq!(code(&pack(json!([memory("mem_1", "project", 0.5, 0)]))), "schema::not_allowed");
    assert_eq!(code(&pack(json!([memory("mem-1", "project", 1.5, 0)]))), "schema::out_of_range");
    assert_eq!(code(&pack(json!([{ "id": "mem-1" }]))), "schema::missing");
    let mut without = pack(json!([]));
    without.as_object_mut().unwrap().remove("memories");
    assert_eq!(code(&without), "schema::missing");
}
