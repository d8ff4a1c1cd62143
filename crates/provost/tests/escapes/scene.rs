//! What an agent that wants to get out finds around it: a person's files, secrets, listeners, other processes, a
//! terminal. Afterwards it is looked at what became of each.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::net::{TcpListener, UdpSocket};
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::{self, JoinHandle};
use std::time::SystemTime;

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::json;
use tempfile::TempDir;

use crate::attempts::{Attempt, Effect, VICTIMS};
use crate::project::{Project, plan};

/// What must not be known inside.
const SECRET: &str = "the-secret-of-the-scene";

/// Starts a program from a shell on a terminal, with three descriptors open that nobody closes. Afterwards whatever was
/// typed meanwhile is put into a file: when the shell ends, the terminal forgets it.
const STARTED: &str = r#"home=$1; shift
"$@" 7<"$home" 8>>"$home/descriptor_written" 9<"$home/descriptor_secret" </dev/null
status=$?
stty -icanon min 0 time 0 </dev/tty
cat </dev/tty >"$home/typed"
exit $status"#;

/// The folder of another turn's socket, in that of the session.
const TURN: &str = "provost/turn-0123456789abcdef";

/// Files of the person that attempts change.
const CHANGED: &[&str] = &[
    "file_of_the_person",
    "file_removed",
    "file_mode_changed",
    "file_time_changed",
    "file_truncated",
    "hard_link_written_through",
    "reopened_by_descriptor",
    "reopened_from_a_path",
];

/// The agent: it makes all attempts and then waits for a person, so that its worktree stays as it is.
const AGENT: &str = r#"#!/bin/sh
cat > /dev/null
"@PYTHON@" "@HOME@/attempts.py" "@HOME@/scene.json"
printf 'SEEKING_DIVINE_CLARIFICATION\nTask: out\nQuestion: what now?\nOptions Considered:\n- wait\n- go on\n'
"#;

pub(crate) struct Scene {
    pub(crate) project: Project,
    temporary: TempDir,
    /// Another task's worktree.
    other: PathBuf,
    victims: Vec<(&'static str, Child)>,
    tcp: TcpListener,
    udp: UdpSocket,
    unix: Vec<UnixListener>,
    datagram: UnixDatagram,
    terminal: Terminal,
    /// A file of somebody else in the memory that programs share.
    memory: tempfile::NamedTempFile,
}

/// A terminal that a person sits at.
struct Terminal {
    name: String,
    /// The programs' side, until they have ended.
    programs: Option<OwnedFd>,
    /// What stands on it in the end.
    printed: Option<JoinHandle<String>>,
}

impl Scene {
    /// A project whose agent is configured with these lines, and a machine around it.
    pub(crate) fn new(agent: &str, policy: &str) -> Scene {
        let project = Project::with(&plan(&[("out", "none")]), "", "", "developer_s = 120\n");
        // The session's own folder has to be private for sockets to be put there.
        fs::set_permissions(project.folder(), fs::Permissions::from_mode(0o700)).unwrap();
        let root = project.root();
        let program = project.folder().join("agent.sh");
        let text = format!(
            "version = 1\n[policy]\n{policy}\n[limits]\ndeveloper_s = 120\n[agents.mine]\ndrive = \"command\"\n\
             argv = [\"{}\"]\n{agent}\n[[checks]]\nname = \"check\"\nargv = [\"true\"]\n",
            program.display(),
        );
        fs::write(root.join(".provost/provost.toml"), text).unwrap();
        project.git(&[
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@example.org",
            "commit",
            "-qam",
            "settings",
        ]);
        let home = project.folder().display().to_string();
        project.script("agent.sh", &AGENT.replace("@PYTHON@", &python()).replace("@HOME@", &home));
        project.script("attempts.py", include_str!("attempts.py"));
        // Makes the project, so that there is something to look for.
        assert_eq!(project.run(&["note", "begin"]).code, Some(0));
        let other = worktrees(&project).join("other");
        fs::create_dir_all(&other).unwrap();
        let temporary = TempDir::new().unwrap();
        let state = root.join(".git/provost");
        for secret in [other.join("secret"), state.join("secret"), temporary.path().join("secret")] {
            fs::write(secret, SECRET).unwrap();
        }
        fs::write(state.join("movable"), "").unwrap();
        fs::write(project.folder().join("descriptor_secret"), SECRET).unwrap();
        for name in CHANGED {
            fs::write(project.folder().join(name), "content\n").unwrap();
        }
        let memory = tempfile::NamedTempFile::new_in("/dev/shm").unwrap();
        let mut folders = fs::DirBuilder::new();
        folders.recursive(true).mode(0o700).create(project.folder().join(TURN)).unwrap();
        let abstracts = [format!("{home}/stream"), format!("{home}/datagram")];
        let address = |name: &String| SocketAddr::from_abstract_name(name).unwrap();
        let unix = vec![
            UnixListener::bind(temporary.path().join("socket")).unwrap(),
            UnixListener::bind(project.folder().join("provost/test.sock")).unwrap(),
            UnixListener::bind(project.folder().join(TURN).join("s")).unwrap(),
            UnixListener::bind_addr(&address(&abstracts[0])).unwrap(),
        ];
        let scene = Scene {
            other,
            victims: VICTIMS.iter().map(|&name| (name, victim(&project, name))).collect(),
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
            udp: UdpSocket::bind("127.0.0.1:0").unwrap(),
            unix,
            datagram: UnixDatagram::bind_addr(&address(&abstracts[1])).unwrap(),
            terminal: Terminal::open(),
            memory,
            temporary,
            project,
        };
        scene.describe(&abstracts);
        scene
    }

    /// Tells the agent where everything is.
    fn describe(&self, abstracts: &[String]) {
        let (root, folder) = (self.project.root(), self.project.folder());
        let victims: serde_json::Map<String, serde_json::Value> =
            self.victims.iter().map(|(name, child)| ((*name).to_owned(), child.id().into())).collect();
        let described = json!({
            "secret": SECRET,
            "home": folder,
            "root": root,
            "common": root.join(".git"),
            "state": root.join(".git/provost"),
            "temporary": self.temporary.path().join("secret"),
            "other": self.other,
            "victims": victims,
            "tcp": self.tcp.local_addr().unwrap().port(),
            "udp": self.udp.local_addr().unwrap().port(),
            "unix": self.temporary.path().join("socket"),
            "own": folder.join("provost/test.sock"),
            "turn": folder.join(TURN).join("s"),
            "memory": self.memory.path(),
            "abstract": abstracts[0],
            "datagram": abstracts[1],
            "terminal": self.terminal.name,
        });
        fs::write(folder.join("scene.json"), described.to_string()).unwrap();
    }

    /// Has the delivery run that lets the agent make its attempts, and gives back its worktree.
    pub(crate) fn deliver(&self, path: Option<&Path>) -> PathBuf {
        let mut command = self.started(&[env!("CARGO_BIN_EXE_provost"), "run", "plan.md"]);
        command.env("XDG_RUNTIME_DIR", self.project.folder()).env("USER", "ada");
        if let Some(path) = path {
            command.env("PATH", path);
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(5), "{}", said(&output));
        let found = self.project.worktrees().into_iter().find(|path| path.join("attempts.txt").exists());
        found.unwrap_or_else(|| panic!("no attempt was made\n{}", said(&output)))
    }

    /// Makes the attempts where nobody stands between the agent and the machine.
    pub(crate) fn bare(&self) -> PathBuf {
        let worktree = self.other.parent().unwrap().join("bare");
        self.project.git(&["worktree", "add", "-q", "--detach", worktree.to_str().unwrap()]);
        let agent = self.project.folder().join("agent.sh");
        let output = self.started(&[agent.to_str().unwrap()]).current_dir(&worktree).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        worktree
    }

    /// A program as a person starts it, from a shell on a terminal.
    fn started(&self, argv: &[&str]) -> Command {
        let mut command = Command::new("setsid");
        let home = self.project.folder();
        command.args(["--ctty", "--wait", "sh", "-c", STARTED, "sh"]).arg(home).args(argv);
        command.current_dir(self.project.root()).env_clear().env("HOME", home);
        command.env("PATH", std::env::var_os("PATH").unwrap());
        command.stdin(Stdio::from(self.terminal.programs.as_ref().unwrap().try_clone().unwrap()));
        command
    }

    /// The attempts that have succeeded, as far as can be seen from outside.
    pub(crate) fn succeeded(&mut self, attempts: &[Attempt], worktree: &Path) -> BTreeSet<&'static str> {
        let heard = self.heard();
        let typed = fs::read_to_string(self.project.folder().join("typed")).unwrap();
        self.terminal.programs = None;
        let printed = self.terminal.printed.take().unwrap().join().unwrap();
        let leaks = fs::read_to_string(worktree.join("leaks.txt")).unwrap_or_default();
        let mut succeeded = BTreeSet::new();
        for &(_, name, effect) in attempts {
            let mark = format!("escaped {name}");
            let has_mark = |text: &str| text.lines().any(|line| line.trim_end() == mark);
            let is_there = match effect {
                Effect::Leaked => {
                    leaks.lines().any(|line| line.starts_with(&format!("{name} ")) && line.contains(SECRET))
                }
                Effect::Marked("worktree/.git") => {
                    // It may have been moved away by another attempt since.
                    let texts = [".git", ".git-away"]
                        .map(|it| fs::read_to_string(worktree.join(it)).unwrap_or_default());
                    texts.iter().any(|text| text.contains(&mark))
                }
                Effect::Marked(place) => {
                    fs::read_to_string(self.at(place, worktree)).is_ok_and(|text| text.contains(&mark))
                }
                Effect::Missing(place) => !self.at(place, worktree).exists(),
                Effect::Empty(place) => fs::metadata(self.at(place, worktree)).unwrap().len() == 0,
                Effect::OpenToAll(place) => {
                    fs::metadata(self.at(place, worktree)).unwrap().permissions().mode() & 0o777 == 0o777
                }
                Effect::Old(place) => {
                    fs::metadata(self.at(place, worktree)).unwrap().modified().unwrap()
                        == SystemTime::UNIX_EPOCH
                }
                Effect::Reference(name) => self.at("common", worktree).join(name).exists(),
                Effect::Heard => has_mark(&heard),
                Effect::Ended => self.victim(name).try_wait().unwrap().is_some(),
                Effect::Limited => {
                    let limits =
                        fs::read_to_string(format!("/proc/{}/limits", self.victim(name).id())).unwrap();
                    limits.lines().any(|line| line.starts_with("Max open files") && line.contains(" 7 "))
                }
                Effect::Typed => has_mark(&typed),
                Effect::Printed => has_mark(&printed),
            };
            if is_there {
                succeeded.insert(name);
            }
        }
        succeeded
    }

    fn at(&self, place: &str, worktree: &Path) -> PathBuf {
        let (base, rest) = place.split_once('/').unwrap_or((place, ""));
        let base = match base {
            "home" => self.project.folder().to_owned(),
            "root" => self.project.root(),
            "common" => self.project.root().join(".git"),
            "state" => self.project.root().join(".git/provost"),
            "temporary" => self.temporary.path().to_owned(),
            "memory" => return self.memory.path().to_owned(),
            "other" => self.other.clone(),
            _ => worktree.to_owned(),
        };
        base.join(rest)
    }

    fn victim(&mut self, name: &str) -> &mut Child {
        &mut self.victims.iter_mut().find(|(other, _)| *other == name).unwrap().1
    }

    /// All that came to those who listen; whoever spoke has ended.
    fn heard(&self) -> String {
        let mut heard = String::new();
        self.tcp.set_nonblocking(true).unwrap();
        while let Ok((mut stream, _)) = self.tcp.accept() {
            stream.set_nonblocking(false).unwrap();
            stream.read_to_string(&mut heard).unwrap();
        }
        for listener in &self.unix {
            listener.set_nonblocking(true).unwrap();
            while let Ok((mut stream, _)) = listener.accept() {
                stream.set_nonblocking(false).unwrap();
                stream.read_to_string(&mut heard).unwrap();
            }
        }
        let mut buffer = [0; 1_024];
        self.udp.set_nonblocking(true).unwrap();
        while let Ok(count) = self.udp.recv(&mut buffer) {
            heard.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
        }
        self.datagram.set_nonblocking(true).unwrap();
        while let Ok(count) = self.datagram.recv(&mut buffer) {
            heard.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
        }
        heard
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        for (_, child) in &mut self.victims {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The interpreter itself, whatever stands before it on the search path.
fn python() -> String {
    let asked = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let output =
        asked.unwrap_or_else(|error| panic!("the attempts are written in Python, and python3: {error}"));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The folder that this project's worktrees are made in.
fn worktrees(project: &Project) -> PathBuf {
    let log = project.run(&["--json", "log"]).out;
    let records = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let mut ids = records.filter_map(|record| Some(record["details"]["project_id"].as_str()?.to_owned()));
    let id = ids.next().unwrap();
    project.folder().join(".local/state/provost").join(id).join("worktrees")
}

/// A process that has nothing to do with any agent.
fn victim(project: &Project, name: &str) -> Child {
    let output = fs::File::create(project.folder().join(name)).unwrap();
    let mut command = Command::new("sleep");
    command.arg("1000").env("SECRET", SECRET).current_dir(project.folder()).process_group(0);
    command.stdin(Stdio::null()).stdout(output).spawn().unwrap()
}

impl Terminal {
    fn open() -> Terminal {
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&person).unwrap();
        unlockpt(&person).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let programs = rustix::fs::open(&name, flags, Mode::empty()).unwrap();
        let printed = thread::spawn(move || {
            let mut printed = Vec::new();
            // It ends with an error when the last program has closed its side.
            let _ = fs::File::from(person).read_to_end(&mut printed);
            String::from_utf8_lossy(&printed).into_owned()
        });
        Terminal { name, programs: Some(programs), printed: Some(printed) }
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
