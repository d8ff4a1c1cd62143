//! What a person reads about a delivery afterwards: the report, a task's page, and why it waits.

use insta::assert_snapshot;
use regex::Regex;

use crate::project::{Project, plan};

/// Names of commits and folders, and summaries of files, differ from run to run; records do not where one task works.
fn redacted(text: &str) -> String {
    let commit = Regex::new(r"(?-u:\b)(?:[0-9a-f]{40}|[0-9a-f]{10})(?-u:\b)").unwrap();
    let folder = Regex::new(r"/[^ `]*/([a-z]+\.sh)").unwrap();
    let time = Regex::new(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z").unwrap();
    let text = commit.replace_all(text, "COMMIT");
    time.replace_all(&folder.replace_all(&text, "DIR/$1"), "TIME").into_owned()
}

/// A delivery of one task at a time, so that records have the same sequences in every run.
fn delivered(tasks: &[(&str, &str)]) -> Project {
    let project = Project::new(&plan(tasks));
    let ran = project.run(&["run", "plan.md", "--max-agents", "1"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    project
}

/// Each record that a task's section cites is one of that task.
fn every_record_is_about_its_task(project: &Project, report: &str) {
    let log = project.run(&["log", "--json"]).out;
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let cited = Regex::new(r"\(record ([0-9]+)\)").unwrap();
    let mut count = 0;
    for section in report.split("\n## ").filter(|section| section.contains(": make ")) {
        let task = section.split(':').next().unwrap();
        for found in cited.captures_iter(section) {
            let sequence: usize = found[1].parse().unwrap();
            assert_eq!(lines[sequence - 1]["task_id"], task, "record {sequence}\n{report}");
            count += 1;
        }
    }
    assert!(count >= 10, "only {count} records are cited\n{report}");
}

#[test]
fn the_report_shows_a_rework_and_a_lie_with_their_records() {
    let project = delivered(&[("picky", "none"), ("fibber", "picky")]);
    let shown = project.run(&["show", "d-4"]).out;
    every_record_is_about_its_task(&project, &shown);
    // Cleaning up after the first task goes on beside the second, so numbers differ by one from run to run.
    let record = Regex::new("record [0-9]+|records 4 to [0-9]+").unwrap();
    assert_snapshot!(record.replace_all(&redacted(&shown), "record N"), @"
    # A plan

    Delivery d-4 of `plan.md`: complete, 2 of 2 tasks complete.

    - branch `provost/d-4`, `COMMIT..COMMIT`
    - record N
    - criteria: 2 proven, 0 judged, 0 unproven

    ## What is left to you

    - read it: `git log -p COMMIT..provost/d-4`
    - take it over: `git merge provost/d-4`
    - clear away what is left behind: `provost clean`

    ## picky: make picky

    Complete: landed as `COMMIT` (record N).

    Criteria:

    - **proven**: `test -f picky.txt` exits 0: `test -f picky.txt`: exit 0 on `COMMIT` (record N)

    Checks on `COMMIT` (record N):

    - check: passed, exit 0: `DIR/check.sh`
    - test -f picky.txt: passed, exit 0: `test -f picky.txt`

    Verdicts:

    - critic mine approves (record N): `Summary: fine`
    - auditor mine approves (record N): `Summary: verified`

    Sent back:

    - critic (record N): `Issues Found: - picky.txt:1: too short Required Fixes: - say more`

    ## fibber: make fibber

    Complete: landed as `COMMIT` (record N).

    Criteria:

    - **proven**: `test -f fibber.txt` exits 0: `test -f fibber.txt`: exit 0 on `COMMIT` (record N)

    Checks on `COMMIT` (record N):

    - check: passed, exit 0: `DIR/check.sh`
    - test -f fibber.txt: passed, exit 0: `test -f fibber.txt`

    Verdicts:

    - critic mine approves (record N): `Summary: fine`
    - auditor mine approves (record N): `Summary: verified`

    Sent back:

    - checks (record N): `test -f fibber.txt: failed, exit 1, expected 0`
    ");
    let view = project.root().join(".git/provost/deliveries/d-4/report.md");
    assert_eq!(std::fs::read_to_string(&view).unwrap(), shown, "the view is what is shown");
    std::fs::remove_file(&view).unwrap();
    assert!(project.run(&["rebuild"]).out.contains("report.md"));
    assert_eq!(std::fs::read_to_string(&view).unwrap(), shown, "and can be made again");
}

#[test]
fn a_task_is_shown_with_what_proves_it() {
    let project = delivered(&[("picky", "none")]);
    assert_snapshot!(redacted(&project.run(&["show", "picky"]).out), @"
    picky of d-4: make picky
      complete (record 31)
      attempts: developer 2, critic 2, auditor 1
      went wrong: sent back by its critic 1

    criteria
      proven    `test -f picky.txt` exits 0
                `test -f picky.txt`: exit 0 on `COMMIT` (record 21)

    checks on COMMIT (record 21)
      check: passed, exit 0
      test -f picky.txt: passed, exit 0

    verdicts
      critic mine approves (record 25): Summary: fine
      auditor mine approves (record 29): Summary: verified

    sent back
      critic (record 16): Issues Found: - picky.txt:1: too short Required Fixes: - say more

    commits
      measured COMMIT (1 file, record 21)
      landed   COMMIT (record 31)
    ");
    assert_eq!(project.run(&["show", "d-4/picky"]).out, project.run(&["show", "picky"]).out);
    assert_snapshot!(redacted(&project.run(&["why", "picky"]).out), @"picky is complete: landed as COMMIT (record 31)");
    assert_snapshot!(project.run(&["show", "picky", "--output"]).out, @"
    AUDIT_PASSED: picky
    Summary: verified
    ");
    let prompt = project.run(&["show", "picky", "--prompt"]).out;
    assert!(prompt.contains("auditor") && prompt.contains("make picky"), "{prompt}");
    let diff = project.run(&["show", "picky", "--diff"]).out;
    assert!(diff.contains("+work of picky, attempt 1") && !diff.contains("base"), "{diff}");
    let json = project.run(&["show", "picky", "--json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["schema"], "provost/show/1");
    assert_eq!(json["criteria"][0]["verdict"], "proven");
    assert_eq!(json["criteria"][0]["exit"], 0);
    assert_eq!(project.run(&["show", "nobody"]).code, Some(2));
    assert_eq!(project.run(&["show", "d-9/picky"]).code, Some(2));
}

#[test]
fn why_leads_to_the_first_cause_and_says_what_to_type() {
    let project = Project::new(&plan(&[("asker", "none"), ("next", "asker"), ("last", "next")]));
    let ran = project.run(&["run", "plan.md", "--max-agents", "1"]);
    assert_eq!(ran.code, Some(5), "{}\n{}", ran.out, ran.err);
    assert_snapshot!(project.run(&["why", "last"]).out, @"
    last waits for next (record 7)
      next waits for asker (record 6)
        asker waits for your answer: tabs or spaces? (record 13)
    answer: provost reply q-13 tabs (options: tabs, spaces)
    ");
    assert_snapshot!(project.run(&["why", "last", "--json"]).out, @r#"{"schema":"provost/why/1","delivery":"d-4","task":"last","chain":[{"task":"last","status":"blocked","why":"waits for next","record":7},{"task":"next","status":"blocked","why":"waits for asker","record":6},{"task":"asker","status":"awaiting-divine-guidance","why":"waits for your answer: tabs or spaces?","record":13}],"sent_back":null,"to_do":"answer: provost reply q-13 tabs (options: tabs, spaces)"}"#);
    assert_snapshot!(redacted(&project.run(&["show", "d-4"]).out), @"
    # A plan

    Delivery d-4 of `plan.md`: waiting for you, 0 of 3 tasks complete.

    - branch `provost/d-4`, `COMMIT..COMMIT`
    - records 4 to 14
    - criteria: 0 proven, 0 judged, 3 unproven

    ## What is left to you

    - answer q-13: `provost reply q-13 tabs`
    - let it go on: `provost resume d-4`
    - nothing has landed, so there is nothing to take over

    ## Before you trust it

    - q-13 is open: `tabs or spaces?` (record 13)

    ## asker: make asker

    Not complete: waiting for you (record 13).

    Criteria:

    - **unproven**: `test -f asker.txt` exits 0: `test -f asker.txt` has not been run on work that was accepted

    Questions:

    - q-13 `tabs or spaces?` (record 13): not answered

    ## next: make next

    Not complete: blocked by other tasks (record 6).

    Criteria:

    - **unproven**: `test -f next.txt` exits 0: `test -f next.txt` has not been run on work that was accepted

    ## last: make last

    Not complete: blocked by other tasks (record 7).

    Criteria:

    - **unproven**: `test -f last.txt` exits 0: `test -f last.txt` has not been run on work that was accepted
    ");
    let nothing = project.run(&["show", "last", "--diff"]);
    assert_eq!(nothing.code, Some(9), "{}", nothing.err);
    let id = project.run(&["questions"]).out.split(' ').next().unwrap().to_owned();
    assert_eq!(project.run(&["reply", &id, "tabs"]).code, Some(0));
    assert!(project.run(&["why", "last"]).out.contains("nobody performs the delivery: provost resume d-4"));
}
