//! In which phase each command stands, apart because the choice is what a person asks about first and so is recorded
//! with its reason.

use std::collections::{BTreeMap, BTreeSet};

use super::node::{Basis, Placement};
use super::outline::{Command, Outline};
use crate::vocabulary::{Effect, Stage};

/// A stage of a workflow, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phase<'a> {
    pub(super) workflow: &'a str,
    pub(super) stage: Stage,
    pub(super) reason: Option<&'a str>,
}

/// The phases of all workflows, workflow by workflow.
#[derive(Debug)]
pub(super) struct Phases<'a> {
    pub(super) all: Vec<Phase<'a>>,
    /// How many of them each workflow has.
    pub(super) lengths: Vec<usize>,
    at: BTreeMap<(&'a str, Stage), usize>,
    by_stage: BTreeMap<Stage, Vec<usize>>,
    before_review: usize,
}

/// Where one command stands.
#[derive(Debug)]
pub(super) struct Place {
    /// An index into the phases.
    pub(super) phase: usize,
    pub(super) why: Placement,
    /// Phases of later workflows that are linked to the same command, and so wait for it.
    pub(super) shared: Vec<usize>,
}

/// Effects from the strongest to the weakest, with the stage that each belongs to.
const STRENGTH: [(Effect, Stage); 8] = [
    (Effect::Deploy, Stage::Release),
    (Effect::Delete, Stage::Implementation),
    (Effect::Write, Stage::Implementation),
    (Effect::Configure, Stage::Implementation),
    (Effect::Data, Stage::Implementation),
    (Effect::Security, Stage::Implementation),
    (Effect::Network, Stage::Implementation),
    (Effect::Read, Stage::Analysis),
];

/// The workflow and stage that each command of an outline stands in; none where no workflow has a stage. Rules are asked
/// with these before there is a graph.
pub fn placements<'a>(outline: &Outline<'a>) -> Vec<Option<(&'a str, Stage)>> {
    let phases = Phases::of(outline);
    let place = |command: &Command<'a>| {
        let phase = phases.all.get(phases.place(command).phase)?;
        Some((phase.workflow, phase.stage))
    };
    outline.commands.iter().map(place).collect()
}

impl<'a> Phases<'a> {
    /// Lists each workflow's stages once, in the order of selection.
    pub(super) fn of(outline: &Outline<'a>) -> Self {
        let mut number = BTreeMap::new();
        let mut listed: Vec<Vec<Phase<'a>>> = Vec::new();
        let mut seen = BTreeSet::new();
        for workflow in &outline.workflows {
            let chain = *number.entry(workflow.id).or_insert(listed.len());
            if chain == listed.len() {
                listed.push(Vec::new());
            }
            for &stage in &workflow.stages {
                if let Some(phases) = listed.get_mut(chain)
                    && seen.insert((workflow.id, stage))
                {
                    phases.push(Phase { workflow: workflow.id, stage, reason: workflow.reason });
                }
            }
        }
        listed.retain(|phases| !phases.is_empty());
        let lengths = listed.iter().map(Vec::len).collect();
        let before_review = before_review(&listed);
        let all: Vec<_> = listed.into_iter().flatten().collect();
        let at =
            all.iter().enumerate().map(|(index, phase)| ((phase.workflow, phase.stage), index)).collect();
        let mut by_stage: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (index, phase) in all.iter().enumerate() {
            by_stage.entry(phase.stage).or_default().push(index);
        }
        Self { all, lengths, at, by_stage, before_review }
    }

    /// Places one command: by what the registry links it to, else by its strongest effect, else before review.
    pub(super) fn place(&self, command: &Command<'_>) -> Place {
        let strongest = STRENGTH.into_iter().find(|(effect, _)| command.effects.contains(effect));
        let linked: BTreeSet<usize> = command.links.iter().filter_map(|link| self.linked(*link)).collect();
        if let Some(place) = self.by_link(&linked, strongest) {
            return place;
        }
        let effect = strongest.map(|(effect, _)| effect);
        let fitting = strongest.and_then(|(_, stage)| self.by_stage.get(&stage));
        if let Some(fitting) = fitting
            && let Some(&phase) = fitting.first()
        {
            let why = Placement { basis: Basis::Effect, effect, candidates: count(fitting.len()) };
            return Place { phase, why, shared: Vec::new() };
        }
        let why = Placement { basis: Basis::BeforeReview, effect, candidates: 0 };
        Place { phase: self.before_review, why, shared: Vec::new() }
    }

    /// The phase of a link, if it is selected; most links of a registry name phases that no intent knows.
    fn linked(&self, (workflow, stage): (&str, &str)) -> Option<usize> {
        let stage = stage.parse().ok()?;
        self.at.get(&(workflow, stage)).copied()
    }

    /// The first linked workflow has the action, in the stage that its strongest effect prefers. Always the first:
    /// then whatever waits for a shared command is in a later workflow, and no two can wait for each other.
    fn by_link(&self, linked: &BTreeSet<usize>, strongest: Option<(Effect, Stage)>) -> Option<Place> {
        let first = self.all.get(*linked.first()?)?.workflow;
        let stage_of = |index: &usize| self.all.get(*index).map(|phase| phase.stage);
        let (own, others): (Vec<usize>, Vec<usize>) =
            linked.iter().partition(|index| self.all.get(**index).is_some_and(|it| it.workflow == first));
        let preferred = own.iter().find(|index| stage_of(index) == strongest.map(|(_, stage)| stage));
        let phase = *preferred.or(own.first())?;
        let effect = if own.len() > 1 { strongest.map(|(effect, _)| effect) } else { None };
        let why = Placement { basis: Basis::Link, effect, candidates: count(linked.len()) };
        // The first of a workflow's phases is enough: the others come after it.
        let mut waiting = BTreeSet::new();
        let shared = others
            .into_iter()
            .filter(|index| self.all.get(*index).is_some_and(|phase| waiting.insert(phase.workflow)));
        Some(Place { phase, why, shared: shared.collect() })
    }
}

/// The last stage before review of the first workflow that has one, else the first phase of all.
fn before_review(listed: &[Vec<Phase<'_>>]) -> usize {
    let mut begin = 0;
    for phases in listed {
        let review = phases.iter().position(|phase| phase.stage == Stage::Review);
        let before = match review {
            Some(at) => at.checked_sub(1),
            None => phases.iter().rposition(|phase| phase.stage < Stage::Review),
        };
        if let Some(before) = before {
            return begin + before;
        }
        begin += phases.len();
    }
    0
}

/// A count for a document.
pub(super) fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
