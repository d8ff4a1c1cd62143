//! A catalogue as others write one: origins without `supersedes`, phases that no intent knows, links that lead nowhere,
//! effects without a description, reports that count as writing; every rule against every workflow and command of it.

use std::collections::BTreeSet;
use std::path::Path;

use provost_core::canonical::checksum::{self, Profile};
use provost_core::document::{self, Document, Limits};
use provost_core::planning::account::Account;
use provost_core::planning::memory::MemoryPack;
use provost_core::planning::policy::Policy;
use provost_core::planning::shelf::Strict;
use provost_core::planning::{Inputs, Phase, Run, plan};
use provost_core::registry::{Kind, Registry};
use provost_core::time::Timestamp;
use provost_runtime::content::{self, REGISTRY};
use provost_runtime::home::Home;
use provost_runtime::scan;
use serde_json::{Value, json};
use strum::VariantArray as _;
use tempfile::TempDir;

use crate::wish::{Still, project};
use crate::write;

const SURVEY: &str = "\
id: field_survey
version: 0.6.0
category: discovery
description: Goes through what is there and writes down what it finds.
phases:
  - id: walk_through
    allows_questions: false
    risk_level: high
  - id: write_down
    requires: [notes]
    produces: [report]
    allows_questions: true
interaction:
  default_mode: question_only
  question_policy: { trigger_when: ['confidence < 0.6'] }
  allowed_phases: [write_down]
constraints: { execution: forbidden, side_effects: forbidden, requires_approval: false }
lineage: { introduced_in: v0.6, derived_from: null, change_reason: null }
metadata: { tags: [survey] }
";

/// A command of the survey: what it changes, and where.
fn command(id: &str, scope: &str) -> String {
    format!(
        "id: {id}\ntype: command\nversion: 0.8.0\ncategory: engineering\ntitle: \"Part of a survey\"\n\
         description: \"Looks, and keeps what it saw.\"\nrecommended_roles: [surveyor]\n\
         workflow_links:\n  - workflow: field_survey\n    phases: [walk_through]\n  - workflow: gone_long_ago\n    phases: [any]\n\
         inputs: []\noutputs:\n  - {{ name: report_ref, type: string }}\npreconditions: [\"map_present\"]\n\
         effects:\n  - {{ scope: {scope}, kind: write }}\nrisk_level: low\nevidence_required: false\n\
         constraints: {{ executable_payload: forbidden, agent_binding: forbidden }}\n\
         lineage: {{ introduced_in: v0.8, derived_from: null, supersedes: [] }}\n"
    )
}

fn catalogue(root: &Path) -> Registry {
    let inside = root.join(REGISTRY);
    write(&inside, "workflows/field_survey.yaml", SURVEY);
    write(&inside, "commands/cmd_survey_report.yaml", command("cmd_survey_report", "docs"));
    write(&inside, "commands/cmd_survey_store.yaml", command("cmd_survey_store", "repo"));
    write(&inside, "models/large.yaml", "id: large_model\ntype: model\nversion: 1.0.0\nlocation: cloud\n");
    content::registry(&inside, REGISTRY).unwrap()
}

/// An intent that only reads, with every workflow and every command but those that undo.
fn reading(registry: &Registry, risk: &str) -> Value {
    let workflows = registry.usable(Kind::Workflow).map(|item| {
        json!({ "workflow_id": item.id, "phases": ["analysis", "design", "implementation", "validation", "review"] })
    });
    let commands = registry.usable(Kind::Command).filter(|item| !item.id.contains("rollback")).map(|item| {
        json!({
            "command_id": item.id, "intent": "Look, and say what is there", "effects": ["read"],
            "risk_level": risk, "evidence_refs": ["scan://file/README.md"],
        })
    });
    json!({
        "id": "intent_look_at_everything", "type": "execution_intent", "title": "Everything is looked at",
        "version": "0.9.1", "status": "approved", "created_at": "2026-02-01T08:30:00Z",
        "lineage": { "introduced_in": "0.9.1", "derived_from": [], "supersedes": [] },
        "scope": { "project_id": "survey", "repo_root": "/srv/survey", "targets": { "files": [], "modules": [], "areas": ["docs"] } },
        "objective": { "goal": "Somebody knows what is there", "success_criteria": ["The report names every part"], "non_goals": [] },
        "selected_workflows": workflows.collect::<Vec<_>>(),
        "selected_agents": [{ "agent_id": "docs_writer", "role": "surveyor", "responsibilities": ["analysis"] }],
        "planned_commands": commands.collect::<Vec<_>>(),
        "interaction": { "mode": "interactive", "question_budget": 20, "question_policy": "conceptual_only" },
        "risk": { "overall": risk, "drivers": ["It is only looked at"], "requires_review": [] },
        "budgets": { "max_files": 0, "max_commits": 0, "max_tokens": 1000, "max_cost_usd": 1.0 },
        "evidence_refs": ["doc://README.md"],
        "constraints": {
            "execution": "forbidden", "no_fabrication": true, "registry_only": true,
            "lock_scope": { "mode": "none", "paths": [] },
        },
        "audit": { "created_by": "ada", "source": "human", "checksum": "" },
    })
}

fn read(intent: &Value) -> Document {
    document::read("intent.json", intent.to_string().as_bytes(), &Limits::default()).unwrap()
}

fn sealed(mut intent: Value, profile: Profile) -> Document {
    let digest = checksum::of(&read(&intent).root, &["audit", "checksum"], profile);
    intent["audit"]["checksum"] = digest.to_string().into();
    read(&intent)
}

fn planned(root: &Path, registry: &Registry, intent: Document) -> Run {
    let facts = scan::look(&Home::find(root).unwrap(), Timestamp::EPOCH).unwrap();
    let inputs = Inputs {
        intent,
        policy: Policy::default(),
        registry: registry.clone(),
        pins: None,
        memory: Some(MemoryPack::choose(&[], &facts.project_id, "1970-01-01T00:00:00Z")),
        facts: Some(facts),
        supersedes: None,
        rounds: Vec::new(),
    };
    plan(&inputs, &mut Still, &Strict).unwrap()
}

#[test]
fn of_all_rules_only_those_on_review_and_rollback_fire_on_a_plan_that_declares_to_read() {
    let folder = TempDir::new().unwrap();
    let root = project(&folder, &["README.md"]);
    let registry = catalogue(&root);
    assert_eq!(registry.broken().len(), 0, "{:?}", registry.broken());
    assert!(registry.warnings().iter().any(|it| it.message.contains("gone_long_ago")));
    let mut fired = BTreeSet::new();
    for risk in ["low", "medium", "high", "critical"] {
        let run = planned(&root, &registry, sealed(reading(&registry, risk), Profile::Jcs));
        let decisions = Account::read(&run.files).unwrap().decisions.unwrap();
        let workflows = registry.usable(Kind::Workflow).count();
        let commands = registry.usable(Kind::Command).count();
        assert_eq!(decisions.subjects.len(), workflows + commands - 1, "{risk}");
        assert_eq!(decisions.rules.len(), 12);
        for subject in &decisions.subjects {
            assert_eq!(subject.undecided, [], "{}", subject.id);
            let writes = subject.effects.iter().any(|effect| effect.writes());
            assert!(subject.fired.is_empty() || writes, "{risk}: {subject:?}");
            if subject.id == "cmd_survey_report" {
                assert!(!writes, "a command's own report is no change");
            }
            fired.extend(subject.fired.iter().map(|it| it.rule_id.clone()));
        }
    }
    let fired: Vec<&str> = fired.iter().map(String::as_str).collect();
    assert_eq!(fired, ["rule_r08_writing_is_reviewed", "rule_r12_high_risk_has_a_way_back"]);
}

#[test]
fn each_profile_of_a_checksum_is_recognised_and_named() {
    let folder = TempDir::new().unwrap();
    let root = project(&folder, &["README.md"]);
    let registry = catalogue(&root);
    for &profile in Profile::VARIANTS {
        let mut intent = reading(&registry, "low");
        intent["planned_commands"]
            .as_array_mut()
            .unwrap()
            .retain(|it| it["command_id"] == "cmd_survey_report");
        let run = planned(&root, &registry, sealed(intent, profile));
        assert_eq!(run.state, Phase::Done, "{profile}: {:?}", run.failure);
        assert_eq!(run.manifest.intent_checksum.profile, Some(profile.to_string()));
    }
}
