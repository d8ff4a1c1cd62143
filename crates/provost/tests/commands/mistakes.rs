//! What people and machines do wrong, and what must not come of it.

use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use insta::assert_snapshot;

use crate::repository::Repository;

#[test]
fn an_idle_holder_whose_lock_file_was_removed_cuts_nothing_off() {
    let repository = Repository::new();
    let mut held = repository.hold();
    held.say("so that room is reserved");
    fs::remove_file(repository.state().join("journal/lock")).unwrap();
    assert_eq!(repository.run(&["note", "by another"]), "noted as record 6\n");
    held.end();
    assert!(repository.run(&["verify"]).starts_with("verified: 6 records"));
}

#[test]
fn a_cut_is_told_and_recorded_also_when_the_command_is_refused() {
    let repository = Repository::new();
    repository.run(&["note", "one"]);
    repository.run(&["note", "two"]);
    let bytes = fs::read(repository.segment()).unwrap();
    fs::write(repository.segment(), &bytes[..bytes.len() - 100]).unwrap();
    let said = repository.run(&["note", ""]);
    assert!(said.contains("warning[journal::cut]") && said.contains("error[note::empty]"), "{said}");
    assert!(repository.run(&["log"]).contains("was cut off"));
}

#[test]
fn remarks_are_recorded_also_when_nobody_reads_the_answers() {
    let repository = Repository::new();
    let mut command = repository.command(&["note", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    for number in 0..200 {
        writeln!(input, "remark {number}").unwrap();
    }
    drop(input);
    assert!(child.wait().unwrap().success());
    assert!(repository.run(&["verify"]).starts_with("verified: 202 records"));
}

#[test]
fn lines_that_are_no_remarks_are_named() {
    let repository = Repository::new();
    let say = |bytes: &[u8]| {
        let mut command = repository.command(&["note", "-"]);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(say(b"fine\n\xff\n").contains("line 2 is not UTF-8"));
    assert!(say(&b"x".repeat(9_000)).contains("line 1 has more than 8192 bytes"));
    assert!(repository.run(&["log"]).contains("note: fine"));
}

#[test]
fn wrong_arguments_are_json_for_those_who_want_json() {
    let repository = Repository::new();
    assert_snapshot!(repository.run(&["--json", "note"]), @r#"
    {"schema":"provost/error/1","ok":false,"exit":2,"errors":[{"code":"cli::usage","severity":"error","message":"the following required arguments were not provided: <TEXT>","help":"see `provost --help`, or `provost COMMAND --help`"}]}
    exit 2
    "#);
    assert!(
        repository.run(&["--json", "reply"]).contains(r#"were not provided: <QUESTION>, <ANSWER>","help""#),
        "every one is named"
    );
    let said = repository.run(&["--json", "run", "plan.md", "--dryrun"]);
    assert!(said.contains(r#""help":"a similar argument exists: '--dry-run'""#), "{said}");
    assert_snapshot!(repository.run(&["--json", "explode"]), @r#"
    {"schema":"provost/error/1","ok":false,"exit":2,"errors":[{"code":"cli::usage","severity":"error","message":"unrecognized subcommand 'explode'","help":"a similar subcommand exists: 'explain'"}]}
    exit 2
    "#);
}

#[test]
fn output_that_cannot_be_written_is_noticed() {
    let repository = Repository::new();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    for arguments in
        [&["note", "x"][..], &["--json", "status"], &["--json", "show", "d-9"], &["--json", "log"]]
    {
        let full = full.try_clone().unwrap();
        let output = repository.command(arguments).stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let (status, code) =
            if arguments.contains(&"show") { (2, "delivery::unknown") } else { (1, "output::failed") };
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        assert!(said.starts_with(&format!("error[{code}]")), "{arguments:?}: {said}");
    }
}

#[test]
fn an_empty_record_and_its_head_agree() {
    let repository = Repository::new();
    let head = String::from_utf8(repository.command(&["log", "--head"]).output().unwrap().stdout).unwrap();
    assert!(repository.run(&["verify", "--head", &head]).starts_with("verified: 0 records"));
}

#[test]
fn a_repository_with_an_odd_name_is_written_to_and_no_other() {
    let repository = Repository::new();
    for name in [&b"n\xff"[..], b"l\nm"] {
        let inner = repository.path().join(std::ffi::OsStr::from_bytes(name));
        fs::create_dir(&inner).unwrap();
        let made = Command::new("git").args(["init", "--quiet"]).current_dir(&inner).status();
        assert!(made.unwrap().success());
        let status = repository.command(&["note", "hi"]).current_dir(&inner).status().unwrap();
        assert!(status.success());
        assert!(inner.join(".git/provost/journal").is_dir());
    }
    assert_eq!(fs::read_dir(repository.path()).unwrap().count(), 3);
}

#[test]
fn a_repository_in_the_environment_does_not_replace_the_one_that_is_named() {
    let (named, other) = (Repository::new(), Repository::new());
    let status = named.command(&["note", "hi"]).env("GIT_DIR", other.path().join(".git")).status().unwrap();
    assert!(status.success());
    assert!(named.segment().exists() && !other.segment().exists());
}

#[test]
fn a_runtime_folder_that_cannot_be_used_stops_nobody() {
    let repository = Repository::new();
    for folder in ["", "relative", "/nowhere/at/all"] {
        let status = repository.command(&["note", "hi"]).env("XDG_RUNTIME_DIR", folder).status().unwrap();
        assert!(status.success(), "{folder}");
    }
    assert_eq!(fs::read_dir(repository.path()).unwrap().count(), 1, "only .git is there");
}

#[test]
fn a_plan_or_a_run_that_is_not_there_is_named_as_what_it_is() {
    let repository = Repository::new();
    repository.run(&["note", "a project"]);
    assert_snapshot!(repository.run(&["run", "plan.md"]), @"
    error[plan::unreadable]: `plan.md` cannot be read: No such file or directory (os error 2)
     |
     = help: name a file that is there; `provost init` writes a sample `plan.md`
    exit 2
    ");
    assert_snapshot!(repository.run(&["run", "."]), @"
    error[plan::unreadable]: `.` is not a regular file
     |
     = help: see that it is a file and can be read
    exit 2
    ");
    assert_snapshot!(repository.run(&["run", "coord_run_zz"]), @"
    error[planning::unknown_run]: there is no run `coord_run_zz`
     |
     = help: `provost status` lists the runs; the beginning of an id is enough
    exit 2
    ");
}

#[test]
fn a_plan_whose_first_defect_is_a_warning_is_refused_all_the_same() {
    let repository = Repository::new();
    repository.write(
        "plan.md",
        "# T\n\n#### Task 1: one\n\n**Work**:\n- do it\n\n**Verify**:\n- `ls | wc`\n\n**Blocked By**: none\n",
    );
    let said = repository.run(&["run", "plan.md", "--dry-run"]);
    assert!(said.starts_with("warning[plan::no_criterion]") && said.ends_with("exit 2\n"), "{said}");
    let said = repository.run(&["--json", "run", "plan.md"]);
    assert!(said.contains(r#""ok":false,"exit":2"#) && said.ends_with("exit 2\n"), "{said}");
}

#[test]
fn the_status_of_a_delivery_that_is_not_there_is_refused() {
    let repository = Repository::new();
    for before in ["nothing is on record", "something is"] {
        let said = repository.run(&["status", "d-99"]);
        assert!(
            said.starts_with("error[delivery::unknown]: there is no delivery `d-99`"),
            "{before}: {said}"
        );
        assert!(said.ends_with("exit 2\n"), "{before}: {said}");
        assert!(repository.run(&["--json", "status", "xx"]).contains(r#""ok":false,"exit":2"#), "{before}");
        repository.run(&["note", "a project"]);
    }
}

#[test]
fn no_file_that_is_named_is_read_without_end() {
    let repository = Repository::new();
    repository.run(&["init"]);
    repository.run(&["intent", "new", "guests are greeted", "--out", "intent.json"]);
    repository.write("large.md", &"x".repeat(9 << 20));
    let made = Command::new("mkfifo").arg(repository.path().join("pipe")).status().unwrap();
    assert!(made.success());
    for file in ["/dev/zero", "pipe"] {
        for arguments in [
            &["run", file, "--dry-run"][..],
            &["plan", file],
            &["plan", "intent.json", "--policy", file],
            &["plan", "intent.json", "--answers", file],
            &["plan", "intent.json", "--lock", file],
            &["plan", "intent.json", "--facts", file],
            &["intent", "seal", file],
            &["note", "hi", "--attach", file],
        ] {
            let said = repository.run(arguments);
            assert!(said.contains(&format!("{file}` is not a regular file")), "{arguments:?}: {said}");
            assert!(said.ends_with("exit 2\n"), "{arguments:?}: {said}");
        }
    }
    let said = repository.run(&["run", "large.md", "--dry-run"]);
    assert!(
        said.starts_with("error[document::too_large]: the plan has more than 8388608 bytes"),
        "{said:.200}"
    );
    assert!(said.len() < 2_000, "{}", said.len());
}

#[test]
fn as_many_agents_as_the_settings_may_have_and_no_other_number() {
    let repository = Repository::new();
    for number in ["0", "1000001", "99999999999999999999", "two"] {
        let said = repository.run(&["run", "plan.md", "--max-agents", number]);
        assert!(said.contains(&format!("invalid value '{number}'")), "{said}");
        assert!(said.contains("it is not a whole number from 1 to 1000000"), "{said}");
        assert!(said.ends_with("exit 2\n"), "{said}");
    }
    assert!(repository.run(&["run", "plan.md", "--max-agents", "1000000"]).contains("`plan.md`"));
}

#[test]
fn an_intent_is_not_delivered_but_planned_first() {
    let repository = Repository::new();
    repository.run(&["init"]);
    repository.run(&["intent", "new", "guests are greeted", "--out", "intent.json"]);
    repository.write("broken.yaml", "id: x\ntype: execution_intent\n");
    assert_snapshot!(repository.run(&["run", "intent.json"]), @"
    error[plan::unreadable]: `intent.json` is an intent, and a plan is to be delivered
     |
     = help: `provost plan intent.json` makes a plan of it, and prints how that is delivered
    exit 2
    ");
    assert!(
        repository.run(&["run", "broken.yaml"]).contains("`provost plan broken.yaml` makes a plan of it")
    );
    assert_snapshot!(repository.run(&["run", "coord_run_"]), @"
    error[planning::unknown_run]: there is no run `coord_run_`
     |
     = help: `provost status` lists the runs; the beginning of an id is enough
    exit 2
    ");
}

#[test]
fn a_bare_repository_is_called_one() {
    let repository = Repository::new();
    repository.git(&["init", "--quiet", "--bare", "bare"]);
    assert_snapshot!(repository.run(&["--project", "bare", "status"]), @"
    error[project::no_repository]: `bare` is a bare repository, which has no work tree
     |
     = help: work in a clone of it: `git clone bare`, or in a worktree: `git worktree add DIR`
    exit 2
    ");
    assert!(repository.run(&["--project", ".git", "status"]).contains("is not in the work tree"));
}

#[test]
fn somebody_elses_repository_is_refused_with_the_command_that_trusts_it() {
    let repository = Repository::new();
    // A test cannot give files away, so what git says to that is said by another program.
    let complaint = "fatal: detected dubious ownership in repository at '/srv/it is'\n\
        To add an exception for this directory, call:\n\n\tgit config --global --add safe.directory '/srv/it is'\n";
    repository.write("programs/git", &format!("#!/bin/sh\n/bin/cat >&2 <<'END'\n{complaint}END\nexit 128\n"));
    let programs = repository.path().join("programs");
    fs::set_permissions(programs.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
    let output = repository.command(&["status"]).env("PATH", programs).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("dubious ownership in repository at '/srv/it is'"), "{said}");
    assert!(said.contains("`git config --global --add safe.directory '/srv/it is'`"), "{said}");
}
