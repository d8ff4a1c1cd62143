//! What is wrong with a plan so far, apart because it is capped: a hostile plan must not make a report larger than
//! itself.

use crate::diagnostic::{Code, Diagnostic, Place, Severity, Span};
use crate::document::{LineColumn, LineIndex, Unreadable};

use super::{Plan, PlanRead};

/// How many errors, and how many warnings, are described; the others are counted.
const KEPT_MAX: usize = 1_000;

/// Collects errors and warnings with their places.
pub(super) struct Findings<'n> {
    name: &'n str,
    lines: LineIndex,
    errors: Kept,
    warnings: Kept,
}

#[derive(Default)]
struct Kept {
    listed: Vec<Diagnostic>,
    omitted: usize,
}

impl<'n> Findings<'n> {
    pub(super) fn new(name: &'n str, lines: LineIndex) -> Self {
        Self { name, lines, errors: Kept::default(), warnings: Kept::default() }
    }

    /// Reports an error.
    pub(super) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(span, Diagnostic::error(code, message));
    }

    /// Reports a warning.
    pub(super) fn warn(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(span, Diagnostic::warning(code, message));
    }

    /// Reports an error or a warning.
    pub(super) fn report(&mut self, span: Span, finding: Diagnostic) {
        let kept = match finding.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if kept.listed.len() >= KEPT_MAX {
            kept.omitted += 1;
            return;
        }
        let LineColumn { line, column } = self.lines.start(span);
        kept.listed.push(finding.at(Place { file: self.name.to_owned(), line, column, span: Some(span) }));
    }

    /// Tells whether further errors are only counted, so that their messages need no care.
    pub(super) fn is_full(&self) -> bool {
        self.errors.listed.len() >= KEPT_MAX
    }

    /// The line of a byte, for messages that name another place.
    pub(super) fn line(&self, span: Span) -> u32 {
        self.lines.start(span).line
    }

    /// The plan if nothing is wrong with it.
    pub(super) fn close(self, plan: Plan) -> Result<PlanRead, Unreadable> {
        let Self { mut errors, mut warnings, .. } = self;
        if errors.listed.is_empty() {
            in_order(&mut warnings.listed);
            return Ok(PlanRead { plan, warnings: warnings.listed, omitted: warnings.omitted });
        }
        errors.listed.append(&mut warnings.listed);
        in_order(&mut errors.listed);
        Err(Unreadable { defects: errors.listed, omitted: errors.omitted + warnings.omitted })
    }

    /// What was found so far, where nothing more can be looked for.
    pub(super) fn refused(self) -> Unreadable {
        Unreadable { defects: self.errors.listed, omitted: self.errors.omitted }
    }
}

fn in_order(findings: &mut [Diagnostic]) {
    let key = |finding: &Diagnostic| {
        let span = finding.place.as_ref().and_then(|place| place.span).unwrap_or_default();
        (span, finding.code.name())
    };
    findings.sort_by_key(key);
}
