//! A delivery: its tasks, and the indexes that make finding the next thing to do independent of how many there are.

use std::collections::{BTreeMap, BTreeSet};

use super::Status;
use super::command::{Bypassed, CheckResult, CheckSpec, Roles};
use super::event::{Question, What};
use super::prices::{Basis, Bill};
use super::task::{Task, Waiting};
use super::terms::Terms;
use super::warrant::Warrant;
use crate::adapter::Spent;
use crate::digest::Digest;
use crate::effects::EffectId;
use crate::infrastructure;
use crate::record::Sequence;

/// A delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The frozen plan.
    pub plan: Digest,
    /// The file it came from.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Where it began.
    pub base: String,
    /// Its branch.
    pub branch: String,
    /// Where the branch is.
    pub tip: String,
    /// The project's checks.
    pub checks: Vec<CheckSpec>,
    /// Checks that do not count, because they failed before any work.
    pub ignored: BTreeSet<String>,
    /// What the checks gave before any work.
    pub baseline: Option<Vec<CheckResult>>,
    /// Which agent each role is played by.
    pub roles: Roles,
    /// What becomes of a task whose critic was bypassed.
    pub bypassed: Bypassed,
    /// By what right it was begun.
    pub warrant: Box<Warrant>,
    /// On which terms agents work for it.
    pub terms: Box<Terms>,
    /// What agents have used for it.
    pub bill: Bill,
    /// The same for each agent, by its name.
    pub bills: BTreeMap<String, Bill>,
    /// Turns that nobody waits for any more and that have not said what they cost: their tasks and agents.
    pub(super) given_up: BTreeMap<EffectId, (String, String)>,
    /// How often a person let it go on when its terms were used up.
    pub granted: u32,
    /// How it stands.
    pub course: Course,
    /// How the infrastructure stands.
    pub health: infrastructure::Health,
    /// Its tasks.
    pub tasks: BTreeMap<String, Task>,
    /// Questions that wait for a person, with their tasks.
    pub questions: BTreeMap<String, (Question, Option<String>)>,
    /// Tasks of which nothing says when they are done, in the order of the plan.
    pub without_criteria: Vec<String>,
    /// Who waits for a task that the plan names later.
    pub(super) awaited: BTreeMap<String, Vec<String>>,
    /// Work that is not about one task, or no longer.
    pub(super) background: BTreeSet<EffectId>,
    /// Tasks that can be started, best first.
    pub(super) ready: BTreeSet<Rank>,
    /// Tasks that hold a slot and need their next effect, longest waiting first.
    pub(super) idle: BTreeSet<(Sequence, String)>,
    /// Tasks in the middle of work that need a slot again, longest waiting first.
    pub(super) returning: BTreeSet<(Sequence, String)>,
    /// Tasks that wait for nothing and have not been told so.
    pub(super) unblockable: BTreeSet<String>,
    /// Tasks that wait for the infrastructure.
    pub(super) ailing: BTreeSet<String>,
    /// The task that is landing.
    pub(super) landing: Option<String>,
    /// How many tasks have not ended.
    pub(super) unfinished: usize,
    /// How many tasks hold a slot.
    pub(super) slots: u32,
    /// How many tasks have something being done for them.
    pub(super) working: u32,
}

/// How a delivery stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Course {
    /// Checks are measured, or a person is asked about them.
    Preparing,
    /// Work is given out.
    Running,
    /// Nothing is given out until somebody resumes it.
    Paused,
    /// Nothing can go on without a person.
    Resting {
        /// Why.
        reason: String,
    },
    /// All tasks have ended.
    Complete,
    /// A person ended it.
    Cancelled,
}

/// The order in which tasks are started: most tasks waiting for it, then priority, then place in the plan.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    downstream: std::cmp::Reverse<u32>,
    priority: u8,
    order: u32,
    pub(super) task: String,
}

impl Board {
    /// Counts what a turn of a task cost.
    pub(super) fn pay(&mut self, task: &str, agent: &str, spent: Spent, basis: Basis) {
        self.bill.add(spent, basis);
        self.bills.entry(agent.to_owned()).or_default().add(spent, basis);
        if let Some(task) = self.tasks.get_mut(task) {
            task.bill.add(spent, basis);
        }
    }

    /// Counts what a turn cost that nobody waited for any more, once.
    pub(super) fn late(&mut self, effect: EffectId, spent: Spent, basis: Basis) {
        if let Some((task, agent)) = self.given_up.remove(&effect) {
            self.pay(&task, &agent, spent, basis);
        }
    }

    /// The board of a delivery that begins: nothing is measured, added or asked yet.
    pub(super) fn begun(what: &What) -> Option<Board> {
        let What::DeliveryStarted {
            plan,
            name,
            title,
            base,
            branch,
            checks,
            roles,
            bypassed,
            warrant,
            terms,
        } = what
        else {
            return None;
        };
        Some(Board {
            plan: *plan,
            name: name.clone(),
            title: title.clone(),
            base: base.clone(),
            branch: branch.clone(),
            tip: base.clone(),
            checks: checks.clone(),
            ignored: [].into(),
            baseline: None,
            roles: roles.clone(),
            bypassed: *bypassed,
            warrant: warrant.clone(),
            terms: terms.clone(),
            bill: Bill::default(),
            bills: BTreeMap::new(),
            given_up: BTreeMap::new(),
            granted: 0,
            course: Course::Preparing,
            health: crate::infrastructure::Health::Healthy,
            tasks: [].into(),
            questions: [].into(),
            without_criteria: Vec::new(),
            awaited: [].into(),
            background: [].into(),
            ready: [].into(),
            idle: [].into(),
            returning: [].into(),
            unblockable: [].into(),
            ailing: [].into(),
            landing: None,
            unfinished: 0,
            slots: 0,
            working: 0,
        })
    }

    /// Puts a task where the scheduler looks for it, after whatever happened to it.
    pub(super) fn file(&mut self, id: &str) {
        let Some(task) = self.tasks.get_mut(id) else { return };
        if task.is_unblockable() {
            self.unblockable.insert(id.to_owned());
        } else {
            self.unblockable.remove(id);
        }
        if task.status == Status::AwaitingInfrastructure {
            self.ailing.insert(id.to_owned());
        } else {
            self.ailing.remove(id);
        }
        let place = if task.is_new() {
            Waiting::Ready
        } else if task.waits_in_its_slot(true) {
            Waiting::Idle
        } else if task.waits_in_its_slot(false) {
            Waiting::Returning
        } else {
            Waiting::Nowhere
        };
        let rank = Rank {
            downstream: std::cmp::Reverse(task.downstream),
            priority: task.priority,
            order: task.order,
            task: id.to_owned(),
        };
        let before = (task.filed, id.to_owned());
        task.filed = task.since;
        let waited = (task.since, id.to_owned());
        match std::mem::replace(&mut task.place, place) {
            Waiting::Nowhere => {}
            Waiting::Ready => drop(self.ready.remove(&rank)),
            Waiting::Idle => drop(self.idle.remove(&before)),
            Waiting::Returning => drop(self.returning.remove(&before)),
        }
        match place {
            Waiting::Nowhere => {}
            Waiting::Ready => drop(self.ready.insert(rank)),
            Waiting::Idle => drop(self.idle.insert(waited)),
            Waiting::Returning => drop(self.returning.insert(waited)),
        }
    }

    /// Goes on after a person's answer; what was paused waits until somebody resumes it.
    pub(super) fn wake(&mut self) {
        if let Course::Resting { .. } = self.course {
            self.course = Course::Running;
        }
    }

    /// Whether work is given out.
    pub fn is_running(&self) -> bool {
        self.course == Course::Running
    }

    /// Whether something goes on that can be stopped: work, or what comes before it.
    pub(super) fn can_pause(&self) -> bool {
        self.is_running() || (self.course == Course::Preparing && !self.background.is_empty())
    }

    /// Whether nothing more happens until a person says something.
    pub fn rests(&self) -> bool {
        let asked_first = self.course == Course::Preparing && !self.questions.is_empty();
        let stands = !matches!(self.course, Course::Preparing | Course::Running);
        (asked_first || stands) && !self.is_busy()
    }

    /// How a task of it stands, as people read it. What a status says holds while work is given out: after that nothing
    /// is being done, and before it nothing waits for other tasks that has none to wait for.
    pub fn label_of(&self, task: &Task) -> &'static str {
        let waits_for_none = task.status == Status::Blocked && task.blockers.is_empty();
        match self.course {
            _ if task.has_ended() => task.status.label(),
            Course::Cancelled => "cancelled",
            Course::Running if waits_for_none => Status::Available.label(),
            _ if waits_for_none => "waiting for the first checks",
            _ => task.status.label(),
        }
    }

    /// How many tasks stand so.
    pub fn count(&self, status: Status) -> usize {
        self.tasks.values().filter(|task| task.status == status).count()
    }

    /// Whether it may ever go on.
    pub fn has_ended(&self) -> bool {
        matches!(self.course, Course::Complete | Course::Cancelled)
    }

    /// Whether anything is being done for it.
    pub fn is_busy(&self) -> bool {
        !self.background.is_empty() || self.working > 0
    }

    /// The checks that count for a task: the project's and its own.
    pub(super) fn checks_of(&self, task: &Task) -> Vec<CheckSpec> {
        let counts = |check: &&CheckSpec| !self.ignored.contains(&check.name);
        self.checks.iter().filter(counts).chain(&task.checks).cloned().collect()
    }
}
