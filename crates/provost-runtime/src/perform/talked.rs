//! What comes of a turn: what its agent asks for while it works, and what its stream and its words came to.

use std::fs;
use std::io;

use provost_core::adapter::{Asked, Grant, Protocol};
use provost_core::delivery::{CheckResult, Outcome, Permission, Report, Turn, TurnEnd};
use provost_core::signal::Expected;

use super::Work;
use super::heard::{self, Talked};
use super::turn::without_end;
use crate::process::{Ended, Job, Stdin};
use crate::regular;
use crate::worktree::Worktree;

/// The most of what an agent printed beside its stream that is looked at for why it failed.
const COMPLAINT_MAX: u64 = 64 * 1024;

impl Work {
    /// Says whether an agent may do what it asks for, once that is on the record.
    pub(super) fn permit(&self, turn: &Turn, worktree: &Worktree, asked: &Asked) -> Grant {
        let permission = self.judge(turn, worktree, asked);
        let grant = match &permission {
            Permission { allowed: true, .. } => Grant::Allow,
            Permission { why, .. } => Grant::Deny { why: why.clone() },
        };
        let recorded = self.reporter.confirm(self.command(Report::Permission(Box::new(permission))));
        // What is not on the record was not permitted.
        recorded.map_or_else(|refusal| Grant::Deny { why: refusal.message }, |_| grant)
    }

    fn judge(&self, _turn: &Turn, _worktree: &Worktree, asked: &Asked) -> Permission {
        let why = "no rule allows it".to_owned();
        Permission { act: asked.act.clone(), allowed: false, rules: Vec::new(), why }
    }

    /// How a turn ended whose program was started.
    pub(super) fn ended(
        &self,
        turn: &Turn,
        job: &Job,
        waited: io::Result<Ended>,
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
                let protocol: Protocol = talking.conversation.protocol;
                let talked = Talked { protocol, account, complaint: &complaint };
                (fs::read(&talking.said).unwrap_or_default(), Some(talked))
            }
            _ => (printed, None),
        };
        let expected = Expected { role: turn.role, task_id: &turn.task };
        let said = String::from_utf8_lossy(&said);
        let (outcome, checkpoints) = heard::turn(&expected, &end, &said, talked);
        let (exit, duration_ms) = (end.exit, end.duration_ms);
        TurnEnd { outcome, exit, duration_ms, output, results, checkpoints, account: account.map(Box::new) }
    }
}
