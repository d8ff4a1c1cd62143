//! What plans are made of: facts, memory, registry.

use insta::assert_snapshot;

use crate::repository::Repository;

#[test]
fn a_repository_is_looked_at() {
    let repository = Repository::new();
    repository.write("Cargo.toml", "[package]\nname = \"shop\"\n");
    repository.write("src/lib.rs", "");
    repository.write("README.md", "# Shop\n");
    repository.git(&["add", "--all"]);
    assert_snapshot!(repository.run(&["scan", "--out", "facts.json"]), @"
    project    shop without a commit
    files      3 tracked, 3 digested
    languages  rust (1)
    part       .: library in rust, cargo
    check      test: `cargo test`
    ev001      dependency: Cargo.toml
    ev002      script: Cargo.toml
    ev003      documentation: README.md
    digest     HASH
    wrote facts.json
    ");
    let written = std::fs::read_to_string(repository.path().join("facts.json")).unwrap();
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    let printed: serde_json::Value = serde_json::from_str(&repository.run(&["scan", "--json"])).unwrap();
    assert_eq!(printed["schema"], "provost/scan/1");
    assert_eq!(
        (&written["files"][0]["path"], &written["evidence"]),
        (&printed["files"][0]["path"], &printed["evidence"])
    );
    assert!(written.get("schema").is_none());
    assert_snapshot!(repository.run(&["scan", "--out", "none/facts.json"]), @"
    error[scan::output]: `none/facts.json` cannot be written: No such file or directory (os error 2)
     |
     = help: name a file in a folder that exists and that you may write
    exit 1
    ");
}

#[test]
fn something_is_written_down_and_listed() {
    let repository = Repository::new();
    assert_snapshot!(repository.run(&["memory", "list"]), @"
    error[memory::unreadable]: there is no memory in `.provost/memory`
     |
     = help: see that it exists, is a folder or a regular file, and can be read; `provost init` makes the folder
    exit 2
    ");
    let add = ["memory", "add", "the public API never breaks", "--type", "constraint", "--tag", "api"];
    assert_snapshot!(repository.run(&add), @"wrote .provost/memory/mem-407cd4883dfe.yaml; commit it for others to know");
    assert_snapshot!(repository.run(&add), @"
    error[memory::known]: this is remembered already, in `.provost/memory/mem-407cd4883dfe.yaml`
     |
     = help: change the file that was named instead
    exit 9
    ");
    assert_snapshot!(repository.run(&["memory", "list"]), @"mem-407cd4883dfe   project  constraint   the public API never breaks");
    let json: serde_json::Value =
        serde_json::from_str(&repository.run(&["memory", "list", "--json"])).unwrap();
    assert_eq!(json["memories"][0]["tags"][0], "api");
    assert_snapshot!(repository.run(&["memory", "add", "unsure", "--confidence", "2"]), @"
    error[schema::out_of_range]: confidence is `2.0`, and 0 to 1 is accepted
     |
     = help: stay within the bounds that the message names
    exit 2
    ");
    repository.write(".provost/memory/mine.yaml", "id: mine\nscope: here\n");
    assert_snapshot!(repository.run(&["memory", "list"]), @"
    error[schema::missing]: .provost/memory/mine.yaml:1:1: the key `type` is missing in the document
     |
     = help: add `type`: what it is
    error[schema::missing]: .provost/memory/mine.yaml:1:1: the key `content` is missing in the document
     |
     = help: add `content`: what to remember
    error[schema::missing]: .provost/memory/mine.yaml:1:1: the key `created_at` is missing in the document
     |
     = help: add `created_at`: when it was written
    error[schema::not_allowed]: .provost/memory/mine.yaml:1:5: id is `mine`, which is not of the form `^mem-[a-z0-9]+$`
     |
     = help: write it in that form
    error[schema::not_allowed]: .provost/memory/mine.yaml:2:8: scope is `here`, which is none of global, repo, project, agent, task
     |
     = help: write one of global, repo, project, agent, task
    exit 2
    ");
}

#[test]
fn the_first_registry_passes_and_what_people_break_is_named() {
    let repository = Repository::new();
    assert_snapshot!(repository.run(&["rules", "check"]), @"
    error[registry::unreadable]: there is no registry in `.provost/registry`
     |
     = help: see that it exists, is a folder or a regular file, and can be read; `provost init` writes a first registry
    exit 2
    ");
    repository.run_among(&["claude"], &["init"]);
    assert_snapshot!(repository.run(&["rules", "check"]), @"
    usable: 7 workflows, 8 agents, 16 commands, 21 rules, 0 experts, 1 models
    agents: 9 of the rules judge what they ask to do
    errors: 0, warnings: 0
    ");
    repository.write(
        ".provost/registry/commands/mine.yaml",
        "id: cmd_mine\nversion: 1.0.0\nrisk_level: low\neffects: [{scope: repo, kind: read}]\n\
         workflow_links:\n  - workflow: fix_bugs\n    phases: [analysis]\n",
    );
    repository.write(".provost/registry/agents/odd.yaml", "id: some_agent\n");
    assert_snapshot!(repository.run(&["rules", "check"]), @"
    error    .provost/registry/agents/odd.yaml:1:1: the key `version` is missing in the document [schema::missing]
             help: add `version`: the version, such as 1.0.0
    warning  .provost/registry/commands/mine.yaml:6:15: there is no workflow `fix_bugs` [registry::link]
             help: did you mean `fix_bug`?
    warning  .provost/registry/commands/mine.yaml:1:5: the command `cmd_mine` does not say its `lineage.introduced_in` [registry::lineage]
             help: add `lineage` with `introduced_in` and `derived_from`; null says that it has no parent

    usable: 7 workflows, 8 agents, 17 commands, 21 rules, 0 experts, 1 models
    agents: 9 of the rules judge what they ask to do
    errors: 1, warnings: 2
    exit 2
    ");
    repository.write(".provost/registry/rules/mine.yaml", "id: rule_r30_mine\nversion: 1.0.0\n");
    let json: serde_json::Value = {
        let said = repository.run(&["rules", "check", "--json"]);
        assert!(said.ends_with("exit 4\n"), "{said}");
        serde_json::from_str(said.lines().next().unwrap()).unwrap()
    };
    assert_eq!(
        (&json["ok"], &json["counts"][3]["usable"], &json["counts"][3]["broken"]),
        (&false.into(), &21.into(), &1.into())
    );
}

#[test]
fn what_an_agent_would_be_told_can_be_asked() {
    let repository = Repository::new();
    let ask = |act: &str, role: &str| repository.run(&["rules", "explain", "--act", act, "--role", role]);
    assert_snapshot!(ask(r#"{"tool":"Bash","command":"cargo test -q"}"#, "auditor"), @r#"
    allowed to the auditor: allowed by `rule_r18_build_and_test`
    fired rule_r18_build_and_test (info): allow
      because field_equals deed "run" is true
      because field_equals plain true is true
      because field_equals by_path false is true
      because field_equals inside true is true
      because field_equals protected false is true
      because field_equals program "cargo" is true
      because field_in subcommand ["b", "bench", "build", "c", "check", "clippy", "doc", "locate-project", "metadata", "nextest", "r", "run", "t", "test", "tree", "version", "--version", "-V"] is true
    of 9 built-in rules the condition of 8 does not hold

    tool          "Bash"
    deed          "run"
    server        null
    role          "auditor"
    agent         "AGENT"
    task          "TASK"
    paths         []
    inside        true
    in_files      false
    protected     false
    command       "cargo test -q"
    plain         true
    program       "cargo"
    by_path       false
    subcommand    "test"
    option_first  false
    options       ["-q"]
    words         ["cargo","test","-q"]
    host          null
    cut           false
    "#);
    repository.run_among(&["claude"], &["init"]);
    assert_snapshot!(ask(r#"{"tool":"Bash","command":"cargo test; rm -rf ~"}"#, "developer"), @r#"
    refused to the developer: no rule allows it: the command is not plain; run one program at a time, without `;`, `&&`, `|`, `>`, `$`, globs, escapes or variables before it (a rule with `applies_to_types: [act]` that says `allow` would)
    of 9 rules for acts the condition of 9 does not hold

    tool          "Bash"
    deed          "run"
    server        null
    role          "developer"
    agent         "AGENT"
    task          "TASK"
    paths         []
    inside        false
    in_files      false
    protected     false
    command       "cargo test; rm -rf ~"
    plain         false
    program       null
    by_path       false
    subcommand    null
    option_first  false
    options       ["-f","-r","-rf"]
    words         ["cargo","test","rm","-rf","~"]
    host          null
    cut           false
    "#);
}

#[test]
fn whoever_judges_is_told_not_to_write_and_odd_acts_are_refused() {
    let repository = Repository::new();
    repository.run_among(&["claude"], &["init"]);
    let ask = |act: &str, role: &str| repository.run(&["rules", "explain", "--act", act, "--role", role]);
    assert_snapshot!(ask(r#"{"tool":"Edit","deed":"write","paths":["src/../.git/config"]}"#, "critic"), @r#"
    refused to the critic: rule_r20_judges_never_write denies it: Who judges does not change files (Say in the verdict what should change)
    fired rule_r20_judges_never_write (block): deny
      because field_in role ["critic", "auditor"] is true
      because field_equals deed "write" is true
    of 9 rules for acts the condition of 8 does not hold

    tool          "Edit"
    deed          "write"
    server        null
    role          "critic"
    agent         "AGENT"
    task          "TASK"
    paths         [".git/config"]
    inside        true
    in_files      true
    protected     true
    command       null
    plain         false
    program       null
    by_path       false
    subcommand    null
    option_first  false
    options       []
    words         []
    host          null
    cut           false
    "#);
    assert_snapshot!(ask(r#"{"tool":"Edit"}"#, "developer"), @r#"
    error[cli::usage]: the act cannot be used: `deed` has to say read, write, run, fetch or other
     |
     = help: write it as JSON, such as '{"tool":"Bash","command":"cargo test"}'
    exit 2
    "#);
    assert_snapshot!(ask(r#"{"tool":"Edit","run":1}"#, "developer"), @r#"
    error[cli::usage]: the act cannot be used: unknown field `run`, expected one of `tool`, `deed`, `paths`, `command`, `address`
     |
     = help: write it as JSON, such as '{"tool":"Bash","command":"cargo test"}'
    exit 2
    "#);
}

#[test]
fn an_act_is_explained_as_json_and_broken_rules_allow_nothing() {
    let repository = Repository::new();
    repository.run_among(&["claude"], &["init"]);
    let act = r#"{"tool":"Bash","command":"git log --output=x"}"#;
    let said = repository.run(&["rules", "explain", "--act", act, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&json["allowed"], &json["origin"]), (&false.into(), &"registry".into()));
    assert_eq!(json["rules"][0], "rule_r21_options_that_start_others");
    assert_eq!(json["fields"]["options"][0], "--output");
    repository.write(".provost/registry/rules/mine.yaml", "id: rule_r30_mine\nversion: 1.0.0\n");
    let said = repository.run(&["rules", "explain", "--act", r#"{"tool":"Bash","command":"ls"}"#]);
    assert!(said.starts_with("refused to the developer: no rule can be trusted"), "{said}");
}
