//! All that a page may speak of, as plain data, apart because whoever gathers it reads files and whoever renders it must
//! not.

use serde::{Deserialize, Serialize};

use crate::signal::{AuditFailed, Checkpoint, Ready, ReviewFailed, ReviewPassed};

/// What one turn is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Context {
    /// The project's name.
    pub project: String,
    /// The task.
    pub task: Task,
    /// What an analyst added to a task that said too little.
    pub expansion: Option<Expansion>,
    /// The number of this attempt at the task, from 1.
    pub attempt: u32,
    /// Where the work is done.
    pub worktree: Worktree,
    /// Files to read before anything else.
    pub must_read: Vec<Reading>,
    /// Files that may help.
    pub reference: Vec<Reading>,
    /// What Provost will run, one entry for each check and environment.
    pub checks: Vec<Check>,
    /// Where checks run.
    pub environments: Vec<Environment>,
    /// What an earlier turn left behind.
    pub resume: Option<Resume>,
    /// Why the task came back, oldest first.
    pub feedback: Vec<Feedback>,
    /// What people decided.
    pub answers: Vec<Answer>,
    /// Tasks at work on files nearby.
    pub neighbours: Vec<Neighbour>,
    /// What went wrong in other tasks and may go wrong here.
    pub patterns: Vec<String>,
    /// Experts whose field the task is in.
    pub experts: Vec<Expert>,
    /// The project's own pages for agents, such as AGENTS.md.
    pub guides: Vec<Guide>,
    /// Files that differ from the base.
    pub changed: Vec<String>,
    /// The change that is judged.
    pub diff: Option<String>,
    /// What Provost measured on the change.
    pub measured: Vec<Measured>,
    /// What the developer said of the change.
    pub claim: Option<Ready>,
    /// What became of the review.
    pub assessment: Option<Assessment>,
}

/// The task as the plan has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Task {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What is to be done.
    pub work: String,
    /// What has to hold afterwards.
    pub criteria: Vec<String>,
    /// How urgent it is.
    pub priority: String,
    /// How dangerous it is.
    pub risk: String,
    /// The phase of the plan that it belongs to.
    pub phase: Option<String>,
    /// What it may write; empty where the plan does not say.
    pub files: Vec<String>,
}

/// What an analyst added to a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Expansion {
    /// The specification.
    pub specification: String,
    /// Criteria beside those of the plan.
    pub criteria: Vec<String>,
    /// What was assumed and has to be checked against the code.
    pub assumptions: Vec<String>,
    /// How sure the analyst was.
    pub confidence: String,
}

/// The folder that the turn works in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Worktree {
    /// The commit that it was made from.
    pub base: String,
    /// The commit that is judged; a developer has none.
    pub commit: Option<String>,
    /// What the person's own checkout has and this one has not, one sentence each.
    pub absent: Vec<String>,
}

/// A file to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// Its path or pattern.
    pub path: String,
    /// What it is for.
    pub note: String,
    /// Whether it is in the worktree.
    pub exists: bool,
}

/// A check in one environment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Check {
    /// Its name.
    pub name: String,
    /// What is run.
    pub argv: Vec<String>,
    /// Where.
    pub environment: String,
    /// The exit code that passes.
    pub expect_exit: i32,
    /// Whether nothing lands without it.
    pub required: bool,
}

/// A place that checks run in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// Its name.
    pub name: String,
    /// What stands before a command to run it there.
    pub prefix: Vec<String>,
}

/// What an earlier turn left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Resume {
    /// How that turn ended.
    pub ended: String,
    /// The last thing it said about how far it was.
    pub checkpoint: Option<Checkpoint>,
    /// What it said last.
    pub summary: Option<String>,
}

/// One return of the task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feedback {
    /// The attempt that it is about.
    pub attempt: u32,
    /// Why it came back.
    pub finding: Finding,
}

/// Why a task came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Finding {
    /// A critic objected.
    Critic(ReviewFailed),
    /// An auditor found criteria that are not met.
    Auditor(AuditFailed),
    /// Checks did not pass on the change.
    Checks {
        /// All that was measured.
        measured: Vec<Measured>,
    },
    /// The change touches files that the task may not write.
    Outside {
        /// Which.
        files: Vec<String>,
    },
    /// The change could not be joined with what landed before it.
    Conflict {
        /// Files with conflict marks in them.
        files: Vec<String>,
    },
    /// Checks did not pass on the joined tree.
    Joined {
        /// All that was measured.
        measured: Vec<Measured>,
    },
    /// What was said to end the turn was refused.
    Signal {
        /// Why, in the words that the agent is told.
        why: String,
    },
}

/// A person's decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// What was asked.
    pub question: String,
    /// What was answered.
    pub answer: String,
    /// Who answered.
    pub by: String,
}

/// A task at work on files nearby.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Neighbour {
    /// Its id.
    pub task_id: String,
    /// Files to keep away from.
    pub files: Vec<String>,
}

/// Somebody to ask.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Expert {
    /// The name.
    pub name: String,
    /// The field.
    pub field: String,
}

/// A page that the project has for agents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Guide {
    /// Where it is.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// The result of one check in one environment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measured {
    /// The check.
    pub check: String,
    /// Where it ran.
    pub environment: String,
    /// What was run.
    pub argv: Vec<String>,
    /// The exit code that passes.
    pub expect_exit: i32,
    /// The exit code; none where there was none.
    pub exit_code: Option<i32>,
    /// The result in one word, as it stands on the record.
    pub result: String,
    /// Whether it passed.
    pub passed: bool,
    /// Whether it passed before any work was done, where that is known.
    pub passed_before: Option<bool>,
    /// The end of what it printed.
    pub output_tail: String,
}

/// What became of the review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "review", rename_all = "snake_case")]
pub enum Assessment {
    /// The critic had no objection.
    Passed(ReviewPassed),
    /// No critic answered in time, and the work went on without one.
    Bypassed,
}
