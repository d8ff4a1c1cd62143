//! Registry content: what is usable, what is broken, what a name means, and what has moved since somebody relied on it.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod pins;
mod snapshot;

use provost_core::document::{self, Limits};
use provost_core::registry::{Kind, Registry, Source};
use serde_json::{Value, json};

/// A file of a registry.
fn file(kind: Kind, name: &str, content: &Value) -> Source {
    written(kind, name, &content.to_string())
}

fn written(kind: Kind, name: &str, text: &str) -> Source {
    let path = format!("{}/{name}.json", kind.folder());
    let read = document::read(&path, text.as_bytes(), &Limits::default());
    Source { kind, path, read }
}

fn workflow(id: &str, version: &str) -> Value {
    json!({ "id": id, "version": version, "phases": [{ "id": "write_code" }] })
}

fn command(id: &str) -> Value {
    json!({
        "id": id,
        "version": "1.0.0",
        "effects": [{ "scope": "repo", "kind": "write" }],
        "risk_level": "low",
        "workflow_links": [{ "workflow": "nowhere", "phases": ["never"] }],
    })
}

fn rule(id: &str, status: &str) -> Value {
    json!({ "id": id, "version": "1.0.0", "status": status, "rule": { "severity": "warn" } })
}

fn registry(sources: &[Source]) -> Registry {
    Registry::new(sources.to_vec())
}
