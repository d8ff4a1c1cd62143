//! The stage of the demo: a repository, a plan, a check, and agents whose every move is written down.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use provost_core::record::Record;
use provost_runtime::home::Home;

use super::failed;
use crate::failure::Failure;

/// What agents do: everybody writes a small module, but the parser's first claim is false and the docs' first version
/// does not please the critic.
const AGENT: &str = include_str!("agent.sh");

/// The check: every module that the work names has to say that it is done.
const CHECK: &str = include_str!("check.sh");

/// The plan.
const PLAN: &str = include_str!("plan.md");

/// A folder that is removed in the end, unless it is to be kept.
pub(super) struct Stage {
    folder: PathBuf,
    kept: bool,
    exe: PathBuf,
}

impl Stage {
    pub(super) fn build(keep: Option<&Path>, fast: bool) -> Result<Stage, Failure> {
        let unique = format!("provost-demo-{}", std::process::id());
        let folder = keep.map_or_else(|| std::env::temp_dir().join(unique), Path::to_owned);
        let exe = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
        let made = fs::create_dir(&folder).and_then(|()| folder.canonicalize());
        let folder = made.map_err(|error| failed(format!("{} cannot be made: {error}", folder.display())))?;
        let stage = Stage { folder, kept: keep.is_some(), exe };
        stage.furnish(fast).map_err(|error| failed(format!("the stage cannot be built: {error}")))?;
        Ok(stage)
    }

    fn furnish(&self, fast: bool) -> io::Result<()> {
        let repository = self.repository();
        fs::create_dir_all(repository.join(".provost"))?;
        let pace = if fast { "0" } else { "0.7" };
        self.script("agent.sh", &AGENT.replace("@PACE@", pace))?;
        self.script("check.sh", CHECK)?;
        let config = format!(
            "version = 1\n\n[agents.actor]\ndrive = \"command\"\nargv = [\"{}\"]\n\n[[checks]]\nname = \"check\"\nargv = [\"{}\"]\n",
            self.folder.join("agent.sh").display(),
            self.folder.join("check.sh").display(),
        );
        fs::write(repository.join(".provost/provost.toml"), config)?;
        fs::write(repository.join("plan.md"), PLAN)?;
        fs::write(repository.join("README.md"), "# A small project\n")?;
        self.git(&["init", "--quiet", "--initial-branch", "main"])?;
        self.git(&["add", "."])?;
        let identity = ["-c", "user.name=Demo", "-c", "user.email=demo@localhost"];
        self.git(&[&identity[..], &["commit", "--quiet", "-m", "begin"]].concat())
    }

    fn script(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.folder.join(name);
        fs::write(&path, text)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
    }

    fn git(&self, arguments: &[&str]) -> io::Result<()> {
        let status = Command::new("git").args(arguments).current_dir(self.repository()).status()?;
        if status.success() { Ok(()) } else { Err(io::Error::other(format!("git ended with {status}"))) }
    }

    fn repository(&self) -> PathBuf {
        self.folder.join("project")
    }

    /// A command of Provost in the repository, with state of its own.
    pub(super) fn provost(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.exe);
        command
            .args(arguments)
            .current_dir(self.repository())
            .env("XDG_STATE_HOME", self.folder.join("state"))
            .env_remove("GIT_DIR");
        command
    }

    pub(super) fn home(&self) -> Result<Home, Failure> {
        Ok(Home::find(&self.repository())?)
    }

    /// Flips a bit in the middle of the record, and gives the sequence of the record it is in. Twice is as never.
    pub(super) fn flip(&self) -> Result<u64, Failure> {
        let path = self.home()?.state.join("journal/0000000000000001.jsonl");
        let flipped = || -> io::Result<u64> {
            let mut bytes = fs::read(&path)?;
            let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
            let middle = lines.len() / 2;
            let line = lines.get(middle).copied().unwrap_or_default();
            let start: usize = lines.iter().take(middle).map(|line| line.len() + 1).sum();
            // The last record before it tells which one this is, also when this one cannot be read.
            let before = lines.get(middle - 1).and_then(|line| Record::parse(line).ok());
            let sequence = before.map(|record| record.sequence + 1).unwrap_or_default();
            let at = start + line.len() / 2;
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1;
            }
            fs::write(&path, bytes)?;
            Ok(sequence)
        };
        flipped().map_err(|error| failed(format!("the record cannot be changed: {error}")))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
