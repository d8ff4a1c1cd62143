//! The one adjudicator: rules that people write, read, checked, compiled and asked about what is planned.
//!
//! Apart from intents and registries: whoever plans binds the facts of a [`Subject`], and whoever asked for the plan
//! sees what the [`Judgement`] means for it. `docs/rules.md` says how a rule is written.

mod bits;
mod book;
mod clauses;
mod evidence;
mod explain;
mod facts;
mod judge;
mod judgement;
mod language;
mod predicate;
mod ranges;
mod reading;
mod rule;
mod set;
mod subject;
mod succession;
mod words;

use crate::diagnostic::{Diagnostic, Severity as Weight};
use crate::document::Document;

pub use book::{AtomId, RuleBook};
pub use evidence::Evidence;
pub use explain::{Explained, Line, Verdict};
pub use judgement::{Fired, Held, Judgement, Outcome, Undecided, Unmet};
pub use language::{Comparison, Condition, DEPTH_MAX, NODES_MAX, Node, Operator, RAW, Real, Scalar};
pub use predicate::{Predicate, Predicates, Tri};
pub use ranges::{NotRanges, Ranges};
pub use reading::status;
pub use rule::{ContentKind, Rule, Scope, Severity, Then};
pub use set::{Set, Word};
pub use subject::{Documents, Fields, Subject, SubjectKind, lookup};
pub use succession::Superseded;

/// Rules that a machine can decide, and what somebody should know about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulesRead {
    /// The rules that stand, in the order of their ids.
    pub rules: Vec<Rule>,
    /// Those that others stand in for.
    pub superseded: Vec<Superseded>,
    /// The warnings, by file and place.
    pub warnings: Vec<Diagnostic>,
}

/// Reads all rules, or says everything that is wrong with any of them; warnings stand among the errors then. The
/// caller leaves out documents whose [`status`] is not a loaded one.
pub fn read<'d>(documents: impl IntoIterator<Item = &'d Document>) -> Result<RulesRead, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let rules = documents.into_iter().filter_map(|document| reading::rule(document, &mut found)).collect();
    let (rules, superseded) = succession::settle(rules, &mut found);
    found.sort_by(|one, other| (&one.place, one.code.name()).cmp(&(&other.place, other.code.name())));
    if found.iter().any(|it| it.severity == Weight::Error) {
        return Err(found);
    }
    Ok(RulesRead { rules, superseded, warnings: found })
}
