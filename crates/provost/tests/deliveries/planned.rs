//! From a goal in words to a landed change, and what stands in between: approval, drift, the judgement of written plans.

use std::fs;

use crate::project::{Project, Ran, plan};
use crate::terminal::typed;

/// An agent that stays in the only file that the goal is about.
const AGENT: &str = r#"#!/bin/sh
cat > /dev/null
case "$PROVOST_ROLE" in
  developer) echo "work of $PROVOST_TASK" >> base.txt; printf 'READY_FOR_REVIEW: %s\n' "$PROVOST_TASK" ;;
  critic) printf 'REVIEW_PASSED: %s\n' "$PROVOST_TASK" ;;
  auditor) printf 'AUDIT_PASSED: %s\n' "$PROVOST_TASK" ;;
esac
"#;

/// A project for a goal, as `provost init` leaves it, committed.
fn with_a_goal() -> Project {
    let limits = "developer_s = 60\nidle_s = 60\nkill_grace_s = 1\n";
    ready(Project::with("# Not this one\n", AGENT, "#!/bin/sh\n", limits))
}

/// A project for a plan, as `provost init` leaves it, committed.
fn initialised(plan: &str) -> Project {
    ready(Project::new(plan))
}

fn ready(project: Project) -> Project {
    done(&project, &["init"]);
    commit(&project);
    project
}

fn commit(project: &Project) {
    project.git(&["add", "--all"]);
    project.git(&[
        "-c",
        "user.name=Ada",
        "-c",
        "user.email=ada@example.org",
        "commit",
        "--quiet",
        "-m",
        "more",
    ]);
}

fn done(project: &Project, arguments: &[&str]) -> Ran {
    let ran = project.run(arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}\n{}\n{}", ran.out, ran.err);
    ran
}

/// Plans a goal and gives the run's id.
fn planned(project: &Project) -> String {
    let intent = project.folder().join("intent.json").display().to_string();
    done(
        project,
        &["intent", "new", "The base says more than base", "--files", "base.txt", "--out", &intent],
    );
    let planned = done(project, &["plan", &intent, "--json"]).out;
    let planned: serde_json::Value = serde_json::from_str(&planned).unwrap();
    planned["run_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_goal_becomes_a_landed_change_without_a_file_edited_by_hand() {
    let project = with_a_goal();
    let run = planned(&project);
    let ran = project.run(&["run", &run]);
    assert_eq!(ran.code, Some(5), "{}\n{}", ran.out, ran.err);
    let line = format!("provost approve {run} --gate architecture --reason TEXT");
    assert!(ran.err.contains(&line), "{}", ran.err);
    done(&project, &["approve", &run, "--reason", "it is small"]);
    let dry = done(&project, &["run", &run, "--dry-run"]).out;
    assert!(dry.contains("2-write-code") && dry.contains("approved: all gates, by person:ada"), "{dry}");
    let ran = done(&project, &["run", &run]);
    let status: serde_json::Value = serde_json::from_str(&done(&project, &["status", "--json"]).out).unwrap();
    let delivery = &status["deliveries"][0];
    assert_eq!(delivery["run"]["id"], run.as_str(), "{}", ran.out);
    let landed = project.landed(delivery["branch"].as_str().unwrap());
    let base = landed.iter().find(|(name, _)| name == "base.txt").unwrap();
    assert!(base.1.contains("work of 2-write-code"), "{landed:?}");
    let shown = done(&project, &["show", delivery["id"].as_str().unwrap()]).out;
    // What the intent locks is what each task may write.
    assert!(
        shown.contains("Files that it may write: `base.txt`.\nIt changes `base.txt` (record "),
        "{shown}"
    );
    assert!(shown.contains(&format!("delivers the frozen run `{run}`")), "{shown}");
    project.check("");
}

#[test]
fn what_moved_since_is_named_and_somebody_may_accept_it() {
    let project = with_a_goal();
    let run = planned(&project);
    done(&project, &["approve", &run, "--reason", "it is small"]);
    fs::write(project.root().join("base.txt"), "other\n").unwrap();
    let rule = project.root().join(".provost/registry/rules/rule_r09_decisions_rest_on_evidence.yaml");
    fs::remove_file(rule).unwrap();
    commit(&project);
    let ran = project.run(&["run", &run]);
    assert_eq!(ran.code, Some(5), "{}\n{}", ran.out, ran.err);
    assert!(ran.err.contains("the file `base.txt` changed since"), "{}", ran.err);
    assert!(ran.err.contains("`rule_r09_decisions_rest_on_evidence`"), "{}", ran.err);
    done(&project, &["run", &run, "--accept-drift"]);
    let log = done(&project, &["log", "--json"]).out;
    let started = log.lines().find(|line| line.contains("\"delivery_started\"")).unwrap();
    assert!(started.contains("\"drift\":{\"by\":\"person:ada\""), "{started}");
    assert!(started.contains("the file `base.txt` changed"), "{started}");
}

#[test]
fn a_run_that_is_not_frozen_or_not_there_is_refused() {
    let project = initialised("# Not this one\n");
    assert_eq!(project.run(&["run", "coord_run_0123456789abcdef"]).code, Some(2));
    let intent = project.folder().join("intent.json").display().to_string();
    done(
        &project,
        &[
            "intent",
            "new",
            "The base says more",
            "--workflow",
            "migrate",
            "--files",
            "base.txt",
            "--out",
            &intent,
        ],
    );
    fs::remove_dir_all(project.root().join(".provost/memory")).unwrap();
    let planned = project.run(&["plan", &intent, "--json"]);
    assert_eq!(planned.code, Some(3), "{}", planned.out);
    let id = planned.out.split("coord_run_").nth(1).unwrap().get(..16).unwrap();
    assert_eq!(project.run(&["run", &format!("coord_run_{id}")]).code, Some(9));
}

#[test]
fn a_policy_that_was_handed_in_is_no_drift_and_a_change_of_the_projects_own_is() {
    let project = initialised("# Not this one\n");
    let intent = project.folder().join("intent.json").display().to_string();
    done(
        &project,
        &["intent", "new", "The base says more than base", "--files", "base.txt", "--out", &intent],
    );
    let policy = project.folder().join("policy.json");
    fs::write(
        &policy,
        r#"{"schema_version": "1.0.0", "mode": "semi_auto", "risk_profile": "aggressive_safe"}"#,
    )
    .unwrap();
    let planned = done(&project, &["plan", &intent, "--policy", &policy.display().to_string(), "--json"]).out;
    let planned: serde_json::Value = serde_json::from_str(&planned).unwrap();
    let run = planned["run_id"].as_str().unwrap();
    done(&project, &["approve", run, "--reason", "it is small"]);
    done(&project, &["run", run, "--dry-run"]);
    let settings = project.root().join(".provost/provost.toml");
    let text = fs::read_to_string(&settings).unwrap() + "\n[policy]\nmode = \"semi_auto\"\n";
    fs::write(&settings, text).unwrap();
    let ran = project.run(&["run", run, "--dry-run"]);
    assert_eq!(ran.code, Some(5), "{}\n{}", ran.out, ran.err);
    assert!(ran.err.contains("the policy of the project changed since"), "{}", ran.err);
}

/// A plan with one task of a risk.
fn risky(risk: &str) -> String {
    plan(&[("one", "none")]).replace("**Blocked By**", &format!("**Risk**: {risk}\n\n**Blocked By**"))
}

#[test]
fn a_written_plan_is_judged_and_waits_for_a_person_where_much_is_at_stake() {
    let project = initialised(&plan(&[("one", "none")]));
    let dry = done(&project, &["run", "plan.md", "--dry-run"]).out;
    assert!(dry.contains("judged one: allow, no applicable rule"), "{dry}");
    fs::write(
        project.root().join(".provost/registry/models/mine.yaml"),
        "id: mine_model\ntype: model\nversion: 1.0.0\nlocation: cloud\nagents: [mine]\n",
    )
    .unwrap();
    fs::write(project.root().join("plan.md"), risky("high")).unwrap();
    commit(&project);
    let dry = done(&project, &["run", "plan.md", "--dry-run"]).out;
    assert!(dry.contains("it would ask first: task `one`: its risk is high"), "{dry}");
    let ran = project.run(&["run", "plan.md"]);
    assert_eq!(ran.code, Some(5), "{}\n{}", ran.out, ran.err);
    assert!(ran.err.contains("provost run plan.md --approve-by NAME"), "{}", ran.err);
    done(&project, &["run", "plan.md", "--approve-by", "grace"]);
    let log = done(&project, &["log", "--json"]).out;
    let started = log.lines().find(|line| line.contains("\"delivery_started\"")).unwrap();
    assert!(started.contains("\"approved\":{\"by\":\"grace\",\"digest\":"), "{started}");
}

#[test]
fn on_a_terminal_a_person_is_asked_and_only_a_yes_begins() {
    let project = initialised(&plan(&[("one", "none")]));
    fs::write(
        project.root().join(".provost/registry/models/mine.yaml"),
        "id: mine_model\ntype: model\nversion: 1.0.0\nlocation: cloud\nagents: [mine]\n",
    )
    .unwrap();
    fs::write(project.root().join("plan.md"), risky("high")).unwrap();
    commit(&project);
    for answer in ["\n", "n\n", "yes please\n", "\u{4}"] {
        let (shown, code) = typed(project.command(&["run", "plan.md"]), "approve? [y/N]", answer);
        assert_eq!(code, Some(5), "{answer:?}: {shown}");
        assert!(shown.contains("task `one`: its risk is high"), "{shown}");
        assert!(!project.run(&["log", "--json"]).out.contains("delivery_started"), "{answer:?} began it");
    }
    let (shown, code) = typed(project.command(&["run", "plan.md"]), "approve? [y/N]", "y\n");
    assert_eq!(code, Some(0), "{shown}");
    let log = done(&project, &["log", "--json"]).out;
    let started = log.lines().find(|line| line.contains("\"delivery_started\"")).unwrap();
    assert!(started.contains("\"approved\":{\"by\":\"person:ada\",\"digest\":"), "{started}");
}

/// A rule about every command, with what it decides and how much it weighs.
fn rule(decision: &str, severity: &str) -> String {
    format!(
        "id: rule_r99_trial\ntype: rule\ntitle: A rule of the tests\ndescription: What it is for.\nversion: 1.0.0\nstatus: active\n\
         lineage: {{ introduced_in: v1.0, derived_from: null, supersedes: [] }}\nconstraints: {{ execution: forbidden }}\n\
         rule:\n  severity: {severity}\n  scope: {{ applies_to_types: [command], applies_to_risk: [], applies_to_phases: [] }}\n  \
         when: {{ effect_kind_is_write: true }}\n  then: {{ decision: {decision}, reason: It is a trial }}\n  \
         evidence_required: [risk_assessment]\n"
    )
}

#[test]
fn a_rule_that_denies_or_wants_a_review_stops_a_written_plan_before_it_begins() {
    let project = initialised(&plan(&[("one", "none")]));
    let file = project.root().join(".provost/registry/rules/rule_r99_trial.yaml");
    for (decision, severity, code) in
        [("deny", "error", 3), ("deny", "block", 4), ("require_review", "error", 5), ("warn", "warn", 0)]
    {
        fs::write(&file, rule(decision, severity)).unwrap();
        let arguments: &[&str] =
            if code == 0 { &["run", "plan.md", "--dry-run"] } else { &["run", "plan.md"] };
        let ran = project.run(arguments);
        assert_eq!(ran.code, Some(code), "{decision}\n{}\n{}", ran.out, ran.err);
        if matches!(code, 3 | 4) {
            assert!(
                ran.err.contains("task `one` is denied by `rule_r99_trial`: It is a trial"),
                "{}",
                ran.err
            );
        }
    }
    fs::write(&file, "id: rule_r99_trial\n").unwrap();
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(4), "nobody knows what a broken rule forbids");
    assert!(!project.run(&["log", "--json"]).out.contains("delivery_started"));
}

#[test]
fn the_policy_may_want_every_written_plan_approved() {
    let project = Project::new(&plan(&[("one", "none")]));
    let settings = project.root().join(".provost/provost.toml");
    let text = fs::read_to_string(&settings).unwrap() + "[policy]\napprove = \"explicit\"\n";
    fs::write(&settings, text).unwrap();
    let dry = done(&project, &["run", "plan.md", "--dry-run"]).out;
    assert!(dry.contains("not judged: the project has no registry with rules"), "{dry}");
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(5));
    done(&project, &["run", "plan.md", "--approve-by", "grace"]);
}
