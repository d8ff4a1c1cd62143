//! `provost clean`: what ended deliveries left behind, cleared away.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use provost_core::delivery::Board;
use provost_core::diagnostic::{self, Diagnostic, Exit};
use provost_core::state::State;
use provost_runtime::acting::{folder_trouble, only_people};
use provost_runtime::clock::{Clock as _, SystemClock};
use provost_runtime::git::Oid;
use provost_runtime::home::Home;
use provost_runtime::lock::{Holder, Lock};
use provost_runtime::repository::{Ended, Pruned, Repository};
use provost_runtime::worktree::Author;
use serde::Serialize;

use super::{Context, Done};
use crate::failure::{self, Failure};
use crate::performing;
use crate::screen::Screen;
use crate::wording::one_line;

/// Remove worktrees and references of deliveries that have ended.
///
/// A delivery's branch goes only if all of its work is on HEAD as well; what was measured and salvaged of a task, only if
/// the task landed and that branch or HEAD has it. Work in a worktree that is nowhere else is committed to a branch
/// provost/salvage/… first; a worktree with work that no commit can hold, such as a repository inside of it, stays.
/// Deliveries that may go on are not touched. What cannot be removed does not stop the rest.
///
/// Example: `provost clean --dry-run`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only say what would be removed.
    #[arg(long)]
    dry_run: bool,

    /// Also remove branches, references and worktrees whose work is nowhere else; each is printed.
    #[arg(long)]
    force: bool,
}

#[derive(Serialize)]
struct Cleaned {
    dry_run: bool,
    worktrees: Vec<String>,
    branches: Vec<Branch>,
    measured: Vec<Branch>,
    salvaged: Vec<Branch>,
    /// Branches that would be made for work that is nowhere else.
    to_salvage: Vec<String>,
    kept: Vec<String>,
    /// Worktrees that stay, with what in them no commit can hold.
    left: Vec<Holding>,
    /// Worktrees that were removed by force, with what went with them.
    dropped: Vec<Holding>,
    errors: Vec<Diagnostic>,
}

/// A worktree and paths in it.
#[derive(Serialize)]
struct Holding {
    worktree: String,
    paths: Vec<String>,
}

impl Holding {
    fn new((worktree, paths): (PathBuf, Vec<PathBuf>)) -> Holding {
        let paths = paths.iter().map(|path| path.display().to_string()).collect();
        Holding { worktree: worktree.display().to_string(), paths }
    }

    /// The paths on one line, the first few of them.
    fn named(&self) -> String {
        const NAMED_MAX: usize = 5;
        let first: Vec<String> = self.paths.iter().take(NAMED_MAX).map(|path| one_line(path)).collect();
        let more = self.paths.len().saturating_sub(NAMED_MAX);
        let first = first.join(", ");
        if more > 0 { format!("{first} and {more} more") } else { first }
    }
}

#[derive(Serialize)]
struct Branch {
    branch: String,
    commit: String,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Done {
    let home = context.home()?;
    if !home.exists() {
        let message = "this repository has no project yet";
        return Err(Diagnostic::error(diagnostic::PROJECT_MISSING, message).into());
    }
    let pruned = if arguments.dry_run {
        looked_at(&home, arguments.force)?
    } else {
        // Until this ends nobody can begin a delivery whose worktrees would be in the way.
        let _lock = lock(&home)?;
        let state = performing::state(&home)?;
        if let Some(project_id) = &state.project.id {
            home.refuse_copy(project_id)?;
        }
        let repository = open(&home)?;
        let identity = repository.identity().unwrap_or_default();
        let author = Author { identity, time: SystemClock.now() };
        repository.prune(&ended(&state), arguments.force, &author)
    };
    let failed = pruned.failed.clone();
    print(pruned, arguments.dry_run, &mut context.screen)?;
    if !context.screen.is_json() {
        context.screen.flush()?;
        for diagnostic in &failed {
            failure::print(diagnostic, None);
        }
    }
    Ok(if failed.is_empty() { Exit::Done } else { Exit::Fault })
}

/// The deliveries that have ended; what this project knows nothing of is not among them.
fn ended(state: &State) -> BTreeMap<String, Ended> {
    let boards = state.deliveries.boards.iter().filter(|(_, board)| board.has_ended());
    let ended = |board: &Board| Ended {
        tip: Oid::parse(&board.tip),
        landed: board.tasks.iter().filter(|(_, it)| it.landed.is_some()).map(|(id, _)| id.clone()).collect(),
    };
    boards.map(|(id, board)| (id.clone(), ended(board))).collect()
}

fn open(home: &Home) -> Result<Repository, Diagnostic> {
    Repository::open(home).map_err(|fault| fault.diagnostic())
}

fn lock(home: &Home) -> Result<Lock, Diagnostic> {
    let holder = Holder::this_process("provost clean", None);
    only_people(home)?;
    let lock = Lock::acquire(&home.lock(), &holder).map_err(|error| folder_trouble(&error))?;
    lock.ok_or_else(|| {
        let message = match Lock::holder(&home.lock()) {
            Some(holder) => format!("process {} (`{}`) is at work here", holder.pid, holder.command),
            None => "another process is at work here".to_owned(),
        };
        Diagnostic::error(diagnostic::PROJECT_HELD, message).with_help("clean up when that process has ended")
    })
}

fn looked_at(home: &Home, force: bool) -> Result<Pruned, Failure> {
    let state = performing::state(home)?;
    let repository = open(home)?;
    let ended = ended(&state);
    let mut pruned = repository.prunable_references(&ended, force).map_err(|fault| fault.diagnostic())?;
    let worktrees = repository.list().into_iter();
    for worktree in worktrees.filter(|worktree| ended.contains_key(worktree.label.delivery())) {
        let path = worktree.path.clone();
        let left_out = repository.uncommittable(&worktree);
        if left_out.as_ref().is_ok_and(|left_out| left_out.is_empty() || force) {
            match repository.salvage_wanted(&worktree) {
                Ok(branch) => pruned.to_salvage.extend(branch),
                Err(fault) => pruned.failed.push(fault.diagnostic()),
            }
        }
        match left_out {
            Ok(left_out) if !left_out.is_empty() && force => {
                pruned.worktrees.push(path.clone());
                pruned.dropped.push((path, left_out));
            }
            Ok(left_out) if !left_out.is_empty() => pruned.left.push((path, left_out)),
            Ok(_) => pruned.worktrees.push(path),
            Err(fault) => pruned.failed.push(fault.diagnostic()),
        }
    }
    Ok(pruned)
}

/// Why something stays, and what can be done about it.
fn kept(name: &str) -> String {
    if name.starts_with("refs/") {
        format!("kept the reference {name}: its work has not landed; provost clean --force removes it")
    } else if name.starts_with("provost/salvage/") {
        format!("kept the branch {name}: its work has not landed; provost clean --force removes it")
    } else {
        format!("kept the branch {name}: its work is not on HEAD; git merge {name}")
    }
}

fn print(pruned: Pruned, dry_run: bool, screen: &mut Screen) -> std::io::Result<()> {
    let branch = |(branch, commit): (String, Oid)| Branch { branch, commit: commit.to_string() };
    let cleaned = Cleaned {
        dry_run,
        worktrees: pruned.worktrees.iter().map(|path| path.display().to_string()).collect(),
        branches: pruned.branches.into_iter().map(branch).collect(),
        measured: pruned.measured.into_iter().map(branch).collect(),
        salvaged: pruned.salvaged.into_iter().map(branch).collect(),
        to_salvage: pruned.to_salvage,
        kept: pruned.kept,
        left: pruned.left.into_iter().map(Holding::new).collect(),
        dropped: pruned.dropped.into_iter().map(Holding::new).collect(),
        errors: pruned.failed,
    };
    if screen.is_json() {
        return screen.document(&cleaned);
    }
    let removed = if dry_run { "would remove" } else { "removed" };
    for Branch { branch, commit } in &cleaned.salvaged {
        screen.line(format!("saved work that was nowhere else as {branch}, {commit}"))?;
    }
    for branch in &cleaned.to_salvage {
        screen.line(format!("would save work that is nowhere else as {branch}"))?;
    }
    for path in &cleaned.worktrees {
        screen.line(format!("{removed} the worktree {path}"))?;
    }
    for dropped in &cleaned.dropped {
        screen.line(format!("with {} went what was nowhere else: {}", dropped.worktree, dropped.named()))?;
    }
    for Branch { branch, commit } in &cleaned.branches {
        screen.line(format!("{removed} the branch {branch}, which was at {commit}"))?;
    }
    for Branch { branch, commit } in &cleaned.measured {
        screen.line(format!("{removed} the reference {branch}, which was at {commit}"))?;
    }
    for name in &cleaned.kept {
        screen.line(kept(name))?;
    }
    for left in &cleaned.left {
        let (worktree, named) = (&left.worktree, left.named());
        screen.line(format!(
            "kept the worktree {worktree}: no commit can hold {named}; take out what you want to keep, then \
             provost clean --force removes it"
        ))?;
    }
    let is_nothing_left = cleaned.left.is_empty() && cleaned.errors.is_empty();
    if is_nothing_left
        && cleaned.worktrees.is_empty()
        && cleaned.branches.is_empty()
        && cleaned.measured.is_empty()
    {
        screen.line("nothing is left behind that could be removed")?;
    }
    Ok(())
}
