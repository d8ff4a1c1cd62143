//! What a whole plan costs, from read documents to frozen bytes, against hashing what goes in and what comes out. Fails
//! when a target is missed.
#![expect(clippy::unwrap_used, reason = "a bench fails by panicking")]
#![expect(clippy::print_stdout, reason = "a bench reports to whoever runs it")]
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a bench needs a clock; core has none"
)]

use std::process::ExitCode;

use provost_core::canonical::checksum::{self, Profile};
use provost_core::digest::Digest;
use provost_core::document::{self, Document, Limits};
use provost_core::planning::facts::FactPack;
use provost_core::planning::memory::MemoryPack;
use provost_core::planning::policy::Policy;
use provost_core::planning::shelf::Strict;
use provost_core::planning::{Inputs, Phase, Run, Watch, plan};
use provost_core::registry::{Kind, Registry, Source};
use provost_core::time::Timestamp;
use serde_json::{Value, json};

#[expect(dead_code, reason = "other benches count, this one only compares")]
mod ratio;

use ratio::{Target, compare, report, time};

const ROUNDS: usize = 11;

fn main() -> ExitCode {
    let small = World::new(8, 500);
    let large = World::new(80, 500);
    let hashed = large.bytes();
    println!("80 commands, 500 rules: {} bytes in and out", hashed.len());
    let each = |world: &World, commands: u32| time(3, || world.plan()) / commands;
    report(&[
        compare(
            "a whole plan: 80 commands, 500 rules",
            Target::Times(60.0),
            ROUNDS,
            || time(20, || Digest::of(&hashed)),
            || time(2, || large.plan()),
        ),
        compare("per command: 80 to 8", Target::Times(1.25), ROUNDS, || each(&small, 8), || each(&large, 80)),
    ])
}

/// A plan's inputs as text.
struct World {
    intent: String,
    registry: Vec<(Kind, String)>,
    facts: String,
    memory: String,
}

/// A clock that costs nothing.
struct Still;

impl Watch for Still {
    fn now(&mut self) -> Timestamp {
        Timestamp::EPOCH
    }
}

impl World {
    fn new(commands: usize, rules: usize) -> World {
        let ids: Vec<String> = (0..commands).map(|number| format!("cmd_work_{number:02}")).collect();
        let mut registry = vec![
            (
                Kind::Workflow,
                content(
                    "implement_feature",
                    &json!({ "description": "A feature, whole.", "phases": [{ "id": "implementation" }] }),
                ),
            ),
            (Kind::Agent, content("maintainer", &json!({ "responsibilities": ["implementation"] }))),
        ];
        registry.extend(ids.iter().map(|id| (Kind::Command, content(id, &command()))));
        registry.extend((0..rules).map(|number| (Kind::Rule, rule(number))));
        let world = World {
            intent: sealed(intent(&ids)),
            registry,
            facts: json!({
                "schema_version": "1.0.0", "project_id": "bench", "repo_root": ".",
                "detected_projects": [], "evidence": [{ "id": "ev001", "source_file": "README.md", "category": "documentation" }],
                "files": [{ "path": "src/lib.rs", "sha256": "0".repeat(64), "bytes": 10 }],
            })
            .to_string(),
            memory: json!({
                "schema_version": "1.0.0", "project_id": "bench", "agent_type": "coordinator", "memories": [],
                "generated_at": "2026-03-01T09:00:00Z",
            })
            .to_string(),
        };
        let run = world.plan();
        assert_eq!(run.state, Phase::Done, "{:?}", run.failure);
        world
    }

    /// From text to frozen bytes.
    fn plan(&self) -> Run {
        let sources = self.registry.iter().map(|(kind, text)| Source {
            kind: *kind,
            path: kind.folder().to_owned(),
            read: Ok(read(text)),
        });
        let inputs = Inputs {
            intent: read(&self.intent),
            policy: Policy::default(),
            registry: Registry::new(sources),
            pins: None,
            facts: Some(FactPack::read(&read(&self.facts)).unwrap()),
            memory: Some(MemoryPack::read(&read(&self.memory)).unwrap()),
            supersedes: None,
            rounds: Vec::new(),
        };
        plan(&inputs, &mut Still, &Strict).unwrap()
    }

    /// Everything that goes in and everything that comes out.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = [&self.intent, &self.facts, &self.memory].map(String::as_bytes).concat();
        bytes.extend(self.registry.iter().flat_map(|(_, text)| text.as_bytes()));
        bytes.extend(self.plan().files.iter().flat_map(|file| &file.bytes));
        bytes
    }
}

fn read(text: &str) -> Document {
    document::read("document.json", text.as_bytes(), &Limits::default()).unwrap()
}

fn content(id: &str, own: &Value) -> String {
    let mut all = json!({
        "id": id, "version": "1.0.0", "category": "implementation",
        "lineage": { "introduced_in": "v1.0", "derived_from": null, "supersedes": [] },
    });
    all.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
    all.to_string()
}

fn command() -> Value {
    json!({
        "title": "Work that is planned", "description": "What the command is for, in a sentence or two of prose.",
        "recommended_roles": ["maintainer"], "workflow_links": [{ "workflow": "implement_feature", "phases": ["implementation"] }],
        "inputs": [{ "name": "request", "type": "string", "required": true }], "outputs": [{ "name": "change", "type": "diff" }],
        "preconditions": ["the request is clear"], "effects": [{ "scope": "repo", "kind": "write", "description": "changes files" }],
        "risk_level": "low", "evidence_required": true,
        "constraints": { "executable_payload": "forbidden", "agent_binding": "forbidden" },
    })
}

/// Rules of the shapes that people write; most do not fire on a given command.
fn rule(number: usize) -> String {
    let when = match number % 4 {
        0 => {
            json!({ "all_of": [{ "risk_level_high_or_critical": true }, { "rollback_plan_missing": true }] })
        }
        1 => {
            json!({ "any_of": [{ "field_exists": format!("forbidden_{number}") }, { "field_missing": "lineage" }] })
        }
        2 => json!({ "all_of": [{ "effect_kind_is_write": true }, { "state_not_requires_review": true }] }),
        _ => {
            json!({ "field_contains_any": { "field": "description", "tokens": [format!("word{number}"), "never"] } })
        }
    };
    content(
        &format!("rule_r{:02}_number_{number}", number % 100),
        &json!({
            "type": "rule", "title": "A rule of the bench", "description": "What the rule is for, in a sentence.", "status": "active",
            "constraints": { "execution": "forbidden" },
            "rule": {
                "severity": "error",
                "scope": { "applies_to_types": ["command", "workflow"], "applies_to_risk": [], "applies_to_phases": [] },
                "when": when,
                "then": { "decision": "deny", "reason": "It is not how work is done here", "required_changes": ["Do it otherwise"] },
                "evidence_required": ["risk_assessment", "command_effects"],
            },
        }),
    )
}

fn intent(commands: &[String]) -> Value {
    let planned: Vec<Value> = commands
        .iter()
        .map(|id| {
            json!({
                "command_id": id, "intent": "One part of the change that is asked for", "effects": ["write"],
                "risk_level": "low", "evidence_refs": ["scan://file/src/lib.rs"],
            })
        })
        .collect();
    json!({
        "id": "intent_of_the_bench", "type": "execution_intent", "title": "A change in many parts", "version": "1.0.0",
        "status": "approved", "created_at": "2026-03-01T09:00:00Z",
        "lineage": { "introduced_in": "1.0.0", "derived_from": [], "supersedes": [] },
        "scope": { "project_id": "bench", "repo_root": ".", "targets": { "files": ["src/lib.rs"], "modules": [], "areas": ["backend"] } },
        "objective": { "goal": "Everything is as it was asked for", "success_criteria": ["`true` exits 0"], "non_goals": [] },
        "selected_workflows": [{ "workflow_id": "implement_feature", "phases": ["analysis", "implementation", "review"] }],
        "selected_agents": [{ "agent_id": "maintainer", "role": "developer", "responsibilities": ["implementation"] }],
        "planned_commands": planned,
        "interaction": { "mode": "interactive", "question_budget": 10, "question_policy": "conceptual_only" },
        "risk": { "overall": "low", "drivers": ["Small steps"], "requires_review": ["architecture"] },
        "budgets": { "max_files": 100, "max_commits": 50, "max_tokens": 100_000, "max_cost_usd": 5 },
        "evidence_refs": ["doc://README.md"],
        "constraints": {
            "execution": "forbidden", "no_fabrication": true, "registry_only": true,
            "lock_scope": { "mode": "files", "paths": ["src/lib.rs"] },
        },
        "audit": { "created_by": "bench", "source": "human", "checksum": "" },
    })
}

fn sealed(mut intent: Value) -> String {
    let digest = checksum::of(&read(&intent.to_string()).root, &["audit", "checksum"], Profile::Jcs);
    *intent.pointer_mut("/audit/checksum").unwrap() = digest.to_string().into();
    intent.to_string()
}
