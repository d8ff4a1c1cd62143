//! Planning in a project: from an intent to the record, and what is shown of it.

use std::fs;

use insta::assert_snapshot;
use provost_runtime::home::Home;
use serde_json::json;

use crate::stage::{Stage, high, low, sealed};

#[test]
fn an_intent_becomes_a_frozen_plan_that_is_found_again_and_approved() {
    let stage = Stage::new();
    let intent = stage.intent(&sealed(low()));
    let first = stage.run(&["plan", &intent]).ended(0);
    assert_snapshot!(first.shown(), @"
    coord_run_ID  The greeting names the guest
    frozen (DONE), risk low

    graph_ID, final 1, 2 actions for intent_greeting_in_words
    implement_feature
    ├─ analysis · maintainer
    │  └─ cmd_read_code · read · low · maintainer
    ├─ implementation · maintainer
    │  ├─ cmd_change_code · write · low · maintainer
    │  └─ gate: architecture review · maintainer
    └─ review · maintainer

    gate architecture: not approved
      the change fits how the whole is built
      no dependency is new without a reason

    next: provost approve coord_run_ID --reason TEXT
    then: provost run coord_run_ID
    ");
    let again = stage.run(&["plan", &intent, "--json"]).ended(0).json();
    assert_eq!((&again["schema"], &again["existing"]), (&json!("provost/plan/1"), &json!(true)));
    assert_eq!(
        (&again["final_state"], &again["failure"], &again["out"]),
        (&json!("DONE"), &json!(null), &json!(null))
    );
    let run = again["run_id"].as_str().unwrap();
    assert!(first.out.starts_with(run));
    assert_eq!(stage.run(&["log"]).out.matches("planning of").count(), 1);
    assert_snapshot!(stage.run(&["status"]).ended(0).shown(), @"coord_run_ID  The greeting names the guest  (frozen, not approved: architecture)");
    assert_eq!(stage.run(&["approve", run, "--gate", "taste", "--reason", "x"]).ended(9).out, "");
    let short = &run["coord_run_".len()..][..8];
    assert_snapshot!(stage.run(&["approve", short, "--gate", "architecture", "--reason", "looked"]).ended(0).shown(), @"
    person:ada approved architecture of coord_run_ID
    next: provost run coord_run_ID
    ");
    let shown = stage.run(&["show", short, "--json"]).ended(0).json();
    assert_eq!(shown["gates"][0]["approved_by"][0], "person:ada");
    assert!(stage.run(&["show", run, "--graph", "mermaid"]).ended(0).out.starts_with("flowchart TD\n"));
    assert!(stage.run(&["show", short, "--graph", "dot"]).ended(0).out.starts_with("digraph "));
    assert_eq!(
        stage.run(&["show", run, "--graph", "json", "--json"]).ended(0).json()["intent_id"],
        low()["id"]
    );
    assert_snapshot!(stage.run(&["verify", run]).ended(0).shown(), @"verified: 21 documents, and planning again gives the same");
    stage.run(&["verify"]).ended(0);
}

#[test]
fn a_question_is_listed_answered_and_the_plan_goes_on() {
    let stage = Stage::new();
    let asked = stage.plan(&sealed(high()), 5);
    let run = asked["run_id"].as_str().unwrap();
    assert_eq!(
        (&asked["final_state"], &asked["questions"][0]["question_id"]),
        (&json!("AWAITING_ANSWERS"), &json!("q_0001"))
    );
    assert_snapshot!(stage.run(&["questions"]).ended(0).shown(), @"
    q_0001 (coord_run_ID): Much is at stake and nothing says how to go back. How is the change undone?
      provost answer coord_run_ID q_0001=TEXT
    ");
    assert_eq!(stage.run(&["questions", "--json"]).json()["questions"][0]["run"], run);
    assert_snapshot!(stage.run(&["rules", "explain", run, "cmd_migrate_table"]).ended(0).shown(), @"
    command 2 cmd_migrate_table: require_review (There is no way back), risk high, effects write
      the denial is put off until somebody has answered
    fired rule_r12_way_back (error): deny
      because risk_level_high_or_critical is true
      because rollback_plan_missing is true
      reason: There is no way back
      required: Say how it is undone
    of 1 rules the condition of 0 does not hold, 0 are about something else, 0 lack a fact and could not stop it, 0 judge other content
    ");
    stage.run(&["rules", "explain", run, "cmd_none"]).ended(2);
    stage.run(&["approve", run, "--reason", "early"]).ended(9);
    // What does not fit is refused, and the run goes on waiting.
    let said = stage.run(&["answer", run, "q_0002=yes"]).ended(2);
    assert!(said.err.contains("answers::question") && said.err.contains("q_0001"), "{}", said.err);
    let file = stage.beside("answers.json");
    std::fs::write(&file, "{}").unwrap();
    stage.run(&["answer", run, "--file", &file.display().to_string()]).ended(2);
    assert_eq!(stage.run(&["show", run, "--json"]).json()["final_state"], "AWAITING_ANSWERS");
    let done = stage.run(&["answer", run, "q_0001=restore the copy of last night", "--json"]).ended(0).json();
    assert_eq!(
        (&done["schema"], &done["run_id"], &done["final_state"]),
        (&json!("provost/answer/1"), &json!(run), &json!("DONE"))
    );
    assert_eq!(stage.run(&["questions"]).ended(0).out, "nothing waits for you\n");
    stage.run(&["answer", run, "q_0001=again"]).ended(9);
    stage.run(&["verify", run]).ended(0);
    let log = stage.run(&["log"]).out;
    assert!(log.contains("waiting for answers") && log.contains("frozen"), "{log}");
}

#[test]
fn silence_blocks_where_no_default_may_stand_in() {
    let stage = Stage::new();
    let run = stage.plan(&sealed(high()), 5)["run_id"].as_str().unwrap().to_owned();
    let said = stage.run(&["answer", &run, "--defaults", "--json"]).ended(3).json();
    assert_eq!(
        (&said["final_state"], &said["failure"]["code"]),
        (&json!("BLOCKED"), &json!("planning::unanswered"))
    );
}

#[test]
fn what_stops_a_plan_is_named_with_its_exit_status() {
    let stage = Stage::new();
    // The seal is broken: whoever submitted it can mend that.
    let mut intent = sealed(low());
    intent["title"] = json!("Another title");
    let blocked = stage.plan(&intent, 3);
    assert_eq!(
        (&blocked["final_state"], &blocked["failure"]["code"]),
        (&json!("BLOCKED"), &json!("intent::checksum"))
    );
    for key in ["type", "message", "recovery"] {
        assert!(!blocked["failure"][key].is_null(), "{key}");
    }
    let intent = stage.intent(&intent);
    let shown = stage.run(&["plan", &intent]).ended(3).shown().replace(&intent, "FILE");
    assert_snapshot!(shown, @"
    planned before from the same inputs; `--again RUN` makes a successor
    coord_run_ID  Another title
    blocked: can be mended (BLOCKED)

    intent::checksum at PRECHECKED (constraint_violation)
      FILE:1:22: intent::checksum: audit.checksum is not the digest of this intent in any profile
      to mend it: see that nobody changed the intent, then seal it again with `provost intent seal FILE`

    next: mend what is named above, then `provost plan` again
    ");
    // Something asks to be run: nobody may mend that by editing data.
    let mut intent = low();
    intent["planned_commands"][1]["shell"] = json!("make");
    let aborted = stage.plan(&sealed(intent), 4);
    assert_eq!(
        (&aborted["final_state"], &aborted["failure"]["type"]),
        (&json!("ABORTED"), &json!("red_line_violation"))
    );
    // Both are on the record and neither waits for anybody.
    assert_eq!(stage.run(&["status"]).out.lines().count(), 1);
    stage.run(&["verify", blocked["run_id"].as_str().unwrap()]).ended(0);
    stage.run(&["verify", aborted["run_id"].as_str().unwrap()]).ended(0);
}

#[test]
fn a_successor_replaces_a_run_and_is_itself_found_again() {
    let stage = Stage::new();
    let first = stage.plan(&sealed(low()), 0)["run_id"].as_str().unwrap().to_owned();
    let next = stage.run(&["plan", "--again", &first, "--json"]).ended(0).json();
    assert_eq!((&next["supersedes"], &next["existing"]), (&json!(first), &json!(false)));
    assert_ne!(next["run_id"], json!(first));
    let same = stage.run(&["plan", "--again", &first, "--json"]).ended(0).json();
    assert_eq!((&same["run_id"], &same["existing"]), (&next["run_id"], &json!(true)));
    let status = stage.run(&["status", "--json"]).json();
    assert_eq!(status["runs"].as_array().unwrap().len(), 1);
    stage.run(&["plan", "--again", "coord_run_0000"]).ended(2);
}

#[test]
fn the_policy_of_the_project_holds_unless_another_is_named() {
    let stage = Stage::new();
    stage.write(".provost/provost.toml", "[policy]\nconstraints = { forbidden_operations = [\"write\"] }\n");
    let blocked = stage.plan(&sealed(low()), 3);
    assert_eq!(blocked["failure"]["code"], "policy::forbids");
    let policy = stage.beside("policy.yaml");
    std::fs::write(&policy, "schema_version: 1.0.0\nmode: interactive\n").unwrap();
    let (intent, policy) = (stage.intent(&sealed(low())), policy.display().to_string());
    stage.run(&["plan", &intent, "--policy", &policy]).ended(0);
    stage.write(".provost/provost.toml", "[policy]\nmode = \"sometimes\"\nmod = 1\n");
    let said = stage.run(&["plan", &intent]).ended(2);
    assert_snapshot!(said.shown(), @r#"
    error[schema::not_allowed]: mode is `sometimes`, which is none of full_auto, semi_auto, interactive
     --> .provost/provost.toml:2:1
      |
    2 | mode = "sometimes"
      | ^^^^
      |
      = help: write one of full_auto, semi_auto, interactive
    error[schema::unknown_key]: the document has no key `mod`
     --> .provost/provost.toml:3:1
      |
    3 | mod = 1
      | ^^^
      |
      = help: did you mean `mode`?
    "#);
}

#[test]
fn views_come_back_and_nothing_is_read_from_them() {
    let stage = Stage::new();
    let run = stage.plan(&sealed(low()), 0)["run_id"].as_str().unwrap().to_owned();
    let folder = stage.state().join("plans").join(&run);
    let before = std::fs::read(folder.join("graph.json")).unwrap();
    std::fs::write(folder.join("graph.json"), "{}").unwrap();
    std::fs::write(folder.join("mine.json"), "{}").unwrap();
    stage.run(&["verify", &run]).ended(6);
    stage.run(&["verify", &folder.display().to_string()]).ended(6);
    stage.run(&["rebuild"]).ended(0);
    stage.run(&["verify", &folder.display().to_string()]).ended(0);
    std::fs::remove_dir_all(stage.state().join("plans")).unwrap();
    stage.run(&["rebuild"]).ended(0);
    assert_eq!(std::fs::read(folder.join("graph.json")).unwrap(), before);
    stage.run(&["verify", &folder.display().to_string()]).ended(0);
    // The artifact is what counts.
    let home = Home::find(&stage.path()).unwrap();
    let artifacts = home.state.join("artifacts");
    for inner in std::fs::read_dir(artifacts).unwrap() {
        for file in std::fs::read_dir(inner.unwrap().path()).unwrap() {
            std::fs::write(file.unwrap().path(), "changed").unwrap();
        }
    }
    stage.run(&["verify", &run]).ended(6);
    stage.run(&["verify"]).ended(6);
}

#[test]
fn a_run_goes_through_whoever_holds_the_project() {
    let stage = Stage::new();
    let mut holder = stage.command(&["note", "-"]);
    let mut holder =
        holder.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut input = holder.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"first\n").unwrap();
    let mut output = std::io::BufReader::new(holder.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("noted as record") {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut output, &mut line).unwrap() > 0);
    }
    let run = stage.plan(&sealed(high()), 5)["run_id"].as_str().unwrap().to_owned();
    stage.run(&["answer", &run, "q_0001=restore the copy"]).ended(0);
    stage.run(&["approve", &run, "--reason", "looked"]).ended(0);
    drop(input);
    assert!(holder.wait().unwrap().success());
    stage.run(&["verify", &run]).ended(0);
}

#[test]
fn what_people_read_of_a_plan_is_verified_with_it() {
    let stage = Stage::new();
    let run = stage.run(&["plan", &stage.intent(&sealed(low())), "--json"]).ended(0).json();
    let run = run["run_id"].as_str().unwrap();
    let folder = stage.state().join("plans").join(run);
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let kept = fs::read(&path).unwrap();
        let mut bytes = kept.clone();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
        let said = stage.run(&["verify", run]).ended(6);
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(said.err.contains(&format!("`{name}`")) && said.err.contains("rebuild"), "{}", said.err);
        fs::write(&path, kept).unwrap();
    }
    stage.run(&["verify", run]).ended(0);
    fs::remove_file(folder.join("review.md")).unwrap();
    stage.run(&["verify", run]).ended(0);
    fs::write(folder.join("review.md"), "All is well.").unwrap();
    stage.run(&["verify", run]).ended(6);
    stage.run(&["rebuild"]).ended(0);
    stage.run(&["verify", run]).ended(0);
}

#[test]
fn a_question_of_planning_is_answered_where_it_says() {
    let stage = Stage::new();
    let mut intent = low();
    intent["planned_commands"] = json!([]);
    let run = stage.run(&["plan", &stage.intent(&sealed(intent)), "--json"]).ended(5).json();
    let run = run["run_id"].as_str().unwrap();
    let line = format!("provost answer {run} q_0001=TEXT");
    assert!(stage.run(&["reply", "q_0001", "withdraw"]).ended(2).err.contains(&line));
    let said = stage.run(&["answer", run, "q_0001=yes"]).ended(2);
    assert!(said.err.contains("`plan_without_actions`, `withdraw`") && !said.err.contains("answers.json"));
    assert_eq!(stage.run(&["show", run, "--json"]).ended(0).json()["final_state"], "AWAITING_ANSWERS");
    stage.run(&["answer", run, "q_0001=withdraw"]).ended(3);
}
