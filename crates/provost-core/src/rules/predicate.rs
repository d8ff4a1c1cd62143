//! Truth with a third value, and the closed list of named facts that rules ask for, apart because whoever plans
//! binds them and rules only know their names.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::set::Set;

/// Truth, after Kleene: a fact that is absent is neither true nor false, and false and unknown is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Display, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Tri {
    /// It does not hold. The order is that of conjunction: the lesser of two.
    False,
    /// What it needs is absent.
    Unknown,
    /// It holds.
    True,
}

impl Tri {
    /// Both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// Either.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.max(other)
    }
}

impl std::ops::Not for Tri {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
            Self::True => Self::False,
        }
    }
}

impl From<bool> for Tri {
    fn from(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

/// A fact with a name, written `name: true` in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Predicate {
    /// The subject's lineage is not whole.
    LineageIncomplete,
    /// Something that the subject names is not in the registry.
    ContentReferenceNotInRegistry,
    /// An id of the subject is not in the registry.
    ContentIdFabricated,
    /// A path that should exist is not among the scanned files.
    PathNotInFactpack,
    /// The command is not in the registry.
    CommandNotInScan,
    /// A reference to content, memory or a fact names nothing.
    FabricatedReference,
    /// The risk is high or critical.
    RiskLevelHighOrCritical,
    /// The model that would be used is a local one.
    InferenceNotCloud,
    /// Nobody is asked anything.
    ModeIsFullAuto,
    /// Questions are allowed.
    QuestionBudgetNotZero,
    /// The number of files or of commits is not limited.
    BudgetUnlimited,
    /// Something is written, deployed, deleted or configured.
    EffectKindIsWrite,
    /// No review is asked for.
    StateNotRequiresReview,
    /// The risk is medium or more, or something is written.
    DecisionIsKey,
    /// No evidence is named.
    EvidenceRefsMissing,
    /// Something is written and files are named.
    TargetsFiles,
    /// Files are not locked, or locked without being named.
    LockScopeMissing,
    /// Rules are evaluated; always so.
    RuleEvaluated,
    /// Evaluations leave no trace; never so.
    AuditLogNotWritten,
    /// Something is written and nothing says how to take it back.
    RollbackPlanMissing,
}

impl Predicate {
    /// When it holds, in words that stand in `docs/rules.md`.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::LineageIncomplete => {
                "`introduced_in` or `derived_from` is absent, or a parent is named without saying what changed"
            }
            Self::ContentReferenceNotInRegistry => "something that the subject names is not in the registry",
            Self::ContentIdFabricated => "an id of the subject is not in the registry",
            Self::PathNotInFactpack => {
                "a path that is read, or named as evidence, is not among the scanned files"
            }
            Self::CommandNotInScan => "the command is not in the registry",
            Self::FabricatedReference => "a reference to content, memory or a fact names nothing",
            Self::RiskLevelHighOrCritical => "the effective risk is high or critical",
            Self::InferenceNotCloud => {
                "the routed model is a local one; unknown without a catalogue of models"
            }
            Self::ModeIsFullAuto => "the effective mode asks nobody",
            Self::QuestionBudgetNotZero => "the effective budget allows questions",
            Self::BudgetUnlimited => "the number of files or of commits has no limit",
            Self::EffectKindIsWrite => "something is written, deployed, deleted or configured",
            Self::StateNotRequiresReview => "the intent asks for no review",
            Self::DecisionIsKey => "the risk is medium or more, or something is written",
            Self::EvidenceRefsMissing => "the subject names no evidence",
            Self::TargetsFiles => "something is written and files are named as targets",
            Self::LockScopeMissing => "no lock is asked for, or one on files without naming any",
            Self::RuleEvaluated => "always",
            Self::AuditLogNotWritten => "never: nothing is frozen without its audit log",
            Self::RollbackPlanMissing => {
                "something is written and nothing planned, registered or answered takes it back"
            }
        }
    }
}

/// What is known of each predicate for one subject; at first nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Predicates {
    // INVARIANT: no predicate is in both.
    holds: Set<Predicate>,
    fails: Set<Predicate>,
}

impl Predicates {
    /// Says what is known of one.
    pub fn set(&mut self, predicate: Predicate, value: impl Into<Tri>) {
        self.holds.remove(predicate);
        self.fails.remove(predicate);
        match value.into() {
            Tri::True => self.holds.insert(predicate),
            Tri::False => self.fails.insert(predicate),
            Tri::Unknown => {}
        }
    }

    /// What is known of one.
    pub fn get(self, predicate: Predicate) -> Tri {
        if self.holds.contains(predicate) {
            Tri::True
        } else if self.fails.contains(predicate) {
            Tri::False
        } else {
            Tri::Unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truth_is_that_of_kleene() {
        use Tri::{False as F, True as T, Unknown as U};
        let and = [[F, F, F], [F, U, U], [F, U, T]];
        let or = [[F, U, T], [U, U, T], [T, T, T]];
        for (one, (and, or)) in Tri::VARIANTS.iter().zip(and.iter().zip(&or)) {
            for (other, (and, or)) in Tri::VARIANTS.iter().zip(and.iter().zip(or)) {
                assert_eq!((one.and(*other), one.or(*other)), (*and, *or), "{one} {other}");
            }
        }
        assert_eq!([!F, !U, !T], [T, U, F]);
    }

    #[test]
    fn what_nobody_said_is_unknown() {
        let mut predicates = Predicates::default();
        assert_eq!(predicates.get(Predicate::TargetsFiles), Tri::Unknown);
        for value in Tri::VARIANTS {
            predicates.set(Predicate::TargetsFiles, *value);
            assert_eq!(predicates.get(Predicate::TargetsFiles), *value);
        }
        assert_eq!(predicates.get(Predicate::LockScopeMissing), Tri::Unknown);
    }
}
