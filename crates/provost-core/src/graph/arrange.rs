//! An outline put in order: every command in its phase with its lane and its questions, and every gate at its place,
//! apart from the drawing of nodes and edges so that all that is looked up is looked up here, once.

use std::collections::BTreeMap;

use super::gates::{self, Seen, concerns};
use super::lanes::Lanes;
use super::node::Assignment;
use super::outline::{Command, Outline, Placeholder};
use super::place::{Phase, Phases, Place, count};
use super::{Denied, Refused};
use crate::vocabulary::{Decision, Effect, ReviewCategory, Stage};

/// A planned command that is not denied.
#[derive(Debug)]
pub(super) struct Item<'o, 'a> {
    pub(super) position: u32,
    pub(super) command: &'o Command<'a>,
    pub(super) place: Place,
    pub(super) lane: usize,
    pub(super) assignment: Assignment,
    pub(super) asked: Vec<Asked<'a>>,
}

/// A question and its place among all of them, from one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub(super) number: u32,
    pub(super) question: Placeholder<'a>,
}

/// A phase and what is done in it, in the order of the plan.
#[derive(Debug)]
pub(super) struct Segment<'o, 'a> {
    /// Its index among all phases.
    pub(super) index: usize,
    pub(super) phase: Phase<'a>,
    pub(super) items: Vec<Item<'o, 'a>>,
    /// Questions about commands that would stand here and were denied.
    pub(super) asked: Vec<Asked<'a>>,
    pub(super) lane: usize,
}

/// Everything, in order.
#[derive(Debug)]
pub(super) struct Arranged<'o, 'a> {
    /// The phases of each workflow.
    pub(super) chains: Vec<Vec<Segment<'o, 'a>>>,
    /// Questions about the plan as a whole.
    pub(super) asked: Vec<Asked<'a>>,
    pub(super) denied: Vec<Denied>,
}

/// One thing after which another comes, within a workflow.
#[derive(Debug)]
pub(super) enum Element<'s, 'o, 'a> {
    /// A phase begins.
    Phase(&'s Segment<'o, 'a>),
    /// One action, or several that only read, side by side.
    Step(&'s Segment<'o, 'a>, &'s [Item<'o, 'a>]),
}

/// The gates of one workflow: the element that they stand before, and the actions that each concerns.
pub(super) type Gates<'s, 'o, 'a> = BTreeMap<usize, BTreeMap<ReviewCategory, Vec<&'s Item<'o, 'a>>>>;

/// Puts an outline in order, or says what is missing from it.
pub(super) fn arrange<'o, 'a>(outline: &'o Outline<'a>) -> Result<Arranged<'o, 'a>, Refused> {
    let phases = Phases::of(outline);
    if phases.all.is_empty() {
        return Err(Refused::NoPhase);
    }
    if outline.agents.is_empty() {
        return Err(Refused::NoAgent);
    }
    let (mut of_command, asked) = questions(outline)?;
    let lanes = Lanes::of(&outline.agents);
    let mut segments: Vec<Segment<'o, 'a>> = phases.all.iter().enumerate().map(empty).collect();
    let mut denied = Vec::new();
    for (index, command) in outline.commands.iter().enumerate() {
        let place = phases.place(command);
        let position = count(index.saturating_add(1));
        let asked = of_command.remove(&index).unwrap_or_default();
        let Some(segment) = segments.get_mut(place.phase) else { continue };
        if command.decision == Decision::Deny {
            segment.asked.extend(asked);
            denied.push(refusal(position, command));
        } else {
            let (lane, assignment) = lanes.of_command(command, segment.phase.stage);
            segment.items.push(Item { position, command, place, lane, assignment, asked });
        }
    }
    for segment in &mut segments {
        let first = segment.items.first().map(|item| item.lane);
        segment.lane = first.unwrap_or_else(|| lanes.of_stage(segment.phase.stage));
    }
    let mut rest = segments.into_iter();
    let chains = phases.lengths.iter().map(|length| rest.by_ref().take(*length).collect()).collect();
    Ok(Arranged { chains, asked, denied })
}

type ByCommand<'a> = BTreeMap<usize, Vec<Asked<'a>>>;

/// The questions by the command that they are about, and those about the whole plan.
fn questions<'a>(outline: &Outline<'a>) -> Result<(ByCommand<'a>, Vec<Asked<'a>>), Refused> {
    let mut of_command = ByCommand::new();
    let mut of_plan = Vec::new();
    for (number, &question) in (1..).zip(&outline.questions) {
        let asked = Asked { number, question };
        match question.about {
            None => of_plan.push(asked),
            Some(index) if index < outline.commands.len() => of_command.entry(index).or_default().push(asked),
            Some(index) => {
                let (question, commands) = (question.id.to_owned(), outline.commands.len());
                return Err(Refused::UnknownCommand { question, index, commands });
            }
        }
    }
    Ok((of_command, of_plan))
}

fn empty<'o, 'a>((index, &phase): (usize, &Phase<'a>)) -> Segment<'o, 'a> {
    Segment { index, phase, items: Vec::new(), asked: Vec::new(), lane: 0 }
}

fn refusal(position: u32, command: &Command<'_>) -> Denied {
    Denied {
        position,
        command_ref: command.id.to_owned(),
        rule_refs: command.rule_refs.iter().map(|&rule| rule.to_owned()).collect(),
        reason: command.reason.to_owned(),
    }
}

/// The elements of a workflow in order; neighbours that only read are one step.
pub(super) fn elements<'s, 'o, 'a>(chain: &'s [Segment<'o, 'a>]) -> Vec<Element<'s, 'o, 'a>> {
    let beside =
        |one: &Item<'_, '_>, next: &Item<'_, '_>| one.command.only_reads() && next.command.only_reads();
    let mut elements = Vec::new();
    for segment in chain {
        elements.push(Element::Phase(segment));
        elements.extend(segment.items.chunk_by(beside).map(|items| Element::Step(segment, items)));
    }
    elements
}

/// The gates of all workflows. A category has one in each workflow that it concerns; one that concerns nothing has
/// one all the same, before the first release or at the end of the first workflow.
pub(super) fn gates<'s, 'o, 'a>(
    chains: &[Vec<Element<'s, 'o, 'a>>],
    reviews: &[ReviewCategory],
) -> Vec<Gates<'s, 'o, 'a>> {
    let mut all: Vec<Gates<'s, 'o, 'a>> = chains.iter().map(|_| Gates::new()).collect();
    let reviews: std::collections::BTreeSet<_> = reviews.iter().copied().collect();
    for category in reviews {
        let mut stands = false;
        for (elements, gates) in chains.iter().zip(&mut all) {
            if let Some(at) = gates::position(elements.iter().map(|element| seen(element, category))) {
                let concerned =
                    elements.iter().flat_map(Element::items).filter(|item| item.concerned(category));
                gates.entry(at).or_default().insert(category, concerned.collect());
                stands = true;
            }
        }
        if !stands {
            let releases = |element: &Element<'_, '_, '_>| element.begins(Stage::Release);
            let release =
                chains.iter().zip(0..).find_map(|(it, chain)| Some((chain, it.iter().position(releases)?)));
            let (chain, at) = release.unwrap_or((0, chains.first().map_or(0, Vec::len)));
            if let Some(gates) = all.get_mut(chain) {
                gates.entry(at).or_default().insert(category, Vec::new());
            }
        }
    }
    all
}

fn seen(element: &Element<'_, '_, '_>, category: ReviewCategory) -> Seen {
    let concerned = |item: &&Item<'_, '_>| item.concerned(category);
    Seen {
        concerned: element.items().iter().any(|item| concerned(&item)),
        deploys: element.items().iter().filter(concerned).any(Item::deploys),
        release: element.begins(Stage::Release),
    }
}

impl Item<'_, '_> {
    fn concerned(&self, category: ReviewCategory) -> bool {
        self.command.effects.iter().any(|effect| concerns(category, *effect))
    }

    fn deploys(&self) -> bool {
        self.command.effects.contains(&Effect::Deploy)
    }
}

impl<'s, 'o, 'a> Element<'s, 'o, 'a> {
    /// The actions in it; a phase has none of its own.
    pub(super) fn items(&self) -> &'s [Item<'o, 'a>] {
        match self {
            Element::Phase(_) => &[],
            Element::Step(_, items) => items,
        }
    }

    /// Whether it is the phase of a stage.
    pub(super) fn begins(&self, stage: Stage) -> bool {
        matches!(self, Element::Phase(segment) if segment.phase.stage == stage)
    }

    /// The phase that it is or stands in.
    pub(super) const fn segment(&self) -> &'s Segment<'o, 'a> {
        match self {
            Element::Phase(segment) | Element::Step(segment, _) => segment,
        }
    }
}
