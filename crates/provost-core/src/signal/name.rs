//! The names of signals and who may send which, apart because the text reader looks for names before anything else.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::role::Role;

/// A signal without its content.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Name {
    /// The work is done as far as the developer can tell.
    ReadyForReview,
    /// The developer cannot finish.
    TaskIncomplete,
    /// A tool, a service or the environment is broken.
    InfraBlocked,
    /// The critic has no objection.
    ReviewPassed,
    /// The critic objects.
    ReviewFailed,
    /// Every criterion is met.
    AuditPassed,
    /// A criterion is not met.
    AuditFailed,
    /// The criteria cannot be judged because something was broken before.
    AuditBlocked,
    /// A person has to decide something.
    SeekingDivineClarification,
    /// The turn goes on; this is how far it is.
    Checkpoint,
}

impl Name {
    /// Its name in every encoding.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Tells whether it ends the turn.
    pub const fn ends_the_turn(self) -> bool {
        !matches!(self, Self::Checkpoint)
    }

    /// Tells whether it is the role's own to send.
    pub const fn may_be_sent_by(self, role: Role) -> bool {
        match self {
            Self::ReadyForReview | Self::TaskIncomplete | Self::InfraBlocked => {
                matches!(role, Role::Developer)
            }
            Self::ReviewPassed | Self::ReviewFailed => matches!(role, Role::Critic),
            Self::AuditPassed | Self::AuditFailed | Self::AuditBlocked => matches!(role, Role::Auditor),
            Self::SeekingDivineClarification | Self::Checkpoint => true,
        }
    }

    /// The signals of a role, in the order in which they are explained to it.
    pub fn of(role: Role) -> impl Iterator<Item = Name> {
        Self::VARIANTS.iter().copied().filter(move |name| name.may_be_sent_by(role))
    }
}
