//! Two processes and more on one project: one writes, the others go through it, and nobody has to clean up.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixListener;
use std::thread;

use provost_runtime::lock::{Holder, Lock};
use rustix::process::{Pid, Signal, kill_process};

use crate::repository::{Held, Repository};

/// The epochs and sessions that wrote, from the stored records.
fn writers(repository: &Repository) -> BTreeSet<(String, String)> {
    let text = String::from_utf8(repository.command(&["--json", "log"]).output().unwrap().stdout).unwrap();
    let field = |line: &str, key: &str| {
        let (_, rest) = line.split_once(&format!("\"{key}\":")).unwrap();
        rest.split(',').next().unwrap().to_owned()
    };
    text.lines().map(|line| (field(line, "epoch"), field(line, "session_id"))).collect()
}

fn signal(held: &Held, signal: Signal) {
    let pid = Pid::from_child(&held.child);
    kill_process(pid, signal).unwrap();
}

#[test]
fn a_second_command_goes_through_the_first_ones_socket() {
    let repository = Repository::new();
    let mut held = repository.hold();
    assert_eq!(repository.run(&["note", "from outside"]), "noted as record 4\n");
    assert_eq!(held.say("from inside"), "noted as record 5");
    assert_eq!(repository.run(&["note", ""]).lines().last(), Some("exit 2"));
    held.end();
    assert_eq!(writers(&repository).len(), 1, "the second process wrote by itself");
    assert!(repository.run(&["verify"]).starts_with("verified: 5 records"));
}

#[test]
fn a_dead_holder_is_taken_over_without_cleaning_up() {
    let repository = Repository::new();
    let mut held = repository.hold();
    held.child.kill().unwrap();
    held.child.wait().unwrap();
    assert_eq!(repository.run(&["note", "after the kill"]), "noted as record 5\n");
    assert_eq!(writers(&repository).len(), 2);
    assert!(repository.run(&["verify"]).starts_with("verified: 5 records"));
}

#[test]
fn a_holder_that_does_not_answer_is_named() {
    let repository = Repository::new();
    let mut held = repository.hold();
    signal(&held, Signal::STOP);
    let said = repository.run(&["note", "anybody there?"]);
    assert!(said.contains("process") && said.contains("holds this project and does not answer"), "{said}");
    assert!(said.ends_with("exit 8\n"), "{said}");
    assert!(repository.run(&["log"]).contains("note: first"), "reading must not wait");
    signal(&held, Signal::CONT);
    held.say("going on");
    held.end();
}

#[test]
fn a_removed_lock_file_does_not_make_a_second_writer_unnoticed() {
    let repository = Repository::new();
    let held = repository.hold();
    fs::remove_file(repository.state().join("journal/lock")).unwrap();
    assert_eq!(repository.run(&["note", "by another"]), "noted as record 5\n");
    let said = held.fail_to_say("by the first");
    assert!(said.contains("the lock file was replaced by another"), "{said}");
    assert!(repository.run(&["verify"]).starts_with("verified: 5 records"));
}

#[test]
fn fifty_processes_at_once_never_give_two_writers() {
    let repository = Repository::new();
    let children: Vec<_> = (0..50)
        .map(|index| repository.command(&["note", &format!("race {index}")]).spawn().unwrap())
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let log = repository.run(&["log"]);
    let noted: BTreeSet<&str> =
        log.lines().filter_map(|line| line.split_once("note: ")).map(|it| it.1).collect();
    assert_eq!(noted.len(), 50);
    assert_eq!(log.lines().filter(|line| line.contains("note: race")).count(), 50);
    let writers = writers(&repository);
    let epochs: BTreeSet<&String> = writers.iter().map(|(epoch, _)| epoch).collect();
    assert_eq!(epochs.len(), writers.len(), "two sessions wrote under one epoch");
    assert!(repository.run(&["verify"]).starts_with("verified: "));
}

/// Answers one request as the process that holds the project; one that is ending has removed its socket by then.
fn reply_to_a_holder(is_ending: bool) -> String {
    let repository = Repository::new();
    repository.run(&["note", "begin"]);
    let socket = repository.state().join("holder.sock");
    let listener = UnixListener::bind(&socket).unwrap();
    let holder = Holder::this_process("provost run", Some(socket.clone()));
    let _lock = Lock::acquire(&repository.state().join("journal/lock"), &holder).unwrap().unwrap();
    thread::scope(|scope| {
        scope.spawn(|| {
            let (stream, _) = listener.accept().unwrap();
            let mut request = String::new();
            BufReader::new(&stream).read_line(&mut request).unwrap();
            assert!(request.contains("\"answer\":\"tabs\""), "{request}");
            if is_ending {
                fs::remove_file(&socket).unwrap();
            }
            (&stream).write_all(b"{\"records\":[]}\n").unwrap();
        });
        repository.run(&["reply", "q-9", "tabs"])
    })
}

#[test]
fn an_answer_that_a_process_took_while_it_was_ending_comes_with_what_to_do() {
    assert_eq!(reply_to_a_holder(false), "q-9 is answered\n");
    let hint = "nobody performs the delivery now; `provost resume` goes on with it";
    assert_eq!(reply_to_a_holder(true), format!("q-9 is answered\n{hint}\n"));
}
