//! The planning machine: an intent becomes a frozen plan, or a reasoned end. It stands apart from what its steps do,
//! so that the order of planning can be read, checked and drawn without them.
//!
//! A state's work is done in the state; a row out of it names the verdict on that work. [`plan`] walks the table.

pub mod account;
pub mod action;
pub mod again;
pub mod answered;
pub mod answers;
pub mod ask;
pub mod audit;
pub mod bridge;
pub mod bundle;
pub mod decisions;
pub mod deliver;
pub mod facts;
pub mod failure;
pub mod files;
pub mod inputs;
pub mod manifest;
mod markdown;
pub mod memory;
pub mod open;
pub mod policy;
pub mod predicates;
pub mod questions_pack;
pub mod reference;
pub mod review;
pub mod risk;
pub mod routing;
pub mod runs;
pub mod shelf;
pub mod summary;
pub mod tape;
pub mod tasks;
pub(crate) mod walk;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray, VariantNames};

use self::{Phase as S, Trigger as T};
use crate::limits::Limit;
use crate::machine::{Machine, Row, aside, back, go};
use crate::schema::{Alphabet, Part, Shape, choice, id};
use crate::vocabulary::Decision;

pub use inputs::{Inputs, RUN_PREFIX, Round};
pub(crate) use manifest::REGISTRY_VERSION;
pub use walk::{NoRun, Run, Watch, plan};

/// The version of the planner; it rises when the bytes of a plan change, so that a plan can be made again by what made it.
pub const PLANNER_VERSION: &str = "1.1.0";

/// The id of a run in documents.
pub(crate) const RUN_ID: Shape = id(&[Part::Literal(RUN_PREFIX), Part::Run(Alphabet::Snake, 6, 64)]);

/// A state in documents.
pub(crate) const PHASE: Shape = choice(<Phase as VariantNames>::VARIANTS);

/// A decision in documents.
pub(crate) const DECISION: Shape = choice(<Decision as VariantNames>::VARIANTS);

/// The planning machine.
pub enum Planning {}

impl Machine for Planning {
    type State = S;
    type Trigger = T;

    const NAME: &'static str = "planning";
    const WHAT: &'static str = "an intent becoming a frozen plan, or ending BLOCKED or ABORTED";
    const START: S = S::Received;

    #[rustfmt::skip]
    const TABLE: &'static [Row<S, T>] = &[
        go(    S::Received,         T::IntentAccepted,       S::Prechecked),

        go(    S::Prechecked,       T::PrecheckPassed,       S::ContextBuilt),
        aside( S::Prechecked,       T::PrecheckFailed,       S::Blocked),
        aside( S::Prechecked,       T::RedLineCrossed,       S::Aborted),
        aside( S::Prechecked,       T::ArtifactViolated,     S::Aborted),

        go(    S::ContextBuilt,     T::ContextAssembled,     S::RulesEvaluated),
        aside( S::ContextBuilt,     T::ContextUnavailable,   S::Blocked),
        aside( S::ContextBuilt,     T::ArtifactViolated,     S::Aborted),

        go(    S::RulesEvaluated,   T::RulesAdjudicated,     S::GraphDrafted),
        aside( S::RulesEvaluated,   T::RuleDenied,           S::Blocked),
        aside( S::RulesEvaluated,   T::EvidenceInsufficient, S::Blocked),
        aside( S::RulesEvaluated,   T::PolicyForbade,        S::Blocked),
        aside( S::RulesEvaluated,   T::HardRuleDenied,       S::Aborted),
        aside( S::RulesEvaluated,   T::RuleDefective,        S::Aborted),
        aside( S::RulesEvaluated,   T::ArtifactViolated,     S::Aborted),

        go(    S::GraphDrafted,     T::QuestionsNeeded,      S::QuestionsEmitted),
        go(    S::GraphDrafted,     T::NothingToAsk,         S::GraphFinalized),
        aside( S::GraphDrafted,     T::GraphInvalid,         S::Blocked),
        aside( S::GraphDrafted,     T::FallbackMissing,      S::Blocked),
        aside( S::GraphDrafted,     T::ArtifactViolated,     S::Aborted),

        go(    S::QuestionsEmitted, T::QuestionsSent,        S::AwaitingAnswers),
        aside( S::QuestionsEmitted, T::QuestionsRejected,    S::Blocked),
        aside( S::QuestionsEmitted, T::ArtifactViolated,     S::Aborted),

        go(    S::AwaitingAnswers,  T::AnswersAccepted,      S::GraphFinalized),
        go(    S::AwaitingAnswers,  T::DefaultsApplied,      S::GraphFinalized),
        back(  S::AwaitingAnswers,  T::AnswersConflicted,    S::RulesEvaluated).at_most(Limit::AnswerConflicts),
        aside( S::AwaitingAnswers,  T::ConflictsExhausted,   S::Blocked),
        aside( S::AwaitingAnswers,  T::AnswersMissing,       S::Blocked),
        aside( S::AwaitingAnswers,  T::RedLineCrossed,       S::Aborted),

        go(    S::GraphFinalized,   T::GraphCompleted,       S::ReviewPackBuilt),
        aside( S::GraphFinalized,   T::GraphIncomplete,      S::Blocked),
        aside( S::GraphFinalized,   T::ArtifactViolated,     S::Aborted),

        go(    S::ReviewPackBuilt,  T::ReviewPackReady,      S::FrozenOutputs),
        aside( S::ReviewPackBuilt,  T::BudgetViolated,       S::Blocked),
        aside( S::ReviewPackBuilt,  T::ReviewUncovered,      S::Blocked),
        aside( S::ReviewPackBuilt,  T::ArtifactViolated,     S::Aborted),

        go(    S::FrozenOutputs,    T::OutputsFrozen,        S::Done),
        aside( S::FrozenOutputs,    T::FreezeFailed,         S::Blocked),
        aside( S::FrozenOutputs,    T::ArtifactViolated,     S::Aborted),
    ];

    fn label(state: S) -> &'static str {
        state.label()
    }
}

/// Where a planning run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(IntoStaticStr, EnumString, VariantArray, VariantNames)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Phase {
    /// The intent is here and has a run.
    Received,
    /// Form, checksum, red lines and references are examined.
    Prechecked,
    /// Memory, facts and policy are put together.
    ContextBuilt,
    /// Rules judge what is planned.
    RulesEvaluated,
    /// The plan is a graph that may still have open places.
    GraphDrafted,
    /// Open places have become questions.
    QuestionsEmitted,
    /// The run rests until somebody answers.
    AwaitingAnswers,
    /// Answers are part of the graph.
    GraphFinalized,
    /// What a reviewer needs is put together.
    ReviewPackBuilt,
    /// Documents get their digests and lineage.
    FrozenOutputs,
    /// The plan is frozen.
    Done,
    /// Whoever submitted the intent can mend what stopped it.
    Blocked,
    /// A red line was crossed or the governing content is defective.
    Aborted,
}

impl Phase {
    /// What people read for it; the glossary prints the same.
    pub const fn label(self) -> &'static str {
        match self {
            Phase::Received => "received",
            Phase::Prechecked => "checking the intent",
            Phase::ContextBuilt => "gathering context",
            Phase::RulesEvaluated => "judging by rules",
            Phase::GraphDrafted => "drafting the plan",
            Phase::QuestionsEmitted => "preparing questions",
            Phase::AwaitingAnswers => "waiting for answers",
            Phase::GraphFinalized => "completing the plan",
            Phase::ReviewPackBuilt => "preparing the review",
            Phase::FrozenOutputs => "freezing the documents",
            Phase::Done => "frozen",
            Phase::Blocked => "blocked: can be mended",
            Phase::Aborted => "aborted: red line",
        }
    }
}

/// The verdict that moves a planning run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Trigger {
    /// The intent is a document with an id.
    IntentAccepted,
    /// Every precheck guard holds.
    PrecheckPassed,
    /// A precheck guard other than the red line on execution fails.
    PrecheckFailed,
    /// Something asks for execution, in the intent or in answers.
    RedLineCrossed,
    /// Memory, facts and policy are there.
    ContextAssembled,
    /// Memory or facts are missing.
    ContextUnavailable,
    /// Every rule gave a verdict and none stops the run.
    RulesAdjudicated,
    /// A rule denies in a way that the submitter can mend.
    RuleDenied,
    /// A blocking rule denies, or a critical command is denied.
    HardRuleDenied,
    /// A rule cannot be decided for any input, rules contradict each other, or routing contradicts policy.
    RuleDefective,
    /// A sound rule lacks a fact or evidence about this input.
    EvidenceInsufficient,
    /// The policy in force forbids what is planned, or its risk in this mode.
    PolicyForbade,
    /// There are open places and the policy lets us ask.
    QuestionsNeeded,
    /// There is no open place, or each took its recorded default.
    NothingToAsk,
    /// The graph has a cycle, a missing part or too many nodes.
    GraphInvalid,
    /// An open place may neither be asked about nor defaulted.
    FallbackMissing,
    /// The pack is within budget and every question has its evidence.
    QuestionsSent,
    /// The pack is over budget or a question lacks evidence.
    QuestionsRejected,
    /// The answers are complete and contradict no rule.
    AnswersAccepted,
    /// Time ran out and every open question had a usable default.
    DefaultsApplied,
    /// An answer contradicts a verdict, so the rules judge again.
    AnswersConflicted,
    /// Answers contradicted verdicts more often than allowed.
    ConflictsExhausted,
    /// Time ran out, or answers left open, and a question has no usable default.
    AnswersMissing,
    /// The graph has no open place left.
    GraphCompleted,
    /// The graph still has an open place or an uncovered node.
    GraphIncomplete,
    /// Reviews are covered, budgets hold, the risk is justified.
    ReviewPackReady,
    /// The change is larger than its budget.
    BudgetViolated,
    /// A required review has no gate, or the risk lacks evidence.
    ReviewUncovered,
    /// All digests and the lineage were verified.
    OutputsFrozen,
    /// A digest or the lineage does not hold.
    FreezeFailed,
    /// A document of our own breaks its schema or a red line: a defect of Provost.
    ArtifactViolated,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::proof::{one_name, sound};
    use crate::machine::{Direction, Source, Target};

    #[test]
    fn the_table_is_sound() {
        sound::<Planning>(39);
        one_name::<Phase>();
        one_name::<Trigger>();
    }

    #[test]
    fn the_only_way_back_is_from_answers_to_rules() {
        let back: Vec<_> = Planning::TABLE.iter().filter(|row| row.direction == Direction::Back).collect();
        assert_eq!(back.len(), 1);
        assert_eq!(
            (back[0].from, back[0].to),
            (Source::At(S::AwaitingAnswers), Target::To(S::RulesEvaluated))
        );
    }
}
