//! What rules say about one subject, as data: what it means for the plan is decided elsewhere.

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray, VariantNames};

use crate::vocabulary::{Decision, Risk};

use super::book::AtomId;
use super::evidence::Evidence;
use super::predicate::{Predicate, Tri};
use super::ranges::Ranges;
use super::rule::Severity;
use super::set::Set;

/// What a decision comes to with the weight of its rule; the greater of two decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Outcome {
    /// It may be.
    Allow,
    /// It may be, and somebody should know.
    Warn,
    /// It may be once a person has looked.
    RequireReview,
    /// A fact is absent without which a rule that could stop it cannot be decided.
    Undecided,
    /// It may not be until it is mended.
    Deny,
    /// It may not be, and mending data is not enough.
    HardDeny,
}

impl Outcome {
    /// What a rule of a severity comes to for a subject of a risk.
    pub const fn of(decision: Decision, severity: Severity, risk: Risk) -> Self {
        match (decision, severity, risk) {
            (Decision::Allow, ..) => Self::Allow,
            (Decision::Warn, ..) => Self::Warn,
            (Decision::Deny, Severity::Block, _) | (Decision::Deny, _, Risk::Critical) => Self::HardDeny,
            (Decision::Deny, Severity::Error, _) => Self::Deny,
            // Whoever says that it passes cannot deny: a person looks instead.
            (Decision::RequireReview, ..) | (Decision::Deny, Severity::Warn | Severity::Info, _) => {
                Self::RequireReview
            }
        }
    }

    /// The decision that it is; what is undecided does not pass.
    pub const fn decision(self) -> Decision {
        match self {
            Self::Allow => Decision::Allow,
            Self::Warn => Decision::Warn,
            Self::RequireReview => Decision::RequireReview,
            Self::Undecided | Self::Deny | Self::HardDeny => Decision::Deny,
        }
    }
}

/// A condition and what it came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The condition.
    pub atom: AtomId,
    /// Its value; a rule may ask that it be false.
    pub value: Tri,
}

/// A rule whose condition holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fired {
    /// Its position in the book.
    pub rule: u32,
    /// What it says.
    pub decision: Decision,
    /// What that comes to.
    pub outcome: Outcome,
    /// How much it weighs.
    pub severity: Severity,
    /// The conditions that made it fire.
    pub evidence: Vec<Held>,
    /// The facts without any one of which it would not have fired.
    pub rests_on: Set<Predicate>,
    /// What it demands and is on record.
    pub recorded: Set<Evidence>,
    /// What it demands and is not.
    pub absent: Set<Evidence>,
}

impl Fired {
    /// Tells whether it would not have fired if a fact were otherwise.
    pub fn rests_on(&self, predicate: Predicate) -> bool {
        self.rests_on.contains(predicate)
    }

    /// Tells whether it denies and weighs too little to.
    pub fn is_downgraded(&self) -> bool {
        self.decision != self.outcome.decision()
    }
}

/// A rule that could stop the subject and lacks a fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undecided {
    /// Its position in the book.
    pub rule: u32,
    /// The conditions that are unknown, in the order of their numbers.
    pub unknown: Vec<AtomId>,
}

/// The rules that say nothing, so that every evaluation is on record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unmet {
    /// Those that are about something else.
    pub not_in_scope: Ranges,
    /// Those whose condition does not hold.
    pub not_met: Ranges,
}

/// What all rules together say about a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// What it comes to.
    pub outcome: Outcome,
    /// The rules that fired, in the order of their ids. None of them, and the subject is allowed because no rule
    /// applies.
    pub fired: Vec<Fired>,
    /// The rules that could stop it and lack a fact.
    pub undecided: Vec<Undecided>,
    /// The rules that could not stop it, lack a fact and count as not fired.
    pub unknown_noted: Ranges,
    /// All others, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unmet: Option<Unmet>,
}

impl Judgement {
    /// What the rules decide: the strictest that fired, and to allow where none did.
    pub fn decision(&self) -> Decision {
        self.fired.iter().map(|fired| fired.outcome.decision()).max().unwrap_or(Decision::Allow)
    }

    /// Tells whether it is allowed only because no rule applies.
    pub fn is_default(&self) -> bool {
        self.fired.is_empty() && self.undecided.is_empty()
    }
}
