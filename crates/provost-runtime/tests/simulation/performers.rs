//! What effects do in this world: each takes its time, leaves its trace, and reports what the seed decides.

use std::collections::BTreeMap;

use provost_core::delivery::{
    self, Category, CheckResult, CheckSpec, Effect, Incomplete, Land, Landing, Measure, Measurement, Outcome,
    Report, Turn, TurnEnd, Verdict,
};
use provost_core::effects::EffectId;
use provost_core::role::Role;
use provost_core::signal::Checkpoint;
use provost_core::state::Command;
use provost_runtime::driver::{Launch, Start};

use crate::world::{Happening, World};

/// What outlives every process: commits, and the branches of deliveries.
#[derive(Debug, Default)]
pub(crate) struct Ground {
    /// How often each effect left its trace.
    pub(crate) traces: BTreeMap<EffectId, u32>,
    /// The commits that were put onto each branch, in order.
    pub(crate) branches: BTreeMap<String, Vec<String>>,
}

/// What an effect does at one point in time.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// A commit is made and measured.
    Commit { results: Vec<CheckResult>, tell: u64 },
    /// A branch is moved, if it is where it is expected to be.
    Move { branch: String, tip: String, results: Vec<CheckResult>, tell: u64 },
    /// Somebody else moves a branch.
    MoveElsewhere { branch: String, tip: String, tell: u64 },
}

fn reporting(effect: EffectId, report: Report) -> Command {
    Command::Delivery(delivery::Command::Report { effect, report })
}

fn commit_of(effect: EffectId) -> String {
    format!("commit-{}", effect.0)
}

impl World {
    /// Begins an effect, as its performer would.
    pub(crate) fn begin(&mut self, start: &Start<Effect>) {
        let wrong = self.is_troubled() && self.random.chance(self.plan.trouble);
        let ms = 1 + self.random.below(300);
        match &start.effect {
            Effect::Baseline { checks, .. } => {
                let none = wrong && self.random.chance(30);
                let results = if none { Vec::new() } else { self.results(checks, wrong) };
                self.report(start.id, ms, Report::Baseline(results));
            }
            Effect::Turn(turn) => self.take_turn(start.id, turn, wrong),
            Effect::Measure(measure) => self.measure(start, measure, wrong),
            Effect::Land(land) => self.land(start, land, wrong),
            Effect::Clean { .. } => self.report(start.id, ms, Report::Cleaned),
        }
    }

    /// Reports, now and then twice.
    fn report(&mut self, id: EffectId, ms: u64, report: Report) {
        self.later(ms, Happening::Report(id, reporting(id, report.clone())));
        if self.random.chance(8) {
            let again = ms + self.random.below(300);
            self.later(again, Happening::Report(id, reporting(id, report)));
        }
    }

    fn take_turn(&mut self, id: EffectId, turn: &Turn, wrong: bool) {
        let (begin, work) = (self.random.below(20), 1 + self.random.below(400));
        let begins = !wrong || self.random.chance(85);
        let outcome = if begins {
            self.report(id, begin, Report::Started { prompt: None, token: None });
            if wrong { self.bad_turn(turn) } else { good_turn(turn) }
        } else {
            Outcome::Unavailable { issue: "no worktree".to_owned() }
        };
        let red = wrong && self.random.chance(50);
        let results = if begins { self.results(&turn.measure, red) } else { Vec::new() };
        let said = if begins && self.random.chance(20) { 1 + self.random.below(2) } else { 0 };
        let checkpoints = (0..said).map(|_| Checkpoint::default()).collect();
        let end = TurnEnd {
            outcome,
            exit: Some(0),
            duration_ms: work,
            output: None,
            results,
            checkpoints,
            account: None,
        };
        self.report(id, begin + work, Report::Turn(end));
    }

    fn bad_turn(&mut self, turn: &Turn) -> Outcome {
        let issue = || "no network".to_owned();
        let options = if self.random.chance(50) { vec!["this".to_owned()] } else { Vec::new() };
        let mut outcomes = vec![
            Outcome::Asks { question: "which?".to_owned(), options },
            Outcome::Rejected { reason: "not a signal".to_owned() },
            Outcome::Silent,
            Outcome::TimedOut,
            Outcome::TimedOut,
            Outcome::Crashed { error: "status 1".to_owned() },
            Outcome::Stopped,
        ];
        match turn.role {
            Role::Developer => {
                outcomes.push(Outcome::Infrastructure { issue: issue() });
                let other = self.random.below(self.plan.tasks_max + 1);
                let incomplete = |category, blocker_task| {
                    Outcome::Incomplete(Incomplete { category, blocker: "it".to_owned(), blocker_task })
                };
                let waits = incomplete(Category::BlockedByDependency, Some(format!("t{other}")));
                // Often, because most such tasks are not there, have ended, or would close a circle.
                outcomes.extend([waits.clone(), waits.clone(), waits]);
                outcomes.push(incomplete(Category::BlockedByDependency, None));
                outcomes.push(incomplete(Category::Infrastructure, None));
                outcomes.push(incomplete(Category::MissingInfo, None));
                outcomes.push(incomplete(Category::OutOfScope, None));
            }
            Role::Critic => {
                // Often enough for a limit to be reached.
                outcomes.extend([Outcome::TimedOut, Outcome::TimedOut]);
                outcomes.push(Outcome::Failed { feedback: "no".to_owned() });
            }
            Role::Auditor => {
                outcomes.push(Outcome::Failed { feedback: "no".to_owned() });
                outcomes.push(Outcome::Infrastructure { issue: issue() });
                // Confirmed, whatever was measured.
                outcomes.push(Outcome::Passed { summary: "fine".to_owned() });
            }
        }
        self.random.pick(&outcomes)
    }

    fn measure(&mut self, start: &Start<Effect>, measure: &Measure, wrong: bool) {
        let (ms, tell) = (1 + self.random.below(200), self.random.below(40));
        if self.adopts(start) {
            let results = self.results(&measure.checks, wrong);
            self.report(start.id, tell, Report::Measured(committed(start.id, results)));
            return;
        }
        let measured = match if wrong { self.random.below(4) } else { 2 } {
            0 => Measurement::Unacceptable { reason: "nothing changed".to_owned() },
            1 => Measurement::Unavailable { issue: "no disk".to_owned() },
            _ => {
                let results = self.results(&measure.checks, wrong);
                self.later(ms, Happening::Work(start.id, Work::Commit { results, tell }));
                return;
            }
        };
        self.report(start.id, ms, Report::Measured(measured));
    }

    fn land(&mut self, start: &Start<Effect>, land: &Land, wrong: bool) {
        let (ms, tell) = (1 + self.random.below(200), self.random.below(40));
        if self.adopts(start) {
            let landed = Landing::Landed { commit: commit_of(start.id), results: Vec::new() };
            self.report(start.id, tell, Report::Landing(landed));
            return;
        }
        let (branch, tip) = (land.branch.clone(), land.tip.clone());
        let landing = match if wrong { self.random.below(5) } else { 5 } {
            0 => Landing::Conflict { files: vec!["file".to_owned()] },
            1 => Landing::ChecksFailed { results: self.results(&land.checks, true) },
            2 => Landing::Gone { found: "nothing".to_owned() },
            3 => Landing::Unavailable { issue: "no disk".to_owned() },
            4 => {
                self.later(ms, Happening::Work(start.id, Work::MoveElsewhere { branch, tip, tell }));
                return;
            }
            _ => {
                let measured = self.random.chance(50);
                let results = if measured { self.results(&land.checks, false) } else { Vec::new() };
                self.later(ms, Happening::Work(start.id, Work::Move { branch, tip, results, tell }));
                return;
            }
        };
        self.report(start.id, ms, Report::Landing(landing));
    }

    /// Whether a process that ended had done it already, and whoever looks finds out.
    fn adopts(&mut self, start: &Start<Effect>) -> bool {
        let adopts = start.launch == Launch::Probe && self.ground.traces.contains_key(&start.id);
        if start.launch == Launch::Probe {
            self.seen.note(if adopts { "adopted by probing" } else { "done after probing" });
        }
        adopts
    }

    /// Does what an effect does at this point, and reports it later.
    pub(crate) fn work(&mut self, id: EffectId, work: Work) {
        let (tell, report) = match work {
            Work::Commit { results, tell } => {
                *self.ground.traces.entry(id).or_default() += 1;
                (tell, Report::Measured(committed(id, results)))
            }
            Work::Move { branch, tip, results, tell } => {
                let commits = self.ground.branches.entry(branch).or_default();
                let found = commits.last().filter(|found| **found != tip).cloned();
                let landing = if let Some(tip) = found {
                    Landing::Moved { tip }
                } else {
                    let commit = commit_of(id);
                    commits.push(commit.clone());
                    *self.ground.traces.entry(id).or_default() += 1;
                    Landing::Landed { commit, results }
                };
                (tell, Report::Landing(landing))
            }
            Work::MoveElsewhere { branch, tip, tell } => {
                let commits = self.ground.branches.entry(branch).or_default();
                let tip = format!("moved-from-{tip}");
                commits.push(tip.clone());
                (tell, Report::Landing(Landing::Moved { tip }))
            }
        };
        self.report(id, tell, report);
    }

    /// What checks give. What is not required may fail at any time.
    fn results(&mut self, checks: &[CheckSpec], red: bool) -> Vec<CheckResult> {
        let bad = [
            Verdict::Failed,
            Verdict::TimedOut,
            Verdict::Blocked,
            Verdict::Missing,
            Verdict::Empty,
            Verdict::Interrupted,
        ];
        let mut results = Vec::new();
        for check in checks {
            let fails = if check.required { red } else { self.random.chance(20) };
            let verdict = if fails { self.random.pick(&bad) } else { Verdict::Passed };
            results.push(CheckResult {
                check: check.name.clone(),
                verdict,
                exit: Some(i32::from(fails)),
                expected: 0,
                output: None,
                tail: "tail".to_owned(),
                required: check.required,
            });
        }
        results
    }
}

fn good_turn(turn: &Turn) -> Outcome {
    match turn.role {
        Role::Developer => Outcome::Ready { summary: "done".to_owned() },
        Role::Critic | Role::Auditor => Outcome::Passed { summary: "fine".to_owned() },
    }
}

fn committed(effect: EffectId, results: Vec<CheckResult>) -> Measurement {
    let tree = format!("tree-{}", effect.0);
    // Some developers change more than they should, again and again.
    let stray = effect.0.is_multiple_of(4).then_some("stray");
    let files = ["file"].into_iter().chain(stray).map(str::to_owned).collect();
    Measurement::Committed { commit: commit_of(effect), tree, files, results }
}
