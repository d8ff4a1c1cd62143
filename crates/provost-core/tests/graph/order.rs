//! In what order graphs can be done.

use insta::assert_snapshot;
use provost_core::graph::{self, Graph, Node};
use provost_core::vocabulary::Decision;
use provost_core::vocabulary::Effect::{Read, Write};
use provost_core::vocabulary::Stage::{Analysis, Implementation};

use crate::sample::{built, command, finished, judged, outline, workflow};

fn names(nodes: &[&Node]) -> String {
    nodes.iter().map(|node| node.node_id.trim_start_matches("node_")).collect::<Vec<_>>().join(" ")
}

fn two_branches() -> Graph {
    finished(&outline(
        vec![workflow("one", &[Analysis, Implementation]), workflow("two", &[Analysis])],
        vec![
            command("a", &[Read]),
            command("b", &[Read]),
            judged("c", &[Write], Decision::RequireReview),
            command("d", &[Write]),
        ],
    ))
}

#[test]
fn sets_begin_when_those_before_them_are_done() {
    let graph = two_branches();
    let sets: Vec<String> = graph::parallel_sets(&graph).unwrap().iter().map(|set| names(set)).collect();
    assert_snapshot!(sets.join("\n"), @"
    phase_0001 phase_0003
    action_0001 action_0002
    phase_0002
    decision_0003
    action_0003
    action_0004
    ");
    assert_eq!(names(&graph::topological_order(&graph).unwrap()), sets.join(" "));
}

#[test]
fn the_critical_path_has_the_most_actions() {
    assert_snapshot!(names(&graph::critical_path(&two_branches()).unwrap()), @"phase_0001 action_0001 phase_0002 decision_0003 action_0003 action_0004");
}

#[test]
fn the_order_of_edges_does_not_show() {
    let graph = two_branches();
    let mut turned = graph.clone();
    turned.edges.reverse();
    assert_eq!(graph::topological_order(&turned), graph::topological_order(&graph));
    assert_eq!(graph::critical_path(&turned), graph::critical_path(&graph));
}

#[test]
fn a_circle_has_no_order() {
    let mut graph =
        built(&outline(vec![workflow("w", &[Analysis, Implementation])], vec![command("a", &[Read])]));
    let mut back = graph.edges[0].clone();
    (back.from_node, back.to_node) = ("node_phase_0002".to_owned(), "node_phase_0001".to_owned());
    graph.edges.push(back);
    let cycle = graph::topological_order(&graph).unwrap_err();
    assert_snapshot!(cycle, @"nodes wait for each other: node_phase_0001 → node_action_0001 → node_phase_0002 → node_phase_0001");
    assert_eq!(graph::critical_path(&graph), Err(cycle.clone()));
    assert_eq!(graph::finalize(&graph, &[].into()), Err(graph::Unfinished::Cycle(cycle)));
}
