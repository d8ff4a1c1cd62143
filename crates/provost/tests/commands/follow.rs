//! Following the record while somebody else writes it.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::repository::Repository;

#[test]
fn what_another_process_records_is_printed_as_it_comes() {
    let repository = Repository::new();
    repository.run(&["note", "before"]);
    let mut follower =
        repository.command(&["log", "--follow", "--since", "3"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    let mut next = || lines.next().unwrap().unwrap();
    assert!(next().ends_with("note: before"));
    repository.run(&["note", "after"]);
    assert!(next().contains("opened the journal"));
    assert!(next().ends_with("note: after"));
    follower.kill().unwrap();
    follower.wait().unwrap();
}

#[test]
fn following_ends_when_nobody_reads_on() {
    let repository = Repository::new();
    repository.run(&["note", "the last record"]);
    let mut follower = repository.command(&["log", "--follow"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut reader = BufReader::new(follower.stdout.take().unwrap());
    reader.read_line(&mut String::new()).unwrap();
    drop(reader);
    assert!(follower.wait().unwrap().success());
}
