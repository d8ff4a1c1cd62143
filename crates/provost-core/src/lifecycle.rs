//! The lifecycle machine: one task led by a person, phase by phase, with every way back. It is apart from delivery
//! because here a person, not a scheduler, takes each step.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use self::{Phase as S, Trigger as T};
use crate::machine::{Machine, Row, back, go, stay};

/// The lifecycle machine.
pub enum Lifecycle {}

impl Machine for Lifecycle {
    type State = S;
    type Trigger = T;

    const NAME: &'static str = "lifecycle";
    const WHAT: &'static str = "one task led by a person from planning to done";
    const START: S = S::Planning;

    #[rustfmt::skip]
    const TABLE: &'static [Row<S, T>] = &[
        go(    S::Planning,   T::Planned,              S::PlanReview),
        go(    S::Planning,   T::Waived,               S::PlanReview),
        stay(  S::Planning,   T::AttemptFailed),

        go(    S::PlanReview, T::PlanApproved,         S::Codegen),
        go(    S::PlanReview, T::Waived,               S::Codegen),
        back(  S::PlanReview, T::PlanChangesRequested, S::Planning),
        back(  S::PlanReview, T::PlanBlocked,          S::Planning),
        stay(  S::PlanReview, T::AttemptFailed),

        go(    S::Codegen,    T::CodeGenerated,        S::Review),
        go(    S::Codegen,    T::Waived,               S::Review),
        back(  S::Codegen,    T::ScopeMismatched,      S::Planning),
        back(  S::Codegen,    T::PlanUnclear,          S::PlanReview),
        stay(  S::Codegen,    T::AttemptFailed),

        go(    S::Review,     T::ReviewPassed,         S::Test),
        go(    S::Review,     T::Waived,               S::Test),
        back(  S::Review,     T::CodeChangesRequested, S::Codegen),
        back(  S::Review,     T::PlanFlawed,           S::Planning),
        stay(  S::Review,     T::AttemptFailed),

        go(    S::Test,       T::TestsPassed,          S::Accept),
        go(    S::Test,       T::Waived,               S::Accept),
        back(  S::Test,       T::TestsFailed,          S::Codegen),
        stay(  S::Test,       T::EvaluationFailed),

        stay(  S::Accept,     T::Decided),
        go(    S::Accept,     T::Accepted,             S::Done),
        stay(  S::Accept,     T::LandingFailed),
        stay(  S::Accept,     T::Deferred),
        back(  S::Accept,     T::ChangesRequired,      S::Codegen),
        back(  S::Accept,     T::ReviewUnclear,        S::Review),
        back(  S::Accept,     T::UpstreamProblemFound, S::Planning),
        go(    S::Accept,     T::RevertRequested,      S::Revert),

        go(    S::Revert,     T::Reverted,             S::Done),
        stay(  S::Revert,     T::RevertConflicted),

        // `redo` leads to the same phase or an earlier one; what is repeated is archived, never lost.
        stay(  S::Planning,   T::RedoPlanning),
        back(  S::PlanReview, T::RedoPlanning,         S::Planning),
        stay(  S::PlanReview, T::RedoPlanReview),
        back(  S::Codegen,    T::RedoPlanning,         S::Planning),
        back(  S::Codegen,    T::RedoPlanReview,       S::PlanReview),
        stay(  S::Codegen,    T::RedoCodegen),
        back(  S::Review,     T::RedoPlanning,         S::Planning),
        back(  S::Review,     T::RedoPlanReview,       S::PlanReview),
        back(  S::Review,     T::RedoCodegen,          S::Codegen),
        stay(  S::Review,     T::RedoReview),
        back(  S::Test,       T::RedoPlanning,         S::Planning),
        back(  S::Test,       T::RedoPlanReview,       S::PlanReview),
        back(  S::Test,       T::RedoCodegen,          S::Codegen),
        back(  S::Test,       T::RedoReview,           S::Review),
        stay(  S::Test,       T::RedoTest),
        back(  S::Accept,     T::RedoPlanning,         S::Planning),
        back(  S::Accept,     T::RedoPlanReview,       S::PlanReview),
        back(  S::Accept,     T::RedoCodegen,          S::Codegen),
        back(  S::Accept,     T::RedoReview,           S::Review),
        back(  S::Accept,     T::RedoTest,             S::Test),
        stay(  S::Accept,     T::RedoAccept),
        back(  S::Revert,     T::RedoPlanning,         S::Planning),
        back(  S::Revert,     T::RedoPlanReview,       S::PlanReview),
        back(  S::Revert,     T::RedoCodegen,          S::Codegen),
        back(  S::Revert,     T::RedoReview,           S::Review),
        back(  S::Revert,     T::RedoTest,             S::Test),
        back(  S::Revert,     T::RedoAccept,           S::Accept),

        back(  S::Done,       T::RevertRequested,      S::Revert).reopens(),
        back(  S::Done,       T::RedoPlanning,         S::Planning).reopens(),
        back(  S::Done,       T::RedoPlanReview,       S::PlanReview).reopens(),
        back(  S::Done,       T::RedoCodegen,          S::Codegen).reopens(),
        back(  S::Done,       T::RedoReview,           S::Review).reopens(),
        back(  S::Done,       T::RedoTest,             S::Test).reopens(),
        back(  S::Done,       T::RedoAccept,           S::Accept).reopens(),
    ];

    fn label(state: S) -> &'static str {
        state.label()
    }
}

/// Where a task that a person leads is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Phase {
    /// The plan is written.
    Planning,
    /// The plan is reviewed.
    PlanReview,
    /// Code is written.
    Codegen,
    /// The code is reviewed.
    Review,
    /// Tests and checks run.
    Test,
    /// A person decides; accepted work lands.
    Accept,
    /// Landed work is taken back.
    Revert,
    /// The task is over.
    Done,
}

impl Phase {
    /// What people read for it; the glossary prints the same.
    pub const fn label(self) -> &'static str {
        match self {
            Phase::Planning => "planning",
            Phase::PlanReview => "plan in review",
            Phase::Codegen => "coding",
            Phase::Review => "code in review",
            Phase::Test => "in test",
            Phase::Accept => "waiting for acceptance",
            Phase::Revert => "being reverted",
            Phase::Done => "done",
        }
    }
}

/// What moves such a task on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Trigger {
    /// The plan is there and no blocking question is open.
    Planned,
    /// The plan's review is in order.
    PlanApproved,
    /// The plan's review asks for changes.
    PlanChangesRequested,
    /// The plan's review blocks.
    PlanBlocked,
    /// There is a difference and all of it was planned.
    CodeGenerated,
    /// Files outside the plan were changed.
    ScopeMismatched,
    /// The plan lacks something that code needs.
    PlanUnclear,
    /// The review has no blocking finding.
    ReviewPassed,
    /// The review found something in the code.
    CodeChangesRequested,
    /// The review found something in the plan.
    PlanFlawed,
    /// Tests ran and passed.
    TestsPassed,
    /// A test, lint or analysis failed.
    TestsFailed,
    /// Tests could not be run or said nothing.
    EvaluationFailed,
    /// A person let the phase's guard go, with a reason.
    Waived,
    /// The phase's agent failed, was lost or gave nothing usable.
    AttemptFailed,
    /// A person accepted; the work is to land.
    Decided,
    /// The accepted work has landed.
    Accepted,
    /// The accepted work did not join with what has landed.
    LandingFailed,
    /// A person put the decision off.
    Deferred,
    /// A person asks for further changes.
    ChangesRequired,
    /// A person wants another review.
    ReviewUnclear,
    /// A person found the cause in the plan.
    UpstreamProblemFound,
    /// A person asks to take the work back, or a regression was found.
    RevertRequested,
    /// The work cannot be taken back cleanly; a person is asked.
    RevertConflicted,
    /// The work was taken back, or had never landed.
    Reverted,
    /// A person repeats planning.
    RedoPlanning,
    /// A person repeats the review of the plan.
    RedoPlanReview,
    /// A person repeats the writing of code.
    RedoCodegen,
    /// A person repeats the review of the code.
    RedoReview,
    /// A person repeats the tests.
    RedoTest,
    /// A person repeats the decision.
    RedoAccept,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::proof::{one_name, sound};
    use crate::machine::{Direction, Source, Target, leaving, next, terminal};

    #[test]
    fn the_table_is_sound() {
        sound::<Lifecycle>(66);
        one_name::<Phase>();
        one_name::<Trigger>();
    }

    #[test]
    fn no_row_skips_a_phase() {
        for row in Lifecycle::TABLE.iter().filter(|row| row.direction == Direction::Forward) {
            let (Source::At(from), Target::To(to)) = (row.from, row.to) else { panic!("{row:?}") };
            let at = |phase| S::VARIANTS.iter().position(|&it| it == phase).unwrap();
            let to_the_end = to == S::Done && from == S::Accept;
            assert!(to_the_end || at(to) == at(from) + 1, "{row:?}");
        }
    }

    #[test]
    fn what_a_person_decides_is_never_waived() {
        for phase in [S::Accept, S::Revert, S::Done] {
            assert!(next::<Lifecycle>(phase, T::Waived).is_err());
        }
    }

    #[test]
    fn only_what_reopens_leaves_done() {
        assert!(terminal::<Lifecycle>(S::Done));
        assert_eq!(leaving::<Lifecycle>(S::Done).count(), 7);
    }
}
