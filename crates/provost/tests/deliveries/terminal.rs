//! A terminal with somebody at it: what a program asks there is answered as a person would type it.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::process::{Child, Command};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// Runs a program on a terminal and types an answer once the prompt stands there; what was shown, and how it ended.
pub(crate) fn typed(command: Command, prompt: &str, answer: &str) -> (String, Option<i32>) {
    at(command, prompt, |terminal, _| terminal.write_all(answer.as_bytes()).unwrap())
}

/// The same with whatever somebody does there, once.
pub(crate) fn at(
    command: Command,
    prompt: &str,
    act: impl FnOnce(&mut File, &Child),
) -> (String, Option<i32>) {
    at_each(command, vec![(prompt, Box::new(act))])
}

/// Something that somebody does at a terminal.
pub(crate) type Act<'a> = Box<dyn FnOnce(&mut File, &Child) + 'a>;

/// The same with one thing after the other, each once its prompt stands there.
pub(crate) fn at_each(mut command: Command, acts: Vec<(&str, Act<'_>)>) -> (String, Option<i32>) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
    let theirs = || OpenOptions::new().read(true).write(true).open(&name).unwrap();
    let mut child = command.stdin(theirs()).stdout(theirs()).stderr(theirs()).spawn().unwrap();
    // Its own ends would keep the terminal open after the program has gone.
    drop(command);
    let mut terminal = File::from(ours);
    let (mut shown, mut acts) = (Vec::new(), acts.into_iter().peekable());
    let mut piece = [0; 4_096];
    // A terminal that nobody holds any more is an error to read.
    while let Ok(count @ 1..) = terminal.read(&mut piece) {
        shown.extend_from_slice(&piece[..count]);
        let stands = |(prompt, _): &(&str, Act<'_>)| String::from_utf8_lossy(&shown).contains(prompt);
        if let Some((_, act)) = acts.next_if(stands) {
            act(&mut terminal, &child);
        }
    }
    (String::from_utf8_lossy(&shown).into_owned(), child.wait().unwrap().code())
}
