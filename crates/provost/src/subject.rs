//! What a person means by a name on the command line: a delivery, or a task of one, with all that is on record.

use provost_core::delivery::{Board, Task};
use provost_core::diagnostic::{self, Diagnostic, quoted};
use provost_core::evidence::{Evidence, Proof, Trail};
use provost_core::state::State;
use provost_runtime::home::Home;
use provost_runtime::journal::{fold, walk_along};
use provost_runtime::views;

use crate::failure::Failure;

/// The state, and what the record shows for it.
pub(crate) struct Known {
    pub(crate) state: State,
    pub(crate) evidence: Evidence,
}

/// A delivery with what is shown about it.
#[derive(Clone, Copy)]
pub(crate) struct OneDelivery<'a> {
    pub(crate) id: &'a str,
    pub(crate) board: &'a Board,
    pub(crate) trail: &'a Trail,
}

/// A task with what is shown about it.
#[derive(Clone, Copy)]
pub(crate) struct OneTask<'a> {
    pub(crate) of: OneDelivery<'a>,
    pub(crate) id: &'a str,
    pub(crate) task: &'a Task,
    pub(crate) proof: &'a Proof,
}

/// What was meant.
pub(crate) enum Subject<'a> {
    Delivery(OneDelivery<'a>),
    Task(OneTask<'a>),
}

impl Known {
    /// Reads the record once.
    pub(crate) fn read(home: &Home) -> Result<Known, Failure> {
        let mut known = Known { state: State::default(), evidence: Evidence::default() };
        walk_along(&home.reading(), &mut |record| {
            views::observe(&mut known.evidence, record);
            fold(&mut known.state, record).map(drop)
        })?;
        Ok(known)
    }

    /// A delivery by its id, or a task as `TASK` or `DELIVERY/TASK`.
    pub(crate) fn find<'a>(&'a self, name: &'a str) -> Result<Subject<'a>, Diagnostic> {
        match self.delivery(name) {
            Some(delivery) => Ok(Subject::Delivery(delivery)),
            None => self.task(name).map(Subject::Task),
        }
    }

    /// A task as `TASK`, which is that of the newest delivery that has it, or as `DELIVERY/TASK`.
    pub(crate) fn task<'a>(&'a self, name: &'a str) -> Result<OneTask<'a>, Diagnostic> {
        let (delivery, id) = match name.split_once('/') {
            Some((delivery, task)) => (Some(delivery), task),
            None => (self.evidence.newest_of(name), name),
        };
        let unknown = || {
            if let (None, Some(of)) = (delivery, self.state.deliveries.boards.get(name)) {
                let message = format!("{} is a delivery, not a task of one", quoted(name));
                let first = of.tasks.iter().min_by_key(|(_, task)| task.order).map_or("TASK", |it| it.0);
                let help =
                    format!("name a task of it, such as `{name}/{first}`; `provost show {name}` shows all");
                return Diagnostic::error(diagnostic::TASK_UNKNOWN, message).with_help(help);
            }
            let no_delivery = self.state.deliveries.board(name).err();
            if let Some(unknown) = no_delivery.filter(|_| delivery.is_none() && is_like_a_delivery(name)) {
                return unknown;
            }
            let message = match delivery {
                Some(delivery) => format!("the delivery {} has no task {}", quoted(delivery), quoted(id)),
                None => format!("no delivery has a task {}", quoted(id)),
            };
            let unknown = Diagnostic::error(diagnostic::TASK_UNKNOWN, message);
            match delivery.and_then(|delivery| self.state.deliveries.boards.get(delivery)) {
                Some(board) => unknown.meaning(id, board.tasks.keys().map(String::as_str)),
                None => unknown.meaning(name, self.names()),
            }
        };
        let of = match delivery {
            Some(delivery) => {
                self.state.deliveries.board(delivery)?;
                self.delivery(delivery).ok_or_else(unknown)?
            }
            None => return Err(unknown()),
        };
        let task = of.board.tasks.get(id).ok_or_else(unknown)?;
        let proof = of.trail.tasks.get(id).ok_or_else(unknown)?;
        Ok(OneTask { of, id, task, proof })
    }

    /// Everything that a name without a slash can mean.
    fn names(&self) -> impl Iterator<Item = &str> {
        let boards = &self.state.deliveries.boards;
        let tasks = boards.values().flat_map(|board| board.tasks.keys());
        boards.keys().chain(tasks).chain(self.state.plans.runs.keys()).map(String::as_str)
    }

    fn delivery<'a>(&'a self, id: &'a str) -> Option<OneDelivery<'a>> {
        let (board, trail) = (self.state.deliveries.boards.get(id)?, self.evidence.deliveries.get(id)?);
        Some(OneDelivery { id, board, trail })
    }
}

/// Whether a name is spelled as those of deliveries are.
fn is_like_a_delivery(name: &str) -> bool {
    let number = name.strip_prefix(['d', 'D']).and_then(|rest| rest.strip_prefix('-'));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}
