//! What follows from an agent that could not work: it is tried again, rests, is stood in for, or a person is asked.
//! Apart from how turns end, because none of this is about the work.

use super::super::board::Board;
use super::super::command::TurnEnd;
use super::super::event::What;
use super::super::prices::priced;
use super::super::task::{Task, Working};
use super::super::terms::Resting;
use super::Decision;
use crate::adapter::{Class, Trouble};
use crate::limits::Limit;
use crate::project::Settings;
use crate::time::Timestamp;

/// How long after its reset a quota is counted on, and how long one is waited for that does not say.
const AFTER_RESET_MS: u64 = 5 * 60 * 1_000;

/// The first wait before a call that failed for a passing reason is repeated; each further one is twice as long.
const RETRY_MS: u64 = 1_000;

/// What is done about trouble.
enum Then {
    /// The task waits, and the same agent tries again.
    Again(Option<Timestamp>),
    /// Nobody asks the agent until then, or until somebody resumes the work.
    Rest(Option<Timestamp>),
    /// A person is asked, because only a person can mend it.
    Ask,
    /// It counts as a failure of the agent.
    Fail,
}

impl Decision<'_> {
    /// What a turn cost and where its conversation can be gone on with.
    pub(super) fn spent(&mut self, id: &str, board: &Board, working: &Working, end: &TurnEnd) {
        let Some(account) = &end.account else { return };
        let model = account.model.as_deref();
        let (spent, basis) = priced(&board.terms.prices, &working.name, model, account.spent);
        self.of(
            id,
            What::AgentSpent {
                agent: working.name.clone(),
                role: working.role,
                spent,
                basis,
                in_all: account.in_all,
                session: account.session.clone(),
                version: account.version.clone(),
                model: account.model.clone(),
                denied: account.denied,
            },
        );
    }

    pub(super) fn troubled(
        &mut self,
        id: &str,
        task: &Task,
        board: &Board,
        trouble: &Trouble,
        settings: &Settings,
        resting: &Resting,
    ) {
        let Some(working) = &task.agent else { return };
        let then = self.then(task, board, working, trouble, settings, resting);
        let attempt = task.counts.provider_retries + 1;
        let (rests, until) = match then {
            Then::Again(until) => (false, until),
            Then::Rest(until) => (true, until),
            Then::Ask | Then::Fail => (false, None),
        };
        let (class, said) = (trouble.class, trouble.said.clone());
        let (agent, role) = (working.name.clone(), working.role);
        self.of(id, What::AgentTroubled { agent, role, class, said, attempt, rests, until });
        let why = format!("{}: {}", class.label(), trouble.said);
        match then {
            Then::Again(_) | Then::Rest(_) => {}
            Then::Ask => {
                let issue = format!("the agent {} cannot work: {why}", working.name);
                self.broken(id, board, What::EnvironmentUnavailable { issue: issue.clone() }, &issue);
            }
            Then::Fail => self.failed(id, task, role, &why, settings),
        }
    }

    fn then(
        &self,
        task: &Task,
        board: &Board,
        working: &Working,
        trouble: &Trouble,
        settings: &Settings,
        resting: &Resting,
    ) -> Then {
        let now = self.moment.now;
        let before = task.counts.provider_retries;
        let has_retries = before < settings.limit(Limit::ProviderRetries);
        let role = board.roles.of(working.role);
        let stood_in = board
            .terms
            .candidates(role)
            .any(|other| other != working.name && resting.get(other).is_none_or(|rest| rest.is_over(now)));
        match trouble.class {
            Class::Session if task.sessions.contains_key(&working.role) => Then::Again(None),
            class if class.is_passing() && has_retries => {
                Then::Again(Some(now.plus_ms(RETRY_MS << before.min(10))))
            }
            class if class.is_passing() && stood_in => Then::Rest(Some(now.plus_ms(AFTER_RESET_MS))),
            Class::Quota => match trouble.resets_at {
                Some(at) => Then::Rest(Some(at.max(now).plus_ms(AFTER_RESET_MS))),
                None if has_retries || stood_in => Then::Rest(Some(now.plus_ms(AFTER_RESET_MS))),
                None => Then::Ask,
            },
            Class::Auth | Class::Budget if stood_in => Then::Rest(None),
            Class::Auth | Class::Budget => Then::Ask,
            _ => Then::Fail,
        }
    }
}
