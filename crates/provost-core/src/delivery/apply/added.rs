//! A task that is added to a delivery: all that is remembered of it, as it is before anything happens.

use super::super::Status;
use super::super::event::What;
use super::super::prices::Bill;
use super::super::task::{Counts, Permissions, Review, Task, Waiting};
use super::Fold;

impl Fold<'_> {
    pub(super) fn add(&mut self, id: &str, what: &What) {
        let What::TaskAdded {
            title,
            priority,
            downstream,
            blocked_by,
            verify,
            checks,
            files,
            without_criteria,
        } = what
        else {
            return;
        };
        if *without_criteria {
            self.board.without_criteria.push(id.to_owned());
        }
        let order = u32::try_from(self.board.tasks.len()).unwrap_or(u32::MAX);
        for blocker in blocked_by {
            let dependents = match self.board.tasks.get_mut(blocker) {
                Some(blocker) => &mut blocker.dependents,
                None => self.board.awaited.entry(blocker.clone()).or_default(),
            };
            dependents.push(id.to_owned());
        }
        let task = Task {
            title: title.clone(),
            status: Status::Blocked,
            stage: None,
            slot: false,
            effect: None,
            agent: None,
            blockers: blocked_by.iter().cloned().collect(),
            dependents: self.board.awaited.remove(id).unwrap_or_default(),
            priority: *priority,
            downstream: *downstream,
            order,
            verify: *verify,
            checks: checks.clone(),
            files: files.clone(),
            allowed: [].into(),
            outside: Vec::new(),
            counts: Counts::default(),
            attempts: [].into(),
            worktree: None,
            commit: None,
            tree: String::new(),
            results: Vec::new(),
            claim: String::new(),
            claimed: false,
            feedback: Vec::new(),
            answers: Vec::new(),
            said: None,
            cut_short: None,
            review: Review::Due,
            bill: Bill::default(),
            granted: 0,
            sessions: [].into(),
            not_before: None,
            permissions: Permissions::default(),
            landed: None,
            since: self.at.sequence,
            question: None,
            place: Waiting::Nowhere,
            filed: self.at.sequence,
        };
        self.board.tasks.insert(id.to_owned(), task);
        self.board.unfinished += 1;
        self.board.file(id);
    }
}
