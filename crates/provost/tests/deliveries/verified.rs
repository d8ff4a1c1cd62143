//! The record compared with the commits that landed: rewriting it whole, with every hash, is found out.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use provost_core::digest::Digest;

use crate::project::{Project, Ran, plan};

fn segment(project: &Project) -> PathBuf {
    project.root().join(".git/provost/journal/0000000000000001.jsonl")
}

/// Writes the journal anew with changed lines, each with the hash of the one before and its own.
fn rewrite(project: &Project, change: impl Fn(&str) -> Option<String>) {
    let text = fs::read_to_string(segment(project)).unwrap();
    let mut hash = None;
    let mut written = String::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let Some(line) = change(line) else { continue };
        let (body, _) = line.rsplit_once(",\"hash\":").unwrap();
        let (before, prev) = body.rsplit_once("\"prev\":").unwrap();
        let body =
            format!("{before}\"prev\":{}", hash.map_or_else(|| prev.to_owned(), |it| format!("\"{it}\"")));
        let own = Digest::of(body.as_bytes()).to_string();
        let _ = writeln!(written, "{body},\"hash\":\"{own}\"}}");
        hash = Some(own);
    }
    fs::write(segment(project), written).unwrap();
}

fn delivered() -> Project {
    let project = Project::new(&plan(&[("one", "none"), ("two", "one")]));
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(0));
    project
}

#[test]
fn what_landed_agrees_with_the_record() {
    let project = delivered();
    // Each task has the commit that was measured and the one that landed.
    let said = project.run(&["verify"]).out;
    assert!(said.contains("\ncommits: 4 name a record, and it is as they say\n"), "{said}");
    let json = project.run(&["--json", "verify"]).out;
    assert!(json.contains("\"commits\":{\"agreeing\":4,\"of_other_projects\":0}"), "{json}");
    // Hashing every line anew changes nothing, so the test's own writing is right.
    let before = fs::read(segment(&project)).unwrap();
    rewrite(&project, |line| Some(line.to_owned()));
    assert_eq!(fs::read(segment(&project)).unwrap(), before);
}

#[test]
fn a_record_that_was_rewritten_whole_contradicts_the_commits() {
    let project = delivered();
    rewrite(&project, |line| Some(line.replace("wrote the file", "wrote no file")));
    let ran = project.run(&["verify"]);
    assert_eq!(ran.code, Some(6), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("error[journal::head]: commit "), "{}", ran.err);
    let commit = project.git(&["rev-parse", "provost/d-4"]);
    let trailer =
        project.git(&["log", "-1", "--format=%(trailers:key=Provost-Head,valueonly)", "provost/d-4"]);
    let (sequence, hash) = trailer.trim().split_once(' ').unwrap();
    let wanted =
        format!("commit {} says that record {sequence} has the hash {hash}; here it has ", commit.trim());
    assert!(ran.err.contains(&wanted), "{wanted}\n{}", ran.err);
    assert_eq!(project.run(&["--json", "verify"]).code, Some(6));
}

#[test]
fn a_record_that_was_cut_short_of_a_commit_contradicts_it() {
    let project = delivered();
    let text = fs::read_to_string(segment(&project)).unwrap();
    // The end of a batch before anything landed.
    let lines: Vec<&str> = text.lines().take_while(|line| !line.contains("\"landing_started\"")).collect();
    let whole = lines.iter().rposition(|line| line.contains("\"auditor_dispatched\"")).unwrap();
    fs::write(segment(&project), format!("{}\n", lines[..=whole].join("\n"))).unwrap();
    let ran = project.run(&["verify"]);
    assert_eq!(ran.code, Some(6), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("; the record ends at "), "{}", ran.err);
}

#[test]
fn commits_of_another_project_and_a_missing_git_are_said_and_no_fault() {
    let project = delivered();
    project.git(&[
        "-c",
        "user.name=Ada",
        "-c",
        "user.email=ada@example.org",
        "commit",
        "--quiet",
        "--allow-empty",
        "-m",
        &format!("from a clone\n\nProvost-Effect: elsewhere/3\nProvost-Head: 3 {}", "0".repeat(64)),
    ]);
    let said = project.run(&["verify"]).out;
    assert!(said.contains("commits: 1 name a record of another project and were not compared"), "{said}");
    let folder = project.folder().join("no-git");
    fs::create_dir(&folder).unwrap();
    symlink("/bin/sh", folder.join("sh")).unwrap();
    let mut command = project.command(&["verify"]);
    let ran = Ran::of(&command.env("PATH", &folder).output().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("commits: not compared with the record: the command `git` was not found"),
        "{}",
        ran.out
    );
}

/// An ordinary commit with trailers as Provost writes them.
fn forge(project: &Project, sequence: u64) -> String {
    let trailers =
        project.git(&["log", "-1", "--format=%(trailers:key=Provost-Effect,valueonly)", "provost/d-4"]);
    let (id, _) = trailers.trim().split_once('/').unwrap();
    let forged =
        format!("mine\n\nProvost-Effect: {id}/{sequence}\nProvost-Head: {sequence} {}", "0".repeat(64));
    let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    project.git(&[&identity[..], &["commit", "--quiet", "--allow-empty", "-m", &forged]].concat());
    project.git(&["rev-parse", "HEAD"]).trim().to_owned()
}

#[test]
fn trailers_that_somebody_wrote_into_an_ordinary_commit_are_excepted_by_a_person_alone() {
    let project = delivered();
    project.git(&["merge", "--quiet", "--ff-only", "provost/d-4"]);
    let commits = [forge(&project, 5), forge(&project, 5_000)];
    // Whoever rewrote the whole record would leave just such commits behind.
    let ran = project.run(&["verify"]);
    assert_eq!(ran.code, Some(6), "{}{}", ran.out, ran.err);
    for commit in &commits {
        assert!(ran.err.contains(&format!("provost verify --except {commit}")), "{}", ran.err);
    }
    let all = ["verify", "--except", &commits[0], "--except", &commits[1][..10]];
    let ran = project.run(&all);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("commits: 4 name a record, and it is as they say\n"), "{}", ran.out);
    for commit in &commits {
        let note = format!("note: commit {commit} says that record 5");
        let line = ran.out.lines().find(|line| line.starts_with(&note)).unwrap();
        assert!(line.ends_with("; it was excepted"), "{line}");
    }
    let json = project.run(&[&["--json"], all.as_slice()].concat()).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["commits"]["excepted"].as_array().unwrap().len(), 2, "{json}");
    // What landed still counts, wherever it was merged to and whatever was cleared away.
    assert_eq!(project.run(&["clean"]).code, Some(0));
    rewrite(&project, |line| Some(line.replace("wrote the file", "wrote no file")));
    assert_eq!(project.run(&all).code, Some(6));
}
