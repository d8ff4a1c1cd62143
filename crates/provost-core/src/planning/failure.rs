//! Why a run ended without a plan, and what mends it. Apart because every state can end a run and all of them say it the
//! same way.

use serde::{Deserialize, Serialize};
use strum::VariantNames;

use super::Phase;
use crate::diagnostic::Diagnostic;
use crate::finding::{Consequence, FailureType, Finding};
use crate::schema::{Schema, choice, list, object, required, text};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Violation {
    /// Its code; `provost explain` has the page.
    pub code: String,
    /// What is wrong.
    pub message: String,
}

/// Why a run ended without a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What kind of end it is.
    #[serde(rename = "type")]
    pub kind: FailureType,
    /// The code of the violation that decided.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// Where the run was.
    pub failed_at_state: Phase,
    /// How it ended.
    pub final_state: Phase,
    /// What shows it; never empty.
    pub evidence_refs: Vec<String>,
    /// Everything that is wrong.
    pub violations: Vec<Violation>,
    /// What mends it.
    pub recovery: Vec<String>,
    /// Whether the same run can succeed once the submitter has mended something.
    pub retriable: bool,
}

impl Failure {
    /// The end that findings make in a state: the worst decides, all are named. None if the run goes on.
    pub fn of(findings: &[Finding], at: Phase) -> Option<Failure> {
        let ending: Vec<&Finding> =
            findings.iter().filter(|it| it.consequence != Consequence::Noted).collect();
        // Among equals the first in the order of the checks decides; which failure type is greater means nothing.
        let aborting = ending.iter().find(|it| it.consequence == Consequence::Aborted);
        let worst = aborting.or(ending.first())?;
        let aborts = worst.consequence == Consequence::Aborted;
        let mut violations: Vec<Violation> = ending.iter().map(|it| violation(it)).collect();
        violations.sort();
        violations.dedup();
        let mut recovery: Vec<String> = Vec::new();
        for line in std::iter::once(worst).chain(&ending).map(|it| &it.diagnostic.help) {
            if !recovery.contains(line) {
                recovery.push(line.clone());
            }
        }
        let shown = !worst.evidence.is_empty();
        Some(Failure {
            kind: worst.consequence.failure().unwrap_or(FailureType::ConstraintViolation),
            code: worst.diagnostic.code.name().to_owned(),
            message: worst.diagnostic.message.clone(),
            failed_at_state: at,
            final_state: if aborts { Phase::Aborted } else { Phase::Blocked },
            evidence_refs: if shown { worst.evidence.clone() } else { vec!["intent://".to_owned()] },
            violations,
            recovery,
            retriable: !aborts,
        })
    }
}

fn violation(finding: &Finding) -> Violation {
    let Diagnostic { code, message, .. } = &finding.diagnostic;
    Violation { code: code.name().to_owned(), message: message.clone() }
}

/// The shape of `failure.json`.
pub const SCHEMA: Schema = Schema {
    name: "failure_pack",
    version: "1.0.0",
    title: "Why a run ended without a plan",
    root: object(&[
        required("run_id", super::RUN_ID, "the run"),
        required("intent_id", text(1, 256), "the intent"),
        required("type", choice(<FailureType as VariantNames>::VARIANTS), "what kind of end it is"),
        required("code", text(1, 120), "the code that decided; `provost explain` has its page"),
        required("message", text(1, 4_000), "what is wrong"),
        required("failed_at_state", super::PHASE, "where the run was"),
        required("final_state", choice(&["BLOCKED", "ABORTED"]), "how it ended"),
        required("evidence_refs", list(&text(1, 1_024), 1, 1_000), "what shows it"),
        required(
            "violations",
            list(
                &object(&[
                    required("code", text(1, 120), "its code"),
                    required("message", text(1, 4_000), "what is wrong"),
                ]),
                1,
                10_000,
            ),
            "everything that is wrong",
        ),
        required("recovery", list(&text(1, 2_000), 1, 10_000), "what mends it"),
        required("retriable", crate::schema::Shape::Flag, "whether the submitter can mend it"),
    ]),
};
