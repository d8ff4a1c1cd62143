//! Measuring: checks on a tree, before any work, on what a developer claims, and on what is joined.

use std::path::Path;

use provost_core::delivery::{CheckResult, CheckSpec, Measure, Measurement, Verdict};
use provost_core::protected;
use provost_core::time::Timestamp;

use super::turn::files_of;
use super::walled::{Guard, Program};
use super::{Unavailable, Work, oid};
use crate::checks::{Check, Environment, Surroundings, start_check};
use crate::driver::Launch;
use crate::git::Oid;
use crate::walls::{Network, Reach};
use crate::worktree::{Label, NewCommit};

/// How much of the end of a check's output is told to whoever has to mend it.
const TAIL_MAX: usize = 1_500;

impl Work {
    /// Measures every check on the commit that a delivery begins from, and makes its branch there.
    pub(super) fn baseline(
        &self,
        delivery: &str,
        base: &str,
        specs: &[CheckSpec],
    ) -> Result<Vec<CheckResult>, Unavailable> {
        let base = oid(base)?;
        self.tools.repository.create_branch(&format!("provost/{delivery}"), &base)?;
        self.checks_apart(&apart(delivery, "baseline", 1)?, &base, specs)
    }

    /// Measures a commit in a worktree that is there only for it; it is removed after the report.
    pub(super) fn checks_apart(
        &self,
        label: &Label,
        commit: &Oid,
        specs: &[CheckSpec],
    ) -> Result<Vec<CheckResult>, Unavailable> {
        if specs.is_empty() {
            return Ok(Vec::new());
        }
        let label = self.apart.get_or_init(|| label.clone());
        let path = self.tools.worktrees.join(label.folder());
        let worktree = self.tools.repository.add_apart(&path, commit, label)?;
        self.prepare(&worktree)?;
        self.run_checks(specs, &worktree.path)
    }

    /// Commits what is in a task's worktree and measures it.
    pub(super) fn measure(&self, measure: &Measure) -> Result<Measurement, Unavailable> {
        let repository = &self.tools.repository;
        let worktree = self.worktree(&measure.delivery, &measure.task, &measure.worktree)?;
        let (head, time) = self.origin()?;
        if let Some(commit) = self.committed_before(measure, time)? {
            // Checks may have run since, and what they left is not the developer's.
            repository.bring_to(&worktree, &commit)?;
        }
        let snapshot = repository.snapshot(&worktree)?;
        let unacceptable = |reason: String| Ok(Measurement::Unacceptable { reason });
        if !snapshot.is_whole() {
            return unacceptable(
                "the worktree contains repositories or files that cannot be committed".to_owned(),
            );
        }
        let base = oid(&measure.worktree.base)?;
        if snapshot.tree == repository.tree_of(&base)? {
            return unacceptable("nothing differs from where the task began".to_owned());
        }
        let (marks, author) = (self.marks(&measure.task, head), self.author(time));
        let message = format!("{}\n\nTask {} of {}.", measure.title, measure.task, measure.delivery);
        let new = NewCommit {
            tree: &snapshot.tree,
            parent: &base,
            message: &message,
            marks: Some(&marks),
            author: &author,
        };
        let commit = repository.commit(new)?;
        repository.keep(&format!("{}/{}", measure.delivery, measure.task), &commit)?;
        let files = repository.changed(&base, &commit)?;
        let paths: Vec<String> = files.iter().map(|changed| changed.path.display().to_string()).collect();
        let plan = self.plan(measure.plan)?;
        let own = files_of(&plan, &measure.task);
        if let Some(path) = protected::touched(paths.iter().map(String::as_str), own).first() {
            return unacceptable(format!(
                "`{path}` is obeyed by programs outside the task's walls, and `Files` of the task does not name it"
            ));
        }
        let results = self.run_checks(&measure.checks, &worktree.path);
        let passed = |results: &Vec<CheckResult>| results.iter().all(|it| it.verdict == Verdict::Passed);
        if !results.as_ref().is_ok_and(passed) {
            // The developer, or who measures again, goes on from the work without what checks left beside it.
            repository.bring_to(&worktree, &commit)?;
        }
        let results = results?;
        Ok(Measurement::Committed {
            commit: commit.to_string(),
            tree: snapshot.tree.to_string(),
            files: paths,
            results,
        })
    }

    /// The commit that a process made of the same work before it was killed.
    fn committed_before(&self, measure: &Measure, since: Timestamp) -> Result<Option<Oid>, Unavailable> {
        if self.launch == Launch::Do {
            return Ok(None);
        }
        let base = oid(&measure.worktree.base)?;
        let found = self.tools.repository.find_effect(&self.effect_name(), since)?;
        let ours = found.into_iter().find(|found| found.parents.as_slice() == std::slice::from_ref(&base));
        Ok(ours.map(|found| found.commit))
    }

    /// Runs checks in a folder, one after the other.
    pub(super) fn run_checks(
        &self,
        specs: &[CheckSpec],
        folder: &Path,
    ) -> Result<Vec<CheckResult>, Unavailable> {
        let nothing = Reach::default();
        let reach = |spec: &CheckSpec| self.tools.check_reach.get(&spec.name).unwrap_or(&nothing);
        let program = |spec| Program {
            worktree: folder,
            reach: reach(spec),
            network: Network::Loopback,
            guard: Guard::Except(&[]),
            exposed: &[],
        };
        specs.iter().map(|spec| self.run_check(spec, &program(spec))).collect()
    }

    fn run_check(&self, spec: &CheckSpec, program: &Program<'_>) -> Result<CheckResult, Unavailable> {
        let check = Check {
            name: spec.name.clone(),
            argv: spec.argv.clone(),
            environment: None,
            prefix: Vec::new(),
            expect_exit: spec.expect_exit,
            limit_s: u64::from(spec.limit_s),
            required: spec.required,
        };
        let output = self.make_folder()?.join("check");
        let (environment, mark) = (Environment::of_this_process(&[]), self.mark());
        let first = spec.argv.first().map(Path::new).filter(|first| first.is_absolute());
        let exposed: Vec<&Path> = first.into_iter().chain(program.exposed.iter().copied()).collect();
        let walls = self.walls(&Program { exposed: &exposed, ..*program })?;
        let surroundings = Surroundings {
            exe: &self.tools.exe,
            environment: &environment,
            output: &output,
            mark: &mark,
            walls: walls.as_ref(),
        };
        let measuring = start_check(&check, program.worktree, &surroundings)?;
        self.stops.running(self.id, measuring.stopper());
        let measured = measuring.wait()?;
        let (_, kept) = self.keep(&output)?;
        let why = measured.why.clone().unwrap_or_default();
        let said =
            if measured.output_tail.is_empty() { &measured.output_head } else { &measured.output_tail };
        Ok(CheckResult {
            check: measured.check,
            verdict: measured.verdict,
            exit: measured.exit,
            expected: measured.expected_exit,
            output: Some(kept),
            tail: if why.is_empty() { end_of(said) } else { why },
            required: spec.required,
        })
    }

    /// Runs a command that prepares a worktree; whatever it says, it has to succeed.
    pub(super) fn set_up(&self, argv: &[String], folder: &Path) -> Result<(), Unavailable> {
        let name = argv.join(" ");
        let spec = CheckSpec {
            name: name.clone(),
            argv: argv.to_vec(),
            expect_exit: 0,
            limit_s: 1_800,
            required: true,
        };
        let program = Program {
            worktree: folder,
            reach: &self.tools.setup_reach,
            // It fetches what the project needs.
            network: Network::Open,
            guard: Guard::Git,
            exposed: &[],
        };
        let result = self.run_check(&spec, &program)?;
        // A command that prepares need not test anything.
        if matches!(result.verdict, Verdict::Passed | Verdict::Empty) {
            return Ok(());
        }
        Err(Unavailable(format!("the setup command `{name}` failed: {}", result.tail)))
    }
}

/// The result of a check that could not be run.
pub(super) fn blocked(spec: &CheckSpec, why: &str) -> CheckResult {
    CheckResult {
        check: spec.name.clone(),
        verdict: Verdict::Blocked,
        exit: None,
        expected: spec.expect_exit,
        output: None,
        tail: why.to_owned(),
        required: spec.required,
    }
}

/// The label of a worktree for checks alone.
pub(super) fn apart(delivery: &str, purpose: &str, number: u32) -> Result<Label, Unavailable> {
    let odd = || Unavailable(format!("`{delivery}` cannot be the name of a folder"));
    Label::apart(delivery, purpose, number).ok_or_else(odd)
}

fn end_of(text: &str) -> String {
    let from = text.len().saturating_sub(TAIL_MAX);
    let from = (from..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(from..).unwrap_or_default().to_owned()
}
