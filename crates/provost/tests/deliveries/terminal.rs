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
    mut command: Command,
    prompt: &str,
    act: impl FnOnce(&mut File, &Child),
) -> (String, Option<i32>) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
    let theirs = || OpenOptions::new().read(true).write(true).open(&name).unwrap();
    let mut child = command.stdin(theirs()).stdout(theirs()).stderr(theirs()).spawn().unwrap();
    // Its own ends would keep the terminal open after the program has gone.
    drop(command);
    let mut terminal = File::from(ours);
    let (mut shown, mut act) = (Vec::new(), Some(act));
    let mut piece = [0; 4_096];
    // A terminal that nobody holds any more is an error to read.
    while let Ok(count @ 1..) = terminal.read(&mut piece) {
        shown.extend_from_slice(&piece[..count]);
        if String::from_utf8_lossy(&shown).contains(prompt)
            && let Some(act) = act.take()
        {
            act(&mut terminal, &child);
        }
    }
    (String::from_utf8_lossy(&shown).into_owned(), child.wait().unwrap().code())
}
