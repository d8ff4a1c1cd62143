//! What can be asked of deliveries, and what effects report back: plain data, so that it can be sent, kept and replayed.

use serde::{Deserialize, Serialize};
use strum::{AsRefStr, EnumString, IntoStaticStr, VariantArray};

use super::terms::Terms;
use super::warrant::Warrant;
use crate::adapter::{Account, Act, Trouble};
use crate::digest::Digest;
use crate::effects::EffectId;
use crate::role::Role;
use crate::signal::Checkpoint;

/// What can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Delivers a plan.
    Begin(Begin),
    /// An effect says how it stands.
    #[serde(skip)]
    Report {
        /// The effect.
        effect: EffectId,
        /// How it stands.
        report: Report,
    },
    /// A person answers a question.
    Reply {
        /// The question's id.
        question: String,
        /// The name of an option, or free text.
        answer: String,
    },
    /// Stops giving out work; what runs is stopped and begins again on resume.
    Pause {
        /// Why.
        reason: String,
    },
    /// Gives out work again.
    Resume {
        /// The delivery; all that can go on where none is named.
        delivery: Option<String>,
        /// A task of that delivery that is halted and is to be tried again.
        #[serde(default)]
        task: Option<String>,
    },
    /// Ends a delivery for good.
    Cancel {
        /// The delivery.
        delivery: String,
    },
}

impl Command {
    /// Whether somebody has to perform what follows from it; a process that is about to end does not take it on.
    pub const fn wants_performing(&self) -> bool {
        matches!(self, Command::Begin(_) | Command::Resume { .. })
    }
}

/// A plan to deliver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begin {
    /// The frozen plan, an artifact.
    pub plan: Digest,
    /// The file it came from.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The commit that the delivery begins from.
    pub base: String,
    /// Its tasks in document order.
    pub tasks: Vec<NewTask>,
    /// The project's checks.
    pub checks: Vec<CheckSpec>,
    /// Which agent each role is played by.
    pub roles: Roles,
    /// What becomes of a task whose critic was bypassed.
    #[serde(default)]
    pub bypassed: Bypassed,
    /// Whether a plan that was delivered is to be delivered once more.
    #[serde(default)]
    pub again: bool,
    /// By what right, where there is more to say than that somebody typed it.
    #[serde(default, skip_serializing_if = "Warrant::is_empty")]
    pub warrant: Box<Warrant>,
    /// On which terms agents work for it.
    #[serde(default, skip_serializing_if = "Terms::is_empty")]
    pub terms: Box<Terms>,
}

/// What becomes of a task whose critic was bypassed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[derive(EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Bypassed {
    /// A person is asked before it lands.
    #[default]
    Ask,
    /// It lands, and the report says that nobody reviewed it.
    Land,
}

impl Bypassed {
    /// Whether it is what everybody has who did not say otherwise.
    pub fn is_default(&self) -> bool {
        *self == Bypassed::default()
    }
}

/// A task as the plan has it: all that deciding needs, nothing that only agents read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewTask {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// 0 is the most urgent.
    pub priority: u8,
    /// How many tasks wait for it, directly or not.
    pub downstream: u32,
    /// What has to be complete first.
    pub blocked_by: Vec<String>,
    /// Whether it only verifies and has nothing to land.
    pub verify: bool,
    /// Checks of its own.
    pub checks: Vec<CheckSpec>,
    /// Paths and globs that it may write; anything where there are none.
    #[serde(default)]
    pub files: Vec<String>,
    /// Whether nothing in the plan says when it is done.
    #[serde(default)]
    pub without_criteria: bool,
}

/// A command whose exit status is evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckSpec {
    /// Its name.
    pub name: String,
    /// The command, without a shell.
    pub argv: Vec<String>,
    /// The exit status that passes.
    pub expect_exit: i32,
    /// The most seconds it may take.
    pub limit_s: u32,
    /// Whether a task can pass without it.
    pub required: bool,
}

/// Which agent each role is played by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roles {
    /// Implements.
    pub developer: String,
    /// Reviews.
    pub critic: String,
    /// Verifies.
    pub auditor: String,
}

impl Roles {
    /// The agent that a role is played by when it can be.
    pub fn of(&self, role: Role) -> &str {
        match role {
            Role::Developer => &self.developer,
            Role::Critic => &self.critic,
            Role::Auditor => &self.auditor,
        }
    }
}

/// How an effect stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// It began.
    Started {
        /// The prompt that an agent was given.
        prompt: Option<Digest>,
        /// The digest of the token that lets the agent's tool server speak for the turn.
        token: Option<Digest>,
    },
    /// A running agent asked for something, and this is what rules say to it.
    Permission(Box<Permission>),
    /// Checks were measured before any work.
    Baseline(Vec<CheckResult>),
    /// Checks could not be measured before any work, because something around it is broken.
    Unmeasured {
        /// What is broken.
        issue: String,
    },
    /// A turn ended.
    Turn(TurnEnd),
    /// What a developer claimed was committed and measured.
    Measured(Measurement),
    /// A landing ended.
    Landing(Landing),
    /// What was left of a task was cleaned up.
    Cleaned,
}

/// What rules said to something that an agent asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permission {
    /// What it wanted to do.
    pub act: Act,
    /// Whether it may.
    pub allowed: bool,
    /// The rules that say so.
    pub rules: Vec<String>,
    /// Why, in words.
    pub why: String,
}

/// What one check gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckResult {
    /// The check's name.
    pub check: String,
    /// What it means.
    pub verdict: Verdict,
    /// Its exit status.
    pub exit: Option<i32>,
    /// The exit status that passes.
    pub expected: i32,
    /// What it printed, an artifact.
    pub output: Option<Digest>,
    /// The end of what it printed.
    pub tail: String,
    /// Whether a task can pass without it.
    pub required: bool,
}

/// What a measurement means. Only `passed` passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, AsRefStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Verdict {
    /// It ran to its end with the expected exit status.
    Passed,
    /// It ran to its end with another exit status, or a signal ended it.
    Failed,
    /// It took longer than it may.
    TimedOut,
    /// It could not be started, or its environment could not be entered.
    Blocked,
    /// Its program is not there.
    Missing,
    /// It succeeded, and said itself that it tested nothing.
    Empty,
    /// It was stopped, or its supervisor was.
    Interrupted,
}

impl Verdict {
    /// Whether something around the work is broken rather than the work.
    pub const fn is_environment(self) -> bool {
        matches!(self, Verdict::Blocked | Verdict::Missing)
    }
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnEnd {
    /// What became of it.
    pub outcome: Outcome,
    /// The agent's exit status.
    pub exit: Option<i32>,
    /// How long it took.
    pub duration_ms: u64,
    /// What the agent printed, an artifact.
    pub output: Option<Digest>,
    /// Checks that were measured for it.
    pub results: Vec<CheckResult>,
    /// How far the agent said it was, in the order it said so.
    pub checkpoints: Vec<Checkpoint>,
    /// What the agent's stream came to, where it has one.
    pub account: Option<Box<Account>>,
}

/// What an agent's turn came to: its claim, or how it failed to make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The developer says that the work is done.
    Ready {
        /// Its summary.
        summary: String,
    },
    /// The developer says that it cannot finish.
    Incomplete(Incomplete),
    /// The critic or auditor approves.
    Passed {
        /// Its reasons.
        summary: String,
    },
    /// The critic or auditor rejects.
    Failed {
        /// What has to be done.
        feedback: String,
    },
    /// Something around the work is broken.
    Infrastructure {
        /// What.
        issue: String,
    },
    /// The agent asks a person.
    Asks {
        /// The question.
        question: String,
        /// What it considered.
        options: Vec<String>,
    },
    /// The agent's signal is not valid.
    Rejected {
        /// Why.
        reason: String,
    },
    /// The agent ended without a signal.
    Silent,
    /// The agent ran out of its time.
    TimedOut,
    /// The agent's process failed.
    Crashed {
        /// How.
        error: String,
    },
    /// The agent could not work, for a reason that is not about the work.
    Troubled(Trouble),
    /// Provost stopped it.
    Stopped,
    /// The turn could not begin.
    Unavailable {
        /// Why.
        issue: String,
    },
}

/// Why a developer cannot finish.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incomplete {
    /// The kind of obstacle.
    pub category: Category,
    /// The obstacle.
    pub blocker: String,
    /// The task that it waits for.
    pub blocker_task: Option<String>,
}

/// The kind of obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// The task says too little.
    MissingInfo,
    /// Another task has to be complete.
    BlockedByDependency,
    /// Something around the work is broken.
    Infrastructure,
    /// It is not what the task is about.
    OutOfScope,
}

/// What a claim of a developer came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measurement {
    /// It was committed and measured.
    Committed {
        /// The commit.
        commit: String,
        /// Its tree.
        tree: String,
        /// What it changes.
        files: Vec<String>,
        /// What the checks gave.
        results: Vec<CheckResult>,
    },
    /// There is nothing to commit, or nothing that may be.
    Unacceptable {
        /// Why.
        reason: String,
    },
    /// It could not be measured.
    Unavailable {
        /// Why.
        issue: String,
    },
}

/// What a landing came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Landing {
    /// The branch moved to this commit.
    Landed {
        /// The commit.
        commit: String,
        /// What the checks gave on the joined tree.
        results: Vec<CheckResult>,
    },
    /// The work does not join with what has landed.
    Conflict {
        /// Where.
        files: Vec<String>,
    },
    /// A required check fails on the joined tree.
    ChecksFailed {
        /// What the checks gave.
        results: Vec<CheckResult>,
    },
    /// Somebody else moved the branch.
    Moved {
        /// Where it is now.
        tip: String,
    },
    /// The branch is gone or leads elsewhere.
    Gone {
        /// What was found.
        found: String,
    },
    /// Somebody has the branch checked out, and moving it would make their files look changed.
    CheckedOut {
        /// Where.
        folder: String,
    },
    /// It could not be tried.
    Unavailable {
        /// Why.
        issue: String,
    },
}
