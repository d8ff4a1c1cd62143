//! Every number that bounds a run, under one name each: what the tables refer to and what a project may set.

use std::ops::RangeInclusive;

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::role::Role;

/// The name of a limit, as written under `[limits]` in provost.toml and printed beside table rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Limit {
    /// Tasks that may hold a slot at once.
    Agents,
    /// Rejections by a critic before a task halts.
    CriticFailures,
    /// Rejections by an auditor before a task halts.
    AuditFailures,
    /// Conflicts or red checks on the joined tree before a task halts.
    LandingFailures,
    /// Turns of one role that ended without a signal before a task halts.
    AgentFailures,
    /// Critics that ran out of time before review is bypassed or escalated.
    CriticTimeouts,
    /// Reports of an incomplete task before a person is asked.
    Incomplete,
    /// Malformed signals before the agent is replaced.
    SignalRejections,
    /// Own attempts before an expert is asked.
    SelfSolve,
    /// Own attempts before a task halts; stands in for `self_solve` where no expert is at hand.
    SelfSolveAlone,
    /// Consultations of experts before a person is asked.
    Delegations,
    /// Consultations that one expert answers at once.
    ExpertConcurrency,
    /// Repairs of the infrastructure before a person is asked.
    RemediationAttempts,
    /// Time-outs in the file queue before a person is asked.
    QueueRetries,
    /// Seconds in the file queue before a task is tried all the same.
    QueueS,
    /// Unreadable answers before an agent is replaced.
    UnknownSignals,
    /// Turns of one role handed on unfinished before a person is asked.
    Continuations,
    /// Seconds of a developer's turn.
    DeveloperS,
    /// Seconds of a critic's turn.
    CriticS,
    /// Seconds of an auditor's turn.
    AuditorS,
    /// Seconds of an analyst's turn.
    AnalystS,
    /// Seconds of a repair of the infrastructure.
    RemediationS,
    /// Seconds of a health audit.
    HealthS,
    /// Seconds of an expert's turn.
    ExpertS,
    /// Seconds without a word before an agent is asked for a checkpoint.
    CheckpointS,
    /// Seconds an agent has to answer with a checkpoint.
    CheckpointAnswerS,
    /// Missed checkpoints before an agent counts as stalled.
    CheckpointMisses,
    /// Seconds without any output before an agent's turn is ended.
    IdleS,
    /// Seconds between the request to end and the end by force.
    KillGraceS,
    /// Seconds back from the last event in which completions are audited again on resume.
    ReauditS,
    /// Repeats of a call that failed for a passing reason.
    ProviderRetries,
    /// Seconds of one check.
    CheckS,
    /// Seconds of one check before any work is done.
    BaselineCheckS,
    /// Seconds of one command that a tester proposed.
    TestCommandS,
    /// Iterations of build, review and test in one round.
    Rounds,
    /// Requests to correct an answer of the wrong shape.
    Corrections,
    /// Returns from answers to rules in one planning run.
    AnswerConflicts,
    /// Nodes of a plan's graph.
    GraphNodes,
    /// Questions of one pack.
    Questions,
}

impl Limit {
    /// The seconds of a turn of a role.
    pub const fn of_turn(role: Role) -> Limit {
        match role {
            Role::Developer => Limit::DeveloperS,
            Role::Critic => Limit::CriticS,
            Role::Auditor => Limit::AuditorS,
        }
    }

    /// The values that a project may set.
    pub fn range(self) -> RangeInclusive<u32> {
        let least = match self {
            Limit::ProviderRetries | Limit::Corrections | Limit::ReauditS => 0,
            _ => 1,
        };
        least..=1_000_000
    }

    /// The value in force where a project sets none.
    pub const fn default_value(self) -> u32 {
        match self {
            Limit::Corrections => 1,
            Limit::ExpertConcurrency => 2,
            Limit::CriticFailures
            | Limit::AuditFailures
            | Limit::LandingFailures
            | Limit::AgentFailures
            | Limit::CriticTimeouts
            | Limit::Incomplete
            | Limit::SelfSolve
            | Limit::Delegations
            | Limit::RemediationAttempts
            | Limit::QueueRetries
            | Limit::UnknownSignals
            | Limit::CheckpointMisses
            | Limit::ProviderRetries
            | Limit::Rounds
            | Limit::AnswerConflicts => 3,
            Limit::Agents | Limit::SignalRejections | Limit::Continuations | Limit::KillGraceS => 5,
            Limit::SelfSolveAlone => 6,
            Limit::CheckpointAnswerS => 30,
            Limit::Questions => 50,
            Limit::BaselineCheckS => 60,
            Limit::TestCommandS => 120,
            Limit::GraphNodes => 200,
            Limit::RemediationS | Limit::HealthS | Limit::CheckpointS => 300,
            Limit::CriticS
            | Limit::AuditorS
            | Limit::AnalystS
            | Limit::ExpertS
            | Limit::IdleS
            | Limit::CheckS => 600,
            Limit::DeveloperS => 900,
            Limit::QueueS => 1_800,
            Limit::ReauditS => 3_600,
        }
    }
}
