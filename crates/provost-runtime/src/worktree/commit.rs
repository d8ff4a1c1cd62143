//! Commits made from trees. The same inputs give the same name, so that doing one again after a crash is harmless.

use provost_core::record::Head;
use provost_core::time::Timestamp;

use crate::git::{GitFault, Input, Oid};
use crate::kill_point::kill_point;
use crate::repository::{EffectName, Identity, Repository};

/// The trailer that names the task.
pub const TASK_TRAILER: &str = "Provost-Task";
/// The trailer that names the effect, by which a commit is found again.
pub const EFFECT_TRAILER: &str = "Provost-Effect";
/// The trailer that names the last record, so that history cannot be rewritten unseen by whoever has the commit.
pub const HEAD_TRAILER: &str = "Provost-Head";

/// Who made a commit, and when; both come from the event that asked for it, never from the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// Who.
    pub identity: Identity,
    /// When.
    pub time: Timestamp,
}

/// What ties a commit to the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// The task.
    pub task: String,
    /// The effect that makes the commit.
    pub effect: EffectName,
    /// The record that the effect rests on.
    pub head: Head,
}

/// A commit to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewCommit<'a> {
    /// Its files.
    pub tree: &'a Oid,
    /// Its only parent.
    pub parent: &'a Oid,
    /// What it does, in words.
    pub message: &'a str,
    /// What ties it to the record; salvage has none.
    pub marks: Option<&'a Marks>,
    /// Who and when.
    pub author: &'a Author,
}

impl Repository {
    /// Makes a commit; no branch is moved, no hook is run, nothing is signed.
    pub fn commit(&self, new: NewCommit<'_>) -> Result<Oid, GitFault> {
        kill_point("commit: before");
        let made = self.commit_tree(new.tree.as_str(), Some(new.parent), new.author, &text(new));
        kill_point("commit: after");
        made
    }

    /// Makes a commit of anything that has a tree.
    pub(super) fn commit_tree(
        &self,
        tree: &str,
        parent: Option<&Oid>,
        author: &Author,
        message: &str,
    ) -> Result<Oid, GitFault> {
        let Identity { name, email } = clean(&author.identity);
        let date = format!("@{} +0000", author.time.as_ms() / 1_000);
        let mut call = self.content().args(["commit-tree", "--no-gpg-sign", tree]);
        if let Some(parent) = parent {
            call = call.args(["-p"]).oid(parent);
        }
        let said = call
            .args(["-F", "-"])
            .env("GIT_AUTHOR_NAME", &name)
            .env("GIT_AUTHOR_EMAIL", &email)
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_NAME", &name)
            .env("GIT_COMMITTER_EMAIL", &email)
            .env("GIT_COMMITTER_DATE", &date)
            .input(Input::Bytes(message.as_bytes().to_vec()))
            .ask()?;
        if said.status != Some(0) {
            return Err(said.fault());
        }
        Oid::from_line(&said.out).ok_or_else(|| said.strange("no name of a commit"))
    }
}

/// The message with its trailers as a last paragraph of their own: what stands before cannot pose as one.
fn text(new: NewCommit<'_>) -> String {
    let message = new.message.replace('\0', "\u{fffd}");
    let message = message.trim();
    let message = if message.is_empty() { "work of an agent" } else { message };
    let Some(Marks { task, effect, head }) = new.marks else { return format!("{message}\n") };
    let trailers = [
        (TASK_TRAILER, task.clone()),
        (EFFECT_TRAILER, effect.to_string()),
        (HEAD_TRAILER, format!("{} {}", head.sequence, head.hash)),
    ];
    let line = |(key, value): (&str, String)| format!("{key}: {}\n", value.replace(['\n', '\r', '\0'], " "));
    format!("{message}\n\n{}", trailers.map(line).concat())
}

/// Git takes some characters out of names and fails when nothing is left.
fn clean(identity: &Identity) -> Identity {
    let plain = |text: &str| {
        let text: String = text.chars().filter(|it| !it.is_control() && !"<>".contains(*it)).collect();
        text.trim_matches([' ', '.', ',', ':', ';', '"', '\\', '\'']).to_owned()
    };
    let or = |text: String, default: String| if text.is_empty() { default } else { text };
    let provost = Identity::default();
    Identity {
        name: or(plain(&identity.name), provost.name),
        email: or(plain(&identity.email), provost.email),
    }
}
