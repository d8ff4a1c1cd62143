//! A repository of its own for each test, with nothing of the machine around it.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use regex::Regex;
use tempfile::TempDir;

use crate::hermetic;

/// A temporary repository.
pub(crate) struct Repository {
    folder: TempDir,
}

impl Repository {
    pub(crate) fn new() -> Repository {
        let repository = Repository { folder: TempDir::new().unwrap() };
        std::fs::create_dir(repository.path()).unwrap();
        repository.git(&["init", "--quiet"]);
        repository
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    /// The file of the first segment.
    pub(crate) fn segment(&self) -> PathBuf {
        self.state().join("journal/0000000000000001.jsonl")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.path().join(".git/provost")
    }

    /// A command, not yet run.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        hermetic::provost(&self.path(), self.folder.path(), arguments)
    }

    /// Runs a command and gives back all that it said, with whatever differs from run to run replaced.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        self.said(&mut self.command(arguments))
    }

    /// The same where git and the programs that are named, which do nothing, are all that the PATH leads to.
    pub(crate) fn run_among(&self, programs: &[&str], arguments: &[&str]) -> String {
        let folder = self.folder.path().join("programs");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        let path = std::env::var_os("PATH").unwrap();
        let git = std::env::split_paths(&path).map(|part| part.join("git")).find(|git| git.is_file());
        std::os::unix::fs::symlink(git.unwrap(), folder.join("git")).unwrap();
        // It is tried, and has to say which it is.
        let bwrap = folder.join("bwrap");
        std::fs::write(&bwrap, "#!/bin/sh\necho bubblewrap N\n").unwrap();
        std::fs::set_permissions(&bwrap, std::fs::Permissions::from_mode(0o755)).unwrap();
        for program in programs {
            let program = folder.join(program);
            std::fs::write(&program, "#!/bin/sh\n").unwrap();
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        self.said(self.command(arguments).env("PATH", folder))
    }

    /// Writes a file of the checkout.
    pub(crate) fn write(&self, name: &str, content: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Runs git in the checkout.
    pub(crate) fn git(&self, arguments: &[&str]) {
        let done = hermetic::git(&self.path(), self.folder.path(), arguments).status();
        assert!(done.unwrap().success(), "{arguments:?}");
    }

    /// What git prints.
    pub(crate) fn git_says(&self, arguments: &[&str]) -> String {
        let output = hermetic::git(&self.path(), self.folder.path(), arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn said(&self, command: &mut Command) -> String {
        let output = command.output().unwrap();
        let mut text = shown(&output, self.folder.path());
        let status = output.status.code();
        if status != Some(0) {
            let _ = writeln!(text, "exit {}", status.unwrap_or(-1));
        }
        text
    }

    /// Starts `provost note -`, which holds the project for as long as it is kept.
    pub(crate) fn hold(&self) -> Held {
        let mut command = self.command(&["note", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut held = Held { child, input: Some(input), output };
        // Its answer shows that it has the lock.
        held.say("first");
        held
    }
}

/// A process that holds the project.
pub(crate) struct Held {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Held {
    /// Records a remark and waits until it is on the record.
    pub(crate) fn say(&mut self, text: &str) -> String {
        writeln!(self.input.as_mut().unwrap(), "{text}").unwrap();
        let mut line = String::new();
        while !line.contains("noted as record") {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the holder ended");
        }
        line.trim_end().to_owned()
    }

    /// Tries to record a remark and gives back what it said when it failed.
    pub(crate) fn fail_to_say(mut self, text: &str) -> String {
        writeln!(self.input.as_mut().unwrap(), "{text}").unwrap();
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(!self.child.wait().unwrap().success());
        said
    }

    /// Lets it end by itself.
    pub(crate) fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

fn shown(output: &Output, folder: &Path) -> String {
    let both = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let text = String::from_utf8(both).unwrap();
    redacted(&text.replace(&folder.display().to_string(), "FOLDER"))
}

/// Replaces hashes, ids, times and process numbers.
fn redacted(text: &str) -> String {
    let patterns = [
        ("[0-9a-f]{64}", "HASH"),
        ("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", "ID"),
        ("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}", "DATE TIME"),
        ("process [0-9]+", "process N"),
        ("git version [0-9.]+", "git version N"),
        (r" with Landlock \(version [0-9]+\)", ""),
        // Offsets depend on how long the process numbers before them are.
        ("byte [0-9]+", "byte N"),
        ("[0-9]+ bytes (of|at)", "N bytes ${1}"),
    ];
    patterns.iter().fold(text.to_owned(), |text, (pattern, name)| {
        Regex::new(pattern).unwrap().replace_all(&text, *name).into_owned()
    })
}
