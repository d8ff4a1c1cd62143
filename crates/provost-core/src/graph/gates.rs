//! Where a person reviews: which actions a category concerns and where its gate stands, apart because a gate in the
//! wrong place reviews what has already reached people.

use crate::vocabulary::{Effect, ReviewCategory};

/// Whether a category concerns what has this effect.
pub const fn concerns(category: ReviewCategory, effect: Effect) -> bool {
    match category {
        ReviewCategory::Security => matches!(effect, Effect::Security | Effect::Network),
        ReviewCategory::Data => matches!(effect, Effect::Data | Effect::Delete),
        ReviewCategory::Release => matches!(effect, Effect::Deploy),
        ReviewCategory::Architecture => matches!(effect, Effect::Write | Effect::Configure | Effect::Delete),
        ReviewCategory::Cost => matches!(effect, Effect::Network | Effect::Deploy),
        ReviewCategory::Compliance => matches!(effect, Effect::Security | Effect::Data | Effect::Deploy),
    }
}

/// What is looked at in a review of a category.
pub const fn criteria(category: ReviewCategory) -> &'static [&'static str] {
    match category {
        ReviewCategory::Security => &[
            "nothing that protects is weaker than before",
            "no secret is shown, stored or sent",
            "everything that comes from outside is checked where it enters",
        ],
        ReviewCategory::Data => &[
            "nothing that people keep is lost or changed unasked",
            "what is changed or deleted can be brought back",
        ],
        ReviewCategory::Release => {
            &["what is released is what was validated", "there is a way back, and somebody who would take it"]
        }
        ReviewCategory::Architecture => {
            &["the change fits how the whole is built", "no dependency is new without a reason"]
        }
        ReviewCategory::Cost => &["what it costs once and for ever is known", "the budget holds"],
        ReviewCategory::Compliance => {
            &["what law, contract and policy demand is met", "what has to be on record is on record"]
        }
    }
}

/// One element of a workflow, as far as a gate asks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// The category concerns something in it.
    pub(super) concerned: bool,
    /// The category concerns something in it that deploys.
    pub(super) deploys: bool,
    /// It is the phase that releases.
    pub(super) release: bool,
}

/// The element that a gate stands before; the number of elements means after all of them. None where the category
/// concerns nothing. A gate stands after the last that it concerns, but never after what deploys it.
pub(super) fn position(elements: impl Iterator<Item = Seen>) -> Option<usize> {
    let (mut last, mut release, mut deploys) = (None, None, None);
    for (index, seen) in elements.enumerate() {
        if seen.release && release.is_none() {
            release = Some(index);
        }
        if seen.deploys && deploys.is_none() {
            deploys = Some(index);
        }
        if seen.concerned {
            last = Some(index);
        }
    }
    let last: usize = last?;
    let release = release.filter(|at| *at < last);
    let after = last.saturating_add(1);
    Some([release, deploys].into_iter().flatten().fold(after, usize::min))
}
