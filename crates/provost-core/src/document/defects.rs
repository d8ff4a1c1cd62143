//! The defects found so far, apart because they are capped: a hostile document must not make a report larger than
//! itself.

use super::{Limits, LineIndex, Unreadable, place};
use crate::diagnostic::{Code, Diagnostic, Span};

/// A defect before its place is worked out.
pub(super) struct Defect {
    code: Code,
    span: Span,
    message: String,
}

/// Collects defects up to a limit and counts the rest.
pub(super) struct Defects {
    kept: Vec<Defect>,
    kept_max: usize,
    omitted: usize,
}

impl Defects {
    pub(super) fn new(limits: &Limits) -> Self {
        // At least one, so that a refusal always says something.
        Self { kept: Vec::new(), kept_max: limits.defects_max.max(1), omitted: 0 }
    }

    /// Reports a defect; the message is only made when it is kept.
    pub(super) fn report(&mut self, code: Code, span: Span, message: impl FnOnce() -> String) {
        if self.kept.len() < self.kept_max {
            self.kept.push(Defect { code, span, message: message() });
        } else {
            self.omitted += 1;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Works out all places.
    pub(super) fn into_unreadable(mut self, name: &str, lines: &LineIndex) -> Unreadable {
        self.kept.sort_by_key(|defect| (defect.span, defect.code.name()));
        let diagnostic = |defect: Defect| {
            Diagnostic::error(defect.code, defect.message).at(place(name, lines, defect.span))
        };
        Unreadable { defects: self.kept.into_iter().map(diagnostic).collect(), omitted: self.omitted }
    }
}
