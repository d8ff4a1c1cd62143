//! The documents of a small project: an intent, what its registry has, facts and memory, as JSON for a test to change.
//! Apart from whoever plans them, because the planner and the command line are tried with the same ones.

use provost_core::canonical::checksum::{self, Profile};
use provost_core::document::{self, Limits};
use provost_core::registry::Kind;
use serde_json::{Value, json};

/// Puts the right checksum into an intent that has a place for one.
pub(crate) fn seal(intent: &mut Value) {
    let read = document::read("intent.json", intent.to_string().as_bytes(), &Limits::default()).unwrap();
    let digest = checksum::of(&read.root, &["audit", "checksum"], Profile::Jcs);
    if let Some(audit) = intent.get_mut("audit").and_then(Value::as_object_mut) {
        audit.insert("checksum".to_owned(), digest.to_string().into());
    }
}

pub(crate) fn intent() -> Value {
    json!({
        "id": "intent_greeting_in_words",
        "type": "execution_intent",
        "title": "The greeting names the guest",
        "version": "1.0.0",
        "status": "approved",
        "created_at": "2026-03-01T09:00:00Z",
        "lineage": { "introduced_in": "1.0.0", "derived_from": [], "supersedes": [] },
        "scope": {
            "project_id": "guestbook",
            "repo_root": ".",
            "targets": { "files": ["src/greet.rs"], "modules": ["greet"], "areas": ["backend"] },
        },
        "objective": {
            "goal": "Whoever signs the guestbook is greeted by name",
            "success_criteria": ["`cargo test greet` exits 0"],
            "non_goals": ["No other page changes"],
        },
        "selected_workflows": [
            { "workflow_id": "implement_feature", "phases": ["analysis", "implementation", "review"], "reason": "A small feature" },
        ],
        "selected_agents": [
            { "agent_id": "maintainer", "role": "developer", "responsibilities": ["implementation and tests"] },
        ],
        "planned_commands": [
            {
                "command_id": "cmd_read_code",
                "intent": "Find where the greeting is made",
                "effects": ["read"],
                "risk_level": "low",
                "evidence_refs": ["scan://file/src/greet.rs"],
            },
            {
                "command_id": "cmd_change_code",
                "intent": "Put the name into the greeting",
                "effects": ["write"],
                "risk_level": "low",
                "evidence_refs": ["scan://file/src/greet.rs"],
            },
        ],
        "interaction": { "mode": "semi_auto", "question_budget": 3, "question_policy": "blockers_only" },
        "risk": { "overall": "low", "drivers": ["One function changes"], "requires_review": ["architecture"] },
        "budgets": { "max_files": 10, "max_commits": 4, "max_tokens": 50000, "max_cost_usd": 2.5 },
        "evidence_refs": ["doc://README.md"],
        "constraints": {
            "execution": "forbidden",
            "no_fabrication": true,
            "registry_only": true,
            "lock_scope": { "mode": "files", "paths": ["src/greet.rs"] },
        },
        "audit": { "created_by": "ada", "source": "human", "checksum": "" },
    })
}

/// Puts much at stake, with no way back.
pub(crate) fn raise(intent: &mut Value) {
    let command = &mut intent["planned_commands"][1];
    command["command_id"] = json!("cmd_migrate_table");
    command["risk_level"] = json!("high");
    intent["risk"] =
        json!({ "overall": "high", "drivers": ["rows can be lost"], "requires_review": ["data"] });
    intent["interaction"] =
        json!({ "mode": "interactive", "question_budget": 10, "question_policy": "conceptual_only" });
}

fn lineage() -> Value {
    json!({ "introduced_in": "v1.0", "derived_from": null, "supersedes": [] })
}

pub(crate) fn command(id: &str, effects: &Value, risk: &str) -> Value {
    json!({
        "id": id,
        "type": "command",
        "version": "1.0.0",
        "category": "engineering",
        "title": "A command of the tests",
        "description": "What the command is for, in a sentence.",
        "recommended_roles": ["maintainer"],
        "workflow_links": [],
        "inputs": [],
        "outputs": [{ "name": "change", "type": "diff" }],
        "preconditions": [],
        "effects": effects,
        "risk_level": risk,
        "evidence_required": true,
        "constraints": { "executable_payload": "forbidden", "agent_binding": "forbidden" },
        "lineage": lineage(),
    })
}

pub(crate) fn rule(id: &str, severity: &str, when: &Value, then: &Value) -> Value {
    json!({
        "id": id,
        "type": "rule",
        "title": "A rule of the tests",
        "description": "What the rule is for, in a sentence.",
        "version": "1.0.0",
        "status": "active",
        "lineage": lineage(),
        "constraints": { "execution": "forbidden" },
        "rule": {
            "severity": severity,
            "scope": { "applies_to_types": ["command", "workflow"], "applies_to_risk": [], "applies_to_phases": [] },
            "when": when,
            "then": then,
            "evidence_required": ["risk_assessment"],
        },
    })
}

pub(crate) fn registry() -> Vec<(Kind, Value)> {
    let workflow = json!({
        "id": "implement_feature",
        "version": "1.0.0",
        "category": "implementation",
        "description": "A feature from reading to review.",
        "phases": [{ "id": "analysis", "allows_questions": true }, { "id": "implementation", "allows_questions": false }],
        "interaction": { "default_mode": "question_only" },
        "constraints": { "execution": "forbidden", "side_effects": "forbidden" },
        "lineage": { "introduced_in": "v1.0", "derived_from": null, "change_reason": null },
    });
    let agent = json!({
        "id": "maintainer",
        "type": "agent",
        "version": "1.0.0",
        "category": "engineering",
        "description": "Keeps the guestbook.",
        "responsibilities": ["implementation"],
        "allowed_interactions": ["question"],
        "constraints": { "execution": "forbidden", "command_ownership": "forbidden" },
        "lineage": { "introduced_in": "v1.0", "derived_from": null },
    });
    let model = json!({
        "id": "large_model",
        "type": "model",
        "version": "1.0.0",
        "location": "cloud",
        "max_sensitivity": "internal",
        "cost_per_1k_tokens_usd": 0.01,
        "lineage": lineage(),
    });
    let rollback = rule(
        "rule_r12_way_back",
        "error",
        &json!({ "all_of": [{ "risk_level_high_or_critical": true }, { "rollback_plan_missing": true }] }),
        &json!({ "decision": "deny", "reason": "There is no way back", "required_changes": ["Say how it is undone"] }),
    );
    vec![
        (Kind::Workflow, workflow),
        (Kind::Agent, agent),
        (Kind::Command, command("cmd_read_code", &json!([{ "scope": "repo", "kind": "read" }]), "low")),
        (Kind::Command, command("cmd_change_code", &json!([{ "scope": "repo", "kind": "write" }]), "low")),
        (Kind::Command, command("cmd_migrate_table", &json!([{ "scope": "repo", "kind": "write" }]), "high")),
        (Kind::Model, model),
        (Kind::Rule, rollback),
    ]
}

pub(crate) fn facts() -> Value {
    let digest = "0".repeat(64);
    json!({
        "schema_version": "1.0.0",
        "project_id": "guestbook",
        "repo_root": ".",
        "detected_projects": [{ "type": "library", "framework": "cargo", "root_path": "." }],
        "evidence": [{ "id": "ev001", "source_file": "README.md", "category": "documentation" }],
        "files": [
            { "path": "README.md", "sha256": digest, "bytes": 12 },
            { "path": "src/greet.rs", "sha256": digest, "bytes": 40 },
        ],
        "scanned_at": "2026-03-01T08:59:00Z",
    })
}

pub(crate) fn memory() -> Value {
    json!({
        "schema_version": "1.0.0",
        "project_id": "guestbook",
        "agent_type": "coordinator",
        "memories": [],
        "generated_at": "2026-03-01T09:00:00Z",
    })
}
