//! What the nodes of each kind and the ways out of them say, apart because these are the words that people read.

use super::{Asked, Item, Segment, Tail, Way, ids};
use crate::diagnostic::clipped;
use crate::graph::criteria;
use crate::graph::node::{Node, NodeKind, NodeMetadata, phase_ref};
use crate::vocabulary::{Decision, ReviewCategory};

/// Characters of a label.
const LABEL_MAX: usize = 160;
/// Characters of a description.
const DESCRIPTION_MAX: usize = 1_000;
/// Characters of an id within a condition; with the words around it a condition stays below 500.
const NAME_MAX: usize = 200;

/// A node of which only the kind and the place are known.
fn bare(node_id: String, node_type: NodeKind, label: &str, place: Option<String>) -> Node {
    Node {
        node_id,
        node_type,
        label: clipped(label, LABEL_MAX),
        description: None,
        phase_ref: place,
        command_ref: None,
        effects: None,
        risk_level: None,
        evidence_refs: None,
        rule_refs: None,
        question_ref: None,
        review_criteria: None,
        metadata: NodeMetadata::default(),
    }
}

pub(super) fn phase(number: u32, segment: &Segment<'_, '_>, place: String) -> Node {
    let label = format!("{}: {}", segment.phase.workflow, segment.phase.stage);
    Node {
        description: described(segment.phase.reason.unwrap_or_default()),
        metadata: NodeMetadata { questions: ids(&segment.asked), ..NodeMetadata::default() },
        ..bare(format!("node_phase_{number:04}"), NodeKind::Phase, &label, Some(place))
    }
}

pub(super) fn action(item: &Item<'_, '_>, place: &str) -> Node {
    let command = item.command;
    let id = action_id(item);
    Node {
        description: described(command.intent),
        command_ref: Some(command.id.to_owned()),
        effects: Some(command.effects.clone()),
        risk_level: Some(command.risk),
        evidence_refs: Some(owned(&command.evidence_refs)),
        metadata: NodeMetadata {
            position: Some(item.position),
            decision: Some(command.decision),
            placement: Some(item.place.why),
            assignment: Some(item.assignment),
            files: owned(&command.files),
            questions: ids(&item.asked),
            ..NodeMetadata::default()
        },
        ..bare(id, NodeKind::ActionProposal, command.id, Some(place.to_owned()))
    }
}

pub(super) fn decision_point(item: &Item<'_, '_>, place: &str) -> Node {
    let command = item.command;
    let id = format!("node_decision_{:04}", item.position);
    let verb = if command.decision == Decision::RequireReview { "approve" } else { "note" };
    Node {
        description: described(command.reason),
        command_ref: Some(command.id.to_owned()),
        risk_level: Some(command.risk),
        rule_refs: Some(owned(&command.rule_refs)),
        metadata: NodeMetadata {
            position: Some(item.position),
            decision: Some(command.decision),
            ..NodeMetadata::default()
        },
        ..bare(id, NodeKind::DecisionPoint, &format!("{verb} {}", command.id), Some(place.to_owned()))
    }
}

pub(super) fn question(asked: &Asked<'_>, place: Option<&str>) -> Node {
    let id = format!("node_question_{:04}", asked.number);
    Node {
        description: described(asked.question.text),
        question_ref: Some(asked.question.id.to_owned()),
        ..bare(id, NodeKind::Question, asked.question.text, place.map(str::to_owned))
    }
}

pub(super) fn gate(
    number: u32,
    category: ReviewCategory,
    concerned: &[&Item<'_, '_>],
    segment: &Segment<'_, '_>,
) -> Node {
    let place = phase_ref(segment.phase.workflow, segment.phase.stage);
    Node {
        review_criteria: Some(owned(criteria(category))),
        metadata: NodeMetadata {
            category: Some(category),
            concerns: concerned.iter().map(|item| action_id(item)).collect(),
            ..NodeMetadata::default()
        },
        ..bare(
            format!("node_gate_{number:04}"),
            NodeKind::ReviewGate,
            &format!("{category} review"),
            Some(place),
        )
    }
}

fn action_id(item: &Item<'_, '_>) -> String {
    format!("node_action_{:04}", item.position)
}

/// The way from a decision point to its action.
pub(super) fn decided(item: &Item<'_, '_>, point: &str) -> Tail {
    let name = clipped(item.command.id, NAME_MAX);
    let (condition, label) = if item.command.decision == Decision::RequireReview {
        (format!("a person has approved `{name}`"), "approved")
    } else {
        (format!("a person has been told what the rules warn of in `{name}`"), "noted")
    };
    Tail { node: point.to_owned(), way: Way::Yes { condition, label } }
}

/// The way from a decision point to what comes after its action.
pub(super) fn declined(item: &Item<'_, '_>, point: String) -> Tail {
    let condition = format!("a person has declined `{}`", clipped(item.command.id, NAME_MAX));
    Tail { node: point, way: Way::No { condition, label: "declined" } }
}

/// The way from a question to what waits for it.
pub(super) fn answered(asked: &Asked<'_>, node: String) -> Tail {
    let condition = format!("`{}` is answered or its default is taken", clipped(asked.question.id, NAME_MAX));
    Tail { node, way: Way::Yes { condition, label: "answered" } }
}

/// The way from a gate to what it guards.
pub(super) fn passed(category: ReviewCategory, gate: String) -> Tail {
    Tail {
        node: gate,
        way: Way::Yes { condition: format!("the {category} review has passed"), label: "passed" },
    }
}

/// The way from a gate to where its failure is looked at.
pub(super) fn failed(category: ReviewCategory, gate: &str) -> Tail {
    let condition = format!("the {category} review has not passed");
    Tail { node: gate.to_owned(), way: Way::No { condition, label: "not passed" } }
}

fn described(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| clipped(text, DESCRIPTION_MAX))
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}
