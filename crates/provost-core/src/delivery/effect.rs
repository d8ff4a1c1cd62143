//! What a delivery wants done in the world.

use std::collections::BTreeSet;

use super::command::{CheckResult, CheckSpec};
use super::terms::Session;
use crate::digest::Digest;
use crate::effects::{self, AfterCrash};
use crate::role::Role;
use crate::signal::Checkpoint;
use crate::time::Timestamp;

/// Work for the runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Measures every check before any work.
    Baseline {
        /// The delivery.
        delivery: String,
        /// The commit to measure.
        base: String,
        /// What to measure.
        checks: Vec<CheckSpec>,
    },
    /// Lets an agent work.
    Turn(Box<Turn>),
    /// Commits what is in a worktree and measures it.
    Measure(Box<Measure>),
    /// Joins a task's commit with what has landed, measures, and moves the branch.
    Land(Box<Land>),
    /// Removes a task's worktree.
    Clean {
        /// The delivery.
        delivery: String,
        /// The task.
        task: String,
        /// Its last worktree.
        generation: u32,
        /// What becomes of the files in it.
        leftovers: Leftovers,
    },
}

/// What becomes of the files in a worktree that is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftovers {
    /// They go: all work is in a commit, and whoever judged it or measured it left the rest.
    Dropped,
    /// They are kept on a branch if they are nowhere else.
    Salvaged,
}

impl effects::Effect for Effect {
    fn after_crash(&self) -> AfterCrash {
        match self {
            Effect::Baseline { .. } | Effect::Clean { .. } => AfterCrash::Redo,
            // What was committed is what is measured, whatever happened to the folder since.
            Effect::Measure(_) | Effect::Land(_) => AfterCrash::Probe,
            // Also one whose beginning is not on the record: its agent began before that was written.
            Effect::Turn(_) => AfterCrash::Lose,
        }
    }
}

/// One turn of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The delivery.
    pub delivery: String,
    /// The task.
    pub task: String,
    /// The part it plays.
    pub role: Role,
    /// How many turns of this role the task has had, this one included.
    pub attempt: u32,
    /// The agent's name in the configuration.
    pub agent: String,
    /// The frozen plan.
    pub plan: Digest,
    /// The worktree to work in.
    pub worktree: Place,
    /// The commit to judge, for those who judge.
    pub commit: Option<String>,
    /// What has to be done better.
    pub feedback: Vec<Feedback>,
    /// What people answered.
    pub answers: Vec<Answered>,
    /// What an earlier turn of this role left that came to no result.
    pub left: Option<Left>,
    /// What was measured on the commit.
    pub results: Vec<CheckResult>,
    /// Checks to measure first, for a task that only verifies.
    pub measure: Vec<CheckSpec>,
    /// What the developer said about its work.
    pub claim: String,
    /// The conversation to go on with.
    pub session: Option<Session>,
    /// When it may begin.
    pub not_before: Option<Timestamp>,
    /// Paths that a person lets it write besides those of the plan.
    pub allowed: BTreeSet<String>,
    /// The most seconds it may take.
    pub limit_s: u32,
    /// The most seconds it may be silent.
    pub idle_s: u32,
    /// The seconds between being asked to end and being ended.
    pub grace_s: u32,
}

/// A worktree, by what it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which of the task's worktrees, counted from 1.
    pub generation: u32,
    /// The commit that the task's work begins from.
    pub base: String,
    /// Its content, or that of a later one before this one, is to be taken over, because their turns were lost.
    pub salvage_of: Option<u32>,
    /// What has landed since, to be merged in before work goes on.
    pub merge: Option<String>,
}

/// Why work came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// A critic wants changes.
    Critic(String),
    /// An auditor does not confirm.
    Auditor(String),
    /// Checks do not pass on the work.
    Checks(Vec<CheckResult>),
    /// The work changes these files, which the plan does not let it write.
    Outside(Vec<String>),
    /// The work does not join with what has landed in these files.
    Conflict(Vec<String>),
    /// Checks do not pass on the work joined with what has landed.
    Joined(Vec<CheckResult>),
    /// What the agent said to end its turn could not be taken.
    Refused(String),
}

/// What a turn left that came to no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// How it ended, in words.
    pub ended: &'static str,
    /// How far its agent said it was.
    pub checkpoint: Option<Checkpoint>,
}

/// A question that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
}

/// A claim to commit and measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The delivery.
    pub delivery: String,
    /// The task.
    pub task: String,
    /// The task's title, for the commit's message.
    pub title: String,
    /// Where the work is.
    pub worktree: Place,
    /// What to measure.
    pub checks: Vec<CheckSpec>,
    /// Paths and globs that the plan lets it write; anything where there are none.
    pub files: Vec<String>,
    /// Paths that a person lets it write besides.
    pub allowed: BTreeSet<String>,
}

/// A commit to land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Land {
    /// The delivery.
    pub delivery: String,
    /// The task.
    pub task: String,
    /// The task's title, for the commit's message.
    pub title: String,
    /// The delivery's branch.
    pub branch: String,
    /// Where the branch is.
    pub tip: String,
    /// The task's commit.
    pub commit: String,
    /// The commit that the task's work began from.
    pub base: String,
    /// What to measure on the joined tree.
    pub checks: Vec<CheckSpec>,
    /// The tree on which the checks have passed already.
    pub measured_tree: String,
}
