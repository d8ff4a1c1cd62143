//! Whether all is in place, and what mends what is not.

use std::fs;

use insta::assert_snapshot;

use crate::repository::Repository;

/// A repository with a commit and an author.
fn committed() -> Repository {
    let repository = Repository::new();
    repository.write("Cargo.toml", "[package]\n");
    repository.git(&["config", "user.name", "Ada"]);
    repository.git(&["config", "user.email", "ada@example.org"]);
    repository.git(&["checkout", "--quiet", "-b", "work"]);
    repository
}

fn commit(repository: &Repository) {
    repository.git(&["add", "--all"]);
    repository.git(&["commit", "--quiet", "-m", "begin"]);
}

#[test]
fn after_init_and_a_commit_all_is_in_place() {
    let repository = committed();
    repository.run_among(&["claude", "cargo"], &["init"]);
    commit(&repository);
    assert_snapshot!(repository.run_among(&["claude", "cargo"], &["doctor"]), @"
    ok       git         git version N
    ok       repository  on the branch `work`
    ok       identity    git knows who you are
    ok       checkout    agents see all of it
    ok       settings    .provost/provost.toml is valid
    ok       agents      claude can be started
    ok       walls       bubblewrap N
    ok       roles       developer claude, critic claude, auditor claude
    ok       checks      `test` can be started
    ok       record      nothing is on record yet
    ok       disk        the record and worktrees can be written

    all is in place
    ");
}

#[test]
fn a_bare_beginning_is_told_what_to_type() {
    let repository = Repository::new();
    repository.write("README", "hello\n");
    assert_snapshot!(repository.run_among(&[], &["doctor"]), @r#"
    ok       git         git version N
    error    repository  there is no commit that work could begin from
                         mend: git add --all && git commit -m "Begin"
    warning  identity    git does not know who you are; commits are made in Provost's name
                         mend: git config --global user.name "NAME" && git config --global user.email ADDRESS
    warning  checkout    agents do not see 1 path that git does not track
                         mend: git add --all && git commit, or add to .gitignore
    warning  settings    there is no .provost/provost.toml
                         mend: provost init
    ok       walls       bubblewrap N
    error    roles       nobody plays developer, critic, auditor
                         mend: provost init
    warning  checks      no check is required, so only commands among a task's criteria prove anything
                         mend: provost init
    ok       record      nothing is on record yet
    ok       disk        the record and worktrees can be written

    2 errors, 4 warnings
    exit 9
    "#);
}

#[test]
fn each_missing_program_and_each_change_is_named() {
    let repository = committed();
    repository.write(
        ".provost/provost.toml",
        "[agents.mine]\ndrive = \"command\"\nargv = [\"mytool\"]\nenv = [\"MY_KEY\"]\n[agents.trial]\ndrive = \"scripted\"\nscript = \"trial.yaml\"\n[agents.claude]\ndrive = \"claude\"\n[roles]\ndefault = \"mine\"\nauditor = \"trial\"\n[[checks]]\nname = \"test\"\nargv = [\"cargo\", \"test\"]\nrequired = false\n[worktree]\nsetup = [[\"npm\", \"ci\"]]\n",
    );
    repository.write(".gitmodules", "[submodule \"lib\"]\n\tpath = vendor/lib\n\turl = ../lib\n");
    commit(&repository);
    repository.write("Cargo.toml", "[workspace]\n");
    repository.git(&["checkout", "--quiet", "--detach"]);
    assert_snapshot!(repository.run_among(&[], &["doctor"]), @"
    ok       git         git version N
    warning  repository  HEAD is on no branch; work begins from its commit all the same
                         mend: git switch BRANCH
    ok       identity    git knows who you are
    warning  checkout    agents see files as committed, without your changes to `Cargo.toml`
                         mend: git commit --all, or git stash
    warning  submodules  submodules are empty folders to agents: `vendor/lib`
                         mend: give agents what they need with `setup` in `[worktree]`
    ok       settings    .provost/provost.toml is valid
    warning  agents      claude, which has no role: its program `claude` was not found
                         mend: install `claude`, or change the agent in .provost/provost.toml
    error    agents      mine: its program `mytool` was not found
                         mend: install `mytool`, or change the agent in .provost/provost.toml
    warning  agents      mine: the variable MY_KEY is not set here
                         mend: export MY_KEY=…
    error    agents      trial: its script `FOLDER/repository/trial.yaml` is not there
                         mend: write FOLDER/repository/trial.yaml
    ok       walls       bubblewrap N
    ok       roles       developer mine, critic mine, auditor trial
    warning  checks      no check is required, so only commands among a task's criteria prove anything
                         mend: add a `[[checks]]` with `name` and `argv` to .provost/provost.toml
    warning  checks      `test`: its program `cargo` was not found
                         mend: install `cargo`, or change the check in .provost/provost.toml
    error    worktree    the program `npm` of `worktree.setup` was not found
                         mend: install `npm`, or change `setup` in .provost/provost.toml
    ok       record      nothing is on record yet
    ok       disk        the record and worktrees can be written

    3 errors, 7 warnings
    exit 9
    ");
}

#[test]
fn a_branch_that_leaves_no_room_for_those_of_deliveries_is_told() {
    let repository = committed();
    repository.run_among(&["claude", "cargo"], &["init"]);
    commit(&repository);
    let branches = || repository.git_says(&["for-each-ref"]);
    let before = branches();
    let found = || {
        let said = repository.run_among(&["claude", "cargo"], &["doctor"]);
        said.contains("error    branches") && said.contains("mend: git branch --move provost OTHER")
    };
    assert!(!found());
    assert_eq!(branches(), before, "looking made a branch");
    repository.git(&["branch", "provost"]);
    assert!(found());
}

#[test]
fn mistakes_damage_and_holders_are_told() {
    let repository = committed();
    commit(&repository);
    let held = repository.hold();
    repository.write(".provost/provost.toml", "[rolse]\n");
    let said = repository.run_among(&[], &["doctor"]);
    assert_snapshot!(said.lines().filter(|line| line.contains("settings") || line.contains("holder")).collect::<Vec<_>>().join("\n"), @"
    error    settings    .provost/provost.toml:1:2: there is no key `rolse` [config::unknown_key]
    ok       holder      process N (`provost note`) holds the project; commands go through it
    ");
    held.end();
    let mut bytes = fs::read(repository.segment()).unwrap();
    bytes[40] ^= 1;
    fs::write(repository.segment(), bytes).unwrap();
    let said = repository.run_among(&[], &["doctor"]);
    assert!(said.contains("error    record") && said.contains("exit 9"), "{said}");
}

#[test]
fn json_says_the_same() {
    let repository = committed();
    repository.run_among(&["claude", "cargo"], &["init"]);
    commit(&repository);
    assert_snapshot!(repository.run_among(&["claude", "cargo"], &["doctor", "--json"]), @r#"{"schema":"provost/doctor/1","ok":true,"findings":[{"about":"git","mark":"ok","message":"git version N"},{"about":"repository","mark":"ok","message":"on the branch `work`"},{"about":"identity","mark":"ok","message":"git knows who you are"},{"about":"checkout","mark":"ok","message":"agents see all of it"},{"about":"settings","mark":"ok","message":".provost/provost.toml is valid"},{"about":"agents","mark":"ok","message":"claude can be started"},{"about":"walls","mark":"ok","message":"bubblewrap N"},{"about":"roles","mark":"ok","message":"developer claude, critic claude, auditor claude"},{"about":"checks","mark":"ok","message":"`test` can be started"},{"about":"record","mark":"ok","message":"nothing is on record yet"},{"about":"disk","mark":"ok","message":"the record and worktrees can be written"}]}"#);
    let nowhere = repository.path().join("nowhere");
    assert_snapshot!(repository.run_among(&[], &["doctor", "--project", nowhere.to_str().unwrap()]), @"
    error    repository  there is no folder `FOLDER/repository/nowhere`
                         mend: name a folder that exists with `--project DIR`

    1 error, 0 warnings
    exit 9
    ");
}
