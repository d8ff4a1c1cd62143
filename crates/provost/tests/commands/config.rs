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
      = help: give a value of the right kind; `provost config` shows the values in force
    exit 2
    ");
    assert_snapshot!(repository.run(&["log"]), @r#"nothing is on record yet; `provost note "TEXT"` records a remark"#);
}
