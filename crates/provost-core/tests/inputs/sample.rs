//! Documents of our own, and the ways in which tests change them.

use provost_core::document::{self, Document, Limits};
use provost_core::finding::{Consequence, FailureType};
use provost_core::intent::{self, Examined};
use serde_json::{Value, json};

/// What an intent blocks as when its form is wrong.
pub(crate) const CONSTRAINT: Consequence = Consequence::Blocked(FailureType::ConstraintViolation);

/// An intent with nothing wrong and every key that one may have.
pub(crate) fn intent() -> Value {
    json!({
        "id": "intent_harbour_lights",
        "type": "execution_intent",
        "title": "Dim the harbour lights at dawn",
        "description": "Please execute the shell script no longer by hand: eval( and bash -c are only words here.",
        "version": "1.2.0",
        "status": "approved",
        "created_at": "2026-03-01T06:30:00+01:00",
        "lineage": { "introduced_in": "1.0.0", "derived_from": ["intent_harbour_masts"], "supersedes": [] },
        "scope": {
            "project_id": "harbour",
            "repo_root": "/srv/harbour",
            "targets": { "files": ["lights/dawn.rs", "lights/table.toml"], "modules": ["lights"], "areas": ["ops", "docs"] }
        },
        "objective": {
            "goal": "Lights are at a tenth of their strength from sunrise on",
            "success_criteria": ["a test shows the strength at sunrise"],
            "non_goals": ["no change to the fog signal"]
        },
        "selected_workflows": [
            { "workflow_id": "small_change", "phases": ["analysis", "implementation", "review"], "reason": "it is small" }
        ],
        "selected_agents": [
            { "agent_id": "lamp_engineer", "role": "engineer", "responsibilities": ["change the table"] }
        ],
        "planned_commands": [
            {
                "command_id": "cmd_read_table", "intent": "see what is there", "effects": ["read"],
                "risk_level": "low", "evidence_refs": ["scan://file/lights/table.toml"]
            },
            {
                "command_id": "cmd_change_table", "intent": "write the new strength", "effects": ["write"],
                "risk_level": "medium", "evidence_refs": ["doc://lights/README.md#dawn", "registry:cmd_change_table:1.0.0"]
            }
        ],
        "interaction": { "mode": "interactive", "question_budget": 4, "question_policy": "conceptual_only" },
        "risk": { "overall": "medium", "drivers": ["ships rely on it"], "requires_review": ["release"] },
        "budgets": { "max_files": 4, "max_commits": 2, "max_tokens": 90000, "max_cost_usd": 2.5 },
        "evidence_refs": ["fact://ev1"],
        "constraints": {
            "execution": "forbidden", "no_fabrication": true, "registry_only": true,
            "lock_scope": { "mode": "files", "paths": ["lights/dawn.rs", "lights/table.toml"] }
        },
        "audit": { "created_by": "mara", "source": "human", "checksum": "" }
    })
}

/// The intent with a value at a JSON pointer replaced, added or, with `None`, removed.
pub(crate) fn changed(pointer: &str, value: Option<Value>) -> Value {
    let mut intent = intent();
    change(&mut intent, pointer, value);
    intent
}

/// Replaces, adds or removes a value.
pub(crate) fn change(document: &mut Value, pointer: &str, value: Option<Value>) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match (document.pointer_mut(parent).unwrap(), value) {
        (Value::Object(object), Some(value)) => drop(object.insert(key.to_owned(), value)),
        (Value::Object(object), None) => drop(object.remove(key).unwrap()),
        (Value::Array(elements), Some(value)) => elements[key.parse::<usize>().unwrap()] = value,
        (other, _) => panic!("{pointer} leads into {other}"),
    }
}

/// Reads a document.
pub(crate) fn document(value: &Value) -> Document {
    let text = serde_json::to_string_pretty(value).unwrap();
    document::read("intent.json", text.as_bytes(), &Limits::default()).unwrap()
}

/// Seals an intent where that can be done, and examines it.
pub(crate) fn examine(value: &Value) -> Examined {
    let document = document(value);
    let sealed = match intent::seal(&document.root) {
        Ok(bytes) => document::read("intent.json", &bytes, &Limits::default()).unwrap(),
        Err(_) => document,
    };
    intent::read(&sealed).unwrap()
}

/// The codes that an intent is found with.
pub(crate) fn codes(value: &Value) -> Vec<&'static str> {
    examine(value).findings.iter().map(|finding| finding.diagnostic.code.name()).collect()
}
