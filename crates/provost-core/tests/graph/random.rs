//! Outlines that nobody wrote: what holds for every graph that is built at all.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use provost_core::canonical;
use provost_core::graph::{
    self, Agent, Command, EdgeKind, Form, Graph, NODES_MAX, NodeKind, Outline, Placeholder, Refused, Workflow,
};
use provost_core::vocabulary::{Decision, Effect, ReviewCategory, Risk, Stage};
use strum::VariantArray as _;

use crate::sample::{edges, outline};

const FLOWS: &[&str] = &["alpha", "beta", "gamma", "delta"];
const IDS: &[&str] = &["scan", "write", "ship", "drop"];
const ROLES: &[&str] = &["engineer", "Tech Writer", "qa", "nobody"];
const PHASES: &[&str] = &["setup", "analysis", "implementation", "release", "review", "code_creation"];
const DUTIES: &[&str] = &["analysis of code", "implement it", "Release!", "tests", "waits"];
const QUESTIONS: &[&str] = &["q_a", "q_b", "q_c", "q_d", "q_e", "q_f"];

fn stages() -> impl Strategy<Value = Vec<Stage>> {
    subsequence(Stage::VARIANTS.to_vec(), 0..=9).prop_shuffle()
}

fn workflows() -> impl Strategy<Value = Vec<Workflow<'static>>> {
    let one = (select(FLOWS), stages()).prop_map(|(id, stages)| Workflow { id, stages, reason: None });
    vec(one, 1..5)
}

fn agents() -> impl Strategy<Value = Vec<Agent<'static>>> {
    let duties = vec(select(DUTIES), 0..3);
    let one = (select(ROLES), select(ROLES), duties);
    vec(one.prop_map(|(id, role, responsibilities)| Agent { id, role, responsibilities }), 1..4)
}

fn commands() -> impl Strategy<Value = Vec<Command<'static>>> {
    let effects = subsequence(Effect::VARIANTS.to_vec(), 1..=3);
    let effects = prop_oneof![Just(vec![Effect::Read]), effects];
    let judged = (select(Decision::VARIANTS), select(&[Risk::Low, Risk::High][..]));
    let one =
        (select(IDS), effects, judged, vec((select(FLOWS), select(PHASES)), 0..4), vec(select(ROLES), 0..3));
    let one = one.prop_map(|(id, effects, (decision, risk), links, recommended_roles)| Command {
        effects: effects.into_iter().collect(),
        decision,
        risk,
        links,
        recommended_roles,
        ..crate::sample::command(id, &[])
    });
    vec(one, 0..12)
}

fn outlines() -> impl Strategy<Value = Outline<'static>> {
    let reviews = vec(select(ReviewCategory::VARIANTS), 0..4);
    let questions = vec(option::weighted(0.8, any::<prop::sample::Index>()), 0..QUESTIONS.len());
    (workflows(), agents(), commands(), reviews, questions).prop_map(
        |(flows, agents, commands, reviews, asked)| {
            let about = |index: Option<prop::sample::Index>| {
                index.filter(|_| !commands.is_empty()).map(|index| index.index(commands.len()))
            };
            let placeholder = |(index, id)| Placeholder { id, about: about(index), text: "which?" };
            let questions = asked.into_iter().zip(QUESTIONS.iter().copied()).map(placeholder).collect();
            Outline { agents, reviews, questions, ..outline(flows, commands.clone()) }
        },
    )
}

fn settled<'a>(plan: &Outline<'a>) -> BTreeSet<&'a str> {
    plan.questions.iter().map(|question| question.id).collect()
}

/// Where each action stands, by its node.
fn places(graph: &Graph) -> BTreeMap<&str, (&str, u32)> {
    let actions = graph.nodes.iter().filter(|node| node.node_type == NodeKind::ActionProposal);
    let place = |node: &graph::Node| node.metadata.placement.unwrap().candidates;
    actions.map(|node| (&*node.node_id, (node.phase_ref.as_deref().unwrap(), place(node)))).collect()
}

fn leads_forward(graph: &Graph) -> bool {
    let order = graph::topological_order(graph).unwrap();
    let at: BTreeMap<&str, usize> = order.iter().zip(0..).map(|(node, at)| (&*node.node_id, at)).collect();
    order.len() == graph.nodes.len()
        && graph.edges.iter().all(|edge| at[&*edge.from_node] < at[&*edge.to_node])
}

/// Whether a way leads from the earlier node to the later one.
fn follows(graph: &Graph, later: &str, earlier: &str) -> bool {
    graph::affected(graph, earlier).iter().any(|node| node.node_id == later)
}

proptest! {
    #[test]
    fn the_plan_is_kept_within_a_phase(plan in outlines()) {
        let Ok(graph) = graph::build(&plan) else { return Ok(()) };
        let actions: Vec<_> =
            graph.nodes.iter().filter(|node| node.node_type == NodeKind::ActionProposal).collect();
        for pair in actions.windows(2).filter(|pair| pair[0].phase_ref == pair[1].phase_ref) {
            prop_assert!(pair[0].metadata.position < pair[1].metadata.position);
            let reads = |node: &graph::Node| node.effects == Some([Effect::Read].into());
            let ordered = follows(&graph, &pair[1].node_id, &pair[0].node_id);
            prop_assert_eq!(ordered, !(reads(pair[0]) && reads(pair[1])));
        }
    }

    #[test]
    fn nothing_that_needs_a_decision_goes_without(plan in outlines()) {
        let Ok(graph) = graph::build(&plan) else { return Ok(()) };
        for node in graph.nodes.iter().filter(|node| node.node_type == NodeKind::ActionProposal) {
            let into: Vec<_> = graph.edges.iter().filter(|edge| edge.to_node == node.node_id).collect();
            let point = node.node_id.replace("action", "decision");
            let decided = into.len() == 1 && into[0].edge_type == EdgeKind::Conditional && into[0].from_node == point;
            let decision = node.metadata.decision.unwrap();
            prop_assert_eq!(decided, decision != Decision::Allow);
            prop_assert_ne!(decision, Decision::Deny);
        }
    }

    #[test]
    fn nothing_is_deployed_before_its_review(plan in outlines()) {
        let Ok(graph) = graph::build(&plan) else { return Ok(()) };
        for gate in graph.nodes.iter().filter(|node| node.node_type == NodeKind::ReviewGate) {
            for action in &gate.metadata.concerns {
                let deploys = graph.node(action).unwrap().effects.iter().flatten().any(|it| *it == Effect::Deploy);
                prop_assert!(!deploys || follows(&graph, action, &gate.node_id));
            }
        }
    }

    #[test]
    fn every_graph_is_sound(plan in outlines()) {
        let draft = match graph::build(&plan) {
            Ok(draft) => draft,
            Err(refused) => {
                prop_assert_eq!(refused, Refused::NoPhase);
                return Ok(());
            }
        };
        prop_assert_eq!(graph::defects(&draft), []);
        prop_assert_eq!(graph::unmapped(&plan, &draft), []);
        prop_assert!(leads_forward(&draft));
        prop_assert!(draft.nodes.len() <= NODES_MAX);
        // No step ties many to many, so edges stay in proportion to nodes.
        prop_assert!(draft.edges.len() <= 4 * draft.nodes.len() + plan.commands.len() * 2 * FLOWS.len());
        let done = graph::finalize(&draft, &settled(&plan)).unwrap();
        prop_assert_eq!(graph::defects(&done), []);
        prop_assert_eq!(graph::unmapped(&plan, &done), []);
        prop_assert!(leads_forward(&done));
        prop_assert_eq!(done.metadata.form, Form::Final);
    }

    #[test]
    fn questions_leave_no_trace_but_their_names(plan in outlines()) {
        let Ok(draft) = graph::build(&plan) else { return Ok(()) };
        let asked = graph::finalize(&draft, &settled(&plan)).unwrap();
        let silent = graph::build(&Outline { questions: Vec::new(), ..plan.clone() }).unwrap();
        prop_assert_eq!(edges(&asked), edges(&silent));
        prop_assert_eq!(&asked.edges, &silent.edges);
        prop_assert_eq!(&asked.swimlanes, &silent.swimlanes);
        let nodes = asked.nodes.iter().cloned().map(|mut node| {
            node.metadata.questions.clear();
            node
        });
        prop_assert_eq!(nodes.collect::<Vec<_>>(), silent.nodes);
        let named = asked.nodes.iter().flat_map(|node| &node.metadata.questions).chain(&asked.metadata.questions);
        prop_assert_eq!(named.map(|id| &**id).collect::<BTreeSet<_>>(), settled(&plan));
    }

    #[test]
    fn the_same_outline_gives_the_same_bytes(plan in outlines()) {
        let bytes = |plan: &Outline<'_>| graph::build(plan).map(|graph| canonical::to_vec(&graph).unwrap());
        prop_assert_eq!(bytes(&plan), bytes(&plan.clone()));
    }

    #[test]
    fn the_order_of_links_and_reviews_means_nothing(plan in outlines()) {
        let mut turned = plan.clone();
        turned.commands.iter_mut().for_each(|command| command.links.reverse());
        turned.reviews.reverse();
        turned.lineage.registry_versions.reverse();
        prop_assert_eq!(graph::build(&turned), graph::build(&plan));
    }

    #[test]
    fn the_order_of_agents_decides_nothing_but_lanes(plan in outlines()) {
        let Ok(graph) = graph::build(&plan) else { return Ok(()) };
        let mut turned = plan.clone();
        turned.agents.reverse();
        let other = graph::build(&turned).unwrap();
        prop_assert_eq!(places(&other), places(&graph));
        prop_assert_eq!(&other.edges, &graph.edges);
        let names = |graph: &Graph| graph.swimlanes.iter().map(|lane| lane.agent_id.clone()).collect::<Vec<_>>();
        prop_assert_eq!(names(&other), names(&graph).into_iter().rev().collect::<Vec<_>>());
    }

    #[test]
    fn the_critical_path_is_a_way_through_the_graph(plan in outlines()) {
        let Ok(graph) = graph::build(&plan) else { return Ok(()) };
        let path = graph::critical_path(&graph).unwrap();
        let tied: BTreeSet<(&str, &str)> =
            graph.edges.iter().map(|edge| (&*edge.from_node, &*edge.to_node)).collect();
        prop_assert!(path.windows(2).all(|pair| tied.contains(&(&*pair[0].node_id, &*pair[1].node_id))));
        prop_assert!(path.first().is_some_and(|first| tied.iter().all(|(_, to)| *to != first.node_id)));
        prop_assert!(path.last().is_some_and(|last| tied.iter().all(|(from, _)| *from != last.node_id)));
    }
}
