//! What was decided and what was acknowledged in a run, and the judgement of what a disk still knows of it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use provost_core::diagnostic;
use provost_core::digest::Digest;
use provost_core::project;
use provost_core::record::{Batch, Head, Record, Sequence};
use provost_core::state::{Command, State};
use provost_core::time::Timestamp;
use provost_runtime::artifacts::{Artifacts as _, FileArtifacts};
use provost_runtime::driver::{Answer, Cause, Driver, Identity, Performing, Submission};
use provost_runtime::journal::{Fault, FileJournal, Journal, Lease, Visit, walk};

use crate::disk::{Model, World};

/// Small, so that a run of a dozen records seals a segment.
pub(crate) const SEGMENT_MAX: u64 = 2400;

/// One line of history: the records that an opening found and those it decided.
#[derive(Clone, Debug, Default)]
pub(crate) struct Branch {
    pub(crate) lines: Vec<String>,
    /// After how many records a batch ends.
    pub(crate) bounds: Vec<usize>,
}

/// All that happened on one disk.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    pub(crate) branches: Vec<Branch>,
    pub(crate) acknowledged: BTreeMap<Sequence, String>,
    pub(crate) kept: Vec<Digest>,
}

pub(crate) type Shared = Rc<RefCell<History>>;

impl Branch {
    fn begins_with(&self, lines: &[String]) -> bool {
        (lines.is_empty() || self.bounds.contains(&lines.len())) && self.lines.starts_with(lines)
    }

    fn found(&mut self, record: &Record<'_>) {
        self.lines.push(record.line.to_owned());
        if record.sequence == record.batch.1 {
            self.bounds.push(self.lines.len());
        }
    }
}

impl History {
    /// Whether records are whole batches of something that was decided, from the first on.
    pub(crate) fn explains(&self, lines: &[String]) -> bool {
        lines.is_empty() || self.branches.iter().any(|branch| branch.begins_with(lines))
    }

    /// Whether records hold everything that was acknowledged.
    pub(crate) fn is_kept_by(&self, lines: &[String]) -> bool {
        let at = |sequence: Sequence| lines.get(usize::try_from(sequence).unwrap() - 1);
        self.acknowledged.iter().all(|(sequence, line)| at(*sequence) == Some(line))
    }
}

/// A journal that notes what passes through it.
pub(crate) struct Witness {
    inner: FileJournal<Model>,
    history: Shared,
}

impl Witness {
    pub(crate) fn new(model: &Model, history: &Shared) -> Witness {
        let inner = FileJournal::with_segment_max(model.clone(), SEGMENT_MAX);
        Witness { inner, history: Rc::clone(history) }
    }
}

impl Journal for Witness {
    fn open(&mut self, visit: Visit<'_>) -> Result<Lease, Fault> {
        let mut branch = Branch::default();
        let lease = self.inner.open(&mut |record| {
            branch.found(record);
            visit(record)
        })?;
        self.history.borrow_mut().branches.push(branch);
        Ok(lease)
    }

    fn append(&mut self, expected: Head, batch: &Batch) -> Result<(), Fault> {
        {
            let mut history = self.history.borrow_mut();
            let branch = history.branches.last_mut().unwrap();
            branch.lines.extend(batch.lines_between(0, Sequence::MAX).map(str::to_owned));
            let length = branch.lines.len();
            branch.bounds.push(length);
        }
        self.inner.append(expected, batch)
    }

    fn read(&mut self, first: Sequence, last: Sequence) -> Result<Vec<String>, Fault> {
        self.inner.read(first, last)
    }
}

/// One thing to do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Submits requests in one turn; `init` makes the project, any other is a remark.
    Turn(&'static [&'static str]),
    /// Keeps an artifact.
    Put(&'static [u8]),
    /// Closes the journal, so that the next turn opens it again.
    Reopen,
}

/// A process: a driver, and artifacts, over a modelled disk.
pub(crate) struct Process {
    pub(crate) model: Model,
    pub(crate) history: Shared,
    pub(crate) driver: Option<Driver<State, Witness>>,
    /// What broke a promise while it ran.
    pub(crate) broken: Option<String>,
}

impl Process {
    pub(crate) fn new(model: &Model, history: &Shared) -> Process {
        Process { model: model.clone(), history: Rc::clone(history), driver: None, broken: None }
    }

    /// Does steps in order, each as often as allowed; says whether all were done.
    pub(crate) fn play(&mut self, steps: &[Step], attempts: usize) -> bool {
        steps.iter().all(|step| (0..attempts).any(|_| !self.model.has_stopped() && self.try_step(*step)))
    }

    fn try_step(&mut self, step: Step) -> bool {
        match step {
            Step::Turn(ids) => self.turn(ids),
            Step::Put(bytes) => {
                let artifacts = FileArtifacts::new(self.model.clone(), "one");
                let Ok(digest) = artifacts.put(bytes) else { return false };
                self.history.borrow_mut().kept.push(digest);
                true
            }
            Step::Reopen => {
                self.driver = None;
                true
            }
        }
    }

    fn turn(&mut self, ids: &[&str]) -> bool {
        if self.driver.is_none() {
            let session_id = format!("s{}", self.history.borrow().branches.len());
            let identity = Identity { session_id, holder: "process 7: test".to_owned() };
            let journal = Witness::new(&self.model, &self.history);
            match Driver::open(journal, identity, Performing::No) {
                Ok(driver) => self.driver = Some(driver),
                Err(
                    fault @ (Fault::Disk { .. } | Fault::Unread { .. } | Fault::Fenced(_) | Fault::NotOpen),
                ) => {
                    let _ = fault.diagnostic();
                    return false;
                }
                Err(fault) => {
                    self.broken = Some(format!("refused: {fault}"));
                    return false;
                }
            }
        }
        let submissions: Vec<_> = ids.iter().map(|id| request(id)).collect();
        let turn = self.driver.as_mut().unwrap().turn(&submissions, Timestamp::from_ms(1_800_000_000_000));
        let mut all = true;
        for answer in turn.answers {
            match answer {
                Ok(answer) => self.acknowledge(&answer),
                Err(told) => {
                    let usual = [
                        diagnostic::DISK_FULL,
                        diagnostic::JOURNAL_DISK,
                        diagnostic::JOURNAL_UNREADABLE,
                        diagnostic::PROJECT_LOST,
                    ];
                    if !usual.contains(&told.code) {
                        self.broken = Some(format!("answered {told}"));
                    }
                    all = false;
                }
            }
        }
        all
    }

    fn acknowledge(&mut self, answer: &Answer) {
        let mut history = self.history.borrow_mut();
        for line in &answer.records {
            let sequence = Record::parse(line.as_bytes()).unwrap().sequence;
            let before = history.acknowledged.insert(sequence, line.clone());
            if before.is_some_and(|before| before != *line) {
                self.broken = Some(format!("record {sequence} was acknowledged twice, differently"));
            }
        }
        let least = Model::new(self.model.world().least());
        match lines_of(&least) {
            Ok(lines) if history.is_kept_by(&lines) => {}
            Ok(_) => self.broken = Some("acknowledged before it was durable".to_owned()),
            Err(fault) => self.broken = Some(format!("acknowledged, and then: {fault}")),
        }
    }
}

/// A request by its id.
pub(crate) fn request(id: &str) -> Submission<Command> {
    let settings = project::Settings::default();
    let preparation = project::Preparation { project_id: "p-1".to_owned(), settings };
    let command = if id == "init" {
        project::Command::Prepare(preparation)
    } else {
        let text = format!("{id}: {}", "remark ".repeat(12));
        project::Command::Note { preparation, text, attached: Vec::new() }
    };
    let cause = Cause::Request(id.to_owned());
    Submission { cause, actor: "person".to_owned(), command: Command::Project(command) }
}

/// All records of whole batches.
pub(crate) fn lines_of(model: &Model) -> Result<Vec<String>, Fault> {
    let mut lines = Vec::new();
    walk(model, &mut |record| {
        lines.push(record.line.to_owned());
        Ok(())
    })?;
    Ok(lines)
}

/// Says which promise a disk breaks to somebody who opens it after all this.
pub(crate) fn examine(world: World, history: &History) -> Result<(), String> {
    let written: usize = segments(&world).map(|bytes| bytes.iter().filter(|byte| **byte != 0).count()).sum();
    let model = Model::new(world);
    let now = Rc::new(RefCell::new(History::default()));
    let identity = Identity { session_id: "later".to_owned(), holder: "process 8: test".to_owned() };
    let driver = Driver::<State, _>::open(Witness::new(&model, &now), identity, Performing::No);
    let mut driver = driver.map_err(|fault| format!("refused: {fault}"))?;
    let lines = now.borrow().branches[0].lines.clone();
    if !history.explains(&lines) {
        return Err("records that nobody decided, or part of a batch".to_owned());
    }
    if !history.is_kept_by(&lines) {
        return Err(format!("acknowledged and lost; {} records are left", lines.len()));
    }
    let artifacts = FileArtifacts::new(model.clone(), "later");
    if history.kept.iter().any(|digest| artifacts.get(*digest).is_err()) {
        return Err("an artifact was acknowledged and lost".to_owned());
    }
    let surplus = written > lines.iter().map(|line| line.len() + 1).sum();
    if driver.cut().is_some() != surplus {
        return Err(format!("cut: {:?}, surplus: {surplus}", driver.cut()));
    }
    let turn = driver.turn(&[request("init"), request("later")], Timestamp::from_ms(1_800_000_000_001));
    let answer = turn.answers.into_iter().nth(1).unwrap().map_err(|told| format!("cannot go on: {told}"))?;
    let least = Model::new(model.world().least());
    let later = lines_of(&least).map_err(|fault| format!("later: {fault}"))?;
    if !later.starts_with(&lines) || !later.ends_with(&answer.records) || answer.records.is_empty() {
        return Err("what was recorded later does not last".to_owned());
    }
    Ok(())
}

fn segments(world: &World) -> impl Iterator<Item = &[u8]> {
    let names = world.cached.get("journal").into_iter().flatten();
    names.filter_map(|(name, _)| {
        world.file(&format!("journal/{name}")).map(|id| world.files[id].cache.as_slice())
    })
}
