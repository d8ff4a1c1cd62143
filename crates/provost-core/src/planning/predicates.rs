//! The named facts that rules ask for, bound to what is known of a plan. Apart because each line is a decision about what
//! a word of the rules means, and rules know only the words.

use super::action::Action;
use super::facts::FactPack;
use super::policy::Effective;
use super::reference::{Reference, Resolution, Scheme};
use super::routing::Routing;
use crate::intent::{Intent, LockMode};
use crate::registry::Item;
use crate::rules::{Predicate as P, Predicates, Tri};
use crate::vocabulary::{Mode, Risk};

/// What the facts are drawn from.
pub struct Ground<'g> {
    /// The intent.
    pub intent: &'g Intent,
    /// The limits in force.
    pub policy: &'g Effective,
    /// What is known of the project.
    pub facts: &'g FactPack,
    /// Which models were chosen.
    pub routing: &'g Routing,
    /// How a reference resolves.
    pub resolve: &'g dyn Fn(&str) -> Resolution,
    /// All planned commands.
    pub actions: &'g [Action<'g>],
    /// Whether somebody said how the change is undone.
    pub rollback_answered: bool,
}

impl Ground<'_> {
    /// What is known of a planned command.
    pub fn of_command(&self, action: &Action<'_>) -> Predicates {
        let mut known = self.of_run(action.risk);
        let writes = action.writes();
        let refs = || action.planned.evidence_refs.iter().map(String::as_str);
        self.set_references(&mut known, action.content, refs(), writes);
        known.set(P::EffectKindIsWrite, writes);
        known.set(P::DecisionIsKey, action.risk >= Risk::Medium || writes);
        known.set(P::EvidenceRefsMissing, action.planned.evidence_refs.is_empty());
        known.set(P::TargetsFiles, writes && !self.intent.scope.targets.files.is_empty());
        known.set(P::InferenceNotCloud, self.local_inference(writes));
        let own_input = action.command.inputs.iter().any(|input| input.name == "rollback_plan");
        known.set(P::RollbackPlanMissing, writes && !own_input && !self.can_go_back());
        known
    }

    /// What is known of a selected workflow and the commands placed in it.
    pub fn of_workflow(&self, item: &Item, placed: &[&Action<'_>], risk: Risk) -> Predicates {
        let mut known = self.of_run(risk);
        let writes = placed.iter().any(|action| action.writes());
        let refs = || placed.iter().flat_map(|action| &action.planned.evidence_refs).map(String::as_str);
        self.set_references(&mut known, item, refs(), writes);
        known.set(P::EffectKindIsWrite, writes);
        known.set(P::DecisionIsKey, risk >= Risk::Medium || writes);
        // A workflow without commands rests on what the whole intent rests on.
        known.set(P::EvidenceRefsMissing, refs().next().is_none() && self.intent.evidence_refs.is_empty());
        known.set(P::TargetsFiles, writes && !self.intent.scope.targets.files.is_empty());
        known.set(P::InferenceNotCloud, self.local_inference(writes));
        let own_input =
            |action: &&Action<'_>| action.command.inputs.iter().any(|input| input.name == "rollback_plan");
        let covered = placed.iter().filter(|action| action.writes()).all(own_input);
        known.set(P::RollbackPlanMissing, writes && !covered && !self.can_go_back());
        known
    }

    fn of_run(&self, risk: Risk) -> Predicates {
        let mut known = Predicates::default();
        known.set(P::RiskLevelHighOrCritical, risk >= Risk::High);
        known.set(P::ModeIsFullAuto, self.policy.mode == Mode::FullAuto);
        known.set(P::QuestionBudgetNotZero, self.policy.question_budget > 0);
        // The schema of intents demands both numbers.
        known.set(P::BudgetUnlimited, false);
        known.set(P::StateNotRequiresReview, self.intent.risk.requires_review.is_empty());
        let lock = &self.intent.constraints.lock_scope;
        let missing = lock.mode == LockMode::None || (lock.mode == LockMode::Files && lock.paths.is_empty());
        known.set(P::LockScopeMissing, missing);
        known.set(P::RuleEvaluated, true);
        // The freezer refuses a run without its audit, so no evaluation is ever without one.
        known.set(P::AuditLogNotWritten, false);
        known
    }

    fn set_references<'r>(
        &self,
        known: &mut Predicates,
        item: &Item,
        refs: impl Iterator<Item = &'r str>,
        writes: bool,
    ) {
        known.set(P::LineageIncomplete, item.lineage.missing().is_some());
        // Whatever an intent names was found in the registry before rules are asked.
        known.set(P::ContentReferenceNotInRegistry, false);
        known.set(P::ContentIdFabricated, false);
        known.set(P::CommandNotInScan, false);
        let (mut path, mut fabricated) = (false, false);
        for text in refs {
            let Ok(reference) = text.parse::<Reference>() else { continue };
            match reference.scheme {
                Scheme::Scan => path |= reference.file().is_some_and(|file| self.absent(file)),
                Scheme::Registry | Scheme::Memory | Scheme::Fact => {
                    fabricated |= (self.resolve)(text) == Resolution::Unresolved;
                }
                Scheme::Doc | Scheme::Foreign(_) => {}
            }
        }
        if !writes {
            path |= self.intent.scope.targets.files.iter().any(|file| self.absent(file));
        }
        known.set(P::PathNotInFactpack, path);
        known.set(P::FabricatedReference, fabricated);
    }

    /// Whether a file, or all that a pattern means, is known not to be there; facts without a list of files know nothing of the kind.
    fn absent(&self, file: &str) -> bool {
        self.facts.has_any(file) == Some(false)
    }

    fn local_inference(&self, writes: bool) -> Tri {
        if !writes {
            return Tri::False;
        }
        self.routing.is_local().map_or(Tri::Unknown, Tri::from)
    }

    /// Whether something planned, or an answer, takes the change back.
    pub fn can_go_back(&self) -> bool {
        let back = |action: &Action<'_>| {
            let id = &action.planned.command_id;
            id.contains("rollback") || id.contains("revert")
        };
        self.rollback_answered || self.actions.iter().any(back)
    }
}
