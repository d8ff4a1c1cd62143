//! The defects found so far, apart because they are capped: a hostile document must not make a report larger than
//! itself.

use super::{Limits, LineIndex, Unreadable, place};
use crate::diagnostic::{Code, Diagnostic, Span};

/// A defect before its place is worked out.
struct Defect {
    code: Code,
    span: Span,
    message: String,
    /// What to do, where that is more exact than what the code says.
    help: Option<String>,
}

/// Collects defects up to a limit and counts the rest.
pub(crate) struct Defects {
    kept: Vec<Defect>,
    kept_max: usize,
    omitted: usize,
}

impl Defects {
    pub(crate) fn new(limits: &Limits) -> Self {
        // At least one, so that a refusal always says something.
        Self { kept: Vec::new(), kept_max: limits.defects_max.max(1), omitted: 0 }
    }

    /// None yet, under the same limit.
    pub(crate) fn empty(&self) -> Self {
        Self { kept: Vec::new(), kept_max: self.kept_max, omitted: 0 }
    }

    /// Reports a defect; the message is only made when it is kept.
    pub(crate) fn report(&mut self, code: Code, span: Span, message: impl FnOnce() -> String) {
        self.report_with_help(code, span, || (message(), None));
    }

    /// Reports a defect with a more exact line on what to do; neither is made unless it is kept.
    pub(crate) fn report_with_help(
        &mut self,
        code: Code,
        span: Span,
        said: impl FnOnce() -> (String, Option<String>),
    ) {
        if self.kept.len() < self.kept_max {
            let (message, help) = said();
            self.kept.push(Defect { code, span, message, help });
        } else {
            self.omitted += 1;
        }
    }

    /// Takes over what others have found.
    pub(crate) fn append(&mut self, mut others: Self) {
        let room = self.kept_max.saturating_sub(self.kept.len()).min(others.kept.len());
        self.omitted += others.omitted + (others.kept.len() - room);
        others.kept.truncate(room);
        self.kept.append(&mut others.kept);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Works out all places.
    pub(crate) fn into_unreadable(mut self, name: &str, lines: &LineIndex) -> Unreadable {
        self.kept.sort_by_key(|defect| (defect.span, defect.code.name()));
        let diagnostic = |defect: Defect| {
            let said = Diagnostic::error(defect.code, defect.message).at(place(name, lines, defect.span));
            match defect.help {
                Some(help) => said.with_help(help),
                None => said,
            }
        };
        Unreadable { defects: self.kept.into_iter().map(diagnostic).collect(), omitted: self.omitted }
    }
}
