//! Recording, printing and verifying.

use std::fs;

use insta::assert_snapshot;

use crate::repository::Repository;

#[test]
fn a_first_remark_makes_the_project_and_is_printed_and_verified() {
    let repository = Repository::new();
    assert_snapshot!(repository.run(&["log"]), @"nothing is on record yet; `provost note \"TEXT\"` records a remark");
    assert_snapshot!(repository.run(&["note", "the parser is flaky"]), @"
    made a project: its record is in the repository's git folder
    noted as record 3
    ");
    assert_snapshot!(repository.run(&["note", "see\u{1b}[31m the log", "--attach", ".git/HEAD"]), @"noted as record 5");
    assert_snapshot!(repository.run(&["log"]), @r"
    1  DATE TIME  provost           opened the journal (process N: provost note)
    2  DATE TIME  person:ada        made the project ID
    3  DATE TIME  person:ada        note: the parser is flaky
    4  DATE TIME  provost           opened the journal (process N: provost note)
    5  DATE TIME  person:ada        note: see\u{1b}[31m the log [HEAD, 23 bytes, HASH]
    ");
    assert_snapshot!(repository.run(&["log", "--since", "5"]), @r"     5  DATE TIME  person:ada        note: see\u{1b}[31m the log [HEAD, 23 bytes, HASH]");
    assert_snapshot!(repository.run(&["log", "--head"]), @"5:HASH");
    assert_snapshot!(repository.run(&["verify"]), @"
    verified: 5 records in 1 segment, 1 artifact
    head: 5:HASH
    ");
}

#[test]
fn outside_a_repository_the_next_step_is_said() {
    let repository = Repository::new();
    fs::remove_dir_all(repository.path().join(".git")).unwrap();
    assert_snapshot!(repository.run(&["note", "x"]), @"
    error[project::no_repository]: `.` is not in the work tree of a git repository
     |
     = help: go into a repository, make one with `git init`, or name one with `--project DIR`
    exit 2
    ");
    assert_snapshot!(repository.run(&["--json", "note", "x"]), @r#"
    {"schema":"provost/note/1","ok":false,"exit":2,"errors":[{"code":"project::no_repository","severity":"error","message":"`.` is not in the work tree of a git repository","help":"go into a repository, make one with `git init`, or name one with `--project DIR`"}]}
    exit 2
    "#);
}

#[test]
fn remarks_that_cannot_be_recorded_change_nothing() {
    let repository = Repository::new();
    assert_snapshot!(repository.run(&["note", " "]), @r#"
    error[note::empty]: the note has no text
     |
     = help: say something: `provost note "TEXT"`
    exit 2
    "#);
    assert_snapshot!(repository.run(&["note", &"x".repeat(9_000)]), @"
    error[note::too_long]: the note has 9000 bytes, the limit is 8192
     |
     = help: shorten the note, or put the text into a file and attach it with `--attach FILE`
    exit 2
    ");
    assert_snapshot!(repository.run(&["note", "x", "--attach", "missing.log"]), @"
    error[note::attachment]: `missing.log` cannot be read: No such file or directory (os error 2)
     |
     = help: attach a readable file of at most 4 MiB
    exit 2
    ");
    assert_snapshot!(repository.run(&["note", "x", "--attach", ".git"]), @"
    error[note::attachment]: `.git` is not a regular file
     |
     = help: attach a readable file of at most 4 MiB
    exit 2
    ");
    assert!(repository.run(&["log"]).starts_with("nothing is on record yet"));
}

#[test]
fn json_is_one_flat_document_with_its_schema() {
    let repository = Repository::new();
    assert_snapshot!(repository.run(&["--json", "note", "first"]), @r#"{"schema":"provost/note/1","sequence":3,"hash":"HASH","project_made":true}"#);
    assert_snapshot!(repository.run(&["--json", "verify"]), @r#"{"schema":"provost/verify/1","ok":true,"records":3,"segments":1,"artifacts":0,"head":"3:HASH","incomplete":null,"commits":{"agreeing":0,"of_other_projects":0}}"#);
    assert_snapshot!(repository.run(&["--json", "rebuild"]), @r#"{"schema":"provost/rebuild/1","sequence":3,"views":["FOLDER/repository/.git/provost/state.json"]}"#);
    let lines = repository.run(&["--json", "log"]);
    assert_eq!(lines.lines().count(), 3);
    assert!(lines.lines().all(|line| line.starts_with("{\"v\":1,")));
}

#[test]
fn one_flipped_byte_is_named_and_nothing_is_written_on_top_of_it() {
    let repository = Repository::new();
    for text in ["one", "two", "three"] {
        repository.run(&["note", text]);
    }
    let mut bytes = fs::read(repository.segment()).unwrap();
    let at = bytes.windows(3).position(|window| window == b"two").unwrap();
    let line = bytes[..at].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    bytes[at] = b'T';
    fs::write(repository.segment(), &bytes).unwrap();
    let said = String::from_utf8(repository.command(&["verify"]).output().unwrap().stderr).unwrap();
    assert!(said.contains(&format!("record 5, 0000000000000001.jsonl byte {line}: ")), "{said}");
    assert_snapshot!(repository.run(&["verify"]), @"
    error[journal::damaged]: the journal is damaged at record 5, 0000000000000001.jsonl byte N: the line's bytes do not match its hash
     |
     = help: restore the named segment from a backup; nothing was changed and reading up to this record still works
    exit 6
    ");
    assert_snapshot!(repository.run(&["note", "four"]), @"
    error[journal::damaged]: the journal is damaged at record 5, 0000000000000001.jsonl byte N: the line's bytes do not match its hash
     |
     = help: restore the named segment from a backup; nothing was changed and reading up to this record still works
    exit 6
    ");
    assert_eq!(fs::read(repository.segment()).unwrap(), bytes);
    let printed = repository.run(&["log"]);
    assert!(printed.contains("note: one") && printed.contains("journal::damaged"), "{printed}");
}

#[test]
fn an_incomplete_last_batch_is_reported_and_cut_off() {
    let repository = Repository::new();
    repository.run(&["note", "one"]);
    repository.run(&["note", "two"]);
    let bytes = fs::read(repository.segment()).unwrap();
    fs::write(repository.segment(), &bytes[..bytes.len() - 100]).unwrap();
    assert_snapshot!(repository.run(&["verify"]), @"
    verified: 3 records in 1 segment, 0 artifacts
    head: 3:HASH
    incomplete: 0000000000000001.jsonl byte N: N bytes of a batch that was never acknowledged; the next command cuts them off
    ");
    assert_snapshot!(repository.run(&["note", "three"]), @"
    noted as record 5
    warning[journal::cut]: an incomplete batch of N bytes at 0000000000000001.jsonl byte N, never acknowledged, was cut off
     |
     = help: nothing that was acknowledged is lost; a power cut or a kill in the middle of a write leaves such a batch
    ");
    assert_snapshot!(repository.run(&["log", "--since", "4"]), @"
    4  DATE TIME  provost           opened the journal (process N: provost note); an incomplete batch of N bytes at 0000000000000001.jsonl byte N, never acknowledged, was cut off
    5  DATE TIME  person:ada        note: three
    ");
}

#[test]
fn a_cut_between_batches_is_found_by_a_head_kept_elsewhere() {
    let repository = Repository::new();
    repository.run(&["note", "one"]);
    let before = fs::read(repository.segment()).unwrap();
    repository.run(&["note", "two"]);
    let head = String::from_utf8(repository.command(&["log", "--head"]).output().unwrap().stdout).unwrap();
    assert_snapshot!(repository.run(&["verify", "--head", &head]), @"
    verified: 5 records in 1 segment, 0 artifacts
    head: 5:HASH
    ");
    fs::write(repository.segment(), before).unwrap();
    assert_snapshot!(repository.run(&["verify"]), @"
    verified: 3 records in 1 segment, 0 artifacts
    head: 3:HASH
    ");
    assert_snapshot!(repository.run(&["verify", "--head", &head]), @"
    error[journal::head]: the record, which ends at 3, does not contain that head
     |
     = help: compare with the place where the head was noted: records were cut off or history was rewritten
    exit 6
    ");
    assert_snapshot!(repository.run(&["verify", "--head", "seven"]), @"
    error[verify::head]: `seven` is not a head
     |
     = help: give it as `provost log --head` printed it: SEQUENCE:HASH, or the 64 characters of HASH
    exit 2
    ");
}

#[test]
fn a_changed_artifact_is_named() {
    let repository = Repository::new();
    repository.run(&["note", "x", "--attach", ".git/HEAD"]);
    let folder = repository.state().join("artifacts");
    let shelf = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let artifact = fs::read_dir(shelf).unwrap().next().unwrap().unwrap().path();
    fs::write(&artifact, "other").unwrap();
    assert_snapshot!(repository.run(&["verify"]), @"
    error[journal::artifact]: artifact HASH, named by record 3: the artifact's bytes do not match its name
     |
     = help: restore the artifact from a backup; it is named by its SHA-256
    exit 6
    ");
}

#[test]
fn deleting_every_view_changes_nothing() {
    let repository = Repository::new();
    repository.run(&["note", "one"]);
    let view = repository.state().join("state.json");
    let before = fs::read(&view).unwrap();
    fs::remove_file(&view).unwrap();
    repository.run(&["rebuild"]);
    assert_eq!(fs::read(&view).unwrap(), before);
    fs::remove_file(&view).unwrap();
    fs::write(&view, "nonsense").unwrap();
    assert_snapshot!(repository.run(&["note", "two"]), @"noted as record 5");
    assert_snapshot!(repository.run(&["verify"]), @"
    verified: 5 records in 1 segment, 0 artifacts
    head: 5:HASH
    ");
}
