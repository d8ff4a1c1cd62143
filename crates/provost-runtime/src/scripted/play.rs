//! A script played: files inside the current folder are edited, everything else is said.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use provost_core::diagnostic::{self, Diagnostic, quoted};
use provost_core::signal::{self, Expected, Outcome};
use serde_json::{Map, Value};

use super::Given;
use super::script::{Script, Spoken, Step};
use crate::git::Call;

/// How a turn that was played ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With this status.
    Exit(u8),
    /// By a signal of the system, which the caller sends to itself.
    Crash,
}

/// Where a turn is played.
struct Stage<'a> {
    given: &'a Given,
    folder: &'a Path,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
}

/// Plays the entry that fits a turn, or approves where none does.
pub fn play(
    script: &Script,
    given: &Given,
    folder: &Path,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<End, Diagnostic> {
    let mut stage = Stage { given, folder, out, err };
    let Some(steps) = script.steps(given) else {
        stage.approve("as a script without a word for it").map_err(|error| failed("say", &error))?;
        return Ok(End::Exit(0));
    };
    for step in steps {
        match step {
            Step::Exit(status) => return Ok(End::Exit(*status)),
            Step::Crash => return Ok(End::Crash),
            // What was printed is heard now, not when a buffer is full.
            _ => stage
                .step(step)
                .and_then(|()| stage.out.flush())
                .map_err(|error| failed(name(step), &error))?,
        }
    }
    Ok(End::Exit(0))
}

fn failed(step: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::error(diagnostic::SCRIPTED_STEP, format!("the step {} failed: {error}", quoted(step)))
}

const fn name(step: &Step) -> &'static str {
    match step {
        Step::Write(_) => "write",
        Step::Append(_) => "append",
        Step::Delete(_) => "delete",
        Step::Replace(_) => "replace",
        Step::ChmodX(_) => "chmod_x",
        Step::Say(_) => "say",
        Step::Stderr(_) => "stderr",
        Step::Signal(_) => "signal",
        Step::Lie => "lie",
        Step::WaitMs(_) => "wait_ms",
        Step::Hang => "hang",
        Step::FloodBytes(_) => "flood_bytes",
        Step::SpawnChild => "spawn_child",
        Step::GitCommit(_) => "git_commit",
        Step::Exit(_) => "exit",
        Step::Crash => "crash",
    }
}

impl Stage<'_> {
    fn step(&mut self, step: &Step) -> io::Result<()> {
        match step {
            Step::Write(it) => {
                let path = self.path(&it.path)?;
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::write(path, self.fill(&it.text))
            }
            Step::Append(it) => {
                let path = self.path(&it.path)?;
                let text = self.fill(&it.text);
                fs::OpenOptions::new().append(true).create(true).open(path)?.write_all(text.as_bytes())
            }
            Step::Delete(path) => fs::remove_file(self.path(path)?),
            Step::Replace(it) => self.replace(&it.path, &it.from, &it.to),
            Step::ChmodX(path) => {
                let path = self.path(path)?;
                let mode = fs::metadata(&path)?.permissions().mode();
                fs::set_permissions(path, fs::Permissions::from_mode(mode | 0o111))
            }
            Step::Say(text) => writeln!(self.out, "{}", self.fill(text)),
            Step::Stderr(text) => writeln!(self.err, "{}", self.fill(text)),
            Step::Signal(spoken) => self.signal(spoken),
            Step::Lie => self.approve("everything is done and every check passes"),
            Step::WaitMs(ms) => {
                std::thread::sleep(Duration::from_millis(*ms));
                Ok(())
            }
            Step::Hang => loop {
                std::thread::park();
            },
            Step::FloodBytes(bytes) => self.flood(*bytes),
            Step::SpawnChild => Command::new("sleep").arg("3600").spawn().map(drop),
            Step::GitCommit(message) => self.commit(message),
            // Whoever plays the steps ends the turn itself.
            Step::Exit(_) | Step::Crash => Ok(()),
        }
    }

    fn fill(&self, text: &str) -> String {
        text.replace("{task}", &self.given.task).replace("{attempt}", &self.given.attempt.to_string())
    }

    /// A path inside the folder; neither its parts nor a link on the way leads out.
    fn path(&self, path: &str) -> io::Result<PathBuf> {
        let path = self.fill(path);
        let refuse = || io::Error::other(format!("{} is not inside the folder", quoted(&path)));
        let mut inside = self.folder.to_owned();
        for part in Path::new(&path).components() {
            let Component::Normal(part) = part else { return Err(refuse()) };
            inside.push(part);
            if fs::symlink_metadata(&inside).is_ok_and(|meta| meta.is_symlink()) {
                return Err(refuse());
            }
        }
        if inside == self.folder { Err(refuse()) } else { Ok(inside) }
    }

    fn replace(&mut self, path: &str, from: &str, to: &str) -> io::Result<()> {
        let path = self.path(path)?;
        let text = fs::read_to_string(&path)?;
        let from = self.fill(from);
        if !text.contains(&from) {
            return Err(io::Error::other(format!("{} is not in the file", quoted(&from))));
        }
        fs::write(path, text.replace(&from, &self.fill(to)))
    }

    fn approve(&mut self, summary: &str) -> io::Result<()> {
        writeln!(self.out, "{}: {}\nSummary: {summary}", self.given.approval(), self.given.task)
    }

    /// As text where it is a signal of this turn; otherwise as JSON, however wrong it is meant to be.
    fn signal(&mut self, spoken: &Spoken) -> io::Result<()> {
        let mut object = Map::new();
        object.insert("signal".to_owned(), Value::from(spoken.name.name()));
        object.insert("task".to_owned(), Value::from(self.given.task.as_str()));
        object.extend(spoken.fields.iter().map(|(key, value)| (key.clone(), value.clone())));
        let json = Value::Object(object).to_string();
        let expected = Expected { role: self.given.role, task_id: &self.given.task };
        let heard = signal::read(&expected, &json, false);
        let said = match (heard.outcome, heard.checkpoints.into_iter().next()) {
            (Outcome::Signal(signal), _) => signal,
            (_, Some(checkpoint)) => signal::Signal::Checkpoint(checkpoint),
            _ => return writeln!(self.out, "{json}"),
        };
        write!(self.out, "{}", signal::to_text(&said, &self.given.task))
    }

    fn flood(&mut self, bytes: u64) -> io::Result<()> {
        const LINE: &[u8] =
            b"the quick brown fox jumps over the lazy dog and says nothing that matters here\n";
        let mut left = usize::try_from(bytes).unwrap_or(usize::MAX);
        while left > 0 {
            let some = LINE.get(..left.min(LINE.len())).unwrap_or(LINE);
            self.out.write_all(some)?;
            left -= some.len();
        }
        // What comes next begins a line of its own.
        self.out.write_all(b"\n")
    }

    fn commit(&mut self, message: &str) -> io::Result<()> {
        let message = self.fill(message);
        let who = ["-c", "user.name=scripted", "-c", "user.email=scripted@localhost"];
        let add: &[&str] = &["add", "--all"];
        let commit = [&who[..], &["commit", "--quiet", "--allow-empty", "-m", &message]].concat();
        for arguments in [add, &commit] {
            Call::looking(self.folder).args(arguments).run().map_err(io::Error::other)?;
        }
        Ok(())
    }
}
