//! What is wrong with something that was handed in for planning, and what becomes of the run because of it; apart
//! because intents, policies, references and answers are judged in different places and all end in one list.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use crate::diagnostic::Diagnostic;

/// One thing that was found, and what it means for the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What is wrong, where, and what to do.
    pub diagnostic: Diagnostic,
    /// The red line that it crosses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub red_line: Option<RedLine>,
    /// What becomes of the run.
    pub consequence: Consequence,
    /// What shows it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}

/// What becomes of a run; the greatest of several decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consequence {
    /// It goes on, and this is said.
    Noted,
    /// It ends, and whoever submitted it can mend that.
    Blocked(FailureType),
    /// It ends at a red line.
    Aborted,
}

/// Why a run ended without a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum FailureType {
    /// A document, a bound or a budget does not hold.
    ConstraintViolation,
    /// Something is named that the registry does not have.
    MissingRegistry,
    /// A rule said no.
    RuleDenied,
    /// What is asked for is more than the policy, or the mode, permits.
    PolicyViolation,
    /// A red line was crossed.
    RedLineViolation,
}

/// What no intent may do, whatever rules and policies say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
pub enum RedLine {
    /// Carry something to be run.
    I1,
    /// Run by itself and ask questions.
    I2,
    /// Run by itself while the risk is high.
    I3,
    /// Plan an action without evidence.
    I4,
    /// Name what is not registered, or permit it.
    I5,
}

impl Finding {
    /// Something that the submitter can mend.
    pub const fn blocked(diagnostic: Diagnostic, failure: FailureType) -> Self {
        Self { diagnostic, red_line: None, consequence: Consequence::Blocked(failure), evidence: Vec::new() }
    }

    /// Something that nobody may mend by editing data.
    pub const fn aborted(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, red_line: None, consequence: Consequence::Aborted, evidence: Vec::new() }
    }

    /// The same, shown by references.
    #[must_use]
    pub fn shown_by(mut self, evidence: impl IntoIterator<Item = String>) -> Self {
        self.evidence.extend(evidence);
        self
    }

    /// Something that somebody should know.
    pub const fn noted(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, red_line: None, consequence: Consequence::Noted, evidence: Vec::new() }
    }

    /// A red line that was crossed, with what is decided for it.
    pub const fn crossed(line: RedLine, diagnostic: Diagnostic) -> Self {
        Self { diagnostic, red_line: Some(line), consequence: line.consequence(), evidence: Vec::new() }
    }
}

impl Consequence {
    /// Why a run with this consequence ended; none where it goes on.
    pub const fn failure(self) -> Option<FailureType> {
        match self {
            Self::Noted => None,
            Self::Blocked(failure) => Some(failure),
            Self::Aborted => Some(FailureType::RedLineViolation),
        }
    }
}

impl RedLine {
    /// What becomes of a run that crosses it by what its intent says.
    ///
    /// Only something to be run is beyond mending. An id that is not registered is found later and blocks as
    /// [`FailureType::MissingRegistry`].
    pub const fn consequence(self) -> Consequence {
        match self {
            Self::I1 => Consequence::Aborted,
            Self::I2 | Self::I3 => Consequence::Blocked(FailureType::PolicyViolation),
            Self::I4 | Self::I5 => Consequence::Blocked(FailureType::ConstraintViolation),
        }
    }
}

/// What becomes of a run with these findings: the worst decides.
pub fn worst(findings: &[Finding]) -> Consequence {
    findings.iter().map(|finding| finding.consequence).max().unwrap_or(Consequence::Noted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::DOCUMENT_SYNTAX;

    #[test]
    fn the_worst_decides() {
        let diagnostic = || Diagnostic::error(DOCUMENT_SYNTAX, "x");
        let noted = Finding::noted(diagnostic());
        let blocked = Finding::crossed(RedLine::I2, diagnostic());
        let aborted = Finding::crossed(RedLine::I1, diagnostic());
        assert_eq!(worst(&[]), Consequence::Noted);
        assert_eq!(worst(&[blocked.clone(), noted.clone()]), blocked.consequence);
        assert_eq!(worst(&[aborted, blocked, noted]).failure(), Some(FailureType::RedLineViolation));
    }
}
