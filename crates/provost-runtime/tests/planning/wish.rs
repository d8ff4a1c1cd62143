//! Goals in words, drafted and planned with the registry that a project begins with.

use std::path::{Path, PathBuf};
use std::process::Command;

use provost_core::document::{self, Limits};
use provost_core::intent::draft::{Drafted, Wish, draft};
use provost_core::planning::memory::MemoryPack;
use provost_core::planning::policy::Policy;
use provost_core::planning::shelf::Strict;
use provost_core::planning::{Inputs, Phase, Run, Watch, plan};
use provost_core::time::Timestamp;
use provost_runtime::content::{self, REGISTRY};
use provost_runtime::detect::Found;
use provost_runtime::home::Home;
use provost_runtime::{init, scan};
use tempfile::TempDir;

use crate::write;

/// A clock that stands still.
pub(crate) struct Still;

impl Watch for Still {
    fn now(&mut self) -> Timestamp {
        Timestamp::EPOCH
    }
}

/// A repository as `provost init` leaves it.
pub(crate) fn project(folder: &TempDir, files: &[&str]) -> PathBuf {
    let root = folder.path().join("project");
    std::fs::create_dir(&root).unwrap();
    for file in files {
        write(&root, file, "text\n");
    }
    for arguments in [&["init", "--quiet"][..], &["add", "--all"]] {
        assert!(Command::new("git").args(arguments).current_dir(&root).status().unwrap().success());
    }
    init::make(&Home::find(&root).unwrap(), &Found::default()).unwrap();
    root
}

/// Drafts an intent and plans it as the person would.
fn planned(root: &Path, goal: &str, workflow: Option<&str>, files: &[&str]) -> (Drafted, Run) {
    let registry = content::registry(&root.join(REGISTRY), REGISTRY).unwrap();
    let facts = scan::look(&Home::find(root).unwrap(), Timestamp::EPOCH).unwrap();
    let files: Vec<String> = files.iter().map(|it| (*it).to_owned()).collect();
    let wish = Wish { goal, title: None, workflow, files: &files, by: "ada", at: Timestamp::EPOCH };
    let drafted = draft(&wish, &registry, &facts).unwrap();
    let memory = MemoryPack::choose(&[], &facts.project_id, "1970-01-01T00:00:00Z");
    let inputs = Inputs {
        intent: document::read("intent.json", &drafted.bytes, &Limits::default()).unwrap(),
        policy: Policy::default(),
        registry,
        pins: None,
        facts: Some(facts),
        memory: Some(memory),
        supersedes: None,
        rounds: Vec::new(),
    };
    let run = plan(&inputs, &mut Still, &Strict).unwrap();
    (drafted, run)
}

#[test]
fn a_goal_becomes_a_plan_with_every_workflow_of_the_first_registry() {
    let folder = TempDir::new().unwrap();
    let root = project(&folder, &["src/lib.rs", "README.md"]);
    for workflow in
        ["implement_feature", "fix_bug", "refactor", "write_tests", "write_docs", "migrate", "release"]
    {
        let (drafted, run) = planned(&root, "Whoever signs is greeted by name", Some(workflow), &["src/**"]);
        assert_eq!(drafted.workflow, workflow);
        let fine =
            run.state == Phase::Done || (run.state == Phase::AwaitingAnswers && run.questions.is_some());
        assert!(fine, "{workflow}: {:?} {:?}", run.state, run.failure);
    }
}

#[test]
fn the_words_of_a_goal_choose_the_workflow() {
    let folder = TempDir::new().unwrap();
    let root = project(&folder, &["src/lib.rs"]);
    for (goal, workflow) in [
        ("Fix the bug in the date parser", "fix_bug"),
        ("A flag prints the version", "implement_feature"),
        ("Refactor the parser", "refactor"),
        ("Migration to the second edition", "migrate"),
        ("Docs for the configuration", "write_docs"),
        ("Tests for the parser", "write_tests"),
        ("跟每位客人打招呼", "implement_feature"),
        ("grüße alle", "implement_feature"),
    ] {
        let (drafted, run) = planned(&root, goal, None, &[]);
        assert_eq!(drafted.workflow, workflow, "{goal}: {}", drafted.reason);
        assert!(matches!(run.state, Phase::Done | Phase::AwaitingAnswers), "{goal}: {:?}", run.failure);
    }
}

#[test]
fn a_repository_without_a_file_and_files_that_are_not_there_yet_are_planned_too() {
    let folder = TempDir::new().unwrap();
    let root = project(&folder, &[]);
    let (drafted, run) = planned(&root, "A page says hello", None, &["docs/hello.md"]);
    assert_eq!(run.state, Phase::Done, "{:?}", run.failure);
    assert_eq!(drafted.files, ["docs/hello.md"]);
    assert!(drafted.notes[0].contains("may be new"), "{:?}", drafted.notes);
}

#[test]
fn many_files_are_meant_by_their_pattern_and_a_path_in_the_goal_is_understood() {
    let folder = TempDir::new().unwrap();
    let many: Vec<String> = (0..60).map(|number| format!("src/part{number}.rs")).collect();
    let root = project(&folder, &many.iter().map(String::as_str).collect::<Vec<_>>());
    let (drafted, run) = planned(&root, "Every part has a header", None, &["src/*.rs"]);
    assert_eq!((drafted.files.as_slice(), run.state), (["src/*.rs".to_owned()].as_slice(), Phase::Done));
    let (drafted, run) = planned(&root, "Mend `src/part7.rs`, please", None, &[]);
    assert_eq!((drafted.files.as_slice(), run.state), (["src/part7.rs".to_owned()].as_slice(), Phase::Done));
}

#[test]
fn what_cannot_be_planned_is_refused_before_it_is_written() {
    let folder = TempDir::new().unwrap();
    let root = project(&folder, &["a"]);
    let registry = content::registry(&root.join(REGISTRY), REGISTRY).unwrap();
    let facts = scan::look(&Home::find(&root).unwrap(), Timestamp::EPOCH).unwrap();
    let code = |goal: &str, workflow: Option<&str>, files: &[String]| {
        let wish = Wish { goal, title: None, workflow, files, by: "ada", at: Timestamp::EPOCH };
        draft(&wish, &registry, &facts).unwrap_err()[0].code.name()
    };
    assert_eq!(code("A goal of some length", Some("implement_featur"), &[]), "intent::workflow");
    assert_eq!(code("A goal of some length", None, &["../x".to_owned()]), "intent::path");
    assert_eq!(code("x", None, &[]), "schema::out_of_range");
    assert_eq!(code(&"long ".repeat(500), None, &[]), "schema::out_of_range");
}
