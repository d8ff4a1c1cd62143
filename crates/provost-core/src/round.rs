//! The round machine: coder, reviewer and tester, as a discussion or until the work is approved. Mode and outcome are
//! kept beside the stage, so that both kinds of round share one table.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use self::{Stage as S, Trigger as T};
use crate::limits::Limit;
use crate::machine::{Machine, Row, aside, aside_anywhere, back, go, stay};

/// The round machine.
pub enum Round {}

impl Machine for Round {
    type State = S;
    type Trigger = T;

    const NAME: &'static str = "round";
    const WHAT: &'static str =
        "one loop of coder, reviewer and tester over one task, as a proposal or an implementation";
    const START: S = S::Intake;

    #[rustfmt::skip]
    const TABLE: &'static [Row<S, T>] = &[
        go(    S::Intake,   T::DraftProposal,           S::Plan),
        go(    S::Intake,   T::ImplementationConfirmed, S::Plan),

        go(    S::Plan,     T::RoundtableReviewer,      S::Review),
        go(    S::Plan,     T::StartCoder,              S::Build).at_most(Limit::Rounds),
        stay(  S::Plan,     T::TurnLost),

        go(    S::Build,    T::StartReviewer,           S::Review),
        aside( S::Build,    T::CoderNoChange,           S::Finalize),
        stay(  S::Build,    T::TurnLost),

        go(    S::Review,   T::RoundtableTester,        S::Test),
        go(    S::Review,   T::ReviewApproved,          S::Test),
        go(    S::Review,   T::ReviewChangesRequested,  S::Iterate),
        stay(  S::Review,   T::CorrectionRequested).at_most(Limit::Corrections),
        aside( S::Review,   T::ReviewSchemaInvalid,     S::Finalize),
        stay(  S::Review,   T::TurnLost),

        go(    S::Test,     T::AwaitOperatorConfirm,    S::Finalize),
        go(    S::Test,     T::TestsPassed,             S::Finalize),
        go(    S::Test,     T::TestsFailed,             S::Iterate),
        go(    S::Test,     T::TesterSchemaInvalid,     S::Iterate),
        stay(  S::Test,     T::CorrectionRequested).at_most(Limit::Corrections),
        aside( S::Test,     T::TesterCommandBlocked,    S::Finalize),
        aside( S::Test,     T::TestsInconclusive,       S::Finalize),
        stay(  S::Test,     T::TurnLost),

        back(  S::Iterate,  T::StartCoder,              S::Build).at_most(Limit::Rounds),
        aside( S::Iterate,  T::MaxIterationsReached,    S::Finalize),

        aside_anywhere(T::AbortedByOperator, S::Finalize),
        aside_anywhere(T::RepeatedFailure, S::Finalize),
        aside_anywhere(T::ProviderFailed, S::Finalize),

        back(  S::Finalize, T::TaskFollowupReceived,    S::Intake).reopens(),
    ];

    fn label(state: S) -> &'static str {
        state.label()
    }
}

/// Where a round is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Stage {
    /// The task or a follow-up was taken in.
    Intake,
    /// The coder drafts a proposal, or the loop is about to begin.
    Plan,
    /// The coder works.
    Build,
    /// The reviewer reads.
    Review,
    /// Tests run; what passes lands.
    Test,
    /// What must be fixed is known.
    Iterate,
    /// The round has its outcome.
    Finalize,
}

impl Stage {
    /// What people read for it; the glossary prints the same.
    pub const fn label(self) -> &'static str {
        match self {
            Stage::Intake => "taken in",
            Stage::Plan => "planning",
            Stage::Build => "coding",
            Stage::Review => "in review",
            Stage::Test => "in test",
            Stage::Iterate => "going round again",
            Stage::Finalize => "finished",
        }
    }
}

/// What moves a round on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Trigger {
    /// A follow-up or a confirmation opens the finished round again.
    TaskFollowupReceived,
    /// The round is a discussion: the coder proposes.
    DraftProposal,
    /// The operator confirmed, or the round began as an implementation.
    ImplementationConfirmed,
    /// The proposal goes to the reviewer.
    RoundtableReviewer,
    /// The proposal goes to the tester.
    RoundtableTester,
    /// The discussion is complete and waits for the operator.
    AwaitOperatorConfirm,
    /// The coder begins an iteration.
    StartCoder,
    /// The coder ended without a difference.
    CoderNoChange,
    /// The coder is done; the reviewer begins.
    StartReviewer,
    /// The reviewer's answer has the wrong shape after correction.
    ReviewSchemaInvalid,
    /// The reviewer asks for changes.
    ReviewChangesRequested,
    /// The reviewer approves.
    ReviewApproved,
    /// An answer of the wrong shape, or an inconclusive test, is asked for again.
    CorrectionRequested,
    /// The tester's answer has the wrong shape after correction.
    TesterSchemaInvalid,
    /// A test failed, or the work did not join with what has landed.
    TestsFailed,
    /// Every test passed and the work has landed.
    TestsPassed,
    /// A proposed command may not run, also after correction.
    TesterCommandBlocked,
    /// Nothing was tested, also after correction.
    TestsInconclusive,
    /// The budget of iterations is used up.
    MaxIterationsReached,
    /// The same command failed in the same way without a change between.
    RepeatedFailure,
    /// An agent could not be run or failed for good.
    ProviderFailed,
    /// The coordinator ended while an agent worked; the turn is given out again.
    TurnLost,
    /// The operator cancelled.
    AbortedByOperator,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::proof::{one_name, sound};
    use crate::machine::{Target, next, terminal};

    #[test]
    fn the_table_is_sound() {
        sound::<Round>(43);
        one_name::<Stage>();
        one_name::<Trigger>();
    }

    #[test]
    fn a_finished_round_can_be_continued_and_not_cancelled() {
        assert!(terminal::<Round>(S::Finalize));
        assert!(next::<Round>(S::Finalize, T::AbortedByOperator).is_err());
        assert!(next::<Round>(S::Finalize, T::TaskFollowupReceived).is_ok_and(|row| row.reopen));
    }

    #[test]
    fn every_way_into_build_is_counted() {
        for row in Round::TABLE.iter().filter(|row| row.to == Target::To(S::Build) && row.on != T::TurnLost) {
            assert_eq!((row.on, row.limit), (T::StartCoder, Some(Limit::Rounds)));
        }
    }
}
