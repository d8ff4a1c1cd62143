//! What of a state can matter later, as text: two states with the same key go on in the same ways.

use std::fmt::Write as _;

use provost_core::decider::Decider as _;
use provost_core::delivery::{Course, Effect, Status, Task};

use crate::invariants::{Ghost, Ghosts};
use crate::table::Table;

pub(super) fn of(table: &Table, ghosts: &Ghosts) -> String {
    let (delivery, board) = table.state.deliveries.boards.first_key_value().unwrap();
    let course = match board.course {
        Course::Preparing => 'p',
        Course::Running => 'r',
        Course::Paused => 'h',
        Course::Resting { .. } => 'w',
        Course::Complete => return "complete".to_owned(),
        Course::Cancelled => return "cancelled".to_owned(),
    };
    let mut key = format!("{course}{:?}", board.health);
    for (id, task) in &board.tasks {
        let _ = write!(key, "|{}{}", status(task), proven(ghosts.of(delivery, id)));
        if !matches!(task.status, Status::Complete | Status::Removed) {
            working(&mut key, table, task);
        }
        let waits = task.effect.is_none() && task.agent.is_none();
        if waits && !matches!(task.status, Status::Complete | Status::Removed) {
            // Who waits longer goes first.
            let longer = board.tasks.values().filter(|it| it.effect.is_none() && it.since < task.since);
            let live = longer.filter(|it| {
                matches!(
                    it.status,
                    Status::Landing | Status::Implementing | Status::AwaitingReview | Status::AwaitingAudit
                )
            });
            let _ = write!(key, "w{}", live.count());
        }
        let cleaning = table
            .state
            .due()
            .iter()
            .any(|(_, effect)| matches!(effect, Effect::Clean { task, .. } if task == id));
        key.push(if cleaning { 'C' } else { '-' });
    }
    for (question, task) in board.questions.values() {
        let _ = write!(key, "?{:?}{}", question.about, task.as_deref().unwrap_or_default());
    }
    let baseline = table.state.due().iter().any(|(_, effect)| matches!(effect, Effect::Baseline { .. }));
    key.push(if baseline { 'B' } else { '-' });
    key
}

/// What is proven of a task, as a digit.
fn proven(ghost: Ghost) -> u8 {
    u8::from(ghost.green) + 2 * u8::from(ghost.reviewed) + 4 * u8::from(ghost.audited)
}

fn status(task: &Task) -> String {
    let waits = matches!(task.status, Status::AwaitingDivineGuidance | Status::AwaitingInfrastructure);
    let stage = task.stage.filter(|_| waits).map(|stage| stage as u8);
    format!("{}{stage:?}", task.status as u8)
}

fn working(key: &mut String, table: &Table, task: &Task) {
    let kind = match task.effect.and_then(|id| table.state.due().get(id)) {
        None => '-',
        Some(Effect::Turn(_)) => 't',
        Some(Effect::Measure(_)) => 'm',
        Some(Effect::Land(_)) => 'l',
        Some(Effect::Baseline { .. } | Effect::Clean { .. }) => 'x',
    };
    let role = task.agent.as_ref().map(|agent| agent.role);
    let _ = write!(key, "{}{kind}{role:?}", u8::from(task.slot));
    let _ = write!(key, "{:?}{:?}{}", task.blockers, task.review as u8, u8::from(task.claimed));
    // A person's answer starts every count anew.
    if task.status != Status::Halted {
        let it = &task.counts;
        let agents: Vec<u32> = it.agent_failures.values().copied().collect();
        let _ = write!(key, "{}{}{}", it.critic_failures, it.audit_failures, it.landing_failures);
        let _ = write!(key, "{}{}{}", it.critic_timeouts.min(2), it.incomplete.min(2), it.signal_rejections);
        let _ = write!(key, "{}{agents:?}", it.self_solve);
    }
}
