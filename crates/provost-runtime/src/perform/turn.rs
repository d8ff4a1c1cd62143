//! A turn of an agent: its worktree, its prompt, its program, and what it came to.

use std::fs;
use std::io;
use std::path::Path;

use provost_core::delivery::{CheckResult, Outcome, Place, Report, Turn, TurnEnd};
use provost_core::digest::Digest;
use provost_core::plan::Plan;
use provost_core::prompt;
use provost_core::role::Role;

use super::{Work, heard, oid, text_of};
use crate::agent::PromptBy;
use crate::artifacts::Artifacts as _;
use crate::checks::Environment;
use crate::git::GitFault;
use crate::process::{Ended, Job, Limits, Stdin, Supervised};
use crate::worktree::{Label, Worktree};

/// Why a turn could not begin.
pub(super) struct Unavailable(pub(super) String);

impl From<GitFault> for Unavailable {
    fn from(fault: GitFault) -> Unavailable {
        Unavailable(fault.to_string())
    }
}

impl From<io::Error> for Unavailable {
    fn from(error: io::Error) -> Unavailable {
        Unavailable(error.to_string())
    }
}

impl Work {
    pub(super) fn turn(&self, turn: &Turn) -> TurnEnd {
        self.try_turn(turn).unwrap_or_else(|Unavailable(issue)| TurnEnd {
            outcome: Outcome::Unavailable { issue },
            exit: None,
            duration_ms: 0,
            output: None,
            results: Vec::new(),
            checkpoints: Vec::new(),
        })
    }

    fn try_turn(&self, turn: &Turn) -> Result<TurnEnd, Unavailable> {
        let unknown = || Unavailable(format!("no agent `{}` is configured", turn.agent));
        let agent = self.tools.agents.get(&turn.agent).ok_or_else(unknown)?;
        let worktree = self.worktree(&turn.delivery, &turn.task, &turn.worktree)?;
        if let (Some(commit), Role::Critic | Role::Auditor) = (&turn.commit, turn.role) {
            // Whoever judges sees what was measured, whatever the last one who judged left behind.
            self.tools.repository.bring_to(&worktree, &oid(commit)?)?;
        }
        let results = self.measured_first(turn, &worktree)?;
        let plan = self.plan(turn.plan)?;
        let context = self.context(turn, &plan, &worktree, &results);
        let page = prompt::render(turn.role, &context);
        let folder = self.make_folder()?;
        let prompt_file = folder.join("prompt.md");
        fs::write(&prompt_file, &page)?;
        let prompt = self.artifacts().put(page.as_bytes())?;
        let invocation = agent.invoke(turn, &self.tools.exe, &worktree.path, &prompt_file);
        let mut env = Environment::of_this_process(&[]).variables().clone();
        env.extend(invocation.env);
        let (stdout, stderr) = (folder.join("stdout"), folder.join("stderr"));
        let job = Job {
            argv: invocation.argv,
            cwd: worktree.path.clone(),
            env,
            stdin: match invocation.prompt {
                PromptBy::Stdin => Stdin::File(prompt_file),
                PromptBy::File => Stdin::Null,
            },
            stdout: stdout.clone(),
            stderr,
            limits: Limits {
                wall_ms: u64::from(turn.limit_s) * 1_000,
                idle_ms: Some(u64::from(turn.idle_s) * 1_000),
                grace_ms: u64::from(turn.grace_s) * 1_000,
            },
            mark: self.mark(),
        };
        if self.stops.is_asked(self.id) {
            return Ok(without_end(Outcome::Stopped, None, results));
        }
        self.report(Report::Started { prompt: Some(prompt) });
        let program = Supervised::start(&self.tools.exe, &job)?;
        self.stops.running(self.id, program.stopper());
        Ok(self.finish(turn, program.wait(), &stdout, results))
    }

    fn finish(
        &self,
        turn: &Turn,
        waited: io::Result<Ended>,
        stdout: &Path,
        results: Vec<CheckResult>,
    ) -> TurnEnd {
        let said = text_of(stdout);
        let output = self.artifacts().put(said.as_bytes()).ok();
        match waited {
            Ok(end) => {
                let (outcome, checkpoints) = heard::turn(turn.role, &turn.task, &end, &said);
                let (exit, duration_ms) = (end.exit, end.duration_ms);
                TurnEnd { outcome, exit, duration_ms, output, results, checkpoints }
            }
            Err(error) => without_end(Outcome::Crashed { error: error.to_string() }, output, results),
        }
    }

    /// For a task that only verifies, its checks on the tree that it begins from.
    fn measured_first(&self, turn: &Turn, worktree: &Worktree) -> Result<Vec<CheckResult>, Unavailable> {
        if turn.measure.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.run_checks(&turn.measure, &worktree.path)?)
    }

    fn plan(&self, digest: Digest) -> Result<Plan, Unavailable> {
        let bytes = self.artifacts().get(digest)?;
        Plan::from_canonical(&bytes).map_err(|error| Unavailable(error.to_string()))
    }

    /// The task's worktree, made if it is not there, and whole however far an earlier process came with it.
    pub(super) fn worktree(
        &self,
        delivery: &str,
        task: &str,
        place: &Place,
    ) -> Result<Worktree, Unavailable> {
        let repository = &self.tools.repository;
        let label = label(delivery, task, place.generation)?;
        let lost = place.salvage_of.map(|generation| self::label(delivery, task, generation)).transpose()?;
        let known = repository.list();
        let find = |label: &Label| known.iter().find(|worktree| worktree.label == *label);
        let path = self.tools.worktrees.join(label.folder());
        let worktree = if let Some(lost) = lost.as_ref().and_then(find) {
            let time = self.origin().map(|(_, time)| time).unwrap_or_default();
            repository.take_over(lost, &path, &label, &self.author(time))?
        } else if let Some(found) = find(&label).filter(|worktree| worktree.path.is_dir()) {
            found.clone()
        } else {
            repository.add(&path, &oid(&place.base)?, &label)?
        };
        let worktree = match &place.merge {
            Some(tip) if worktree.base.as_str() != tip => {
                repository.merge_into(&worktree, &oid(tip)?)?.worktree
            }
            _ => worktree,
        };
        if !repository.is_prepared(&worktree)? {
            self.prepare(&worktree)?;
            repository.mark_prepared(&worktree)?;
        }
        Ok(worktree)
    }

    /// Puts into a worktree what it needs beside the commit.
    pub(super) fn prepare(&self, worktree: &Worktree) -> Result<(), Unavailable> {
        self.tools.repository.copy_files(worktree, &self.tools.copy)?;
        for argv in &self.tools.setup {
            self.set_up(argv, &worktree.path)?;
        }
        Ok(())
    }
}

/// The end of a turn whose program was not seen to end.
fn without_end(outcome: Outcome, output: Option<Digest>, results: Vec<CheckResult>) -> TurnEnd {
    TurnEnd { outcome, exit: None, duration_ms: 0, output, results, checkpoints: Vec::new() }
}

pub(super) fn label(delivery: &str, task: &str, generation: u32) -> Result<Label, Unavailable> {
    let odd = || Unavailable(format!("`{task}` cannot be the name of a folder"));
    Label::new(delivery, task, generation).ok_or_else(odd)
}
