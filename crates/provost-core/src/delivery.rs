//! The delivery machine: one task among many, from blocked to complete. The table is per task; what lies between
//! tasks (slots, files, order of landing, counters, hold) is kept beside the status by the board.
//!
//! An event that only counts stays where it is, and the event that follows from the count comes next in the same
//! decision: a third `critic_fail` is followed by `task_halted`, a third `critic_timeout` by `critic_bypassed`, a
//! `developer_incomplete` by where its cause leads.

mod apply;
mod board;
mod command;
mod consistency;
mod decide;
mod effect;
mod event;
mod prices;
mod schedule;
mod scope;
mod task;
mod terms;
mod warrant;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use self::{Status as S, Trigger as T};
use crate::limits::Limit;
use crate::machine::{Machine, Row, aside, aside_anywhere, back, go, resume, stay};

pub use board::{Board, Course};
pub use command::{
    Begin, Bypassed, Category, CheckResult, CheckSpec, Command, Incomplete, Landing, Measurement, NewTask,
    Outcome, Permission, Report, Roles, TurnEnd, Verdict,
};
pub use effect::{Answered, Effect, Feedback, Land, Left, Leftovers, Measure, Place, Turn};
pub use event::{About, Event, Question, STREAM, What};
pub use prices::{Basis, Bill, Costs, Price, Prices, priced};
pub use scope::{named, outside, unproven};
pub use task::{Counts, Permissions, Review, Said, Task, Working};
pub use terms::{Rest, Session, Terms, WhileWaiting, dollars};
pub use warrant::{Consent, FrozenRun, RoutedModel, Warrant};

/// Every delivery of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deliveries {
    /// By id.
    pub boards: BTreeMap<String, Board>,
    /// Those that have not ended.
    open: BTreeSet<String>,
    /// How many tasks hold a slot, over all of them.
    slots: u32,
    /// Agents that nobody asks to work for now.
    pub resting: BTreeMap<String, Rest>,
}

impl Deliveries {
    /// The newest delivery that has not ended: by number, not by spelling, since d-10 comes after d-4.
    pub fn newest(&self) -> Option<&String> {
        self.open.iter().max_by_key(|id| apply::sequence_of(id))
    }

    /// The deliveries that have not ended.
    pub fn open(&self) -> impl Iterator<Item = (&String, &Board)> {
        self.open.iter().filter_map(|id| Some((id, self.boards.get(id)?)))
    }

    /// The deliveries that are not at rest: whoever performs them has to stay for them.
    pub fn under_way(&self) -> impl Iterator<Item = &String> {
        self.open().filter(|(_, board)| !board.rests()).map(|(id, _)| id)
    }
}

/// Whether everything that is required has passed.
fn green(results: &[CheckResult]) -> bool {
    results.iter().all(|result| !result.required || result.verdict == Verdict::Passed)
}

/// What did not pass, in words for whoever has to mend it.
fn failures(results: &[CheckResult]) -> String {
    let mut text = String::new();
    for result in results.iter().filter(|result| result.verdict != Verdict::Passed) {
        let exit =
            result.exit.map_or_else(|| "no exit status".to_owned(), |exit| format!("exit status {exit}"));
        let expected = result.expected;
        let _ = writeln!(text, "{}: {exit}, expected {expected}\n{}", result.check, result.tail);
    }
    text
}

/// The delivery machine.
pub enum Delivery {}

impl Machine for Delivery {
    type State = S;
    type Trigger = T;

    const NAME: &'static str = "delivery";
    const WHAT: &'static str = "one task among many, from blocked to complete";
    const START: S = S::Blocked;

    #[rustfmt::skip]
    const TABLE: &'static [Row<S, T>] = &[
        // Plan: what other tasks and people do to it.
        go(    S::Blocked,                T::TaskUnblocked,                 S::Available),
        back(  S::Available,              T::TaskBlocked,                   S::Blocked),
        back(  S::Queued,                 T::TaskBlocked,                   S::Blocked),
        back(  S::Expanding,              T::TaskBlocked,                   S::Blocked),
        back(  S::Implementing,           T::TaskBlocked,                   S::Blocked),
        back(  S::AwaitingReview,         T::TaskBlocked,                   S::Blocked),
        back(  S::AwaitingAudit,          T::TaskBlocked,                   S::Blocked),
        back(  S::Landing,                T::TaskBlocked,                   S::Blocked),
        aside( S::AwaitingDivineGuidance, T::TaskBlocked,                   S::Blocked),
        aside( S::AwaitingExpert,         T::TaskBlocked,                   S::Blocked),
        aside( S::AwaitingInfrastructure, T::TaskBlocked,                   S::Blocked),
        stay(  S::Blocked,                T::TaskRevised),
        stay(  S::Available,              T::TaskRevised),
        back(  S::Queued,                 T::TaskRevised,                   S::Available),
        back(  S::Expanding,              T::TaskRevised,                   S::Available),
        back(  S::Implementing,           T::TaskRevised,                   S::Available),
        back(  S::AwaitingReview,         T::TaskRevised,                   S::Available),
        back(  S::AwaitingAudit,          T::TaskRevised,                   S::Available),
        back(  S::Landing,                T::TaskRevised,                   S::Available),
        aside( S::AwaitingDivineGuidance, T::TaskRevised,                   S::Available),
        aside( S::AwaitingExpert,         T::TaskRevised,                   S::Available),
        aside( S::AwaitingInfrastructure, T::TaskRevised,                   S::Available),
        aside( S::Halted,                 T::TaskRevised,                   S::Available),
        aside( S::Complete,               T::TaskRevised,                   S::Available).reopens(),
        aside( S::Removed,                T::TaskRevised,                   S::Available).reopens(),
        aside( S::Complete,               T::TaskRolledBack,                S::Available).reopens(),
        stay(  S::Available,              T::HoldReleased),
        stay(  S::Blocked,                T::HoldReleased),
        aside_anywhere(T::TaskRemoved, S::Removed),

        // Files.
        go(    S::Available,              T::TaskQueuedForConflict,         S::Queued),
        back(  S::Implementing,           T::TaskQueuedForConflict,         S::Queued),
        back(  S::Queued,                 T::TaskUnqueued,                  S::Available),
        back(  S::Queued,                 T::TaskUnqueuedBlockerFailed,     S::Available),
        back(  S::Queued,                 T::QueueTimeout,                  S::Available).at_most(Limit::QueueRetries),

        // Analyst and developer.
        go(    S::Available,              T::BusinessAnalystDispatched,     S::Expanding),
        stay(  S::Expanding,              T::BusinessAnalystDispatched),
        back(  S::Expanding,              T::TaskExpanded,                  S::Available),
        go(    S::Available,              T::DeveloperDispatched,           S::Implementing),
        stay(  S::Implementing,           T::DeveloperDispatched),
        stay(  S::Implementing,           T::ReadyClaimed),
        go(    S::Implementing,           T::DeveloperReadyForReview,       S::AwaitingReview),
        stay(  S::Implementing,           T::EnvironmentVerificationFailed).at_most(Limit::SelfSolve),
        stay(  S::Implementing,           T::DeveloperIncomplete).at_most(Limit::Incomplete),
        back(  S::Implementing,           T::TaskRetried,                   S::Available),

        // Critic.
        stay(  S::AwaitingReview,         T::CriticDispatched),
        go(    S::AwaitingReview,         T::CriticPass,                    S::AwaitingAudit),
        back(  S::AwaitingReview,         T::CriticFail,                    S::Implementing).at_most(Limit::CriticFailures),
        stay(  S::AwaitingReview,         T::CriticTimeout).at_most(Limit::CriticTimeouts),
        go(    S::AwaitingReview,         T::CriticBypassed,                S::AwaitingAudit),

        // Auditor. A task that only verifies begins here and has nothing to land.
        go(    S::Available,              T::AuditorDispatched,             S::AwaitingAudit),
        stay(  S::AwaitingAudit,          T::AuditorDispatched),
        go(    S::AwaitingAudit,          T::AuditorPass,                   S::Landing),
        go(    S::AwaitingAudit,          T::TaskComplete,                  S::Complete),
        back(  S::AwaitingAudit,          T::AuditorFail,                   S::Implementing).at_most(Limit::AuditFailures),

        // Landing. Rework after it begins with void verdicts.
        stay(  S::Landing,                T::LandingStarted),
        stay(  S::Landing,                T::LandingRepeated),
        go(    S::Landing,                T::TaskComplete,                  S::Complete),
        back(  S::Landing,                T::MergeConflict,                 S::Implementing).at_most(Limit::LandingFailures),
        back(  S::Landing,                T::LandingChecksFailed,           S::Implementing).at_most(Limit::LandingFailures),

        // Turns that end otherwise, in whatever stage the agent worked.
        stay(  S::Expanding,              T::SignalRejected).at_most(Limit::SignalRejections),
        stay(  S::Implementing,           T::SignalRejected).at_most(Limit::SignalRejections),
        stay(  S::AwaitingReview,         T::SignalRejected).at_most(Limit::SignalRejections),
        stay(  S::AwaitingAudit,          T::SignalRejected).at_most(Limit::SignalRejections),
        stay(  S::Expanding,              T::UnknownSignalRecovery).at_most(Limit::UnknownSignals),
        stay(  S::Implementing,           T::UnknownSignalRecovery).at_most(Limit::UnknownSignals),
        stay(  S::AwaitingReview,         T::UnknownSignalRecovery).at_most(Limit::UnknownSignals),
        stay(  S::AwaitingAudit,          T::UnknownSignalRecovery).at_most(Limit::UnknownSignals),
        stay(  S::Expanding,              T::TurnContinued).at_most(Limit::Continuations),
        stay(  S::Implementing,           T::TurnContinued).at_most(Limit::Continuations),
        stay(  S::AwaitingReview,         T::TurnContinued).at_most(Limit::Continuations),
        stay(  S::AwaitingAudit,          T::TurnContinued).at_most(Limit::Continuations),
        stay(  S::Expanding,              T::AgentFailure).at_most(Limit::AgentFailures),
        stay(  S::Implementing,           T::AgentFailure).at_most(Limit::AgentFailures),
        stay(  S::AwaitingReview,         T::AgentFailure).at_most(Limit::AgentFailures),
        stay(  S::AwaitingAudit,          T::AgentFailure).at_most(Limit::AgentFailures),
        stay(  S::Expanding,              T::TaskRestartedOnResume),
        stay(  S::Implementing,           T::TaskRestartedOnResume),
        stay(  S::AwaitingReview,         T::TaskRestartedOnResume),
        stay(  S::AwaitingAudit,          T::TaskRestartedOnResume),
        stay(  S::AwaitingExpert,         T::TaskRestartedOnResume),

        // Experts.
        aside( S::Expanding,              T::ExpertDelegated,               S::AwaitingExpert).at_most(Limit::Delegations),
        aside( S::Implementing,           T::ExpertDelegated,               S::AwaitingExpert).at_most(Limit::Delegations),
        aside( S::AwaitingReview,         T::ExpertDelegated,               S::AwaitingExpert).at_most(Limit::Delegations),
        aside( S::AwaitingAudit,          T::ExpertDelegated,               S::AwaitingExpert).at_most(Limit::Delegations),
        aside( S::Expanding,              T::DelegationQueued,              S::AwaitingExpert).at_most(Limit::Delegations),
        aside( S::Implementing,           T::DelegationQueued,              S::AwaitingExpert).at_most(Limit::Delegations),
        aside( S::AwaitingReview,         T::DelegationQueued,              S::AwaitingExpert).at_most(Limit::Delegations),
        aside( S::AwaitingAudit,          T::DelegationQueued,              S::AwaitingExpert).at_most(Limit::Delegations),
        stay(  S::AwaitingExpert,         T::DelegationDequeued),
        stay(  S::AwaitingExpert,         T::ExpertFailed).at_most(Limit::Delegations),
        resume(S::AwaitingExpert,         T::ExpertComplete),

        // Infrastructure.
        aside( S::Implementing,           T::DeveloperBlocked,              S::AwaitingInfrastructure),
        aside( S::AwaitingAudit,          T::AuditorBlocked,                S::AwaitingInfrastructure),
        aside( S::Expanding,              T::EnvironmentUnavailable,        S::AwaitingInfrastructure),
        aside( S::Implementing,           T::EnvironmentUnavailable,        S::AwaitingInfrastructure),
        aside( S::AwaitingReview,         T::EnvironmentUnavailable,        S::AwaitingInfrastructure),
        aside( S::AwaitingAudit,          T::EnvironmentUnavailable,        S::AwaitingInfrastructure),
        aside( S::Landing,                T::EnvironmentUnavailable,        S::AwaitingInfrastructure),
        resume(S::AwaitingInfrastructure, T::InfrastructureRestored),

        // People.
        aside( S::Expanding,              T::AgentSeeksGuidance,            S::AwaitingDivineGuidance),
        aside( S::Implementing,           T::AgentSeeksGuidance,            S::AwaitingDivineGuidance),
        aside( S::AwaitingReview,         T::AgentSeeksGuidance,            S::AwaitingDivineGuidance),
        aside( S::AwaitingAudit,          T::AgentSeeksGuidance,            S::AwaitingDivineGuidance),
        aside( S::Available,              T::CoordinatorSeeksGuidance,      S::AwaitingDivineGuidance),
        aside( S::Queued,                 T::CoordinatorSeeksGuidance,      S::AwaitingDivineGuidance),
        aside( S::Expanding,              T::CoordinatorSeeksGuidance,      S::AwaitingDivineGuidance),
        aside( S::Implementing,           T::CoordinatorSeeksGuidance,      S::AwaitingDivineGuidance),
        aside( S::AwaitingReview,         T::CoordinatorSeeksGuidance,      S::AwaitingDivineGuidance),
        aside( S::AwaitingAudit,          T::CoordinatorSeeksGuidance,      S::AwaitingDivineGuidance),
        aside( S::Landing,                T::CoordinatorSeeksGuidance,      S::AwaitingDivineGuidance),
        aside( S::AwaitingExpert,         T::CoordinatorSeeksGuidance,      S::AwaitingDivineGuidance),
        resume(S::AwaitingDivineGuidance, T::DivineResponseReceived),
        aside( S::AwaitingDivineGuidance, T::CriticBypassDeclined,          S::AwaitingReview),
        aside( S::Expanding,              T::TaskHalted,                    S::Halted),
        aside( S::Implementing,           T::TaskHalted,                    S::Halted),
        aside( S::AwaitingReview,         T::TaskHalted,                    S::Halted),
        aside( S::AwaitingAudit,          T::TaskHalted,                    S::Halted),
        aside( S::Halted,                 T::DivineResponseReceived,        S::Available),
    ];

    fn label(state: S) -> &'static str {
        state.label()
    }
}

/// Where a task of a delivery is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Status {
    /// Other tasks have to be complete first.
    Blocked,
    /// It can be started.
    Available,
    /// Another task holds files that it needs.
    Queued,
    /// An analyst completes its description.
    Expanding,
    /// A developer works, or what it claims is measured.
    Implementing,
    /// A critic reads, or is about to.
    AwaitingReview,
    /// An auditor verifies, or is about to.
    AwaitingAudit,
    /// It is joined with what has landed before.
    Landing,
    /// A person was asked.
    AwaitingDivineGuidance,
    /// An expert was asked.
    AwaitingExpert,
    /// Something that checks need is broken.
    AwaitingInfrastructure,
    /// A limit was reached; a person decides whether it goes on.
    Halted,
    /// It is verified and has landed.
    Complete,
    /// It is no longer part of the plan.
    Removed,
}

impl Status {
    /// What people read for it; the glossary prints the same.
    pub const fn label(self) -> &'static str {
        match self {
            Status::Blocked => "blocked by other tasks",
            Status::Available => "ready to start",
            Status::Queued => "waiting for files",
            Status::Expanding => "being specified",
            Status::Implementing => "being implemented",
            Status::AwaitingReview => "in review",
            Status::AwaitingAudit => "in audit",
            Status::Landing => "landing",
            Status::AwaitingDivineGuidance => "waiting for you",
            Status::AwaitingExpert => "waiting for an expert",
            Status::AwaitingInfrastructure => "waiting for infrastructure",
            Status::Halted => "halted: needs your decision",
            Status::Complete => "complete",
            Status::Removed => "removed",
        }
    }
}

/// What moves a task of a delivery on; the names are those of its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Trigger {
    /// The last task that it waited for is complete, or there never was one.
    TaskUnblocked,
    /// It has to wait for a task: found by its developer, added to the plan, or rolled back.
    TaskBlocked,
    /// A new revision of the plan describes it differently.
    TaskRevised,
    /// A person or a revision took it out of the plan.
    TaskRemoved,
    /// A person took its landed commit back; it is on hold.
    TaskRolledBack,
    /// A person lets it start again after a rollback.
    HoldReleased,
    /// Another task holds a file that it needs.
    TaskQueuedForConflict,
    /// The holder of its files landed or left them.
    TaskUnqueued,
    /// The holder of its files halted, was removed or asks a person.
    TaskUnqueuedBlockerFailed,
    /// It waited long enough for its files and is tried all the same.
    QueueTimeout,
    /// An analyst begins, or a fresh one does.
    BusinessAnalystDispatched,
    /// The analyst completed its description.
    TaskExpanded,
    /// A developer begins, or a fresh one does.
    DeveloperDispatched,
    /// The developer says that it is ready; Provost commits and measures.
    ReadyClaimed,
    /// What the developer claimed was measured and holds.
    DeveloperReadyForReview,
    /// What the developer claimed was measured and does not hold.
    EnvironmentVerificationFailed,
    /// The developer says that it cannot finish; where it goes is the next event.
    DeveloperIncomplete,
    /// What the developer waited for is complete already.
    TaskRetried,
    /// The developer says that the infrastructure is broken.
    DeveloperBlocked,
    /// A critic begins, or a fresh one does.
    CriticDispatched,
    /// The critic approves.
    CriticPass,
    /// The critic asks for changes.
    CriticFail,
    /// The critic ran out of its time.
    CriticTimeout,
    /// Critics ran out of time as often as allowed; the review is left out.
    CriticBypassed,
    /// A person does not let it land without a review.
    CriticBypassDeclined,
    /// An auditor begins, or a fresh one does.
    AuditorDispatched,
    /// The auditor confirms and every required check passed.
    AuditorPass,
    /// The auditor or a required check rejects.
    AuditorFail,
    /// The auditor says that the infrastructure is broken.
    AuditorBlocked,
    /// Its turn to land has come, or came again after the coordinator ended.
    LandingStarted,
    /// Somebody else moved the branch; it is joined anew and nothing is counted.
    LandingRepeated,
    /// It does not join with what has landed.
    MergeConflict,
    /// A required check fails on the joined tree.
    LandingChecksFailed,
    /// It has landed, or there was nothing to land.
    TaskComplete,
    /// Provost could not run a check or prepare a worktree.
    EnvironmentUnavailable,
    /// The infrastructure is healthy again.
    InfrastructureRestored,
    /// An agent's signal is not valid.
    SignalRejected,
    /// An agent's answer has no signal in it and the agent is asked again.
    UnknownSignalRecovery,
    /// An agent handed its turn on unfinished, with what the next one needs.
    TurnContinued,
    /// A turn ended in a time-out, a crash, a stall or without a signal.
    AgentFailure,
    /// A turn was lost because the coordinator ended; nothing is counted.
    TaskRestartedOnResume,
    /// An expert begins to answer.
    ExpertDelegated,
    /// The expert is busy; the request waits.
    DelegationQueued,
    /// The expert is free and begins to answer.
    DelegationDequeued,
    /// The expert could not help and another is tried.
    ExpertFailed,
    /// The expert answered.
    ExpertComplete,
    /// An agent asks a person.
    AgentSeeksGuidance,
    /// Provost asks a person.
    CoordinatorSeeksGuidance,
    /// The person answered.
    DivineResponseReceived,
    /// A limit was reached.
    TaskHalted,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::proof::{one_name, sound};
    use crate::machine::{Target, next, remembered, terminal, waiting};

    #[test]
    fn the_table_is_sound() {
        sound::<Delivery>(129);
        one_name::<Status>();
        one_name::<Trigger>();
    }

    const STAGES: [S; 5] = [S::Expanding, S::Implementing, S::AwaitingReview, S::AwaitingAudit, S::Landing];

    #[test]
    fn waiting_returns_to_the_stage_it_began_in() {
        assert_eq!(remembered::<Delivery>(S::AwaitingExpert), STAGES[..4]);
        assert_eq!(remembered::<Delivery>(S::AwaitingInfrastructure), STAGES);
        let asked: Vec<S> = [S::Available, S::Queued].into_iter().chain(STAGES).collect();
        assert_eq!(remembered::<Delivery>(S::AwaitingDivineGuidance), asked);
        let waiting: Vec<S> = S::VARIANTS.iter().copied().filter(|&it| waiting::<Delivery>(it)).collect();
        assert_eq!(waiting, [S::AwaitingDivineGuidance, S::AwaitingExpert, S::AwaitingInfrastructure]);
    }

    #[test]
    fn complete_is_entered_by_task_complete_alone() {
        for row in Delivery::TABLE {
            assert_eq!(row.to == Target::To(S::Complete), row.on == T::TaskComplete, "{row:?}");
        }
    }

    #[test]
    fn every_unfinished_task_can_be_removed_and_only_those() {
        for &status in S::VARIANTS {
            let ended = matches!(status, S::Complete | S::Removed);
            assert_eq!(terminal::<Delivery>(status), ended);
            assert_eq!(next::<Delivery>(status, T::TaskRemoved).is_err(), ended);
        }
    }

    #[test]
    fn a_rolled_back_dependency_blocks_every_status_that_could_go_on() {
        for &status in S::VARIANTS {
            let stays = matches!(status, S::Blocked | S::Halted | S::Complete | S::Removed);
            assert_eq!(next::<Delivery>(status, T::TaskBlocked).is_err(), stays, "{status:?}");
        }
    }

    #[test]
    fn every_stage_that_costs_money_can_ask_a_person() {
        for status in STAGES.into_iter().chain([S::AwaitingExpert]) {
            assert!(next::<Delivery>(status, T::CoordinatorSeeksGuidance).is_ok(), "{status:?}");
        }
    }
}
