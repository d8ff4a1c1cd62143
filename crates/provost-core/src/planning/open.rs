//! What a draft leaves open, found by a closed list of detectors, each with its question, its evidence and what happens
//! if nobody answers. Apart from asking: whether an open place is asked about is a matter of policy, not of the place.

use strum::VariantArray as _;

use super::action::Action;
use super::answered::Answered;
use super::answers::Answer;
use super::questions_pack::{
    BlockingLevel, DefaultKind, DefaultStrategy, ImpactScope, QuestionType, RiskChange, SuggestedAnswer,
};
use super::reference::Resolution;
use crate::intent::{Intent, LockMode};
use crate::plan::pattern;
use crate::vocabulary::{Decision, ReviewCategory};

/// What an open place is about; its answer is read accordingly.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Matter {
    /// Nothing is planned to be done.
    NoCommands,
    /// A writing command rests on something that is not there.
    Evidence {
        /// The command.
        command: usize,
        /// The reference.
        reference: String,
    },
    /// Something would be written that the intent does not lock.
    OutsideLock {
        /// The path.
        path: String,
    },
    /// Something is at stake and nothing says how to go back.
    Rollback,
    /// A rule wants a review and the intent names no category.
    ReviewCategory,
}

/// An open place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// What it is about.
    pub matter: Matter,
    /// The kind of question.
    pub kind: QuestionType,
    /// How much hangs on it.
    pub level: BlockingLevel,
    /// How much of the plan hangs on it.
    pub scope: ImpactScope,
    /// The command that waits for it.
    pub about: Option<usize>,
    /// The question.
    pub text: String,
    /// What one has to know to answer it.
    pub context: String,
    /// What shows it.
    pub evidence: Vec<String>,
    /// What happens if nobody answers.
    pub default: DefaultStrategy,
    /// Answers that would do.
    pub suggested: Vec<SuggestedAnswer>,
}

impl Open {
    /// Whether an answer says anything about it: a way back is told in anybody's words, everything else is chosen.
    pub fn takes(&self, answer: &Answer) -> bool {
        let chosen = |it: &SuggestedAnswer| it.answer_text == answer.answer_text;
        let named = answer.answer_data.as_ref().is_some_and(|data| data.review_categories.is_some());
        match self.matter {
            Matter::Rollback => true,
            Matter::ReviewCategory if named => true,
            _ => self.suggested.iter().any(chosen),
        }
    }
}

/// What the detectors look at.
pub struct Scene<'s> {
    /// The intent.
    pub intent: &'s Intent,
    /// Its commands.
    pub actions: &'s [Action<'s>],
    /// What rules say of each.
    pub decisions: &'s [Decision],
    /// Whether rules want a workflow as a whole to be reviewed.
    pub workflow_reviewed: bool,
    /// How a reference resolves.
    pub resolve: &'s dyn Fn(&str) -> Resolution,
    /// Whether a denial was put off because a way back may still be named.
    pub rollback_wanted: bool,
    /// What was answered already.
    pub answered: &'s Answered,
}

/// Every open place, the weightiest first, each once.
pub fn detect(scene: &Scene<'_>) -> Vec<Open> {
    let mut open = Vec::new();
    no_commands(scene, &mut open);
    evidence(scene, &mut open);
    outside_lock(scene, &mut open);
    rollback(scene, &mut open);
    review_category(scene, &mut open);
    open.retain(|place| !scene.answered.settles(&place.matter));
    // The greater level and the wider scope come first, so that a small budget goes to what matters.
    open.sort_by(|one, other| {
        let weight = |open: &Open| (open.level, open.scope);
        weight(other).cmp(&weight(one)).then_with(|| one.matter.cmp(&other.matter))
    });
    open.dedup_by(|one, other| one.matter == other.matter);
    open
}

fn no_commands(scene: &Scene<'_>, open: &mut Vec<Open>) {
    if !scene.intent.planned_commands.is_empty() {
        return;
    }
    open.push(Open {
        matter: Matter::NoCommands,
        kind: QuestionType::Blocker,
        level: BlockingLevel::Critical,
        scope: ImpactScope::EntirePlan,
        about: None,
        text: "The intent plans no command. Shall the plan stay without actions?".to_owned(),
        context: format!(
            "Nothing would be delivered for the goal: {}",
            shortened(&scene.intent.objective.goal)
        ),
        evidence: vec!["intent://planned_commands".to_owned()],
        default: strategy(DefaultKind::Block, "without an answer there is nothing to plan"),
        suggested: vec![
            suggestion("plan_without_actions", "phases and reviews are planned, nothing is delivered", None),
            suggestion("withdraw", "the run ends; plan commands and submit the intent again", None),
        ],
    });
}

fn evidence(scene: &Scene<'_>, open: &mut Vec<Open>) {
    let is_planned = |action: &&Action<'_>| !scene.answered.dropped.contains(&action.index);
    for action in scene.actions.iter().filter(|action| action.writes()).filter(is_planned) {
        for reference in &action.planned.evidence_refs {
            let on_file = reference.starts_with("scan://file/") || reference.starts_with("doc://");
            if !on_file || (scene.resolve)(reference) != Resolution::Unresolved {
                continue;
            }
            let id = &action.planned.command_id;
            open.push(Open {
                matter: Matter::Evidence { command: action.index, reference: reference.clone() },
                kind: QuestionType::Blocker,
                level: BlockingLevel::High,
                scope: ImpactScope::SingleAction,
                about: Some(action.index),
                text: format!("`{id}` rests on `{reference}`, which is not there. Shall it be planned all the same?"),
                context: "The facts about the project do not have it, so nobody can look at what the change rests on.".to_owned(),
                evidence: vec![format!("intent://planned_commands/{}", action.index), reference.clone()],
                default: strategy(DefaultKind::RequireReview, "it is planned and a person has to look at it first"),
                suggested: vec![
                    suggestion("proceed", "it will be written or is known by other means", Some(RiskChange::Increase)),
                    suggestion("drop", "the command is left out of the plan", Some(RiskChange::Decrease)),
                ],
            });
        }
    }
}

fn outside_lock(scene: &Scene<'_>, open: &mut Vec<Open>) {
    let lock = &scene.intent.constraints.lock_scope;
    if lock.mode != LockMode::Files || lock.paths.is_empty() || !scene.actions.iter().any(Action::writes) {
        return;
    }
    for path in scene.intent.scope.targets.files.iter().filter(|path| !covers(&lock.paths, path)) {
        open.push(Open {
            matter: Matter::OutsideLock { path: path.clone() },
            kind: QuestionType::Blocker,
            level: BlockingLevel::High,
            scope: ImpactScope::SinglePhase,
            about: scene.actions.iter().find(|action| action.writes()).map(|action| action.index),
            text: format!("`{path}` is a target and is not locked. Shall it be left out?"),
            context: "What is written outside the lock can collide with other work.".to_owned(),
            evidence: vec![
                "intent://scope/targets/files".to_owned(),
                "intent://constraints/lock_scope".to_owned(),
            ],
            default: strategy(
                DefaultKind::ProceedConservative,
                "the target is left out; only what is locked is written",
            ),
            suggested: vec![suggestion(
                "leave_out",
                "only what is locked is written",
                Some(RiskChange::Decrease),
            )],
        });
    }
}

fn rollback(scene: &Scene<'_>, open: &mut Vec<Open>) {
    if !scene.rollback_wanted {
        return;
    }
    open.push(Open {
        matter: Matter::Rollback,
        kind: QuestionType::RiskMitigation,
        level: BlockingLevel::Critical,
        scope: ImpactScope::EntirePlan,
        about: None,
        text: "Much is at stake and nothing says how to go back. How is the change undone?".to_owned(),
        context: "Name the steps that undo it and what would make somebody take them.".to_owned(),
        evidence: vec!["intent://risk".to_owned()],
        default: strategy(DefaultKind::Block, "without a way back the rule denies the plan"),
        suggested: Vec::new(),
    });
}

fn review_category(scene: &Scene<'_>, open: &mut Vec<Open>) {
    let wanted = scene.decisions.iter().position(|decision| *decision == Decision::RequireReview);
    if !scene.intent.risk.requires_review.is_empty() || (wanted.is_none() && !scene.workflow_reviewed) {
        return;
    }
    let category = |category: &ReviewCategory| {
        suggestion(category.into(), "somebody who knows this looks at it first", None)
    };
    let (scope, place) = match wanted {
        Some(command) => (ImpactScope::SingleAction, format!("intent://planned_commands/{command}")),
        None => (ImpactScope::EntirePlan, "intent://selected_workflows".to_owned()),
    };
    open.push(Open {
        matter: Matter::ReviewCategory,
        kind: QuestionType::RiskMitigation,
        level: BlockingLevel::High,
        scope,
        about: wanted,
        text: "A rule wants this reviewed and the intent names no category. Who shall look at it?".to_owned(),
        context: "A review gate is put into the plan for the category that is named.".to_owned(),
        evidence: vec!["intent://risk/requires_review".to_owned(), place],
        default: strategy(DefaultKind::RequireReview, "the review of architecture is required"),
        suggested: ReviewCategory::VARIANTS.iter().map(category).collect(),
    });
}

/// Whether one of the locked patterns means the path, or is the same pattern.
pub(super) fn covers(locked: &[String], path: &str) -> bool {
    locked.iter().any(|lock| lock == path || pattern::matches(lock, path))
}

fn strategy(kind: DefaultKind, text: &str) -> DefaultStrategy {
    DefaultStrategy { kind, text: text.to_owned() }
}

fn suggestion(answer_text: &str, rationale: &str, risk_change: Option<RiskChange>) -> SuggestedAnswer {
    SuggestedAnswer { answer_text: answer_text.to_owned(), rationale: rationale.to_owned(), risk_change }
}

fn shortened(text: &str) -> String {
    text.chars().take(400).collect()
}
