//! Registries and memory from folders.

use std::fs;
use std::os::unix::fs::symlink;

use provost_core::planning::memory::{MemoryKind, Scope};
use provost_core::registry::Kind;
use provost_core::time::Timestamp;
use provost_runtime::content::{self, Memory, NewMemory};
use tempfile::TempDir;

use crate::write;

const AGENT: &str = "id: backend_engineer\nversion: 1.0.0\n";

#[test]
fn yaml_and_json_count_and_nothing_else() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    write(at, "agents/a.yaml", AGENT);
    write(at, "agents/b.YML", AGENT.replace("backend", "frontend"));
    write(at, "agents/c.json", r#"{ "id": "data_engineer", "version": "1.0.0" }"#);
    write(at, "agents/notes.md", "not content");
    write(at, "agents/.gitkeep", "");
    write(at, "agents/inner/d.yaml", AGENT);
    write(at, "other/e.yaml", "not: [content");
    let registry = content::registry(at, "registry").unwrap();
    let ids: Vec<_> = registry.items().iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids, ["backend_engineer", "data_engineer", "frontend_engineer"]);
    assert!(registry.broken().is_empty());
    assert_eq!(registry.items()[0].path, "agents/a.yaml");
}

#[test]
fn what_cannot_be_read_is_broken_and_says_why() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    write(at, "agents/fine.yaml", AGENT);
    symlink(at.join("agents/fine.yaml"), at.join("agents/link.yaml")).unwrap();
    fs::create_dir(at.join("agents/folder.yaml")).unwrap();
    write(at, "agents/large.yaml", "#".repeat(300 * 1024));
    write(at, "agents/torn.yaml", "id: [");
    write(at, "rules/bytes.yaml", b"id: \xff\xfe");
    let pipe = at.join("agents/pipe.yaml");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0)
        .unwrap();
    let registry = content::registry(at, "registry").unwrap();
    let said: Vec<_> =
        registry.broken().iter().map(|it| (it.path.as_str(), it.defects[0].code.name())).collect();
    assert_eq!(
        said,
        [
            ("agents/folder.yaml", "registry::unreadable"),
            ("agents/large.yaml", "document::too_large"),
            ("agents/link.yaml", "registry::unreadable"),
            ("agents/pipe.yaml", "registry::unreadable"),
            ("agents/torn.yaml", "document::syntax"),
            ("rules/bytes.yaml", "document::encoding"),
        ]
    );
    assert_eq!(registry.broken_rules().count(), 1);
    assert_eq!(registry.usable(Kind::Agent).count(), 1);
}

#[test]
fn folders_that_are_links_are_refused_and_those_that_are_missing_are_empty() {
    let folder = TempDir::new().unwrap();
    let at = folder.path().join("registry");
    write(&at, "agents/a.yaml", AGENT);
    assert_eq!(content::registry(&at, "registry").unwrap().items().len(), 1);
    symlink(at.join("agents"), at.join("rules")).unwrap();
    let said = content::registry(&at, "registry").unwrap_err();
    assert_eq!(
        said.to_string(),
        "`registry/rules` is a link, and links are not followed [registry::unreadable]"
    );
    let said = content::registry(&folder.path().join("none"), "none").unwrap_err();
    assert_eq!(said.to_string(), "there is no registry in `none` [registry::unreadable]");
}

fn new(summary: &str) -> NewMemory {
    NewMemory {
        summary: summary.to_owned(),
        details: Some("two\nlines: with \"marks\"".to_owned()),
        kind: MemoryKind::Convention,
        scope: Scope::Project,
        confidence: 0.8,
        tags: vec!["a, b".to_owned()],
        sources: Vec::new(),
    }
}

#[test]
fn what_is_remembered_is_read_back_as_it_was_said() {
    let folder = TempDir::new().unwrap();
    let summary = "names: 'short' # not long \u{1b}[31m\u{e9}";
    let (item, file) = content::remember(folder.path(), &new(summary), Timestamp::EPOCH).unwrap();
    assert_eq!(file, format!(".provost/memory/{}.yaml", item.id));
    let Memory::Items(items) = content::memory(&folder.path().join(".provost/memory"), "memory").unwrap()
    else {
        panic!()
    };
    assert_eq!(items, [item]);
    assert_eq!(items[0].summary, summary);
    assert_eq!(items[0].value["content"]["details"], "two\nlines: with \"marks\"");
    assert_eq!(items[0].value["tags"][0], "a, b");
    let said = content::remember(folder.path(), &new(summary), Timestamp::EPOCH).unwrap_err();
    assert_eq!(said[0].code.name(), "memory::known");
}

#[test]
fn what_could_not_be_used_is_not_written() {
    let folder = TempDir::new().unwrap();
    let code =
        |new: NewMemory| content::remember(folder.path(), &new, Timestamp::EPOCH).unwrap_err()[0].code.name();
    assert_eq!(code(new("")), "schema::out_of_range");
    assert_eq!(code(NewMemory { confidence: 1.5, ..new("it") }), "schema::out_of_range");
    assert_eq!(code(NewMemory { confidence: f64::NAN, ..new("it") }), "schema::wrong_type");
    assert!(!folder.path().join(".provost").exists());
}

#[test]
fn memory_is_a_folder_or_a_pack_and_all_that_is_wrong_is_said() {
    let folder = TempDir::new().unwrap();
    let at = folder.path();
    let item = "id: mem-1\nscope: project\ntype: decision\ncontent: {summary: it}\ncreated_at: 2026-01-01T00:00:00Z\n";
    write(at, "memory/a.yaml", item);
    write(at, "memory/.gitkeep", "");
    assert!(
        matches!(content::memory(&at.join("memory"), "memory"), Ok(Memory::Items(items)) if items.len() == 1)
    );
    write(at, "memory/b.yaml", item);
    write(at, "memory/c.yaml", "id: mem-2\n");
    let said = content::memory(&at.join("memory"), "memory").unwrap_err();
    let codes: Vec<_> = said.iter().map(|it| it.code.name()).collect();
    assert_eq!(codes.first(), Some(&"schema::missing"));
    assert_eq!(codes.last(), Some(&"memory::rivals"));
    let pack = r#"{ "schema_version": "1.0.0", "project_id": "shop", "agent_type": "coordinator", "memories": [],
        "generated_at": "2026-01-01T00:00:00Z" }"#;
    write(at, "pack.json", pack);
    assert!(matches!(content::memory(&at.join("pack.json"), "pack.json"), Ok(Memory::Pack(_))));
    assert_eq!(content::memory(&at.join("none"), "none").unwrap_err()[0].code.name(), "memory::unreadable");
}
