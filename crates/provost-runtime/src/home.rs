//! Where a project lives: the repository that a folder belongs to, and the two places in it that are Provost's.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use provost_core::diagnostic::{self, Diagnostic, quoted};
use provost_core::plan;

use crate::git::Call;
use crate::journal::lines_between;
use crate::lock::Lock;
use crate::storage::Disk;

/// What to do about worktrees that would be inside the checkout.
pub(crate) const OUTSIDE: &str = "name a folder outside the repository as `root` in `[worktree]`";

/// The places of one project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The top of the work tree.
    pub root: PathBuf,
    /// The git folder of this checkout: the repository's, or one inside it where the checkout is a linked one.
    pub git: PathBuf,
    /// What Provost writes, inside the repository's git folder: `git clean` does not reach it.
    pub state: PathBuf,
}

impl Home {
    /// Finds the project of a folder.
    pub fn find(folder: &Path) -> Result<Home, Diagnostic> {
        let asked = ["--git-common-dir", "--git-dir", "--show-toplevel"];
        let answer = match rev_parse(folder, &asked) {
            // What only reads the record needs no git to do so.
            Err(refusal) if refusal.code == diagnostic::GIT_MISSING => {
                return Home::without_git(folder).ok_or(refusal);
            }
            answer => answer?,
        };
        let lines: Vec<&[u8]> = answer.split(|&byte| byte == b'\n').collect();
        let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
        let [common, git, root] = if let [common, git, root] = lines.as_slice() {
            [path(common), path(git), path(root)]
        } else {
            // A path may contain anything, a newline too; then each is asked for by itself.
            let [common, git, root] = asked.map(|what| rev_parse(folder, &[what]));
            [path(&common?), path(&git?), path(&root?)]
        };
        Ok(Home { root, git, state: common.join("provost") })
    }

    /// The same where the command `git` is not installed, by the files that it would look at.
    fn without_git(folder: &Path) -> Option<Home> {
        let folder = folder.canonicalize().ok()?;
        let root = folder.ancestors().find(|part| part.join(".git").exists())?;
        let git = match fs::read_to_string(root.join(".git")) {
            Ok(link) => root.join(link.strip_prefix("gitdir:")?.trim()),
            Err(_) => root.join(".git"),
        };
        let common = match fs::read_to_string(git.join("commondir")) {
            Ok(link) => git.join(link.trim()).canonicalize().ok()?,
            Err(_) => git.clone(),
        };
        let is_repository = common.join("objects").is_dir();
        is_repository.then(|| Home { root: root.to_owned(), git, state: common.join("provost") })
    }

    /// Whether Provost has written here before.
    pub fn exists(&self) -> bool {
        self.journal().is_dir()
    }

    /// Makes the folders that writing needs, open to their owner alone.
    pub fn make(&self) -> io::Result<()> {
        // One folder at a time: a git folder that is gone is not made again.
        for folder in [&self.state, &self.journal()] {
            match DirBuilder::new().mode(0o700).create(folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => made?,
            }
        }
        Ok(())
    }

    /// The file whose lock decides who writes.
    pub fn lock(&self) -> PathBuf {
        self.journal().join("lock")
    }

    /// The project's storage, to read.
    pub fn reading(&self) -> Disk {
        Disk::reading(&self.state)
    }

    /// The project's storage, to write.
    pub fn owned(&self, lock: Lock) -> Disk {
        Disk::owned(&self.state, lock)
    }

    /// The configuration that people write.
    pub fn config(&self) -> PathBuf {
        self.root.join(".provost").join("provost.toml")
    }

    /// The repository's git folder, shared by all its checkouts.
    pub fn common(&self) -> &Path {
        self.state.parent().unwrap_or(&self.state)
    }

    /// The folder for a project's worktrees: under `root` where it is configured, else in the person's state
    /// folder. Never inside the checkout, where a check could see the files around it.
    pub fn worktrees(&self, project_id: &str, root: Option<&Path>) -> Result<PathBuf, Diagnostic> {
        let state = || state_home(std::env::var_os("XDG_STATE_HOME"), std::env::var_os("HOME"));
        let top = match root {
            Some(root) => Some(self.root.join(root)),
            None => state().map(|state| state.join("provost")),
        };
        let nowhere = "there is no folder for worktrees: HOME is not set";
        let top = top.ok_or_else(|| Diagnostic::error(diagnostic::PROJECT_FOLDER, nowhere))?;
        let folder = top.join(project_id).join("worktrees");
        // The folder need not exist yet; the part of it that does may be reached through a link.
        let real = top.ancestors().find_map(|part| part.canonicalize().ok()).unwrap_or_else(|| top.clone());
        if folder.starts_with(&self.root) || real.starts_with(&self.root) {
            let message = format!("the worktrees' folder `{}` is inside the checkout", folder.display());
            let code = if root.is_some() { diagnostic::CONFIG_VALUE } else { diagnostic::PROJECT_FOLDER };
            return Err(Diagnostic::error(code, message).with_help(OUTSIDE));
        }
        Ok(folder)
    }

    /// Refuses a copy of a repository whose original is still there: both have the project's id, by which agents are found
    /// and worktrees named, so that each would end the other's agents and work in its worktrees.
    pub fn refuse_copy(&self, project_id: &str) -> Result<(), Diagnostic> {
        let noted = owner(project_id).and_then(|note| fs::read(note).ok());
        let Some(other) = noted.map(|bytes| PathBuf::from(OsStr::from_bytes(&bytes))) else { return Ok(()) };
        if other == self.state || !self.is_copy_of(&other) {
            return Ok(());
        }
        let original = other.parent().unwrap_or(&other).display().to_string();
        let message = format!("this repository is a copy of the project in {}", quoted(&original));
        let help = format!(
            "work there, or make this a project of its own, whose record begins anew: remove {}",
            quoted(&self.state.display().to_string())
        );
        Err(Diagnostic::error(diagnostic::PROJECT_COPIED, message).with_help(help))
    }

    /// Notes that the project is performed here. Where that cannot be noted, a copy is not noticed.
    pub(crate) fn note_owner(&self, project_id: &str) {
        let Some(note) = owner(project_id) else { return };
        if fs::read(&note).is_ok_and(|bytes| bytes == self.state.as_os_str().as_bytes()) {
            return;
        }
        let _ = note.parent().map(fs::create_dir_all);
        let _ = fs::write(&note, self.state.as_os_str().as_bytes());
    }

    /// Whether another folder has the same record and is not this one under another name.
    fn is_copy_of(&self, other: &Path) -> bool {
        let place = |state: &Path| state.metadata().map(|meta| (meta.dev(), meta.ino())).ok();
        let first = |state: &Path| lines_between(&Disk::reading(state), 1, 1).ok()?.into_iter().next();
        place(other) != place(&self.state)
            && first(other).is_some_and(|line| Some(line) == first(&self.state))
    }

    fn journal(&self) -> PathBuf {
        self.state.join(crate::journal::FOLDER)
    }
}

/// Where it is noted in whose git folder a project is, outside of all of them.
fn owner(project_id: &str) -> Option<PathBuf> {
    let state = state_home(std::env::var_os("XDG_STATE_HOME"), std::env::var_os("HOME"))?;
    Some(state.join("provost").join(project_id).join("owner"))
}

/// Asks git for paths, and gives back its answer without the last newline.
fn rev_parse(folder: &Path, asked: &[&str]) -> Result<Vec<u8>, Diagnostic> {
    let nowhere = || {
        let name = quoted(&folder.display().to_string()).to_string();
        let message = format!("{name} is not in the work tree of a git repository");
        Diagnostic::error(diagnostic::PROJECT_NO_REPOSITORY, message)
    };
    if !folder.is_dir() {
        return Err(nowhere());
    }
    let said = Call::looking(folder).args(["rev-parse", "--path-format=absolute"]).args(asked).ask()?;
    if let (Some(0), Some(answer)) = (said.status, said.out.strip_suffix(b"\n")) {
        return Ok(answer.to_vec());
    }
    let complaint = said.complaint();
    if complaint.contains("dubious ownership") {
        let first = complaint.split("; ").next().unwrap_or_default();
        // Git names the folder that it wants to be told of, which may be above the one that was asked about.
        let named = first.split_once('\'').and_then(|(_, rest)| rest.rsplit_once('\'')).map(|it| it.0);
        let named = named.map_or_else(|| folder.display().to_string(), str::to_owned);
        let mend =
            plan::shown(&["git", "config", "--global", "--add", "safe.directory", &named].map(str::to_owned));
        let help = format!("if you trust what is in it: `{mend}`; else use a repository of your own");
        return Err(Diagnostic::error(diagnostic::GIT_FAILED, first).with_help(help));
    }
    // Asked again, since git complains in the same words about a git folder that has a work tree elsewhere.
    let bare = Call::looking(folder).args(["rev-parse", "--is-bare-repository"]).ask()?;
    if bare.status == Some(0) && bare.out == b"true\n" {
        let name = folder.display().to_string();
        let message = format!("{} is a bare repository, which has no work tree", quoted(&name));
        let mend = plan::shown(&["git", "clone", &name].map(str::to_owned));
        let help = format!("work in a clone of it: `{mend}`, or in a worktree: `git worktree add DIR`");
        return Err(Diagnostic::error(diagnostic::PROJECT_NO_REPOSITORY, message).with_help(help));
    }
    Err(nowhere())
}

/// The person's folder for state, as the XDG base directory specification says: relative values do not count.
fn state_home(xdg: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |value: Option<OsString>| value.map(PathBuf::from).filter(|path| path.is_absolute());
    absolute(xdg).or_else(|| Some(absolute(home)?.join(".local/state")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_is_where_the_specification_says() {
        let home = Some(OsString::from("/ada"));
        assert_eq!(state_home(Some("/state".into()), home.clone()), Some("/state".into()));
        assert_eq!(state_home(Some("state".into()), home.clone()), Some("/ada/.local/state".into()));
        assert_eq!(state_home(None, home), Some("/ada/.local/state".into()));
        assert_eq!(state_home(None, None), None);
    }

    #[test]
    fn worktrees_are_never_inside_the_checkout() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let home =
            Home { git: root.join("r/.git"), state: root.join("r/.git/provost"), root: root.join("r") };
        std::fs::create_dir_all(root.join("r/inside")).unwrap();
        std::os::unix::fs::symlink(root.join("r/inside"), root.join("link")).unwrap();
        let place = |at: &Path| home.worktrees("p-1", Some(at));
        assert_eq!(place(&root.join("out")).unwrap(), root.join("out/p-1/worktrees"));
        for inside in [Path::new("inside"), Path::new(".git"), &root.join("link"), &root.join("link/deeper")]
        {
            assert_eq!(place(inside).unwrap_err().code, diagnostic::CONFIG_VALUE, "{}", inside.display());
        }
    }
}
