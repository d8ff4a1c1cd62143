//! Dry runs: everything is said, in both forms, and nothing is left behind.

use std::fs;

use serde_json::Value;

use crate::project::{Project, plan};

#[test]
fn a_dry_run_is_one_document_for_programs() {
    let project = Project::new(&plan(&[("parser", "none"), ("printer", "parser")]));
    fs::write(project.root().join("base.txt"), "changed\n").unwrap();
    let ran = project.run(&["--json", "run", "plan.md", "--dry-run", "--max-agents", "2"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(said["schema"], "provost/run/1");
    assert_eq!(said["dry_run"], true);
    let order =
        said["tasks"].as_array().unwrap().iter().map(|it| (it["id"].as_str().unwrap(), it["wave"].as_u64()));
    assert_eq!(order.collect::<Vec<_>>(), [("parser", Some(1)), ("printer", Some(2))]);
    assert_eq!(said["tasks"][1]["blocked_by"][0], "parser");
    assert_eq!(said["agents"]["developer"], "mine");
    assert_eq!(said["agents_max"], 2);
    assert_eq!(said["checks"][0]["name"], "check");
    assert_eq!(said["judgement"][0], "not judged: the project has no registry with rules");
    assert!(said["unseen"][0].as_str().unwrap().starts_with("1 changed file"));
    assert!(said["asks"].as_array().unwrap().is_empty() && said["missing"].as_array().unwrap().is_empty());
}

#[test]
fn a_dry_run_leaves_nothing_and_says_which_programs_are_missing() {
    let project = Project::new(&plan(&[("parser", "none")]));
    for script in ["agent.sh", "check.sh"] {
        fs::remove_file(project.folder().join(script)).unwrap();
    }
    let before = fs::read_dir(project.root().join(".git")).unwrap().count();
    let ran = project.run(&["run", "plan.md", "--dry-run"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("note: mine: its program `"), "{}", ran.out);
    assert!(ran.out.contains("agent.sh` was not found; mend: write"), "{}", ran.out);
    assert_eq!(fs::read_dir(project.root().join(".git")).unwrap().count(), before);
    assert!(!project.folder().join(".local").exists());
}
