//! What comes of a turn: what its agent asks for while it works, and what its stream and its words came to.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use provost_core::adapter::{Act, Grant};
use provost_core::delivery::{CheckResult, Outcome, Permission, Report, Turn, TurnEnd};
use provost_core::permission::Asker;
use provost_core::plan::Plan;
use provost_core::signal::{Calls, Expected};

use super::Work;
use super::heard::{self, Talked};
use super::turn::without_end;
use crate::agent::Agent;
use crate::dispatch::{Dispatch, Permit};
use crate::process::{Ended, Job, Stdin};
use crate::regular;

/// The most of what an agent printed beside its stream that is looked at for why it failed.
const COMPLAINT_MAX: u64 = 64 * 1024;

/// Where a turn's agent works, and from which plan.
#[derive(Clone)]
pub(super) struct At {
    pub(super) worktree: PathBuf,
    pub(super) plan: Arc<Plan>,
}

impl Work {
    /// A socket of this turn's own, where its agent can use one. Without one it says in text what it has to say.
    pub(super) fn dispatch(
        self: &Arc<Self>,
        turn: &Turn,
        agent: &Agent,
        at: &At,
        page: &str,
    ) -> Option<Dispatch> {
        let place = Dispatch::place().filter(|_| agent.drive.takes_a_server())?;
        let (work, of, at) = (Arc::clone(self), turn.clone(), at.clone());
        let permit: Permit = Arc::new(move |act| work.permit(&of, &at, act));
        let expected = Expected { role: turn.role, task_id: &turn.task };
        Dispatch::open(&place, &expected, page.to_owned(), permit).ok()
    }

    /// Says whether an agent may do what it asks for, once that is on the record.
    pub(super) fn permit(&self, turn: &Turn, at: &At, act: &Act) -> Grant {
        let worktree = at.worktree.display().to_string();
        let asker = Asker {
            role: turn.role,
            agent: &turn.agent,
            task: &turn.task,
            worktree: &worktree,
            files: at.plan.files_of(&turn.task),
            allowed: &turn.allowed,
        };
        if !*self.recorded.wait() {
            return Grant::Deny { why: "what the turn was told cannot be recorded".to_owned() };
        }
        let permission = self.tools.permissions.judge(act, &asker);
        let grant = match &permission {
            Permission { allowed: true, .. } => Grant::Allow,
            Permission { why, .. } => Grant::Deny { why: why.clone() },
        };
        let recorded = self.reporter.confirm(self.command(Report::Permission(Box::new(permission))));
        // What is not on the record was not permitted; of a turn that nobody waits for any more, nothing is.
        match recorded {
            Ok(answer) if answer.records.is_empty() => Grant::Deny { why: "the turn is over".to_owned() },
            Ok(_) => grant,
            Err(refusal) => Grant::Deny { why: refusal.message },
        }
    }

    /// How a turn ended whose program was started.
    pub(super) fn ended(
        &self,
        turn: &Turn,
        job: &Job,
        waited: io::Result<Ended>,
        calls: Calls,
        results: Vec<CheckResult>,
    ) -> TurnEnd {
        // The turn counts, whether or not there is room for what was printed.
        let (printed, output) = match self.keep(&job.stdout) {
            Ok((printed, output)) => (printed, Some(output)),
            Err(_) => (fs::read(&job.stdout).unwrap_or_default(), None),
        };
        let mut end = match waited {
            Ok(end) => end,
            Err(error) => {
                return without_end(Outcome::Crashed { error: error.to_string() }, output, results);
            }
        };
        let account = end.account.take();
        let complaint = regular::beginning(&job.stderr, COMPLAINT_MAX).unwrap_or_default();
        let complaint = String::from_utf8_lossy(&complaint);
        let (said, talked) = match (&job.stdin, &account) {
            (Stdin::Talk(talking), Some(account)) => {
                let talked = Talked { account, complaint: &complaint };
                (fs::read(&talking.said).unwrap_or_default(), Some(talked))
            }
            _ => (printed, None),
        };
        let expected = Expected { role: turn.role, task_id: &turn.task };
        let said = String::from_utf8_lossy(&said);
        let (outcome, checkpoints) = heard::turn(&expected, &end, &said, calls, talked);
        let (exit, duration_ms) = (end.exit, end.duration_ms);
        TurnEnd { outcome, exit, duration_ms, output, results, checkpoints, account: account.map(Box::new) }
    }
}
