//! The first command in a repository.

use std::fs;

use insta::assert_snapshot;

use crate::repository::Repository;

#[test]
fn what_is_found_becomes_settings_and_a_second_time_is_harmless() {
    let repository = Repository::new();
    repository.write("Cargo.toml", "[package]\n");
    repository.write("Makefile", "lint:\n\ttrue\n");
    assert_snapshot!(repository.run_among(&["claude", "codex", "cargo"], &["init"]), @"
    found the agent claude
    found the agent codex
    found the check test: `cargo test` (Cargo.toml)
    found the check lint: `make lint` (Makefile)
    wrote .provost/provost.toml
    wrote .provost/registry
    wrote .provost/memory/.gitkeep
    wrote plan.md

    next:
      git add .provost       and commit it: it belongs to the project, all of it
      provost doctor         see that all is in place
      $EDITOR plan.md        say what you want, or keep the sample
      provost run plan.md    deliver it
    ");
    let settings = repository.path().join(".provost/provost.toml");
    let written = fs::read_to_string(&settings).unwrap();
    assert_snapshot!(written, @r#"
    # What Provost works with here. `provost config` shows every setting there is.
    version = 1

    [agents.claude]
    drive = "claude"
    # env = ["ANTHROPIC_API_KEY"]   # names of variables that it may see

    [agents.codex]
    drive = "codex"
    # env = ["OPENAI_API_KEY"]   # names of variables that it may see

    # Who implements, reviews and verifies; `developer`, `critic` and `auditor` can be named one by one.
    [roles]
    default = "claude"

    # Work lands only when every check passes; `required = false` makes one a remark.
    [[checks]]   # found in Cargo.toml
    name = "test"
    argv = ["cargo", "test"]

    [[checks]]   # found in Makefile
    name = "lint"
    argv = ["make", "lint"]

    # [worktree]
    # setup = [["make", "deps"]]   # runs in each new worktree
    # copy = [".env.test"]         # files that git ignores and a worktree needs
    "#);
    assert!(repository.path().join(".provost/memory/.gitkeep").is_file());
    assert_snapshot!(repository.run_among(&[], &["init"]), @"
    found no agent that Provost drives by itself
    found the check test: `cargo test` (Cargo.toml)
    found the check lint: `make lint` (Makefile)
    left as it is: .provost/provost.toml
    left as it is: .provost/registry
    left as it is: .provost/memory
    left as it is: plan.md

    next:
      provost doctor         see that all is in place
      provost run plan.md    deliver it
    ");
    assert_eq!(fs::read_to_string(&settings).unwrap(), written);
}

#[test]
fn without_an_agent_there_is_an_example_and_a_word_about_it() {
    let repository = Repository::new();
    assert_snapshot!(repository.run_among(&[], &["init"]), @"
    found no agent that Provost drives by itself
    found no command that tests the project
    wrote .provost/provost.toml
    wrote .provost/registry
    wrote .provost/memory/.gitkeep
    wrote plan.md

    next:
      configure an agent in .provost/provost.toml; it has an example
      name a check in .provost/provost.toml
      git add .provost       and commit it: it belongs to the project, all of it
      provost doctor         see that all is in place
      $EDITOR plan.md        say what you want, or keep the sample
      provost run plan.md    deliver it
    ");
    assert_snapshot!(fs::read_to_string(repository.path().join(".provost/provost.toml")).unwrap(), @r#"
    # What Provost works with here. `provost config` shows every setting there is.
    version = 1

    # No agent that Provost drives by itself was found. Any program can be one: it reads a prompt and prints a signal.
    # [agents.mine]
    # drive = "command"
    # argv = ["mytool", "--folder", "{worktree}"]   # also {role} {task} {attempt} {prompt_file}
    # prompt = "stdin"                               # or "file"
    # env = ["MY_API_KEY"]                           # names of variables that it may see
    #
    # [roles]
    # default = "mine"

    # Work lands only when every check passes; `required = false` makes one a remark.
    # None was found. Without one only commands among a task's criteria prove anything; `provost run` asks about tasks without.
    # [[checks]]
    # name = "test"
    # argv = ["make", "test"]

    # [worktree]
    # setup = [["make", "deps"]]   # runs in each new worktree
    # copy = [".env.test"]         # files that git ignores and a worktree needs
    "#);
    assert_snapshot!(fs::read_to_string(repository.path().join("plan.md")).unwrap(), @"
    # A first plan

    A sample that can be delivered as it is, to see how it goes. Replace the tasks with your own.

    #### Task 1: Say what this project is for

    **Work**: Read the repository and add `HELLO.md`: a title, and one sentence on what the project is for.

    **Acceptance Criteria**:
    - [ ] `test -s HELLO.md` exits 0

    **Blocked By**: none
    **Files**: `HELLO.md`
    **Risk**: low

    ---

    #### Task 2: Say how it is tested

    **Work**: Add a section `## Tests` to `HELLO.md` with the command that runs the project's tests.

    **Acceptance Criteria**:
    - [ ] `grep -q '## Tests' HELLO.md` exits 0

    **Blocked By**: 1
    **Files**: `HELLO.md`
    **Risk**: low
    ");
}

#[test]
fn what_people_wrote_is_left_alone() {
    let repository = Repository::new();
    repository.write("plan.md", "mine\n");
    repository.write(".provost/memory/facts.yaml", "mine\n");
    assert_snapshot!(repository.run_among(&["claude"], &["init", "--json"]), @r#"{"schema":"provost/init/1","agents":["claude"],"checks":[],"wrote":[".provost/provost.toml",".provost/registry"],"kept":[".provost/memory","plan.md"]}"#);
    assert_eq!(fs::read_to_string(repository.path().join("plan.md")).unwrap(), "mine\n");
    assert!(!repository.path().join(".provost/memory/.gitkeep").exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let repository = Repository::new();
    repository.write(".provost", "a file\n");
    assert_snapshot!(repository.run_among(&[], &["init"]), @"
    error[project::folder]: .provost/provost.toml cannot be written: File exists (os error 17)
     |
     = help: see that the folder exists, belongs to you, and is on a disk that can be written
    exit 1
    ");
}
