//! The person's repository as Provost uses it: looked at before work begins, and changed only in branches that are
//! Provost's own. Files, index and other branches of the checkout are never written from here.

mod branches;
mod heads;
mod preflight;
mod prune;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::git::{Call, Configured, GitFault, Sealed};
use crate::home::Home;

pub use branches::{EffectName, Found, Moved, own_branches};
pub use heads::{Witness, witnesses};
pub use preflight::{HeadState, Preflight};
pub use prune::{Ended, Pruned};

/// Who a commit is by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
}

impl Default for Identity {
    /// Provost itself, where the person's configuration names nobody.
    fn default() -> Identity {
        Identity { name: "Provost".to_owned(), email: "provost@localhost".to_owned() }
    }
}

/// An open repository; cheap to clone, and usable from several threads.
#[derive(Clone, Debug)]
pub struct Repository {
    pub(crate) home: Home,
    pub(crate) configured: Arc<Configured>,
    sealed: Sealed,
    calls: Arc<AtomicU64>,
}

impl Repository {
    /// Reads the configuration and makes the sealed git folder: one git process.
    pub fn open(home: &Home) -> Result<Repository, GitFault> {
        let configured = Configured::read(&home.git)?;
        let sealed = Sealed::make(&home.state.join("git"), home.common(), &configured)?;
        let calls = Arc::new(AtomicU64::new(1));
        Ok(Repository { home: home.clone(), configured: Arc::new(configured), sealed, calls })
    }

    /// Looks at the person's checkout, and makes nothing.
    pub fn look(home: &Home) -> Result<Preflight, GitFault> {
        let configured = Arc::new(Configured::read(&home.git)?);
        // Only calls about content need it to be there.
        let sealed = Sealed::at(&home.state.join("git"), home.common());
        Repository { home: home.clone(), configured, sealed, calls: Arc::default() }.preflight()
    }

    /// How many git processes were started through this repository.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// The person as configured, if name and address are.
    pub fn identity(&self) -> Option<Identity> {
        let name = self.configured.get("user.name")?.to_owned();
        let email = self.configured.get("user.email")?.to_owned();
        Some(Identity { name, email })
    }

    /// The top of the person's checkout.
    pub fn root(&self) -> &Path {
        &self.home.root
    }

    /// A call about content: files, trees, merges, differences.
    pub(crate) fn content(&self) -> Call {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.sealed.call()
    }

    /// A call about references.
    pub(crate) fn references(&self) -> Call {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let Identity { name, email } = Identity::default();
        // The reflog names who moved a branch, and that was not the person.
        Call::within(self.home.common())
            .apart()
            .env("GIT_COMMITTER_NAME", name)
            .env("GIT_COMMITTER_EMAIL", email)
    }

    /// A call that only looks at the person's checkout.
    fn checkout(&self) -> Call {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let call = Call::within(&self.home.git).env("GIT_WORK_TREE", &self.home.root);
        self.configured.filters_off().iter().fold(call, |call, setting| call.set(setting))
    }

    /// Whether references are kept as files, so that a worktree can be registered by writing its files.
    pub(crate) fn has_file_references(&self) -> bool {
        self.configured.get("extensions.refstorage").is_none_or(|storage| storage == "files")
    }

    /// What Provost keeps about worktrees; out of their reach.
    pub(crate) fn notes(&self) -> PathBuf {
        self.home.state.join("worktrees")
    }
}
