//! Settings: from the file to the record.

use std::fs;

use insta::assert_snapshot;

use crate::repository::Repository;

#[test]
fn a_changed_setting_is_shown_with_its_origin_and_put_on_the_record_once() {
    let repository = Repository::new();
    fs::create_dir(repository.path().join(".provost")).unwrap();
    let file = repository.path().join(".provost/provost.toml");
    fs::write(&file, "version = 1\n\n[limits]\nagents = 3\n").unwrap();
    let printed = repository.run(&["config"]);
    assert_snapshot!(printed.lines().take(2).collect::<Vec<_>>().join("\n"), @"
    limits.agents                       3  .provost/provost.toml:4
    limits.critic_failures              3  default
    ");
    repository.run(&["note", "one"]);
    repository.run(&["note", "two"]);
    fs::remove_file(&file).unwrap();
    assert_snapshot!(repository.run(&["note", "three"]), @"
    settings: limits.agents 3 → 5
    noted as record 9
    ");
    let log = repository.run(&["log"]);
    let settings: Vec<&str> = log.lines().filter(|line| line.contains("settings")).collect();
    assert_snapshot!(settings.join("\n"), @"
    3  DATE TIME  person:ada        settings: limits.agents 5 → 3
    8  DATE TIME  person:ada        settings: limits.agents 3 → 5
    ");
}

#[test]
fn every_section_is_shown_as_text_and_as_json() {
    let repository = Repository::new();
    repository.write(
        ".provost/provost.toml",
        "[agents.mine]\ndrive = \"command\"\nargv = [\"mytool\"]\n[[checks]]\nname = \"test\"\nargv = [\"make\", \"test\"]\n",
    );
    let printed = repository.run(&["config"]);
    let others = printed.lines().filter(|line| !line.starts_with("limits."));
    assert_snapshot!(others.collect::<Vec<_>>().join("\n"), @r#"
    agents.mine.drive            "command"  .provost/provost.toml:2
    agents.mine.argv             ["mytool"]  .provost/provost.toml:3
    agents.mine.prompt            "stdin"  default
    agents.mine.env                    []  default
    agents.mine.network            "open"  default
    agents.mine.writable               []  default
    agents.mine.nests               false  default
    agents.mine.fallback               []  default
    roles.default                  "mine"  the only agent
    roles.developer                "mine"  roles.default
    roles.critic                   "mine"  roles.default
    roles.auditor                  "mine"  roles.default
    checks.test.argv             ["make","test"]  .provost/provost.toml:6
    checks.test.expect_exit             0  default
    checks.test.limit_s               600  limits.check_s
    checks.test.required             true  default
    checks.test.network             false  default
    checks.test.writable               []  default
    checks.test.nests               false  default
    worktree.setup                     []  default
    worktree.copy                      []  default
    worktree.root                    none  default
    worktree.writable                  []  default
    landing.bypassed                "ask"  default
    spend.task_usd                   none  default
    spend.delivery_usd               none  default
    spend.task_tokens                none  default
    policy.approve                "typed"  default
    policy.sandbox               "prefer"  default
    policy.while_waiting           "halt"  default
    policy.mode                  "interactive"  default
    "#);
    let json = repository.run(&["config", "--json"]);
    assert!(json.contains(
        r#"{"name":"checks.test.argv","value":["make","test"],"origin":".provost/provost.toml:6"}"#
    ));
    assert!(json.contains(r#"{"name":"limits.agents","value":5,"origin":"default"}"#));
}

#[test]
fn mistakes_in_the_file_are_shown_at_their_place_and_nothing_is_recorded() {
    let repository = Repository::new();
    fs::create_dir(repository.path().join(".provost")).unwrap();
    fs::write(repository.path().join(".provost/provost.toml"), "[limits]\nagnets = 3\ncritic_s = 0\n")
        .unwrap();
    assert_snapshot!(repository.run(&["note", "one"]), @"
    error[config::unknown_key]: there is no key `agnets`
     --> .provost/provost.toml:2:1
      |
    2 | agnets = 3
      | ^^^^^^
      |
      = help: did you mean `agents`?
    error[config::value]: `limits.critic_s` must be a whole number from 1 to 1000000
     --> .provost/provost.toml:3:12
      |
    3 | critic_s = 0
      |            ^
      |
      = help: give a value of the right kind, or remove the key to have its default
    exit 2
    ");
    assert_snapshot!(repository.run(&["log"]), @r#"nothing is on record yet; `provost note "TEXT"` records a remark"#);
}
