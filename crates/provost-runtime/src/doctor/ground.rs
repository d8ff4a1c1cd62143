//! What a run stands on: git, the repository and its checkout, the disk.

use std::path::Path;

use provost_core::diagnostic::{Diagnostic, quoted};
use rustix::fs::{Access, access, statvfs};

use super::Findings;
use crate::git::{Call, Oid};
use crate::home::Home;
use crate::repository::{HeadState, Preflight, Repository};

/// The oldest git that has all that is used.
const GIT_MIN: (u32, u32) = (2, 38);

/// Below this much room a run is likely to stop in the middle.
const ROOM_MIN_MIB: u64 = 512;

/// A branch as deliveries make them; no delivery has this number.
const TRIED: &str = "provost/d-0";

/// A branch of this name leaves no room for those.
const TOP: &str = "provost";

/// How many paths a finding names.
const NAMED_MAX: usize = 3;

/// Looks at git itself; without it there is nothing else to look at.
pub(super) fn git(folder: &Path, findings: &mut Findings) -> bool {
    if !folder.is_dir() {
        let name = folder.display().to_string();
        let message = format!("there is no folder {}", quoted(&name));
        findings.error("repository", message, "name a folder that exists with `--project DIR`");
        return false;
    }
    let said = match Call::looking(folder).args(["--version"]).run() {
        Ok(said) => String::from_utf8_lossy(&said).trim().to_owned(),
        Err(fault) => {
            findings.diagnostic("git", &Diagnostic::from(fault));
            return false;
        }
    };
    let (least, mend) = (format!("{}.{}", GIT_MIN.0, GIT_MIN.1), "install a newer git");
    match version(&said) {
        Some(version) if version >= GIT_MIN => findings.ok("git", said),
        Some(_) => findings.error("git", format!("{said} is older than {least}"), mend),
        None => findings.warn("git", format!("the version of git is not clear: {}", quoted(&said)), mend),
    }
    true
}

/// The first two numbers of `git version 2.43.0`.
fn version(said: &str) -> Option<(u32, u32)> {
    let mut parts = said.split_whitespace().nth(2)?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Looks at the repository and its checkout.
pub(super) fn repository(home: &Home, findings: &mut Findings) {
    let looked = Repository::open(home).and_then(|open| {
        let (identity, preflight) = (open.identity().is_some(), open.preflight()?);
        Ok((open, identity, preflight))
    });
    let (open, identity, preflight) = match looked {
        Ok(looked) => looked,
        Err(fault) => return findings.diagnostic("repository", &Diagnostic::from(fault)),
    };
    match &preflight.head {
        HeadState::Unborn => findings.error(
            "repository",
            "there is no commit that work could begin from",
            "git add --all && git commit -m \"Begin\"",
        ),
        HeadState::Born { branch: Some(branch), .. } => {
            findings.ok("repository", format!("on the branch {}", quoted(branch)));
        }
        HeadState::Born { branch: None, .. } => findings.warn(
            "repository",
            "HEAD is on no branch; work begins from its commit all the same",
            "git switch BRANCH",
        ),
    }
    if identity {
        findings.ok("identity", "git knows who you are");
    } else {
        findings.warn(
            "identity",
            "git does not know who you are; commits are made in Provost's name",
            "git config --global user.name \"NAME\" && git config --global user.email ADDRESS",
        );
    }
    if let HeadState::Born { commit, .. } = &preflight.head {
        branch(&open, commit, findings);
    }
    checkout(&preflight, findings);
}

/// Tries the kind of branch that a delivery makes; git itself knows best what stands in its way.
fn branch(repository: &Repository, commit: &Oid, findings: &mut Findings) {
    if let Err(fault) = repository.try_branch(TRIED, commit) {
        let message = format!("a delivery's branch, such as `{TRIED}`, cannot be made: {fault}");
        let is_taken = repository.branch_tip(TOP).is_ok_and(|tip| tip.is_some());
        let mend = if is_taken {
            format!("git branch --move {TOP} OTHER")
        } else {
            "see what git says, and mend it".to_owned()
        };
        findings.error("branches", message, mend);
    }
}

/// Says what agents will not see.
fn checkout(preflight: &Preflight, findings: &mut Findings) {
    let (dirty, untracked) = (preflight.dirty_count, preflight.untracked_count);
    if let Some(unfinished) = preflight.in_progress {
        let mend = match unfinished {
            "bisect" => "git bisect reset".to_owned(),
            _ => format!("git {unfinished} --continue, or git {unfinished} --abort"),
        };
        findings.warn("checkout", format!("a {unfinished} is not finished"), mend);
    }
    if dirty > 0 {
        let names: Vec<String> = preflight.dirty.iter().map(|path| path.display().to_string()).collect();
        let message =
            format!("agents see files as committed, without your changes to {}", named(&names, dirty));
        findings.warn("checkout", message, "git commit --all, or git stash");
    }
    if untracked > 0 {
        let paths = if untracked == 1 { "path that git does" } else { "paths that git does" };
        let message = format!("agents do not see {untracked} {paths} not track");
        findings.warn("checkout", message, "git add --all && git commit, or add to .gitignore");
    }
    if dirty == 0 && untracked == 0 && preflight.in_progress.is_none() {
        findings.ok("checkout", "agents see all of it");
    }
    if !preflight.submodules.is_empty() {
        let names: Vec<String> = preflight.submodules.iter().map(|path| path.display().to_string()).collect();
        let message = format!("submodules are empty folders to agents: {}", named(&names, names.len()));
        let mend = "give agents what they need with `setup` in `[worktree]`";
        findings.warn("submodules", message, mend);
    }
    if preflight.partial {
        let message = "objects of a partial clone may be missing, and Provost does not fetch them";
        findings.warn("repository", message, "git fetch --refetch --no-filter");
    }
}

/// The first few names, and how many more there are.
fn named(names: &[String], count: usize) -> String {
    let shown: Vec<String> = names.iter().take(NAMED_MAX).map(|name| quoted(name).to_string()).collect();
    let more = count.saturating_sub(shown.len());
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

/// Looks at the two places that are written: the record's, and the worktrees'.
pub(super) fn disk(home: &Home, root: Option<&Path>, findings: &mut Findings) {
    let worktrees = match home.worktrees("project", root) {
        Ok(folder) => folder,
        Err(diagnostic) => return findings.diagnostic("disk", &diagnostic),
    };
    let mut fine = true;
    for (folder, what) in [(home.state.as_path(), "the record"), (&*worktrees, "worktrees")] {
        // What does not exist yet is made in the nearest folder that does.
        let Some(existing) = folder.ancestors().find(|part| part.is_dir()) else { continue };
        let shown = existing.display().to_string();
        if access(existing, Access::WRITE_OK | Access::EXEC_OK).is_err() {
            fine = false;
            let message = format!("{what} cannot be written in {}", quoted(&shown));
            findings.error("disk", message, format!("chmod u+rwx {shown}, or mount its disk for writing"));
            continue;
        }
        let free = statvfs(existing).map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) >> 20);
        if let Ok(free_mib) = free
            && free_mib < ROOM_MIN_MIB
        {
            fine = false;
            let message = format!("only {free_mib} MiB are free for {what} in {}", quoted(&shown));
            findings.warn("disk", message, "make room");
        }
    }
    if fine {
        findings.ok("disk", "the record and worktrees can be written");
    }
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_of_all_makers_are_read() {
        for (said, expected) in [
            ("git version 2.43.0", Some((2, 43))),
            ("git version 2.39.5 (Apple Git-154)", Some((2, 39))),
            ("git version 2.38.windows.1", Some((2, 38))),
            ("hub", None),
        ] {
            assert_eq!(version(said), expected, "{said}");
        }
    }
}
