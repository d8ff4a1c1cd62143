//! One task and its parts as plain data, apart from reading: this is what is frozen, read back and carried out.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::criterion::Criterion;
use super::{Plan, SCHEMA, TaskId};

/// A heading that tasks stand under.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// The number that tasks name it by.
    pub number: u32,
    /// What it is called.
    pub name: String,
}

/// One unit of work with its own acceptance criteria.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "TaskForm")]
pub struct Task {
    /// Its name, unique in the plan.
    pub id: TaskId,
    /// Its heading.
    pub title: String,
    /// The number of the phase that it stands under.
    pub phase: Option<u32>,
    /// What to create or change; Markdown, its code blocks verbatim.
    pub work: String,
    /// What has to hold when it is done.
    pub criteria: Vec<Criterion>,
    /// The tasks that have to be complete before, in the order of ids, none twice.
    pub blocked_by: Vec<TaskId>,
    /// What to read first, in the order of the document.
    pub reading: Vec<Reading>,
    /// The only environment that its checks run in; none means every one.
    pub environment: Option<String>,
    /// How soon it is wanted among tasks that unblock as many others.
    pub priority: Priority,
    /// Paths and globs that it may write, in order, none twice.
    pub files: Vec<String>,
    /// Its own checks: those under **Verify**, then those of criteria that are commands.
    pub verify: Vec<Verify>,
    /// What is at stake.
    pub risk: Risk,
    /// Whether a proposal comes before the work.
    pub propose: bool,
}

/// Something to read before the work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// A path or a glob.
    pub pattern: String,
    /// Why, or which part.
    pub note: Option<String>,
}

/// A command of a task whose exit status is measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verify {
    /// What it is called in reports.
    pub name: String,
    /// The only environment that it runs in; none means that of the task.
    pub environment: Option<String>,
    /// The program and its arguments, as they are started, without a shell; never empty.
    pub argv: Vec<String>,
    /// The exit status that passes.
    pub expect_exit: i32,
}

/// How soon a task is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[derive(Serialize, Deserialize, EnumString, IntoStaticStr, VariantArray, strum::Display)]
#[strum(ascii_case_insensitive)]
pub enum Priority {
    /// Before everything else.
    P0,
    /// Early.
    P1,
    /// The default.
    #[default]
    P2,
    /// Last.
    P3,
}

/// What is at stake when a task goes wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[derive(
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
    strum::Display,
    strum::VariantNames
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", ascii_case_insensitive)]
pub enum Risk {
    /// Easily undone, and nobody notices.
    Low,
    /// The default.
    #[default]
    Medium,
    /// Waits for an explicit approval.
    High,
    /// Waits for an explicit approval, and nothing about it is assumed.
    Critical,
}

/// A plan as it is frozen.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanForm {
    schema: String,
    title: String,
    overview: String,
    phases: Vec<Phase>,
    tasks: Vec<Task>,
}

impl TryFrom<PlanForm> for Plan {
    type Error = String;

    fn try_from(form: PlanForm) -> Result<Self, String> {
        let PlanForm { schema, title, overview, phases, tasks } = form;
        if schema != SCHEMA {
            return Err(format!("the schema is `{schema}`, not `{SCHEMA}`"));
        }
        Ok(Self { title, overview, phases, tasks })
    }
}

/// A task as it is frozen: criteria are texts, because their kinds follow from them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskForm {
    id: TaskId,
    title: String,
    phase: Option<u32>,
    work: String,
    criteria: Vec<String>,
    blocked_by: Vec<TaskId>,
    reading: Vec<Reading>,
    environment: Option<String>,
    priority: Priority,
    files: Vec<String>,
    verify: Vec<Verify>,
    risk: Risk,
    propose: bool,
}

impl From<TaskForm> for Task {
    fn from(form: TaskForm) -> Self {
        // Only looked up, never added: what was frozen is what runs, whatever this version would recognise.
        let criteria =
            form.criteria.into_iter().map(|text| Criterion::frozen(text, &form.verify)).collect::<Vec<_>>();
        Self {
            id: form.id,
            title: form.title,
            phase: form.phase,
            work: form.work,
            criteria,
            blocked_by: form.blocked_by,
            reading: form.reading,
            environment: form.environment,
            priority: form.priority,
            files: form.files,
            verify: form.verify,
            risk: form.risk,
            propose: form.propose,
        }
    }
}
