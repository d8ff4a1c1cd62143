//! What a person has already: agents on the PATH, and the commands that test, lint and build a project. Apart
//! because it only looks; nothing is run and nothing is written.

mod tools;

use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::agent::PRESETS;

/// Programs that are agents, by the name they are started with, and that Provost does not drive by itself.
const OTHERS: &[&str] = &["amp", "copilot", "crush", "cursor-agent", "goose"];

/// The most bytes of a project's file that are looked at.
const FILE_MAX: u64 = 1 << 20;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Agents on the PATH.
    pub agents: Vec<AgentFound>,
    /// Commands that prove something about the project.
    pub checks: Vec<CheckFound>,
    /// Commands that a fresh checkout needs before those can run.
    pub setup: Vec<Vec<String>>,
}

/// An agent on the PATH.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentFound {
    /// The program.
    pub name: &'static str,
    /// Whether Provost drives it by itself.
    pub driven: bool,
}

/// A command that proves something about the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckFound {
    /// What to call it.
    pub name: String,
    /// The command.
    pub argv: Vec<String>,
    /// The file that it was found in.
    pub file: String,
}

impl Found {
    /// Takes a command unless the same kind of command was found before; then it gets the tool's name too.
    fn check(&mut self, kind: &str, tool: &str, argv: &[&str], file: &str) {
        let name = if self.has(kind) { format!("{tool}-{kind}") } else { kind.to_owned() };
        let argv = argv.iter().map(|word| (*word).to_owned()).collect();
        self.checks.push(CheckFound { name, argv, file: file.to_owned() });
    }

    fn has(&self, kind: &str) -> bool {
        self.checks.iter().any(|check| check.name == kind)
    }

    fn prepare(&mut self, argv: &[&str]) {
        self.setup.push(argv.iter().map(|word| (*word).to_owned()).collect());
    }
}

/// Looks at the top of a checkout and at the programs of a search path.
pub fn look(root: &Path, search: Option<&OsStr>) -> Found {
    let is_there = |name: &str| find_program(name, root, search).is_some();
    let driven = ["claude", "codex"].into_iter().chain(PRESETS.iter().map(|preset| preset.name));
    let driven = driven.map(|name| AgentFound { name, driven: true });
    let others = OTHERS.iter().map(|&name| AgentFound { name, driven: false });
    let agents = driven.chain(others).filter(|agent| is_there(agent.name)).collect();
    let mut found = Found { agents, ..Found::default() };
    tools::cargo(root, &is_there, &mut found);
    tools::node(root, &mut found);
    tools::python(root, &mut found);
    tools::go(root, &mut found);
    // Last: a Makefile often only calls what was found before.
    tools::make(root, &mut found);
    found
}

/// The file that a program's name stands for: on the search path, or from a folder where the name has a slash.
pub fn find_program(name: &str, folder: &Path, search: Option<&OsStr>) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| {
        fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    if name.contains('/') {
        return Some(folder.join(name)).filter(is_program);
    }
    std::env::split_paths(search?).map(|part| folder.join(part).join(name)).find(is_program)
}

/// The text of a file at the top of a checkout, if there is one that can be read.
fn text(root: &Path, name: &str) -> Option<String> {
    let path = root.join(name);
    if !fs::metadata(&path).is_ok_and(|meta| meta.is_file()) {
        return None;
    }
    let mut bytes = Vec::new();
    fs::File::open(&path).ok()?.take(FILE_MAX).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
