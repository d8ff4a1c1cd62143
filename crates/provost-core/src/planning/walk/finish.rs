//! From `GRAPH_FINALIZED` to `FROZEN_OUTPUTS`: answers become part of the graph, the review is put together, and what is
//! frozen is seen to be what was made.

use std::collections::BTreeSet;

use serde::Serialize;
use strum::VariantArray as _;

use super::{Verdict, Walk};
use crate::canonical::checksum;
use crate::diagnostic::{self, Diagnostic};
use crate::digest::Digest;
use crate::finding::{FailureType, Finding};
use crate::graph::{self, NodeKind, RegistryVersion};
use crate::intent::Intent;
use crate::planning::policy::Effective;
use crate::planning::reference::{Reference, Resolution};
use crate::planning::review::{self, Material, ReviewPack};
use crate::planning::shelf::Unfit;
use crate::planning::tape::{ChoiceInputs, ChoiceType, Decided, Guard};
use crate::planning::{Trigger, risk};
use crate::registry::{self, Item, Kind};

impl<'w> Walk<'w> {
    pub(super) fn finalize_graph(&mut self) -> Result<Verdict, Unfit> {
        let Some((intent, effective)) = self.bound() else { return Ok(super::unbound()) };
        let settled: Vec<String> =
            self.pack.iter().flat_map(|pack| &pack.questions).map(|it| it.question_id.clone()).collect();
        if self.answered.withdrawn {
            return Ok(incomplete("the plan was withdrawn by an answer", "intent://planned_commands"));
        }
        if !settled.is_empty() {
            self.judge_answers(intent);
        }
        if !self.actions.is_empty() && self.planned().is_empty() {
            return Ok(incomplete("every command was left out by an answer", "intent://planned_commands"));
        }
        // Answers may have changed decisions, so the draft is made once more before its questions are taken out.
        let names: BTreeSet<&str> = settled.iter().map(String::as_str).collect();
        let last = self
            .graph_of(intent, &effective)
            .map_err(|it| Unfit { file: "graph.json".to_owned(), why: it.diagnostic.message })?;
        let done = match graph::finalize(&last, &names) {
            Ok(done) => done,
            Err(unfinished) => return Ok(incomplete(&unfinished.to_string(), "run://graph.json")),
        };
        let defects = graph::defects(&done);
        let placeholders = done.nodes.iter().filter(|node| node.node_type == NodeKind::Question).count();
        let guards = vec![
            Guard::new(
                "graph_complete",
                defects.is_empty(),
                defects.first().map_or_else(|| "proven".to_owned(), ToString::to_string),
            ),
            Guard::new(
                "no_placeholders",
                placeholders == 0,
                format!("{placeholders} questions are left in it"),
            ),
        ];
        self.shelf.put(
            "graph.json",
            &graph::SCHEMA,
            &done,
            &[&format!("graph.draft.{}.json", self.revision)],
        )?;
        self.graph = Some(done);
        if defects.is_empty() && placeholders == 0 {
            return Ok(Verdict::new(Trigger::GraphCompleted, guards));
        }
        let mut verdict = incomplete("the graph is not complete", "run://graph.json");
        verdict.guards = guards;
        Ok(verdict)
    }

    /// Says how answers changed decisions and risk.
    fn judge_answers(&mut self, intent: &Intent) {
        let before = self.risk.as_ref().map(|it| it.overall);
        let assessment = risk::assess(intent, &self.planned(), &self.decisions());
        self.tape.decide(Decided {
            about: ChoiceType::RiskAssessment,
            rationale: "answers are part of the plan now".to_owned(),
            outcome: format!(
                "{} before, {} after",
                before.map_or_else(String::new, |it| it.to_string()),
                assessment.overall
            ),
            inputs: ChoiceInputs {
                evidence_refs: vec![format!("run://answers.{}.json", self.round)],
                rule_refs: Vec::new(),
            },
            alternatives: Vec::new(),
        });
        let after = before.map(|before| assessment.clone().at_least(before, "run://risk.json"));
        self.risk = Some(after.unwrap_or(assessment));
    }

    pub(super) fn build_review(&mut self) -> Result<Verdict, Unfit> {
        let Some((intent, effective)) = self.bound() else { return Ok(super::unbound()) };
        let Some((graph, assessment)) = self.graph.as_ref().zip(self.risk.as_ref()) else {
            return Ok(super::unbound());
        };
        let pack = review::build(Material {
            intent,
            actions: &self.planned(),
            decisions: &self.decisions(),
            workflows: &self.judged.workflows.iter().map(|it| it.decision).collect::<Vec<_>>(),
            graph,
            risk: assessment,
            policy: &effective,
            warnings: self.warnings.clone(),
            rollback: self.answered.rollback.as_deref(),
        });
        let over = review::over_budget(intent, &pack.change_impact, &effective);
        let wanted = intent.risk.requires_review.iter().chain(&self.answered.categories);
        let uncovered =
            review::uncovered(&wanted.copied().collect(), &pack.rule_decisions, &pack.review_gates);
        let unjustified = assessment.unjustified();
        let paper = Reviewed { run_id: &self.run_id, intent_id: &intent.id, pack: &pack };
        self.shelf.put(
            "review.json",
            &review::SCHEMA,
            &paper,
            &["graph.json", &self.numbered("risk"), &self.numbered("decisions")],
        )?;
        let guards = vec![
            Guard::new(
                "requires_review_satisfied",
                uncovered.is_none(),
                uncovered.clone().unwrap_or_else(|| "every review has its gate".to_owned()),
            ),
            Guard::new(
                "budgets_hold",
                over.is_empty(),
                format!(
                    "{} files, {} commits",
                    pack.change_impact.estimated_files, pack.change_impact.estimated_commits
                ),
            ),
            Guard::new(
                "risk_justified",
                unjustified.is_none(),
                unjustified.clone().unwrap_or_else(|| {
                    format!("{} factors, each with what it rests on", pack.risk_assessment.factors.len())
                }),
            ),
        ];
        if !over.is_empty() {
            return Ok(Verdict::ended(Trigger::BudgetViolated, guards, over));
        }
        if let Some(message) = uncovered.or(unjustified) {
            let diagnostic = Diagnostic::error(diagnostic::REVIEW_UNCOVERED, message);
            let finding = Finding::blocked(diagnostic, FailureType::ConstraintViolation)
                .shown_by(["intent://risk/requires_review".to_owned()]);
            return Ok(Verdict::ended(Trigger::ReviewUncovered, guards, vec![finding]));
        }
        Ok(Verdict::new(Trigger::ReviewPackReady, guards))
    }

    pub(super) fn freeze(&self) -> Verdict {
        let hold = self.shelf.since(0).iter().all(|paper| Digest::of(&paper.bytes) == paper.checksum);
        let dangling = self.dangling();
        let guards = vec![
            Guard::new("checksums_valid", hold, "every document was hashed again"),
            Guard::new(
                "lineage_complete",
                dangling.is_none(),
                dangling.clone().unwrap_or_else(|| "every id is in the snapshot".to_owned()),
            ),
            Guard::new("schemas_satisfied", true, "every document was checked when it was made"),
        ];
        if hold && dangling.is_none() {
            return Verdict::new(Trigger::OutputsFrozen, guards);
        }
        let message =
            dangling.unwrap_or_else(|| "a document changed between making and freezing it".to_owned());
        let diagnostic = Diagnostic::error(diagnostic::FREEZE_FAILED, message);
        let finding = Finding::blocked(diagnostic, FailureType::ConstraintViolation)
            .shown_by(["run://manifest.json".to_owned()]);
        Verdict::ended(Trigger::FreezeFailed, guards, vec![finding])
    }

    /// A reference of the graph to registry content that the snapshot does not have.
    fn dangling(&self) -> Option<String> {
        let nodes = self.graph.iter().flat_map(|graph| &graph.nodes);
        let mut references = nodes.flat_map(|node| node.evidence_refs.iter().flatten());
        let lost = references.find(|reference| {
            reference.starts_with("registry:") && self.follow(reference) != Resolution::Resolved
        })?;
        Some(format!("`{lost}` is in the plan and names nothing in the registry"))
    }

    /// The registry content that the run rests on: what the intent names, also as evidence, every rule in force, and the
    /// models that were chosen from.
    pub(super) fn registry_versions(&self) -> Vec<RegistryVersion> {
        let rules = self.inputs.registry.usable(Kind::Rule);
        let models = self.routing.iter().flat_map(|_| self.inputs.registry.usable(Kind::Model));
        let named = self.used().into_iter().chain(self.cited()).chain(rules).chain(models);
        let mut all: Vec<RegistryVersion> = named.map(super::precheck::version_of).collect();
        all.sort();
        all.dedup();
        all
    }

    /// The registry content that the intent names as evidence.
    fn cited(&self) -> impl Iterator<Item = &Item> {
        let references = self.examined.intent.iter().flat_map(super::context::references_of);
        let parsed = references.filter_map(|text| text.parse::<Reference>().ok());
        parsed.filter_map(|reference| {
            let (folder, id) = reference.registered()?;
            let mut kinds =
                Kind::VARIANTS.iter().filter(|kind| folder.is_none_or(|folder| folder == kind.folder()));
            kinds.find_map(|kind| {
                let found = self.inputs.registry.resolve(*kind, id, reference.version.as_deref());
                if let registry::Resolution::Usable(item) = found { Some(item) } else { None }
            })
        })
    }

    pub(super) fn intent_digest(&self) -> Digest {
        Digest::of(&checksum::spelled(&self.inputs.intent.root))
    }

    /// The intent and the limits in force; both are there once the intent has passed.
    pub(super) fn bound(&self) -> Option<(&'w Intent, Effective)> {
        Some((self.examined.intent.as_ref()?, self.effective.clone()?))
    }
}

#[derive(Serialize)]
struct Reviewed<'a> {
    run_id: &'a str,
    intent_id: &'a str,
    #[serde(flatten)]
    pack: &'a ReviewPack,
}

fn incomplete(message: &str, evidence: &str) -> Verdict {
    let diagnostic = Diagnostic::error(diagnostic::GRAPH_INCOMPLETE, message);
    let finding =
        Finding::blocked(diagnostic, FailureType::ConstraintViolation).shown_by([evidence.to_owned()]);
    let guard = Guard::new("graph_complete", false, message);
    Verdict::ended(Trigger::GraphIncomplete, vec![guard], vec![finding])
}
