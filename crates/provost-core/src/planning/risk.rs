//! How much is at stake in all, never less than declared. Apart because rules, questions, the review and delivery all ask
//! for it and must get one answer.

use serde::Serialize;
use strum::VariantNames;

use super::action::Action;
use crate::intent::Intent;
use crate::schema::{Schema, Shape, choice, integer, list, object, required, text};
use crate::vocabulary::{Decision, Effect, Risk};

/// How much is at stake, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Assessment {
    /// In all.
    pub overall: Risk,
    /// As the intent declares.
    pub declared: Risk,
    /// What makes it so; each cites something.
    pub factors: Vec<Factor>,
    /// Four views of it, 0 to 100, that explain and decide nothing.
    pub dimensions: Dimensions,
}

/// Something that raises the risk to a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Factor {
    /// To which level.
    pub level: Risk,
    /// Why.
    pub reason: String,
    /// What it rests on; never empty.
    pub cites: Vec<String>,
}

/// Four views of what is at stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Dimensions {
    /// By what is done.
    pub effects: u8,
    /// By where and how broadly.
    pub scope: u8,
    /// By how much is touched.
    pub blast_radius: u8,
    /// By how little is shown.
    pub unknowns: u8,
}

/// The least that is at stake for what a command does, whatever anybody declares.
pub fn floor(effects: &[Effect]) -> Risk {
    let secures = effects.contains(&Effect::Security) && effects.iter().any(|effect| effect.writes());
    let heavy = effects.iter().any(|effect| matches!(effect, Effect::Deploy | Effect::Data | Effect::Delete));
    if secures || heavy { Risk::Medium } else { Risk::Low }
}

/// Puts declared risk, commands and verdicts together; `decisions` has one for each command.
pub fn assess(intent: &Intent, actions: &[Action<'_>], decisions: &[Decision]) -> Assessment {
    let declared = intent.risk.overall;
    let drivers = intent.risk.drivers.join("; ");
    let mut factors = vec![Factor {
        level: declared,
        reason: format!("declared: {drivers}"),
        cites: vec!["intent://risk".to_owned()],
    }];
    for (action, decision) in actions.iter().zip(decisions) {
        let id = &action.planned.command_id;
        let cites = || vec![format!("intent://planned_commands/{}", action.index), action.content_ref()];
        if action.risk > declared {
            let reason = format!("`{id}` is {}", action.risk);
            factors.push(Factor { level: action.risk, reason, cites: cites() });
        }
        if *decision == Decision::RequireReview && action.risk >= Risk::High {
            let reason = format!("`{id}` is {} and a rule wants it reviewed", action.risk);
            factors.push(Factor { level: Risk::High, reason, cites: cites() });
        }
        if *decision == Decision::Deny {
            let reason = format!("`{id}` is denied by a rule");
            factors.push(Factor { level: Risk::Critical, reason, cites: cites() });
        }
    }
    let overall = factors.iter().map(|factor| factor.level).max().unwrap_or(declared);
    Assessment { overall, declared, factors, dimensions: dimensions(intent, actions) }
}

impl Assessment {
    /// The same, never below what was found before: an answer does not lower what is at stake.
    #[must_use]
    pub fn at_least(mut self, before: Risk, shown_by: &str) -> Assessment {
        if self.overall < before {
            let reason = "it was so before answers left something out".to_owned();
            self.factors.push(Factor { level: before, reason, cites: vec![shown_by.to_owned()] });
            self.overall = before;
        }
        self
    }

    /// What is said to be at stake and rests on nothing.
    pub fn unjustified(&self) -> Option<String> {
        if let Some(factor) = self.factors.iter().find(|factor| factor.cites.is_empty()) {
            return Some(format!("nothing is cited for the risk: {}", factor.reason));
        }
        let reached = self.factors.iter().any(|factor| factor.level >= self.overall);
        (!reached).then(|| format!("nothing says why the risk is {}", self.overall))
    }
}

fn dimensions(intent: &Intent, actions: &[Action<'_>]) -> Dimensions {
    let effects = actions.iter().flat_map(|action| &action.effects);
    let files = intent.scope.targets.files.len();
    let deploys = actions.iter().any(|action| action.effects.contains(&Effect::Deploy));
    // Where work is deployed it reaches the people who use it; everything else stays in a worktree.
    let place: u16 = if deploys { 100 } else { 10 };
    let (halves, radius) = match files {
        0..=5 => (1, 10),
        6..=20 => (2, 30),
        21..=50 => (3, 60),
        _ => (4, 90),
    };
    let evidence = intent.evidence_refs.len()
        + intent.planned_commands.iter().map(|command| command.evidence_refs.len()).sum::<usize>();
    Dimensions {
        effects: effects.map(|effect| weight(*effect)).max().unwrap_or(0),
        scope: u8::try_from((place * halves / 2).min(100)).unwrap_or(100),
        blast_radius: radius,
        unknowns: match evidence {
            0..=5 => 90,
            6..=10 => 60,
            11..=20 => 30,
            _ => 10,
        },
    }
}

/// How heavy an effect is among others.
const fn weight(effect: Effect) -> u8 {
    match effect {
        Effect::Read => 0,
        Effect::Write => 30,
        Effect::Network => 40,
        Effect::Configure => 50,
        Effect::Deploy => 70,
        Effect::Data => 80,
        Effect::Delete => 85,
        Effect::Security => 90,
    }
}

/// A level of risk.
pub(super) const LEVEL: Shape = choice(<Risk as VariantNames>::VARIANTS);

/// The shape of an assessment inside other documents.
pub(super) const ASSESSMENT: Shape = object(&[
    required("overall", LEVEL, "in all"),
    required("declared", LEVEL, "as the intent declares"),
    required(
        "factors",
        list(
            &object(&[
                required("level", LEVEL, "to which level it raises the risk"),
                required("reason", text(1, 8_000), "why"),
                required("cites", list(&text(1, 1_024), 1, 100), "what it rests on"),
            ]),
            1,
            500,
        ),
        "what makes it so",
    ),
    required(
        "dimensions",
        object(&[
            required("effects", integer(0, 100), "by what is done"),
            required("scope", integer(0, 100), "by where and how broadly"),
            required("blast_radius", integer(0, 100), "by how much is touched"),
            required("unknowns", integer(0, 100), "by how little is shown"),
        ]),
        "four views that explain and decide nothing",
    ),
]);

/// The shape of `risk.json`.
pub const SCHEMA: Schema = Schema {
    name: "risk_assessment",
    version: "1.0.0",
    title: "How much is at stake",
    root: object(&[
        required("run_id", super::RUN_ID, "the run"),
        required("intent_id", text(1, 256), "the intent"),
        required("assessment", ASSESSMENT, "how much, and why"),
    ]),
};

#[cfg(test)]
mod tests {
    use super::*;

    fn assessment(overall: Risk, cites: &[&str]) -> Assessment {
        Assessment {
            overall,
            declared: Risk::Low,
            factors: vec![Factor {
                level: Risk::Low,
                reason: "declared: little".to_owned(),
                cites: cites.iter().map(|&it| it.to_owned()).collect(),
            }],
            dimensions: Dimensions { effects: 0, scope: 0, blast_radius: 0, unknowns: 0 },
        }
    }

    #[test]
    fn a_risk_rests_on_something_that_is_cited() {
        assert_eq!(assessment(Risk::Low, &["intent://risk"]).unjustified(), None);
        assert!(assessment(Risk::Low, &[]).unjustified().is_some());
        assert!(assessment(Risk::High, &["intent://risk"]).unjustified().is_some());
        let kept = assessment(Risk::Low, &["intent://risk"]).at_least(Risk::High, "run://risk.json");
        assert_eq!((kept.overall, kept.unjustified()), (Risk::High, None));
        let same = assessment(Risk::Low, &["intent://risk"]).at_least(Risk::Low, "run://risk.json");
        assert_eq!(same, assessment(Risk::Low, &["intent://risk"]));
    }
}
