//! Each defect by one graph that has it, made from one that has none.

use insta::assert_snapshot;
use provost_core::graph::{self, Edge, EdgeKind, Form, Graph};
use provost_core::vocabulary::Effect::{Read, Write};
use provost_core::vocabulary::ReviewCategory;
use provost_core::vocabulary::Stage::{Analysis, Implementation, Review};

use crate::sample::{agent, built, command, everything, outline, question, workflow};

/// Three phases in a chain with an action in each of two: what is wrong after a change, the checksum mended.
fn after(change: impl FnOnce(&mut Graph)) -> String {
    let plan = outline(
        vec![workflow("w", &[Analysis, Implementation, Review])],
        vec![command("a", &[Read]), command("b", &[Write])],
    );
    let mut graph = built(&plan);
    change(&mut graph);
    graph.checksum = graph::checksum(&graph.nodes, &graph.edges, &graph.swimlanes).unwrap();
    let defects: Vec<String> = graph::defects(&graph).iter().map(ToString::to_string).collect();
    defects.join("\n")
}

fn edge(from: &str, to: &str) -> Edge {
    Edge {
        edge_id: "edge_9999".to_owned(),
        from_node: from.to_owned(),
        to_node: to.to_owned(),
        edge_type: EdgeKind::Sequential,
        condition: None,
        label: None,
    }
}

#[test]
fn nothing_is_wrong_with_what_is_built() {
    assert_eq!(after(|_| {}), "");
}

#[test]
fn a_cycle_is_shown_as_a_path() {
    assert_snapshot!(after(|graph| graph.edges.push(edge("node_action_0002", "node_action_0001"))), @"nodes wait for each other: node_action_0001 → node_phase_0002 → node_action_0002 → node_action_0001");
    // Two circles, one behind the other.
    assert_snapshot!(after(|graph| {
        graph.edges.push(edge("node_action_0001", "node_phase_0001"));
        graph.edges.push(Edge { edge_id: "edge_9998".to_owned(), ..edge("node_phase_0003", "node_action_0002") });
    }), @"
    nodes wait for each other: node_phase_0001 → node_action_0001 → node_phase_0001
    nodes wait for each other: node_action_0002 → node_phase_0003 → node_action_0002
    no way leads to `node_phase_0001` from a node that can begin
    no way leads to `node_action_0001` from a node that can begin
    no way leads to `node_phase_0002` from a node that can begin
    no way leads to `node_action_0002` from a node that can begin
    no way leads to `node_phase_0003` from a node that can begin
    ");
}

#[test]
fn edges_have_two_different_ends_that_exist() {
    assert_snapshot!(after(|graph| graph.edges.push(edge("node_none", "node_nobody"))), @"
    `edge_9999` names the node `node_none`, which does not exist
    `edge_9999` names the node `node_nobody`, which does not exist
    ");
    assert_snapshot!(after(|graph| graph.edges.push(edge("node_phase_0003", "node_phase_0003"))), @"
    `edge_9999` leads from `node_phase_0003` to itself
    nodes wait for each other: node_phase_0003 → node_phase_0003
    ");
}

#[test]
fn nothing_is_there_twice() {
    assert_snapshot!(after(|graph| graph.edges.push(edge("node_phase_0001", "node_action_0001"))), @"`edge_9999` repeats the edge from `node_phase_0001` to `node_action_0001`");
    assert_snapshot!(after(|graph| {
        let again = graph.nodes[4].clone();
        graph.nodes.push(again);
        graph.swimlanes[0].swimlane_id = "edge_0001".to_owned();
    }), @"
    the id `node_phase_0003` is used twice
    the id `edge_0001` is used twice
    ");
}

#[test]
fn conditions_are_stated_and_only_who_decides_says_no() {
    assert_snapshot!(after(|graph| graph.edges[0].edge_type = EdgeKind::Conditional), @"`edge_0001` is taken on a condition that it does not state");
    assert_snapshot!(after(|graph| {
        graph.edges[0].edge_type = EdgeKind::Fallback;
        graph.edges[0].condition = Some("it rains".to_owned());
    }), @"`edge_0001` is a fallback from `node_phase_0001`, which is neither a decision point nor a review gate");
}

#[test]
fn every_node_is_in_one_lane() {
    assert_snapshot!(after(|graph| { graph.swimlanes[0].node_refs.pop(); }), @"`node_phase_0003` is in no lane");
    assert_snapshot!(after(|graph| graph.swimlanes[0].node_refs.push("node_phase_0001".to_owned())), @"`node_phase_0001` is in 2 lanes");
    assert_snapshot!(after(|graph| graph.swimlanes[0].node_refs.push("node_none".to_owned())), @"`swimlane_0001` names the node `node_none`, which does not exist");
}

#[test]
fn actions_rest_on_something_and_say_what_they_do() {
    let action = 1;
    assert_snapshot!(after(|graph| graph.nodes[action].evidence_refs = None), @"the action `node_action_0001` has no evidence");
    assert_snapshot!(after(|graph| graph.nodes[action].evidence_refs = Some(vec![" ".to_owned()])), @"the action `node_action_0001` has no evidence");
    assert_snapshot!(after(|graph| graph.nodes[action].effects = Some([].into())), @"`node_action_0001` has no effects, which every node of kind action_proposal needs");
    let mut plan = outline(vec![workflow("w", &[Analysis])], vec![command("a", &[Read])]);
    plan.commands[0].evidence_refs.clear();
    let graph = graph::build(&plan).unwrap();
    assert_eq!(graph::defects(&graph), [graph::Defect::NoEvidence("node_action_0001".to_owned())]);
}

#[test]
fn the_document_is_of_this_form_and_size() {
    assert_snapshot!(after(|graph| graph.schema_version = "0.9.1".to_owned()), @"the schema version is `0.9.1` and not `0.9.2`");
    assert_snapshot!(after(|graph| {
        graph.nodes.clear();
        graph.edges.clear();
        graph.swimlanes.clear();
    }), @"the graph has 0 nodes; it needs one and may have 200");
}

#[test]
fn no_question_is_left_in_a_final_graph() {
    let mut plan = outline(vec![workflow("w", &[Analysis])], vec![]);
    plan.questions = vec![question("q_0001", None)];
    let mut graph = built(&plan);
    graph.metadata.form = Form::Final;
    assert_eq!(graph::defects(&graph), [graph::Defect::PlaceholderLeft("node_question_0001".to_owned())]);
}

#[test]
fn a_changed_graph_does_not_match_its_checksum() {
    let mut graph = built(&everything());
    graph.nodes[0].label.push('.');
    assert_eq!(graph::defects(&graph), [graph::Defect::Checksum]);
}

#[test]
fn a_message_shows_what_an_id_would_hide() {
    assert_snapshot!(after(|graph| graph.edges.push(edge("node\u{1b}[2J", "node_phase_0001"))), @"`edge_9999` names the node `node\\u{1b}[2J`, which does not exist");
    assert_snapshot!(after(|graph| {
        graph.nodes[4].node_id = "a\nb".to_owned();
        graph.swimlanes[0].node_refs[4] = "a\nb".to_owned();
        graph.edges.pop();
        graph.edges.push(edge("a\nb", "a\nb"));
    }), @r"
    `edge_9999` leads from `a\nb` to itself
    nodes wait for each other: a\nb → a\nb
    no way leads to `a\nb` from a node that can begin
    ");
}

#[test]
fn what_an_outline_has_and_a_graph_does_not_is_named() {
    let mut plan = outline(vec![workflow("w", &[Analysis])], vec![command("a", &[Read])]);
    let graph = built(&plan);
    plan.workflows.push(workflow("v", &[Review]));
    plan.commands.insert(0, command("b", &[Read]));
    plan.agents.push(agent("other", "o", &[]));
    plan.reviews = vec![ReviewCategory::Cost, ReviewCategory::Cost];
    let found: Vec<String> = graph::unmapped(&plan, &graph).iter().map(ToString::to_string).collect();
    assert_snapshot!(found.join("\n"), @"
    the phase `v/review` has no node
    the planned command `b` at place 1 has no action
    the planned command `a` at place 2 has no action
    the agent `other` has no lane
    the cost review has no gate
    ");
}
