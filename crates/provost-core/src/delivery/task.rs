//! One task of a delivery: its status and what is remembered beside it.

use std::collections::{BTreeMap, BTreeSet};

use super::Status;
use super::command::{CheckResult, CheckSpec};
use super::effect::{Answered, Feedback, Place};
use super::prices::Bill;
use super::terms::Session;
use crate::agent;
use crate::effects::EffectId;
use crate::record::Sequence;
use crate::role::Role;
use crate::signal::Checkpoint;
use crate::time::Timestamp;

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its title.
    pub title: String,
    /// Where it is.
    pub status: Status,
    /// The stage that it returns to from waiting.
    pub stage: Option<Status>,
    /// Whether it holds one of the slots.
    pub slot: bool,
    /// What is being done for it.
    pub effect: Option<EffectId>,
    /// The agent that works on it.
    pub agent: Option<Working>,
    /// What it waits for and is not complete.
    pub blockers: BTreeSet<String>,
    /// Who waits for it.
    pub dependents: Vec<String>,
    /// 0 is the most urgent.
    pub priority: u8,
    /// How many tasks wait for it, directly or not.
    pub downstream: u32,
    /// Its place in the plan.
    pub order: u32,
    /// Whether it only verifies and has nothing to land.
    pub verify: bool,
    /// Checks of its own.
    pub checks: Vec<CheckSpec>,
    /// Paths and globs that the plan lets it write; anything where there are none.
    pub files: Vec<String>,
    /// Paths that a person lets it write besides.
    pub allowed: BTreeSet<String>,
    /// What its last claim changed outside of both.
    pub outside: Vec<String>,
    /// How often things went wrong.
    pub counts: Counts,
    /// Turns that each role has had.
    pub attempts: BTreeMap<Role, u32>,
    /// Its worktree, once it has one.
    pub worktree: Option<Place>,
    /// What was measured last: its commit.
    pub commit: Option<String>,
    /// That commit's tree.
    pub tree: String,
    /// What the checks gave on it.
    pub results: Vec<CheckResult>,
    /// What the developer said about it.
    pub claim: String,
    /// Whether that has still to be measured.
    pub claimed: bool,
    /// Why it came back.
    pub feedback: Vec<Feedback>,
    /// What people answered.
    pub answers: Vec<Answered>,
    /// The last checkpoint that an agent of it gave.
    pub said: Option<Said>,
    /// How the last turn ended that came to no result, with its role.
    pub(super) cut_short: Option<(Role, &'static str)>,
    /// Whether its review counts.
    pub review: Review,
    /// What agents have used for it.
    pub bill: Bill,
    /// How often a person let it go on when its terms were used up.
    pub granted: u32,
    /// Conversations that can be gone on with.
    pub sessions: BTreeMap<Role, Session>,
    /// When its next turn may begin, because the last one met something that passes.
    pub not_before: Option<Timestamp>,
    /// What was said to what agents asked for.
    pub permissions: Permissions,
    /// The commit that landed.
    pub landed: Option<String>,
    /// The record that put it where it is.
    pub since: Sequence,
    /// The question that it waits for.
    pub question: Option<String>,
    /// Where the scheduler finds it.
    pub(super) place: Waiting,
    /// Under which sequence it is filed there.
    pub(super) filed: Sequence,
}

/// Whether a task's review counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Review {
    /// It has to be, or was, reviewed.
    Due,
    /// It was left out, because critics ran out of time.
    Bypassed,
    /// It was left out, and a person lets the task land all the same.
    Waived,
}

/// How far an agent said it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The record.
    pub sequence: Sequence,
    /// The part that the agent played.
    pub role: Role,
    /// The attempt of that role.
    pub attempt: u32,
    /// What it said.
    pub checkpoint: Checkpoint,
    /// Whether no turn of that role has come to a result since.
    pub(super) counts: bool,
}

/// An agent at work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Working {
    /// The part it plays.
    pub role: Role,
    /// Its name in the configuration.
    pub name: String,
    /// How its turn stands.
    pub status: agent::Status,
    /// When it begins, while it has not: it rests until then.
    pub rests_until: Option<Timestamp>,
}

/// How often things went wrong, since a person last said something about the task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rejections by a critic.
    pub critic_failures: u32,
    /// Rejections by an auditor.
    pub audit_failures: u32,
    /// Conflicts and red checks on the joined tree.
    pub landing_failures: u32,
    /// Critics that ran out of time.
    pub critic_timeouts: u32,
    /// Reports of an incomplete task.
    pub incomplete: u32,
    /// Signals that were not valid.
    pub signal_rejections: u32,
    /// Claims that did not hold.
    pub self_solve: u32,
    /// Turns in a row that met something that is not about the work.
    pub provider_retries: u32,
    /// Turns that ended without a signal, by role.
    pub agent_failures: BTreeMap<Role, u32>,
}

/// What was said to what agents asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// How often yes.
    pub allowed: u32,
    /// How often no.
    pub denied: u32,
}

impl Permissions {
    /// How often they asked.
    pub const fn asked(self) -> u32 {
        self.allowed.saturating_add(self.denied)
    }
}

/// Where the scheduler finds a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Waiting {
    /// Nowhere: something is being done for it, or nothing can be.
    Nowhere,
    /// Among those that can be started.
    Ready,
    /// Among those that hold a slot and need their next effect.
    Idle,
    /// Among those that are in the middle of work and need a slot again.
    Returning,
}

impl Task {
    /// The stages in which work goes on.
    pub(super) const fn is_live(status: Status) -> bool {
        matches!(
            status,
            Status::Expanding
                | Status::Implementing
                | Status::AwaitingReview
                | Status::AwaitingAudit
                | Status::Landing
        )
    }

    /// Whether it can be started and nobody has begun it. One that is tried again, or returns from waiting, is not new.
    pub(super) fn is_new(&self) -> bool {
        self.effect.is_none() && self.status == Status::Available && self.attempts.is_empty()
    }

    /// Whether it was begun and waits for its next effect, with a slot or for one.
    pub(super) fn waits_in_its_slot(&self, slot: bool) -> bool {
        let goes_on = Task::is_live(self.status) || (self.status == Status::Available && !self.is_new());
        self.effect.is_none() && goes_on && self.slot == slot
    }

    /// Whether nothing further will happen to it by itself.
    pub const fn has_ended(&self) -> bool {
        matches!(self.status, Status::Complete | Status::Removed)
    }

    /// Whether there is nothing of it to land: it verifies, and nobody has had to mend what it found.
    pub fn only_verifies(&self) -> bool {
        self.verify && self.commit.is_none()
    }
}
