//! One call of git: its options, its environment, what goes in, how much may come out.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, Scope, ScopedJoinHandle};

use super::pipes::Watch;
use super::{GitFault, Oid};

/// What a configuration can make git run, turned off. It holds for every call: a sealed folder lacks all
/// of it anyway, and the repository's own configuration does not.
const OFF: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.pager=cat",
    "core.editor=false",
    "core.alternateRefsCommand=false",
    "diff.external=",
    "protocol.allow=never",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
    "commit.gpgSign=false",
    "gc.auto=0",
    "maintenance.auto=false",
    // Said about the graft file, which is turned off below.
    "advice.graftFileDeprecated=false",
    // What a record will name must survive a power cut; by default git leaves objects to the page cache.
    "core.fsync=committed,reference",
    "core.fsyncMethod=batch",
];

/// Ways to other machines, turned off where the repository's own configuration is read. A sealed folder has them
/// only where large files are fetched by a filter that the person configured.
const AWAY: &[&str] = &["core.askPass=", "core.sshCommand=false", "credential.helper="];

/// How much of what git complains about is kept.
const COMPLAINT_MAX: usize = 2_000;

/// The most bytes that an answer may have unless the call says otherwise: the paths of a very large repository.
const ANSWER_MAX: usize = 1 << 30;

/// What a call reads from its standard input.
#[derive(Debug, Default)]
pub enum Input {
    /// Nothing.
    #[default]
    Nothing,
    /// These bytes.
    Bytes(Vec<u8>),
    /// An empty file. A lock on it is kept for as long as git runs, even when this process ends before.
    File(File),
}

/// A call that is being put together.
#[derive(Debug)]
pub struct Call {
    command: Command,
    folder: PathBuf,
    shown: String,
    input: Input,
    bytes_max: usize,
    /// The files that it works on, if they are an agent's.
    work_tree: Option<PathBuf>,
}

/// What git said.
#[derive(Debug)]
pub struct Said {
    /// The exit status; `None` when a signal ended it.
    pub status: Option<i32>,
    /// Standard output.
    pub out: Vec<u8>,
    /// Whether standard output had more than was allowed; git was then ended.
    pub cut: bool,
    complaint: String,
    shown: String,
    ended: String,
}

impl Call {
    /// A call that finds its repository from a folder that the person named.
    pub fn looking(folder: &Path) -> Call {
        Call::new(folder).without_ways()
    }

    /// A call in the repository with this git folder, which is pinned.
    pub fn within(git_folder: &Path) -> Call {
        Call::new(git_folder).env("GIT_DIR", git_folder).without_ways()
    }

    /// A call in a sealed git folder over these objects.
    pub(super) fn sealed(git_folder: &Path, objects: &Path) -> Call {
        let call = Call::new(git_folder).env("GIT_DIR", git_folder);
        call.env("GIT_OBJECT_DIRECTORY", objects).apart()
    }

    fn without_ways(self) -> Call {
        AWAY.iter().fold(self, |call, setting| call.set(setting))
    }

    fn new(folder: &Path) -> Call {
        let mut command = Command::new("git");
        // A variable of the person's shell, or of a hook that Provost was started from, would aim git elsewhere.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"GIT_"))
        {
            command.env_remove(name);
        }
        command
            .current_dir(folder)
            .env("LC_ALL", "C")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_GRAFT_FILE", "/dev/null")
            .env("GIT_LITERAL_PATHSPECS", "1")
            .env_remove("SSH_ASKPASS");
        for setting in OFF {
            command.args(["-c", setting]);
        }
        Call {
            command,
            folder: folder.to_owned(),
            shown: "git".to_owned(),
            input: Input::Nothing,
            bytes_max: ANSWER_MAX,
            work_tree: None,
        }
    }

    /// Adds a setting, stronger than any file.
    #[must_use]
    pub fn set(mut self, setting: &str) -> Call {
        self.command.args(["-c", setting]);
        self
    }

    /// Leaves the system's and the person's configuration out; the repository's remains.
    #[must_use]
    pub fn apart(self) -> Call {
        self.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null")
    }

    /// Adds arguments; the first is the name of the git command.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Call {
        for argument in arguments {
            self.shown.push(' ');
            self.shown.push_str(&argument.as_ref().to_string_lossy());
            self.command.arg(argument);
        }
        self
    }

    /// Adds the name of an object.
    #[must_use]
    pub fn oid(self, oid: &Oid) -> Call {
        self.args([oid.as_str()])
    }

    /// Sets a variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Call {
        self.command.env(name, value);
        self
    }

    /// Works on the files of a folder, through an index of Provost's own.
    #[must_use]
    pub fn on(self, work_tree: &Path, index: &Path) -> Call {
        let mut call = self.env("GIT_WORK_TREE", work_tree).env("GIT_INDEX_FILE", index);
        call.command.current_dir(work_tree);
        work_tree.clone_into(&mut call.folder);
        call.work_tree = Some(work_tree.to_owned());
        call
    }

    /// Gives standard input.
    #[must_use]
    pub fn input(mut self, input: Input) -> Call {
        self.input = input;
        self
    }

    /// Takes at most so many bytes of the answer and then ends git.
    #[must_use]
    pub fn at_most(mut self, bytes_max: usize) -> Call {
        self.bytes_max = bytes_max;
        self
    }

    /// Runs git and gives back what it said, whatever its exit status.
    pub fn ask(mut self) -> Result<Said, GitFault> {
        let (stdin, bytes) = match self.input {
            Input::Nothing => (Stdio::null(), None),
            Input::Bytes(bytes) => (Stdio::piped(), Some(bytes)),
            Input::File(file) => (Stdio::from(file), None),
        };
        self.command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        let folder = self.folder;
        let mut child = self.command.spawn().map_err(|error| match error.kind() {
            // A folder that is not there and a program that is not are the same error to the system.
            io::ErrorKind::NotFound if folder.is_dir() => GitFault::Missing,
            io::ErrorKind::NotFound => GitFault::disk("use", &folder)(error),
            _ => GitFault::Start(error),
        })?;
        // Standard input, if it is a locked file, must not stay open here: the lock would outlive git.
        drop(self.command);
        // Without a handle to wait for git nobody helps it; only an agent that means harm makes it need help.
        let watch = self.work_tree.and_then(|work_tree| Watch::new(&child, work_tree).ok());
        let heard = listen(&mut child, bytes, self.bytes_max, watch);
        if heard.as_ref().map_or(true, |heard| heard.cut) {
            // It may have ended by itself in the meantime.
            let _ = child.kill();
        }
        let status = child.wait().map_err(GitFault::Start)?;
        let heard = heard.map_err(GitFault::Start)?;
        Ok(Said {
            status: status.code(),
            out: heard.out,
            cut: heard.cut,
            complaint: heard.complaint,
            shown: self.shown,
            ended: ended(status),
        })
    }

    /// Runs git and gives back its answer; any exit status but 0 is a fault.
    pub fn run(self) -> Result<Vec<u8>, GitFault> {
        self.ask()?.success()
    }
}

impl Said {
    /// The answer, if git was content.
    pub fn success(self) -> Result<Vec<u8>, GitFault> {
        match self.status {
            Some(0) if !self.cut => Ok(self.out),
            Some(0) => Err(self.strange("it is too long")),
            _ => Err(self.fault()),
        }
    }

    /// What git complained about, on one line.
    pub fn complaint(&self) -> &str {
        &self.complaint
    }

    /// What git complained about, as a fault.
    pub fn fault(&self) -> GitFault {
        let said = match self.complaint.as_str() {
            "" => "it said nothing".to_owned(),
            said => said.to_owned(),
        };
        GitFault::Failed { command: self.shown.clone(), status: self.ended.clone(), said }
    }

    /// An answer that is not understood, as a fault.
    pub fn strange(&self, what: impl Into<String>) -> GitFault {
        GitFault::Strange { command: self.shown.clone(), what: what.into() }
    }
}

struct Heard {
    out: Vec<u8>,
    cut: bool,
    complaint: String,
}

/// Feeds git and reads both of its outputs at the same time, so that none of the three can block the others.
fn listen(
    child: &mut Child,
    bytes: Option<Vec<u8>>,
    bytes_max: usize,
    watch: Option<Watch>,
) -> io::Result<Heard> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        if let Some(watch) = watch {
            beside(scope, child, move || watch.run())?;
        }
        if let (Some(mut stdin), Some(bytes)) = (stdin, bytes) {
            // A reader that stops early is not the fault; what it says about it is.
            beside(scope, child, move || drop(stdin.write_all(&bytes)))?;
        }
        let complaint = beside(scope, child, move || stderr.map_or_else(String::new, tail))?;
        let mut out = Vec::new();
        let mut cut = false;
        if let Some(stdout) = stdout {
            let limit = u64::try_from(bytes_max).unwrap_or(u64::MAX).saturating_add(1);
            let read = stdout.take(limit).read_to_end(&mut out);
            cut = out.len() > bytes_max;
            out.truncate(bytes_max);
            // The pipe is closed here at the latest, so git cannot wait for us.
            read?;
        }
        Ok(Heard { out, cut, complaint: complaint.join().unwrap_or_default() })
    })
}

/// Does something beside; where no thread can be started git is ended, because whatever was begun waits for it.
fn beside<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    child: &mut Child,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    thread::Builder::new().spawn_scoped(scope, work).inspect_err(|_| drop(child.kill()))
}

/// The end of a stream on one line.
fn tail(mut stream: impl Read) -> String {
    let mut kept = Vec::new();
    let mut chunk = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut chunk) {
        kept.extend_from_slice(chunk.get(..count).unwrap_or_default());
        kept.drain(..kept.len().saturating_sub(COMPLAINT_MAX));
    }
    let text = String::from_utf8_lossy(&kept);
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

fn ended(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("status {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "an unknown status".to_owned(),
    }
}

/// The pieces of an answer that was asked for with `-z`.
pub(crate) fn pieces(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&byte| byte == 0).filter(|piece| !piece.is_empty())
}

/// A path as git gives it.
pub(crate) fn path(bytes: &[u8]) -> std::path::PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(bytes.to_vec()).into()
}
