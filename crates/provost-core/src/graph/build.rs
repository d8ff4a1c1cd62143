//! A graph from an outline, apart because this is the only place that makes nodes and edges and gives them their ids.
//!
//! A workflow is a chain: a phase, its steps in the order of the plan, the next phase. Workflows run beside each other
//! and meet only where a later one waits for a command that it shares with an earlier one.

mod nodes;

use std::collections::BTreeMap;

use super::arrange::{Arranged, Asked, Element, Gates, Item, Segment, arrange, elements, gates};
use super::node::phase_ref;
use super::{
    Edge, EdgeKind, Form, Graph, GraphMetadata, NODES_MAX, Node, Outline, SCHEMA_VERSION, Swimlane, checksum,
};
use crate::canonical::NotCanonical;
use crate::diagnostic::quoted;
use crate::vocabulary::{Decision, ReviewCategory, Stage};

/// No graph can be built from an outline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It has more nodes than a graph may have; nothing is ever left out to make it fit.
    #[error(
        "the graph would have {count} nodes, and {NODES_MAX} are allowed: select fewer workflows, phases or commands"
    )]
    TooManyNodes {
        /// How many it would have.
        count: usize,
    },
    /// No workflow with a phase is selected.
    #[error("no workflow with a phase is selected: select at least one")]
    NoPhase,
    /// No agent is selected.
    #[error("no agent is selected: select at least one")]
    NoAgent,
    /// A question is about a command that is not there.
    #[error("the question {} is about the command at index {index}, and there are {commands}", quoted(.question))]
    UnknownCommand {
        /// The question.
        question: String,
        /// The index that it names.
        index: usize,
        /// How many commands there are.
        commands: usize,
    },
    /// What was built has no canonical form.
    #[error(transparent)]
    NotCanonical(#[from] NotCanonical),
}

/// Builds the draft of a graph. The same outline gives the same graph, byte for byte.
pub fn build(outline: &Outline<'_>) -> Result<Graph, Refused> {
    let arranged = arrange(outline)?;
    let mut sketch = Sketch { lanes: vec![Vec::new(); outline.agents.len()], ..Sketch::default() };
    sketch.draw(&arranged, &outline.reviews);
    if sketch.nodes.len() > NODES_MAX {
        return Err(Refused::TooManyNodes { count: sketch.nodes.len() });
    }
    let swimlanes = swimlanes(outline, sketch.lanes);
    let mut lineage = outline.lineage.clone();
    lineage.registry_versions.sort();
    lineage.registry_versions.dedup();
    Ok(Graph {
        graph_id: outline.graph_id.to_owned(),
        schema_version: SCHEMA_VERSION.to_owned(),
        intent_id: outline.intent_id.to_owned(),
        created_at: outline.created_at.to_owned(),
        checksum: checksum(&sketch.nodes, &sketch.edges, &swimlanes)?,
        nodes: sketch.nodes,
        edges: sketch.edges,
        swimlanes,
        lineage,
        metadata: GraphMetadata {
            form: Form::Draft,
            revision: outline.revision,
            execution_policy: outline.mode,
            questions: ids(&arranged.asked),
            denied: arranged.denied,
        },
    })
}

fn swimlanes(outline: &Outline<'_>, refs: Vec<Vec<String>>) -> Vec<Swimlane> {
    let numbered = (1_u32..).zip(&outline.agents).zip(refs);
    let lane = |((number, agent), node_refs): ((u32, &super::Agent<'_>), Vec<String>)| Swimlane {
        swimlane_id: format!("swimlane_{number:04}"),
        agent_id: agent.id.to_owned(),
        role: agent.role.to_owned(),
        node_refs,
    };
    numbered.map(lane).collect()
}

fn ids(asked: &[Asked<'_>]) -> Vec<String> {
    asked.iter().map(|asked| asked.question.id.to_owned()).collect()
}

/// The id of an edge by its place in the list.
pub(super) fn edge_id(number: usize) -> String {
    format!("edge_{number:04}")
}

/// What has been drawn so far.
#[derive(Debug, Default)]
struct Sketch {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    lanes: Vec<Vec<String>>,
    phases: u32,
    gates: u32,
    /// What phases of later workflows wait for.
    waits: BTreeMap<usize, Vec<Tail>>,
}

/// An end that the next element is tied to.
#[derive(Clone, Debug)]
struct Tail {
    node: String,
    way: Way,
}

/// On what the next element comes after an end.
#[derive(Clone, Debug)]
enum Way {
    /// On nothing but its being done.
    Done,
    /// On its having said yes.
    Yes { condition: String, label: &'static str },
    /// On its having said no.
    No { condition: String, label: &'static str },
}

impl Tail {
    fn done(node: String) -> Self {
        Self { node, way: Way::Done }
    }
}

impl Sketch {
    fn draw(&mut self, arranged: &Arranged<'_, '_>, reviews: &[ReviewCategory]) {
        let begin = self.questions(&arranged.asked, Vec::new(), false, None, 0);
        let chains: Vec<_> = arranged.chains.iter().map(|chain| elements(chain)).collect();
        let gates = gates(&chains, reviews);
        for (elements, gates) in chains.iter().zip(&gates) {
            self.chain(elements, gates, begin.clone());
        }
    }

    fn chain(&mut self, elements: &[Element<'_, '_, '_>], gates: &Gates<'_, '_, '_>, begin: Vec<Tail>) {
        let postmortem = elements.iter().position(|element| element.begins(Stage::Postmortem));
        let mut tails = begin;
        let mut failed = Vec::new();
        let mut stands_in = elements.first().map(Element::segment);
        for (at, element) in elements.iter().map(Some).chain([None]).enumerate() {
            for (&category, concerned) in gates.get(&at).into_iter().flatten() {
                let Some(segment) = stands_in else { continue };
                let gate = self.gate(category, concerned, segment, &tails);
                // What is to be learned from a review that failed is learned where there is a place for it, unless
                // that is next in any case.
                if postmortem.is_some_and(|postmortem| postmortem > at) {
                    failed.push(nodes::failed(category, &gate));
                }
                tails = vec![nodes::passed(category, gate)];
            }
            match element {
                Some(Element::Phase(segment)) => {
                    if segment.phase.stage == Stage::Postmortem {
                        tails.append(&mut failed);
                    }
                    tails = self.phase(segment, tails);
                    stands_in = Some(segment);
                }
                Some(Element::Step(segment, items)) => tails = self.step(segment, items, &tails),
                None => {}
            }
        }
    }

    fn phase(&mut self, segment: &Segment<'_, '_>, mut tails: Vec<Tail>) -> Vec<Tail> {
        tails.extend(self.waits.remove(&segment.index).unwrap_or_default());
        let place = phase_ref(segment.phase.workflow, segment.phase.stage);
        let tails = self.questions(&segment.asked, tails, false, Some(&place), segment.lane);
        self.phases += 1;
        let node = nodes::phase(self.phases, segment, place);
        self.connect(&tails, &node.node_id, false);
        vec![Tail::done(self.add(node, segment.lane))]
    }

    fn step(&mut self, segment: &Segment<'_, '_>, items: &[Item<'_, '_>], tails: &[Tail]) -> Vec<Tail> {
        let place = phase_ref(segment.phase.workflow, segment.phase.stage);
        let beside = items.len() > 1;
        let mut ends = Vec::new();
        for item in items {
            let ended = self.strand(item, &place, tails, beside);
            for &phase in &item.place.shared {
                self.waits.entry(phase).or_default().extend(ended.iter().cloned());
            }
            ends.extend(ended);
        }
        ends
    }

    /// Everything of one command: what is asked about it, what is decided about it, the action.
    fn strand(&mut self, item: &Item<'_, '_>, place: &str, tails: &[Tail], beside: bool) -> Vec<Tail> {
        let asked = self.questions(&item.asked, tails.to_vec(), beside, Some(place), item.lane);
        let beside = beside && item.asked.is_empty();
        let action = nodes::action(item, place);
        if item.command.decision == Decision::Allow {
            self.connect(&asked, &action.node_id, beside);
            return vec![Tail::done(self.add(action, item.lane))];
        }
        let point = nodes::decision_point(item, place);
        self.connect(&asked, &point.node_id, beside);
        let point = self.add(point, item.lane);
        self.connect(&[nodes::decided(item, &point)], &action.node_id, false);
        let mut ends = vec![Tail::done(self.add(action, item.lane))];
        // A warning stops nothing, so only a review has a way around the action.
        if item.command.decision == Decision::RequireReview {
            ends.push(nodes::declined(item, point));
        }
        ends
    }

    fn gate(
        &mut self,
        category: ReviewCategory,
        concerned: &[&Item<'_, '_>],
        segment: &Segment<'_, '_>,
        tails: &[Tail],
    ) -> String {
        self.gates += 1;
        let node = nodes::gate(self.gates, category, concerned, segment);
        self.connect(tails, &node.node_id, false);
        self.add(node, concerned.first().map_or(segment.lane, |item| item.lane))
    }

    /// Questions one after the other; what comes next is tied to the last of them, or to what was given.
    fn questions(
        &mut self,
        asked: &[Asked<'_>],
        mut tails: Vec<Tail>,
        beside: bool,
        place: Option<&str>,
        lane: usize,
    ) -> Vec<Tail> {
        let mut beside = beside;
        for asked in asked {
            let node = nodes::question(asked, place);
            self.connect(&tails, &node.node_id, beside);
            beside = false;
            tails = vec![nodes::answered(asked, self.add(node, lane))];
        }
        tails
    }

    fn add(&mut self, node: Node, lane: usize) -> String {
        let id = node.node_id.clone();
        if let Some(refs) = self.lanes.get_mut(lane) {
            refs.push(id.clone());
        }
        self.nodes.push(node);
        id
    }

    fn connect(&mut self, tails: &[Tail], to: &str, beside: bool) {
        for tail in tails {
            let (edge_type, said) = match &tail.way {
                Way::Done if beside => (EdgeKind::Parallel, None),
                Way::Done => (EdgeKind::Sequential, None),
                Way::Yes { condition, label } => (EdgeKind::Conditional, Some((condition, label))),
                Way::No { condition, label } => (EdgeKind::Fallback, Some((condition, label))),
            };
            self.edges.push(Edge {
                edge_id: edge_id(self.edges.len() + 1),
                from_node: tail.node.clone(),
                to_node: to.to_owned(),
                edge_type,
                condition: said.map(|(condition, _)| condition.clone()),
                label: said.map(|(_, label)| (*label).to_owned()),
            });
        }
    }
}
