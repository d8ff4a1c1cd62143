//! A repository with a registry, a memory and an intent that a test changes in one place.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use provost_core::canonical::checksum::{self, Profile};
use provost_core::document::{self, Limits};
use regex::Regex;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What a command said and how it ended.
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: i32,
}

impl Said {
    /// The one document that it printed.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }

    /// What it said, with what follows from the commit of the test replaced.
    pub(crate) fn shown(&self) -> String {
        let ids = Regex::new("(coord_run|graph)_[0-9a-f]{16}").unwrap();
        ids.replace_all(&format!("{}{}", self.out, self.err), "${1}_ID").into_owned()
    }

    /// The same, once it is seen that it ended as expected.
    #[track_caller]
    pub(crate) fn ended(self, status: i32) -> Said {
        assert_eq!(self.status, status, "{}{}", self.out, self.err);
        self
    }
}

/// A temporary folder with a repository in it.
pub(crate) struct Stage {
    folder: TempDir,
}

impl Stage {
    /// A repository with one commit and its own registry.
    pub(crate) fn new() -> Stage {
        let stage = Stage { folder: TempDir::new().unwrap() };
        stage.write("src/greet.rs", "pub fn greet() {}\n");
        stage.write("README.md", "# Guestbook\n");
        stage.write(".provost/memory/.gitkeep", "");
        for (folder, value) in registry() {
            let id = value["id"].as_str().unwrap().to_owned();
            stage.write(&format!(".provost/registry/{folder}/{id}.json"), &value.to_string());
        }
        for arguments in [
            &["init", "--quiet"][..],
            &["add", "--all"],
            &["-c", "user.name=ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "-m", "first"],
        ] {
            let git = Command::new("git").args(arguments).current_dir(stage.path()).status();
            assert!(git.unwrap().success(), "{arguments:?}");
        }
        stage
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    /// A place beside the repository, where no project is.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.path().join(".git/provost")
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Writes an intent beside the repository, so that it is no fact of it, and gives back its path.
    pub(crate) fn intent(&self, intent: &Value) -> String {
        let path = self.beside("intent.json");
        std::fs::write(&path, intent.to_string()).unwrap();
        path.display().to_string()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_in(&self.path(), arguments)
    }

    pub(crate) fn command_in(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_provost"));
        command
            .args(arguments)
            .current_dir(folder)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.folder.path())
            .env("XDG_RUNTIME_DIR", self.folder.path())
            .env("USER", "ada")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        said(&mut self.command(arguments))
    }

    /// Plans an intent and gives back the document.
    #[track_caller]
    pub(crate) fn plan(&self, intent: &Value, status: i32) -> Value {
        let intent = self.intent(intent);
        self.run(&["plan", &intent, "--json"]).ended(status).json()
    }

    /// Everything that a plan without a project is made from; the folder in it does not exist yet.
    pub(crate) fn alone(&self) -> Vec<String> {
        let facts = self.beside("facts.json").display().to_string();
        self.run(&["scan", "--out", &facts]).ended(0);
        let registry = self.path().join(".provost/registry").display().to_string();
        let memory = self.path().join(".provost/memory").display().to_string();
        let out = self.beside("out").display().to_string();
        ["--registry", &registry, "--facts", &facts, "--memory", &memory, "--out", &out]
            .map(str::to_owned)
            .to_vec()
    }
}

pub(crate) fn said(command: &mut Command) -> Said {
    let output = command.output().unwrap();
    Said {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        status: output.status.code().unwrap_or(-1),
    }
}

/// Puts the right checksum into an intent.
pub(crate) fn sealed(mut intent: Value) -> Value {
    let text = intent.to_string();
    let document = document::read("intent.json", text.as_bytes(), &Limits::default()).unwrap();
    let digest = checksum::of(&document.root, &["audit", "checksum"], Profile::Jcs);
    intent["audit"]["checksum"] = digest.to_string().into();
    intent
}

/// Low risk: one command that looks and one that writes.
pub(crate) fn low() -> Value {
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
            { "workflow_id": "small_feature", "phases": ["analysis", "implementation", "review"], "reason": "It is small" },
        ],
        "selected_agents": [
            { "agent_id": "keeper", "role": "developer", "responsibilities": ["implementation and tests"] },
        ],
        "planned_commands": [
            planned("cmd_look", "Find where the greeting is made", "read", "low"),
            planned("cmd_change", "Put the name into the greeting", "write", "low"),
        ],
        "interaction": { "mode": "interactive", "question_budget": 10, "question_policy": "conceptual_only" },
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

fn planned(id: &str, intent: &str, effect: &str, risk: &str) -> Value {
    json!({
        "command_id": id,
        "intent": intent,
        "effects": [effect],
        "risk_level": risk,
        "evidence_refs": ["scan://file/src/greet.rs"],
    })
}

/// Much at stake and no way back, so that somebody is asked.
pub(crate) fn high() -> Value {
    let mut intent = low();
    intent["planned_commands"][1] = planned("cmd_migrate", "Give every guest a name", "write", "high");
    intent["risk"] =
        json!({ "overall": "high", "drivers": ["Rows can be lost"], "requires_review": ["data"] });
    intent
}

fn lineage() -> Value {
    json!({ "introduced_in": "v1.0", "derived_from": null, "supersedes": [], "change_reason": null })
}

fn command(id: &str, effect: &str, risk: &str) -> Value {
    json!({
        "id": id,
        "type": "command",
        "version": "1.0.0",
        "category": "engineering",
        "title": "A command of the tests",
        "description": "What the command is for, in a sentence.",
        "recommended_roles": ["keeper"],
        "workflow_links": [],
        "inputs": [],
        "outputs": [{ "name": "change", "type": "diff" }],
        "preconditions": [],
        "effects": [{ "scope": "repo", "kind": effect }],
        "risk_level": risk,
        "evidence_required": true,
        "constraints": { "executable_payload": "forbidden", "agent_binding": "forbidden" },
        "lineage": lineage(),
    })
}

fn registry() -> Vec<(&'static str, Value)> {
    let workflow = json!({
        "id": "small_feature",
        "version": "1.0.0",
        "category": "implementation",
        "description": "A feature from reading to review.",
        "phases": [{ "id": "analysis", "allows_questions": true }, { "id": "implementation", "allows_questions": false }],
        "interaction": { "default_mode": "question_only" },
        "constraints": { "execution": "forbidden", "side_effects": "forbidden" },
        "lineage": lineage(),
    });
    let agent = json!({
        "id": "keeper",
        "type": "agent",
        "version": "1.0.0",
        "category": "engineering",
        "description": "Keeps the guestbook.",
        "responsibilities": ["implementation"],
        "allowed_interactions": ["question"],
        "constraints": { "execution": "forbidden", "command_ownership": "forbidden" },
        "lineage": lineage(),
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
    let rule = json!({
        "id": "rule_r12_way_back",
        "type": "rule",
        "title": "What is at high risk has a way back",
        "description": "What the rule is for, in a sentence.",
        "version": "1.0.0",
        "status": "active",
        "lineage": lineage(),
        "constraints": { "execution": "forbidden" },
        "rule": {
            "severity": "error",
            "scope": { "applies_to_types": ["command"], "applies_to_risk": [], "applies_to_phases": [] },
            "when": { "all_of": [{ "risk_level_high_or_critical": true }, { "rollback_plan_missing": true }] },
            "then": {
                "decision": "deny",
                "reason": "There is no way back",
                "required_changes": ["Say how it is undone"],
            },
            "evidence_required": ["risk_assessment"],
        },
    });
    vec![
        ("workflows", workflow),
        ("agents", agent),
        ("commands", command("cmd_look", "read", "low")),
        ("commands", command("cmd_change", "write", "low")),
        ("commands", command("cmd_migrate", "write", "high")),
        ("models", model),
        ("rules", rule),
    ]
}
