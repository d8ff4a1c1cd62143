//! A repository with a registry, a memory and an intent that a test changes in one place.

use std::path::{Path, PathBuf};
use std::process::Command;

use regex::Regex;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{documents, hermetic};

/// What a command said and how it ended.
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: i32,
}

impl Said {
    /// The one document that it printed.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap()
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
        for (kind, value) in documents::registry() {
            let id = value["id"].as_str().unwrap().to_owned();
            stage.write(&format!(".provost/registry/{}/{id}.json", kind.folder()), &value.to_string());
        }
        for arguments in [
            &["init", "--quiet"][..],
            &["add", "--all"],
            &["-c", "user.name=ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "-m", "first"],
        ] {
            let git = hermetic::git(&stage.path(), stage.folder.path(), arguments).status();
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
        hermetic::provost(folder, self.folder.path(), arguments)
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

/// An intent with the right checksum.
pub(crate) fn sealed(mut intent: Value) -> Value {
    documents::seal(&mut intent);
    intent
}

/// Low risk: one command that looks and one that writes.
pub(crate) fn low() -> Value {
    let mut intent = documents::intent();
    intent["interaction"] =
        json!({ "mode": "interactive", "question_budget": 10, "question_policy": "conceptual_only" });
    intent
}

/// Much at stake and no way back, so that somebody is asked.
pub(crate) fn high() -> Value {
    let mut intent = low();
    documents::raise(&mut intent);
    intent
}
