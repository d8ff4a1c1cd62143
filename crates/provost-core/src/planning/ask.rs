//! Which open places are asked about, which take their default, and which end the run: the policy's part. Apart because
//! the same places are asked about in one mode and settled in another, and both have to be on record.

use super::inputs::RUN_PREFIX;
use super::open::Open;
use super::policy::Effective;
use super::questions_pack::{
    DefaultKind, Impact, Metadata, PolicyConstraints, Question, QuestionPack, QuestionType, VERSION,
};
use crate::diagnostic::{self, Diagnostic};
use crate::finding::{FailureType, Finding};
use crate::vocabulary::{Mode, QuestionPolicy};

/// What becomes of each open place.
#[derive(Clone, Debug, Default)]
pub struct Triage {
    /// Asked, in order.
    pub asked: Vec<Open>,
    /// Settled by its default, with why it was not asked.
    pub defaulted: Vec<(Open, &'static str)>,
    /// Neither may be asked nor has a default that goes on.
    pub stuck: Vec<Finding>,
}

/// Sorts open places by what the policy lets us do; `spent` questions were asked before.
pub fn triage(open: Vec<Open>, policy: &Effective, spent: u32) -> Triage {
    let mut triage = Triage::default();
    let mut left = policy.question_budget.saturating_sub(spent).min(50);
    for place in open {
        let refusal = refusal(&place, policy, left);
        match refusal {
            None => {
                left -= 1;
                triage.asked.push(place);
            }
            Some(Refusal { why, firm }) => {
                let usable = place.default.kind != DefaultKind::Block && (!firm || policy.auto_fallback);
                if usable {
                    triage.defaulted.push((place, why));
                } else {
                    triage.stuck.push(stuck(&place, why));
                }
            }
        }
    }
    triage
}

/// Why a place is not asked about, and whether its default may then be taken only with the policy's leave.
struct Refusal {
    why: &'static str,
    firm: bool,
}

fn refusal(place: &Open, policy: &Effective, left: u32) -> Option<Refusal> {
    let soft = |why| Some(Refusal { why, firm: false });
    if policy.mode == Mode::FullAuto || policy.question_policy == QuestionPolicy::Never {
        return soft("nothing may be asked");
    }
    let blockers_only =
        policy.mode == Mode::SemiAuto || policy.question_policy == QuestionPolicy::BlockersOnly;
    if blockers_only && place.kind != QuestionType::Blocker {
        return soft("only what stops the plan may be asked");
    }
    if policy.question_policy == QuestionPolicy::ConceptualOnly && place.kind == QuestionType::Optimization {
        return soft("only what is wanted may be asked, not how to do it better");
    }
    if !policy.allows_question(place.kind) {
        return soft("the policy does not allow questions of this kind");
    }
    // Out of questions with something that stops the plan: whether a default may stand in is the policy's to say.
    (left == 0)
        .then_some(Refusal { why: "no question is left in the budget", firm: policy.mode == Mode::SemiAuto })
}

fn stuck(place: &Open, why: &'static str) -> Finding {
    let message = format!("{} That was not asked: {why}", place.text);
    let diagnostic = Diagnostic::error(diagnostic::PLANNING_UNSETTLED, message)
        .with_help("settle it in the intent, or plan with a mode and a budget that let it be asked");
    Finding::blocked(diagnostic, FailureType::ConstraintViolation).shown_by(place.evidence.iter().cloned())
}

/// What a pack is made for.
pub struct Packing<'p> {
    /// The run.
    pub run_id: &'p str,
    /// The intent.
    pub intent_id: &'p str,
    /// The intent's time.
    pub created_at: &'p str,
    /// Which pack of the run it is, from 1.
    pub number: u32,
    /// Questions that were asked before.
    pub spent: u32,
    /// The limits in force.
    pub policy: &'p Effective,
}

/// Makes the pack of what is asked; `affected` has the nodes that wait for each question.
pub fn pack(asked: &[Open], affected: &[Vec<String>], packing: &Packing<'_>) -> QuestionPack {
    let count = u32::try_from(asked.len()).unwrap_or(u32::MAX);
    let consumed = packing.spent.saturating_add(count);
    let questions = (0..).zip(asked).map(|(at, place)| Question {
        question_id: question_id(packing.spent.saturating_add(at)),
        kind: place.kind,
        blocking_level: place.level,
        question_text: place.text.chars().take(2_000).collect(),
        context: place.context.clone(),
        evidence_refs: place.evidence.clone(),
        impact: Impact {
            scope: place.scope,
            description: place.default.text.clone(),
            affected_nodes: usize::try_from(at)
                .ok()
                .and_then(|at| affected.get(at))
                .cloned()
                .unwrap_or_default(),
        },
        default_strategy: place.default.clone(),
        suggested_answers: place.suggested.clone(),
    });
    QuestionPack {
        pack_id: pack_id(packing.run_id, packing.number),
        schema_version: VERSION.to_owned(),
        coordinator_run_id: packing.run_id.to_owned(),
        intent_id: packing.intent_id.to_owned(),
        questions: questions.collect(),
        policy_constraints: PolicyConstraints {
            execution_mode: packing.policy.mode,
            question_budget: packing.policy.question_budget,
            question_policy: packing.policy.question_policy,
            budget_consumed: Some(consumed),
            budget_remaining: Some(packing.policy.question_budget.saturating_sub(consumed)),
        },
        created_at: packing.created_at.to_owned(),
        expires_at: None,
        metadata: Some(Metadata {
            emitted_from_state: Some("GRAPH_DRAFTED".to_owned()),
            total_questions: Some(count),
        }),
    }
}

/// The id of a run's question by how many were asked before it.
pub fn question_id(before: u32) -> String {
    format!("q_{:04}", before.saturating_add(1))
}

/// The id of a run's pack.
pub fn pack_id(run_id: &str, number: u32) -> String {
    let hex = run_id.strip_prefix(RUN_PREFIX).unwrap_or(run_id);
    format!("qpack_{hex}_{number:02}")
}
