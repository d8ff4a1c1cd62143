//! The infrastructure machine: what checks and agents stand on, broken and repaired. It is apart from tasks because
//! one breakage stops many of them.
//!
//! It has no end: a delivery ends, its infrastructure only rests.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use self::{Health as S, Trigger as T};
use crate::limits::Limit;
use crate::machine::{Machine, Row, back, go, stay};

/// The infrastructure machine.
pub enum Infrastructure {}

impl Machine for Infrastructure {
    type State = S;
    type Trigger = T;

    const NAME: &'static str = "infrastructure";
    const WHAT: &'static str =
        "what all tasks of a project stand on, breaking and being repaired for as long as there are tasks";
    const START: S = S::Healthy;
    const RESTING: &'static [S] = &[S::Healthy];

    #[rustfmt::skip]
    const TABLE: &'static [Row<S, T>] = &[
        go(    S::Healthy,     T::InfrastructureBlocked,     S::Blocked),
        stay(  S::Blocked,     T::InfrastructureBlocked),
        stay(  S::Remediating, T::InfrastructureBlocked),
        stay(  S::Auditing,    T::InfrastructureBlocked),
        stay(  S::Exhausted,   T::InfrastructureBlocked),

        go(    S::Blocked,     T::RemediationDispatched,     S::Remediating),
        go(    S::Blocked,     T::RemediationExhausted,      S::Exhausted),
        go(    S::Blocked,     T::RemediationUnavailable,    S::Exhausted),

        stay(  S::Remediating, T::RemediationDispatched),
        go(    S::Remediating, T::HealthAuditDispatched,     S::Auditing),
        back(  S::Remediating, T::RemediationFailed,         S::Blocked).at_most(Limit::RemediationAttempts),

        stay(  S::Auditing,    T::HealthAuditDispatched),
        back(  S::Auditing,    T::HealthAuditPass,           S::Healthy),
        back(  S::Auditing,    T::HealthAuditFail,           S::Blocked).at_most(Limit::RemediationAttempts),
        back(  S::Auditing,    T::HealthAuditUnexpected,     S::Blocked).at_most(Limit::RemediationAttempts),

        back(  S::Exhausted,   T::RemediationDivineRetry,    S::Remediating),
        back(  S::Exhausted,   T::RemediationDivineOverride, S::Healthy),
        stay(  S::Exhausted,   T::WorkflowHalted),
    ];

    fn label(state: S) -> &'static str {
        state.label()
    }
}

/// How the infrastructure stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Health {
    /// Checks can be run; work starts and lands.
    Healthy,
    /// Something that checks need is broken; nothing new starts.
    Blocked,
    /// An agent repairs it.
    Remediating,
    /// A repair is checked.
    Auditing,
    /// Repairs are used up, or none is possible: a person decides.
    Exhausted,
}

impl Health {
    /// What people read for it; the glossary prints the same.
    pub const fn label(self) -> &'static str {
        match self {
            Health::Healthy => "healthy",
            Health::Blocked => "broken",
            Health::Remediating => "being repaired",
            Health::Auditing => "repair being checked",
            Health::Exhausted => "waiting for your decision",
        }
    }
}

/// What happens to the infrastructure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Trigger {
    /// A task or a check found something broken.
    InfrastructureBlocked,
    /// A repair begins, or begins again after the coordinator ended.
    RemediationDispatched,
    /// No agent has the role of repairing.
    RemediationUnavailable,
    /// A repair ended without saying that it is complete.
    RemediationFailed,
    /// A repair says it is complete and is checked.
    HealthAuditDispatched,
    /// Every check runs again.
    HealthAuditPass,
    /// A check still does not run.
    HealthAuditFail,
    /// The check of the repair ended without a verdict and counts as failed.
    HealthAuditUnexpected,
    /// Repairs failed as often as allowed.
    RemediationExhausted,
    /// A person asks for more repairs, with guidance.
    RemediationDivineRetry,
    /// A person says that it is healthy.
    RemediationDivineOverride,
    /// A person lets the delivery rest.
    WorkflowHalted,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::proof::{one_name, sound};
    use crate::machine::reachable;

    #[test]
    fn the_table_is_sound() {
        sound::<Infrastructure>(18);
        one_name::<Health>();
        one_name::<Trigger>();
    }

    #[test]
    fn every_way_leads_back_to_health() {
        for &health in S::VARIANTS {
            assert!(reachable::<Infrastructure>(health).contains(&S::Healthy));
        }
    }
}
