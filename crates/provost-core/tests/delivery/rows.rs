//! Which rows of the three tables were taken, and which cannot be yet: a list that may only shrink.

use std::collections::BTreeSet;

use provost_core::agent::{self, Agent};
use provost_core::delivery::{Delivery, Status, Trigger};
use provost_core::infrastructure::{self, Health, Infrastructure};
use provost_core::machine::{Machine, RowOf, next};
use provost_core::state::{Event, State};

/// Rows that nothing takes, because what would take them is not built.
const NOT_YET: &[(&str, &[Trigger])] = &[
    ("plans are not revised while they are delivered", &[Trigger::TaskRevised]),
    ("nothing that landed is taken back", &[Trigger::TaskRolledBack, Trigger::HoldReleased]),
    (
        "tasks do not say which files they hold",
        &[
            Trigger::TaskQueuedForConflict,
            Trigger::TaskUnqueued,
            Trigger::TaskUnqueuedBlockerFailed,
            Trigger::QueueTimeout,
        ],
    ),
    ("there is no analyst", &[Trigger::BusinessAnalystDispatched, Trigger::TaskExpanded]),
    (
        "there are no experts",
        &[
            Trigger::ExpertDelegated,
            Trigger::DelegationQueued,
            Trigger::DelegationDequeued,
            Trigger::ExpertFailed,
            Trigger::ExpertComplete,
        ],
    ),
    (
        "agents are neither continued nor asked what they meant",
        &[Trigger::TurnContinued, Trigger::UnknownSignalRecovery],
    ),
];

/// Statuses that nothing leads to yet, for the same reasons.
const NO_STATUS_YET: &[Status] = &[Status::Queued, Status::Expanding, Status::AwaitingExpert];

/// Single rows, with why nothing takes them.
const NO_ROW_YET: &[(&[Status], Trigger, &str)] = &[
    (
        &[
            Status::Available,
            Status::AwaitingReview,
            Status::AwaitingAudit,
            Status::Landing,
            Status::AwaitingDivineGuidance,
            Status::AwaitingInfrastructure,
        ],
        Trigger::TaskBlocked,
        "only a developer finds a dependency; plans are not revised, nothing is rolled back",
    ),
    (
        &[Status::Available, Status::AwaitingReview, Status::AwaitingAudit],
        Trigger::CoordinatorSeeksGuidance,
        "Provost asks about limits of experts, files and turns that are handed on, which are not built",
    ),
];

/// Nobody is asked for a checkpoint yet.
const NO_TURN_YET: &[agent::Trigger] = &[agent::Trigger::CheckpointTimeout, agent::Trigger::AgentStalled];

/// Nobody repairs the infrastructure but people, so these are all that can be.
const INFRASTRUCTURE: &[(Health, infrastructure::Trigger)] = &[
    (Health::Healthy, infrastructure::Trigger::InfrastructureBlocked),
    (Health::Exhausted, infrastructure::Trigger::InfrastructureBlocked),
    (Health::Blocked, infrastructure::Trigger::RemediationUnavailable),
    (Health::Exhausted, infrastructure::Trigger::RemediationDivineOverride),
];

/// Rows by their place in the tables.
#[derive(Clone, Default)]
pub(crate) struct Rows {
    delivery: BTreeSet<usize>,
    agent: BTreeSet<usize>,
    infrastructure: BTreeSet<usize>,
}

impl Rows {
    /// Notes the rows that an event takes in a state.
    pub(crate) fn see(&mut self, state: &State, event: &Event) {
        let Event::Delivery(event) = event else { return };
        let Some(board) = state.deliveries.boards.get(&event.delivery) else { return };
        if let Some(trigger) = event.what.infrastructure_trigger() {
            self.infrastructure.extend(place::<Infrastructure>(board.health, trigger));
        }
        let Some(task) = event.task.as_ref().and_then(|id| board.tasks.get(id)) else { return };
        if let (Some(trigger), Some(agent)) = (event.what.agent_trigger(), &task.agent) {
            self.agent.extend(place::<Agent>(agent.status, trigger));
        }
        if let Some(trigger) = event.what.trigger() {
            self.delivery.extend(place::<Delivery>(task.status, trigger));
        }
    }

    pub(crate) fn add(&mut self, other: &Rows) {
        self.delivery.extend(&other.delivery);
        self.agent.extend(&other.agent);
        self.infrastructure.extend(&other.infrastructure);
    }

    /// Every row is either taken or known not to be possible yet, and none is both.
    pub(crate) fn assert_complete(&self) {
        let later = |row: &RowOf<Delivery>| {
            let from = source::<Delivery>(row);
            NOT_YET.iter().any(|(_, triggers)| triggers.contains(&row.on))
                || from.is_some_and(|from| NO_STATUS_YET.contains(&from))
                || NO_ROW_YET
                    .iter()
                    .any(|(at, on, _)| row.on == *on && from.is_some_and(|from| at.contains(&from)))
        };
        let mut found = wrong::<Delivery>(&self.delivery, later);
        found.extend(wrong_turns(&self.agent));
        found.extend(wrong::<Infrastructure>(&self.infrastructure, |row| {
            !INFRASTRUCTURE.iter().any(|(at, on)| source::<Infrastructure>(row) == Some(*at) && row.on == *on)
        }));
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

fn wrong_turns(taken: &BTreeSet<usize>) -> Vec<String> {
    wrong::<Agent>(taken, |row| NO_TURN_YET.contains(&row.on))
}

fn wrong<M: Machine>(taken: &BTreeSet<usize>, later: impl Fn(&RowOf<M>) -> bool) -> Vec<String> {
    let judge = |(place, row): (usize, &RowOf<M>)| match (taken.contains(&place), later(row)) {
        (true, true) => Some(format!("{}: {row:?} is taken: strike it off the list", M::NAME)),
        (false, false) => Some(format!("{}: {row:?} is never taken", M::NAME)),
        _ => None,
    };
    M::TABLE.iter().enumerate().filter_map(judge).collect()
}

fn source<M: Machine>(row: &RowOf<M>) -> Option<M::State> {
    match row.from {
        provost_core::machine::Source::At(state) => Some(state),
        provost_core::machine::Source::Anywhere => None,
    }
}

fn place<M: Machine>(state: M::State, trigger: M::Trigger) -> Option<usize> {
    let row = next::<M>(state, trigger).ok()?;
    M::TABLE.iter().position(|it| it == row)
}
