//! Who there is and whether they work, as a person sees it: the list, and one turn of real programs on trial.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;

use crate::repository::Repository;

/// What differs between machines is not asked for here.
const OPEN: &str = "[policy]\nsandbox = \"off\"\n";

fn configured(settings: &str) -> Repository {
    let repository = Repository::new();
    repository.write(".provost/provost.toml", &format!("version = 1\n{settings}{OPEN}"));
    repository
}

/// An agent that is a shell script at the top of the checkout.
fn script(repository: &Repository, name: &str, body: &str) {
    repository.write(name, &format!("#!/bin/sh\n{body}"));
    let path = repository.path().join(name);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

const SEVERAL: &str = "[agents.claude]\ndrive = \"claude\"\nfallback = [\"small\"]\n[agents.small]\ndrive = \"pi\"\n\
    [agents.mine]\ndrive = \"command\"\nargv = [\"./mine.sh\"]\nnetwork = \"none\"\n[agents.trial]\ndrive = \"scripted\"\nscript = \"trial.yaml\"\n\
    [roles]\ndefault = \"mine\"\ncritic = \"small\"\n";

#[test]
fn agents_are_listed_with_what_they_can_do_and_what_holds_them() {
    let repository = configured(SEVERAL);
    assert_snapshot!(repository.run_among(&["pi", "gemini", "goose"], &["agents"]), @"
    claude  driven as claude: `claude` is not there; install it, or name it with its path
        can       asks before it acts, goes on with conversations, counts tokens, says its price
        stood in  small
        network   open
        writes    ~/.claude, ~/.claude.json
    mine  driven as command: `FOLDER/repository/mine.sh` is not there; install it, or name it with its path
        plays     developer, auditor
        can       prints text
        network   none
    small  driven as pi: FOLDER/programs/pi
        plays     critic
        can       prints text, never asks: walls hold it
        network   open
        writes    ~/.pi
    trial  driven as scripted
        can       prints text
        network   open
    also on the PATH: gemini, goose
    walls: no walls: `sandbox` is off
    ");
    let bare = configured("");
    assert_snapshot!(bare.run_among(&["opencode"], &["agents"]), @"
    no agent is configured; add an `[agents.NAME]` to .provost/provost.toml
    also on the PATH: opencode
    walls: no walls: `sandbox` is off
    ");
}

#[test]
fn the_list_is_one_document_for_programs() {
    let repository = configured("[agents.trial]\ndrive = \"scripted\"\nscript = \"trial.yaml\"\n");
    assert_snapshot!(repository.run_among(&["qwen"], &["agents", "--json"]), @r#"{"schema":"provost/agents/1","agents":[{"name":"trial","drive":"scripted","program":null,"found":null,"version":null,"roles":["developer","critic","auditor"],"fallback":[],"can":["prints text"],"network":"open","writable":[]}],"others":["qwen"],"walls":"no walls: `sandbox` is off"}"#);
}

#[test]
fn a_version_is_asked_of_programs_that_are_known_and_what_they_leave_is_not_waited_for() {
    let repository = configured(
        "[agents.a]\ndrive = \"claude\"\nprogram = \"./claude.sh\"\n[agents.b]\ndrive = \"pi\"\nprogram = \"./pi.sh\"\n",
    );
    script(&repository, "claude.sh", "echo \"2.1 of $1\"\necho more\nsleep 600 &\n");
    script(&repository, "pi.sh", "echo it is not asked\n");
    let said = repository.run(&["agents", "--json"]);
    assert!(said.contains(r#""version":"2.1 of --version""#), "{said}");
    assert!(!said.contains("it is not asked"), "{said}");
}

#[test]
fn an_agent_that_works_is_told_so_and_is_called_as_it_has_to_be() {
    let repository = configured("[agents.small]\ndrive = \"pi\"\nprogram = \"./pi.sh\"\nmodel = \"m\"\n");
    let body = format!(
        "echo \"$*\" >> {0}/called\ncat > {0}/asked\necho hello > hello.txt\necho READY_FOR_REVIEW: 1-1\n",
        repository.path().join("..").display()
    );
    script(&repository, "pi.sh", &body);
    assert_snapshot!(repository.run(&["agents", "test", "small"]), @"
    yes  its program starts
    yes  it gives a signal that Provost takes
    yes  it changes files in its worktree
    no   its conversation can be gone on with

    small: it wrote the file and said so
    ");
    let beside = |name: &str| fs::read_to_string(repository.path().join("..").join(name)).unwrap();
    assert_eq!(beside("called"), "--print --no-session --model m\n");
    assert!(beside("asked").starts_with("# developer of task `1-1`"));
    // Nothing of the trial is in the project.
    assert!(!repository.path().join("hello.txt").exists());
}

#[test]
fn one_that_gets_its_prompt_in_a_file_finds_it_there() {
    let repository = configured("[agents.helper]\ndrive = \"aider\"\nprogram = \"./aider.sh\"\n");
    let body = "test \"$1\" = --message-file && grep -q '^# developer' \"$2\" && echo hello > hello.txt && echo READY_FOR_REVIEW: 1-1\n";
    script(&repository, "aider.sh", body);
    assert_snapshot!(repository.run(&["agents", "test", "helper", "--json"]), @r#"{"schema":"provost/agents-test/1","agent":"helper","works":true,"started":true,"signal":true,"changed":true,"version":null,"model":null,"used":null,"resumes":false,"allowed":0,"refused":[],"trouble":null,"end":"it wrote the file and said so"}"#);
}

#[test]
fn one_that_only_says_so_is_found_out() {
    let repository = configured("[agents.mine]\ndrive = \"command\"\nargv = [\"./mine.sh\"]\n");
    script(&repository, "mine.sh", "touch other.txt\necho READY_FOR_REVIEW: 1-1\n");
    assert_snapshot!(repository.run(&["agents", "test", "mine"]), @"
    yes  its program starts
    yes  it gives a signal that Provost takes
    no   it changes files in its worktree
    no   its conversation can be gone on with

    mine: it said that it is done, and the file is not there
    exit 9
    ");
}

#[test]
fn one_that_says_nothing_or_is_not_there_is_told_in_plain_words() {
    let repository = configured(
        "[agents.mute]\ndrive = \"command\"\nargv = [\"./mute.sh\"]\n[agents.gone]\ndrive = \"gemini\"\nprogram = \"./gone\"\n",
    );
    script(&repository, "mute.sh", "echo working\n");
    assert_snapshot!(repository.run(&["agents", "test", "mute"]), @"
    yes  its program starts
    no   it gives a signal that Provost takes
    no   it changes files in its worktree
    no   its conversation can be gone on with

    mute: it ended without a signal
    exit 9
    ");
    assert_snapshot!(repository.run(&["agents", "test", "gone"]), @"
    no   its program starts
    no   it gives a signal that Provost takes
    no   it changes files in its worktree
    no   its conversation can be gone on with

    gone: the agent cannot be started: `FOLDER/repository/gone`, or the interpreter it names, was not found
    exit 9
    ");
    assert_snapshot!(repository.run(&["agents", "test", "mut"]), @"
    error[agent::unknown]: no agent `mut` is configured
     |
     = help: did you mean `mute`?
    exit 2
    ");
}
