//! A turn of an agent: its worktree, its prompt, its program, and what it came to.

use std::fs;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use provost_core::delivery::{CheckResult, Outcome, Place, Report, Turn, TurnEnd};
use provost_core::digest::Digest;
use provost_core::plan::Plan;
use provost_core::prompt;
use provost_core::role::Role;

use super::talked::At;
use super::walled::{Guard, Program};
use super::{Unavailable, Work, oid};
use crate::agent::{Agent, Drive, Hand, Input, PromptBy};
use crate::artifacts::Artifacts as _;
use crate::checks::Environment;
use crate::dispatch::Dispatch;
use crate::kill_point::kill_point;
use crate::process::{Job, Limits, Stdin, Supervised, Talking};
use crate::walls::{Network, Walls};
use crate::worktree::{Label, Readiness, Worktree};

/// The file that the prompt is handed over in.
const PROMPT: &str = "prompt.md";

impl Work {
    /// Lets an agent work once. An error means that it never began.
    pub(super) fn turn(self: &Arc<Self>, turn: &Turn) -> Result<TurnEnd, Unavailable> {
        let unknown = || Unavailable(format!("no agent `{}` is configured", turn.agent));
        let agent = self.tools.agents.get(&turn.agent).ok_or_else(unknown)?;
        if let Some(time) = turn.not_before
            && !self.stops.wait_until(self.id, time)
        {
            return Ok(without_end(Outcome::Stopped, None, Vec::new()));
        }
        let worktree = self.worktree(&turn.delivery, &turn.task, &turn.worktree)?;
        if let (Some(commit), Role::Critic | Role::Auditor) = (&turn.commit, turn.role) {
            // Whoever judges sees what was measured, whatever the last one who judged left behind.
            self.tools.repository.bring_to(&worktree, &oid(commit)?)?;
        }
        let results = self.measured_first(turn, &worktree)?;
        // Where none waits, it comes up while the prompt is written.
        let program = self.stock.spare.take(&self.tools.exe, &self.mark())?;
        let plan = self.plan(turn.plan)?;
        let page = prompt::render(turn.role, &self.context(turn, &plan, &worktree, &results));
        if agent.reads_a_file() {
            fs::write(self.make_folder()?.join(PROMPT), &page)?;
        }
        let at = At { worktree: worktree.path.clone(), plan: Arc::clone(&plan) };
        let dispatch = self.dispatch(turn, agent, &at, &page);
        let job = self.job(turn, agent, &plan, &worktree, &page, dispatch.as_ref())?;
        // Not before the turn's files are there: walls are built around what they find.
        let job = Job { walls: self.turn_walls(turn, agent, &plan, &worktree, dispatch.as_ref())?, ..job };
        if self.stops.is_asked(self.id) {
            return Ok(without_end(Outcome::Stopped, None, results));
        }
        let mut program = self.begin(program, &job)?;
        self.stops.running(self.id, program.stopper());
        kill_point("turn: job given");
        // Until then everything else can wait: writing the record, and starting the supervisor of the next turn, would
        // take the processor from the one that starts this turn's agent.
        program.begun();
        let recorded = self.record_start(&page, dispatch.as_ref());
        if recorded.is_err() {
            program.stopper().stop();
        }
        self.stock.spare.renew(&self.tools.exe, &self.tools.project_id);
        let waited = program.wait_answering(&mut |asked| self.permit(turn, &at, &asked.act));
        let calls = dispatch.map(Dispatch::close).unwrap_or_default();
        let end = self.ended(turn, &job, waited, calls, results);
        Ok(match recorded {
            Ok(()) => end,
            Err(Unavailable(issue)) => TurnEnd { outcome: Outcome::Unavailable { issue }, ..end },
        })
    }

    /// Puts on the record what the agent was told, while it begins: that it may, the record says since the turn was
    /// given out. Until then nothing is permitted to it.
    fn record_start(&self, page: &str, dispatch: Option<&Dispatch>) -> Result<(), Unavailable> {
        let record = || {
            let prompt = Some(self.stock.artifacts.put(page.as_bytes())?);
            kill_point("turn: prompt kept");
            let token = dispatch.map(Dispatch::token_digest);
            let confirmed = self.reporter.confirm(self.command(Report::Started { prompt, token }));
            confirmed.map(drop).map_err(|refusal| Unavailable(refusal.message))
        };
        let recorded = record();
        let _ = self.recorded.set(recorded.is_ok());
        recorded
    }

    /// The program that plays the part.
    fn job(
        &self,
        turn: &Turn,
        agent: &Agent,
        plan: &Plan,
        worktree: &Worktree,
        page: &str,
        dispatch: Option<&Dispatch>,
    ) -> Result<Job, Unavailable> {
        let folder = self.folder();
        let prompt_file = folder.join(PROMPT);
        let dispatch = dispatch.map(Dispatch::file);
        let hand = Hand {
            exe: &self.tools.exe,
            worktree: &worktree.path,
            folder: &folder,
            prompt_file: &prompt_file,
            dispatch: dispatch.as_deref(),
            fresh: &uuid::Uuid::new_v4().to_string(),
            walled: self.tools.force.builder().is_some(),
            files: plan.files_of(&turn.task),
        };
        let invocation = agent.invoke(turn, &hand);
        for (name, content) in &invocation.files {
            fs::write(self.make_folder()?.join(name), content)?;
        }
        let mut env = Environment::of_this_process(&[]).variables().clone();
        env.extend(invocation.env);
        Ok(Job {
            argv: invocation.argv,
            cwd: worktree.path.clone(),
            env,
            stdin: match invocation.input {
                Input::Prompt(PromptBy::Stdin) => Stdin::Text(page.to_owned()),
                Input::Prompt(PromptBy::File) => Stdin::Null,
                Input::Talk(conversation) => {
                    let (said, conversation) = (folder.join("said"), *conversation);
                    let prompt = page.to_owned();
                    Stdin::Talk(Box::new(Talking { conversation, prompt, said }))
                }
            },
            stdout: folder.join("stdout"),
            stderr: folder.join("stderr"),
            limits: Limits {
                wall_ms: u64::from(turn.limit_s) * 1_000,
                idle_ms: Some(u64::from(turn.idle_s) * 1_000),
                grace_ms: u64::from(turn.grace_s) * 1_000,
            },
            mark: self.mark(),
            walls: None,
        })
    }

    /// What an agent can reach. A plan that was approved lets it write what it names, protected or not.
    fn turn_walls(
        &self,
        turn: &Turn,
        agent: &Agent,
        plan: &Plan,
        worktree: &Worktree,
        dispatch: Option<&Dispatch>,
    ) -> Result<Option<Walls>, Unavailable> {
        let files = plan.files_of(&turn.task);
        let prompt = agent.reads_a_file().then(|| self.folder().join(PROMPT));
        let script = match &agent.drive {
            Drive::Scripted { script } => Some(script.as_path()),
            _ => agent.program().map(Path::new),
        };
        let config = self.folder().join(crate::agent::MCP);
        let spoken = dispatch.map(|dispatch| [dispatch.folder(), &config]).into_iter().flatten();
        let script = script.filter(|it| it.is_absolute());
        let exposed: Vec<&Path> = prompt.as_deref().into_iter().chain(script).chain(spoken).collect();
        Ok(self.walls(&Program {
            worktree: &worktree.path,
            reach: &agent.reach,
            network: Network::Open,
            // It asks nobody, so that whoever judges must not be able to change what it judges.
            guard: match turn.role {
                Role::Critic | Role::Auditor if agent.drive.never_asks() => Guard::All,
                _ => Guard::Except(files),
            },
            exposed: &exposed,
        })?)
    }

    /// For a task that only verifies, its checks on the tree that it begins from.
    fn measured_first(&self, turn: &Turn, worktree: &Worktree) -> Result<Vec<CheckResult>, Unavailable> {
        if turn.measure.is_empty() {
            return Ok(Vec::new());
        }
        self.run_checks(&turn.measure, &worktree.path)
    }

    /// Has a supervisor run the program; one that was ended while it waited is replaced.
    fn begin(&self, mut program: Supervised, job: &Job) -> Result<Supervised, Unavailable> {
        if program.begin(job).is_ok() {
            return Ok(program);
        }
        // Nothing has run: its end of the pipe was closed before a whole job could have been read.
        Ok(Supervised::start(&self.tools.exe, job)?)
    }

    fn plan(&self, digest: Digest) -> Result<Arc<Plan>, Unavailable> {
        let mut last = self.stock.plan.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, plan)) = &*last
            && *known == digest
        {
            return Ok(Arc::clone(plan));
        }
        let bytes = self.stock.artifacts.get(digest)?;
        let plan = Plan::from_canonical(&bytes).map_err(|error| Unavailable(error.to_string()))?;
        let plan = Arc::new(plan);
        *last = Some((digest, Arc::clone(&plan)));
        Ok(plan)
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
        let found = repository.worktree(&label).filter(Worktree::is_there);
        let readiness = found.as_ref().map(|found| repository.readiness(found)).transpose()?;
        let path = self.tools.worktrees.join(label.folder());
        let has_all = readiness >= Some(Readiness::Carrying);
        let lost = if has_all { None } else { self.lost_before(delivery, task, place)? };
        let worktree = match (lost, found) {
            (Some(lost), _) => {
                let (_, time) = self.origin()?;
                // A merge that was under way in it is finished first: half of one is nobody's work.
                let lost = if lost.is_there() { self.merged(lost, place)? } else { lost };
                repository.take_over(&lost, &path, &label, &self.author(time))?
            }
            (None, Some(found)) => found,
            (None, None) => repository.add(&path, &oid(&place.base)?, &label)?,
        };
        let worktree = self.merged(worktree, place)?;
        if readiness != Some(Readiness::Prepared) {
            self.prepare(&worktree)?;
            repository.mark_prepared(&worktree)?;
        }
        Ok(worktree)
    }

    /// A worktree with what has landed since its work began, where that is to be merged in.
    fn merged(&self, worktree: Worktree, place: &Place) -> Result<Worktree, Unavailable> {
        match &place.merge {
            Some(tip) if worktree.base.as_str() != tip => {
                Ok(self.tools.repository.merge_into(&worktree, &oid(tip)?)?.worktree)
            }
            _ => Ok(worktree),
        }
    }

    /// The worktree with all that turns left that were lost: the last that carries it, or the first, which had nothing
    /// to take over. Whatever else is there of them was cut short, or would have been removed next.
    fn lost_before(
        &self,
        delivery: &str,
        task: &str,
        place: &Place,
    ) -> Result<Option<Worktree>, Unavailable> {
        let repository = &self.tools.repository;
        let mut lost: Option<Worktree> = None;
        for generation in place.salvage_of.unwrap_or(place.generation)..place.generation {
            let Some(found) = repository.worktree(&label(delivery, task, generation)?) else { continue };
            if lost.is_some() && repository.readiness(&found)? < Readiness::Carrying {
                repository.remove_with_all(&found)?;
                continue;
            }
            if let Some(older) = lost.replace(found) {
                let (_, time) = self.origin()?;
                // It stays where it has what no commit can have.
                repository.remove_salvaged(&older, &self.author(time))?;
            }
        }
        Ok(lost)
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
pub(super) fn without_end(outcome: Outcome, output: Option<Digest>, results: Vec<CheckResult>) -> TurnEnd {
    TurnEnd { outcome, exit: None, duration_ms: 0, output, results, checkpoints: Vec::new(), account: None }
}

pub(super) fn label(delivery: &str, task: &str, generation: u32) -> Result<Label, Unavailable> {
    let odd = || Unavailable(format!("`{task}` cannot be the name of a folder"));
    Label::new(delivery, task, generation).ok_or_else(odd)
}
