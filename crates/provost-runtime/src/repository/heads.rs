//! What commits say about the record. Whoever holds such a commit can tell a journal that was rewritten from the one
//! that was written, however consistent its hashes are.

use provost_core::record::Head;

use crate::git::{Call, GitFault, Oid};
use crate::home::Home;
use crate::worktree::{EFFECT_TRAILER, HEAD_TRAILER};

/// A commit that names a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The commit.
    pub commit: Oid,
    /// The project whose record it is; a repository may hold commits of clones that are projects of their own.
    pub project_id: String,
    /// The record.
    pub head: Head,
}

/// The commits that name records, from all references of a repository. It reads and makes nothing, so that it can be
/// asked where nothing may be written.
pub fn witnesses(home: &Home) -> Result<Vec<Witness>, GitFault> {
    let trailer = |key: &str| format!("%(trailers:key={key},valueonly,unfold)%x00");
    let format = format!("--format=%H%x00{}{}", trailer(EFFECT_TRAILER), trailer(HEAD_TRAILER));
    let said = naming(home, &["--all"]).args(["--no-commit-header".to_owned(), format]).run()?;
    let mut pieces = said.split(|&byte| byte == 0).map(String::from_utf8_lossy);
    let mut found = Vec::new();
    while let (Some(commit), Some(effects), Some(heads)) = (pieces.next(), pieces.next(), pieces.next()) {
        let Some(commit) = Oid::parse(commit.trim()) else { continue };
        // A commit that was put together from several has the trailers of each.
        let pairs = effects.lines().zip(heads.lines());
        found.extend(pairs.filter_map(|(effect, head)| witness(&commit, effect, head)));
    }
    Ok(found)
}

/// A call that lists the commits with a trailer that names a record.
fn naming(home: &Home, which: &[&str]) -> Call {
    let call = Call::within(home.common()).apart().set("trailer.separators=:");
    call.args(["rev-list", "--fixed-strings"]).args([format!("--grep={HEAD_TRAILER}: ")]).args(which)
}

/// What one pair of trailers says; anybody can write what is none.
fn witness(commit: &Oid, effect: &str, head: &str) -> Option<Witness> {
    let (project_id, _) = effect.trim().rsplit_once('/')?;
    let (sequence, hash) = head.trim().split_once(' ')?;
    let head = Head { sequence: sequence.parse().ok()?, hash: hash.trim().parse().ok()? };
    Some(Witness { commit: commit.clone(), project_id: project_id.to_owned(), head })
}
