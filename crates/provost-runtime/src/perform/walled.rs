//! The walls of one program: from what is configured and where things are to what it can reach.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use provost_core::protected::{self, PROTECTED};

use super::Work;
use crate::socket;
use crate::walls::{Access, Network, Reach, TEMPORARY, Walls};

/// Where the machine's services listen: the container engine, the message bus, agents that hold keys.
const SERVICES: &str = "/run";

/// What programs need from there all the same.
const NEEDED: &[&str] =
    &["/etc/resolv.conf", "/run/current-system", "/run/wrappers", "/run/opengl-driver", "/run/binfmt"];

/// What in a person's folders an agent may write is not all harmless: these are obeyed outside of any walls.
const OBEYED: &[&str] = &["settings.json", "settings.local.json", "hooks", "config.toml"];

/// A program, as far as its walls depend on it.
pub(super) struct Program<'a> {
    /// The worktree that it runs in.
    pub(super) worktree: &'a Path,
    /// How far it reaches beyond that.
    pub(super) reach: &'a Reach,
    /// What it reaches of the network where nothing is configured.
    pub(super) network: Network,
    /// What is protected in the worktree.
    pub(super) guard: Guard<'a>,
    /// What it reads although it is hidden.
    pub(super) exposed: &'a [&'a Path],
}

/// What is protected in a worktree.
#[derive(Clone, Copy)]
pub(super) enum Guard<'a> {
    /// Everything on the list but what these patterns name.
    Except(&'a [String]),
    /// Everything: it only looks.
    All,
    /// Only what git reads: a command that prepares a worktree writes what the project's own tools want.
    Git,
}

impl Work {
    /// The walls for a program, and an empty folder for its temporary files; nothing where no walls are in force.
    pub(super) fn walls(&self, program: &Program<'_>) -> io::Result<Option<Walls>> {
        let Some(by) = self.tools.force.builder() else { return Ok(None) };
        let scratch = self.make_scratch()?;
        let mut places = Places::default();
        places.machine();
        for path in &program.reach.writable {
            places.writable(path);
        }
        let (tools, home) = (&self.tools, &self.tools.home);
        for path in
            [&*home.root, home.common(), &*tools.exe].into_iter().chain(program.exposed.iter().copied())
        {
            places.put(path, Access::ReadOnly);
        }
        places.put(&home.state, Access::Hidden);
        places.put(&tools.worktrees, Access::Hidden);
        // Those of other projects are beside them, unless their place is configured.
        if let Some(all) = tools.worktrees.ancestors().nth(2).filter(|all| all.ends_with("provost")) {
            places.put(all, Access::Hidden);
        }
        places.worktree(program.worktree, program.guard);
        Ok(Some(Walls {
            by,
            places: places.0,
            scratch: scratch.canonicalize()?,
            network: program.reach.network.unwrap_or(program.network),
            nests: program.reach.nests,
        }))
    }
}

impl Work {
    /// A new folder for temporary files: what one program left is nothing to the next, and removing it is left to the end
    /// of the effect, when nobody waits.
    fn make_scratch(&self) -> io::Result<PathBuf> {
        let folder = self.make_folder()?;
        let mut number = 0_u32;
        loop {
            let scratch = folder.join(format!("tmp-{number}"));
            match fs::create_dir(&scratch) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                made => return made.map(|()| scratch),
            }
        }
    }
}

/// Places being collected; what is put later wins.
#[derive(Default)]
struct Places(BTreeMap<PathBuf, Access>);

impl Places {
    /// Puts a place under its real name; one that is not there has none.
    fn put(&mut self, path: &Path, access: Access) {
        if let Ok(real) = path.canonicalize() {
            self.0.insert(real, access);
        }
    }

    /// What holds for every program on the machine.
    fn machine(&mut self) {
        let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
        // Programs listen there, Provost too.
        let listening =
            [Some(std::env::temp_dir()), variable("XDG_RUNTIME_DIR"), Some(PathBuf::from(SERVICES))];
        for folder in listening.into_iter().flatten() {
            self.put(&folder, Access::Hidden);
        }
        self.put(Path::new(TEMPORARY), Access::Scratch);
        for path in NEEDED {
            self.put(Path::new(path), Access::ReadOnly);
        }
        // Wherever it is: programs and what is configured for them are in it.
        for folder in ["HOME", "CARGO_HOME", "RUSTUP_HOME"].into_iter().filter_map(variable) {
            self.put(&folder, Access::ReadOnly);
        }
        if let Some(folder) = socket::folder() {
            self.put(&folder, Access::Hidden);
        }
    }

    /// A path that is configured to be written.
    fn writable(&mut self, path: &str) {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let path = match (path.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(path),
        };
        self.put(&path, Access::Writable);
        for name in OBEYED {
            self.put(&path.join(name), Access::ReadOnly);
        }
    }

    fn worktree(&mut self, worktree: &Path, guard: Guard<'_>) {
        if matches!(guard, Guard::All) {
            self.put(worktree, Access::ReadOnly);
            return;
        }
        self.put(worktree, Access::Writable);
        let Ok(real) = worktree.canonicalize() else { return };
        for it in PROTECTED {
            let path = real.join(it.name);
            match guard {
                Guard::Except(files) if files.iter().any(|own| protected::names(own, it)) => {}
                Guard::Except(_) if it.covered => {
                    self.0.insert(path, Access::Sealed);
                }
                Guard::Git if it.covered => {}
                // Links are left as they are: what they lead to is not the worktree's.
                _ => {
                    self.0.insert(path, Access::ReadOnly);
                }
            }
        }
    }
}
