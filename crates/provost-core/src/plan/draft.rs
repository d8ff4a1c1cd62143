//! A plan whose parts still know where they stood, apart because both forms become one before anything is checked.

use std::collections::BTreeMap;

use crate::diagnostic::{self, Diagnostic, Span, quoted};
use crate::document::Unreadable;

use super::check;
use super::criterion::{Criterion, RemarkKind};
use super::findings::Findings;
use super::task::{Phase, Priority, Reading, Risk, Task, Verify};
use super::{Plan, PlanRead, TASKS_MAX, TaskId};

/// How many criteria, and how many checks, a task may have: each is compared with the others.
const ENTRIES_MAX: usize = 1_000;

/// Something and where it stood.
#[derive(Clone, Debug)]
pub(super) struct Placed<T> {
    pub(super) value: T,
    pub(super) span: Span,
}

/// A plan before it is checked.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) title: String,
    pub(super) overview: String,
    pub(super) phases: Vec<Placed<Phase>>,
    pub(super) tasks: Vec<DraftTask>,
}

/// A task before it is checked; what could not be read is left at its default, and was reported.
#[derive(Default)]
pub(super) struct DraftTask {
    /// Where the task is named.
    pub(super) span: Span,
    pub(super) id: Option<TaskId>,
    pub(super) title: String,
    pub(super) phase: Option<u32>,
    pub(super) work: String,
    pub(super) criteria: Vec<Placed<String>>,
    pub(super) blocked_by: Vec<Placed<TaskId>>,
    pub(super) reading: Vec<Reading>,
    pub(super) environment: Option<String>,
    pub(super) priority: Priority,
    pub(super) files: Vec<String>,
    pub(super) verify: Vec<Placed<Verify>>,
    pub(super) risk: Risk,
    pub(super) propose: bool,
}

impl Draft {
    /// Checks everything that concerns more than one field, and makes the plan.
    pub(super) fn close(self, mut findings: Findings<'_>) -> Result<PlanRead, Unreadable> {
        let findings_ref = &mut findings;
        if self.tasks.is_empty() {
            findings_ref.error(diagnostic::PLAN_NO_TASK, Span::default(), "the plan has no task");
        }
        if let Some(first) = self.tasks.get(TASKS_MAX) {
            let message = format!("the plan has {} tasks and {TASKS_MAX} are accepted", self.tasks.len());
            findings_ref.error(diagnostic::PLAN_TOO_MANY, first.span, message);
            return findings.close(Plan::empty());
        }
        phases_once(&self.phases, findings_ref);
        check::names(&self.tasks, findings_ref);
        check::edges(&self.tasks, findings_ref);
        let Self { title, overview, phases, tasks } = self;
        let plan = Plan {
            title,
            overview,
            phases: phases.into_iter().map(|phase| phase.value).collect(),
            tasks: tasks.into_iter().filter_map(|task| task.close(findings_ref)).collect(),
        };
        findings.close(plan)
    }
}

impl Plan {
    /// What stands for a plan that is refused.
    const fn empty() -> Self {
        Self { title: String::new(), overview: String::new(), phases: Vec::new(), tasks: Vec::new() }
    }
}

fn phases_once(phases: &[Placed<Phase>], findings: &mut Findings<'_>) {
    let mut first: BTreeMap<u32, Span> = BTreeMap::new();
    for phase in phases {
        let number = phase.value.number;
        if let Some(before) = first.get(&number) {
            let message = format!("phase {number} begins already in line {}", findings.line(*before));
            findings.error(diagnostic::PLAN_DUPLICATE_PHASE, phase.span, message);
        } else {
            first.insert(number, phase.span);
        }
    }
}

impl DraftTask {
    /// What the task is called in messages.
    pub(super) fn label(&self) -> String {
        self.id.as_ref().map_or_else(|| "the task".to_owned(), |id| format!("task `{id}`"))
    }

    fn close(mut self, findings: &mut Findings<'_>) -> Option<Task> {
        let label = self.label();
        at_most("criteria", &mut self.criteria, findings);
        at_most("checks", &mut self.verify, findings);
        if self.work.is_empty() {
            findings.error(diagnostic::PLAN_NO_WORK, self.span, format!("{label} does not say what to do"));
        }
        if self.criteria.is_empty() {
            let message = format!("{label} has no acceptance criterion");
            findings.warn(diagnostic::PLAN_NO_CRITERION, self.span, message);
        }
        let mut verify = once(self.verify, findings);
        let mut criteria = Vec::new();
        for placed in self.criteria {
            criteria.push(criterion(placed, &mut verify, findings));
        }
        let mut blocked_by: Vec<TaskId> = self.blocked_by.into_iter().map(|it| it.value).collect();
        // Sets, so that neither order nor repetition changes what is frozen.
        blocked_by.sort_unstable();
        blocked_by.dedup();
        let mut files = self.files;
        files.sort_unstable();
        files.dedup();
        Some(Task {
            id: self.id?,
            title: self.title,
            phase: self.phase,
            work: self.work,
            criteria,
            blocked_by,
            reading: self.reading,
            environment: self.environment,
            priority: self.priority,
            files,
            verify,
            risk: self.risk,
            propose: self.propose,
        })
    }
}

/// Reports and cuts a list that is longer than any person's.
fn at_most<T>(what: &str, list: &mut Vec<Placed<T>>, findings: &mut Findings<'_>) {
    if let Some(first) = list.get(ENTRIES_MAX) {
        let message = format!("the task has {} {what} and {ENTRIES_MAX} are accepted", list.len());
        findings.error(diagnostic::PLAN_TOO_MANY, first.span, message);
        list.truncate(ENTRIES_MAX);
    }
}

/// The checks under **Verify**, each once; two different ones of one name would be one in every report.
fn once(checks: Vec<Placed<Verify>>, findings: &mut Findings<'_>) -> Vec<Verify> {
    let mut kept: Vec<Verify> = Vec::new();
    let mut named: BTreeMap<(String, Option<String>), usize> = BTreeMap::new();
    for Placed { value, span } in checks {
        let key = (value.name.clone(), value.environment.clone());
        match named.get(&key).and_then(|at| kept.get(*at)) {
            None => {
                named.insert(key, kept.len());
                kept.push(value);
            }
            Some(before) if *before == value => {}
            Some(_) => {
                let message = format!("two checks of the task are called {}", quoted(&value.name));
                let defect = Diagnostic::error(diagnostic::PLAN_VALUE, message);
                findings.report(span, defect.with_help("give each check of a task its own name"));
            }
        }
    }
    kept
}

fn criterion(
    Placed { value, span }: Placed<String>,
    verify: &mut Vec<Verify>,
    findings: &mut Findings<'_>,
) -> Criterion {
    let (criterion, remarks) = Criterion::read(value, verify);
    for remark in remarks {
        let message = remark.message;
        let warning = match remark.kind {
            RemarkKind::Vague => Diagnostic::warning(diagnostic::PLAN_VAGUE, message),
            RemarkKind::Unclear => Diagnostic::warning(diagnostic::PLAN_UNCLEAR, message),
            RemarkKind::Command => {
                let message = format!("the criterion's command {message}; it will be judged, not proven");
                Diagnostic::warning(diagnostic::PLAN_COMMAND, message)
            }
        };
        findings.report(span, warning);
    }
    criterion
}
