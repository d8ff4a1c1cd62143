//! Drafts that become final, and what the document looks like then.

use std::collections::BTreeSet;

use insta::assert_snapshot;
use provost_core::canonical;
use provost_core::graph::{self, Form, Graph, NodeKind};

use crate::sample::{built, edges, everything, finished};

#[test]
fn a_final_graph_is_the_one_that_was_never_asked_about() {
    let asked = everything();
    let mut silent = asked.clone();
    silent.questions.clear();
    let (asked, silent) = (finished(&asked), finished(&silent));
    assert_eq!(edges(&asked), edges(&silent));
    assert_eq!(asked.swimlanes, silent.swimlanes);
    assert_eq!(asked.metadata.form, Form::Final);
    assert!(asked.nodes.iter().all(|node| node.node_type != NodeKind::Question));
    assert_ne!(asked.checksum, silent.checksum, "what was asked stays on record");
}

#[test]
fn what_was_asked_stays_with_what_it_was_asked_about() {
    let graph = finished(&everything());
    let questions = |id: &str| graph.node(id).unwrap().metadata.questions.clone();
    assert_eq!(questions("node_action_0003"), ["q_0001"]);
    // The command was denied: its phase is all there is.
    assert_eq!(questions("node_phase_0002"), ["q_0003"]);
    assert_eq!(graph.metadata.questions, ["q_0002"]);
}

#[test]
fn an_open_question_keeps_a_graph_a_draft() {
    let draft = built(&everything());
    let settled = BTreeSet::from(["q_0001", "q_other"]);
    let refused = graph::finalize(&draft, &settled).unwrap_err();
    assert_snapshot!(refused, @"questions are open: `q_0002`, `q_0003`; answer them or take their defaults");
}

#[test]
fn finalizing_twice_changes_nothing() {
    let done = finished(&everything());
    assert_eq!(graph::finalize(&done, &BTreeSet::new()), Ok(done));
}

#[test]
fn a_graph_survives_its_own_bytes() {
    for graph in [built(&everything()), finished(&everything())] {
        let bytes = canonical::to_vec(&graph).unwrap();
        let read: Graph = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(read, graph);
        assert_eq!(canonical::to_vec(&read).unwrap(), bytes);
    }
}

#[test]
fn the_document_is_closed() {
    let bytes = canonical::to_vec(&built(&everything())).unwrap();
    let whole: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    for place in ["", "/nodes/0", "/nodes/2/metadata", "/edges/0", "/swimlanes/0", "/lineage", "/metadata"] {
        let mut more = whole.clone();
        let object = more.pointer_mut(place).unwrap().as_object_mut().unwrap();
        object.insert("more".to_owned(), true.into());
        assert!(serde_json::from_value::<Graph>(more).is_err(), "{place}");
    }
    assert!(serde_json::from_value::<Graph>(whole).is_ok());
}

#[test]
fn the_checksum_covers_nodes_edges_and_lanes_and_nothing_else() {
    let plan = everything();
    let graph = built(&plan);
    let mut other = plan.clone();
    (other.graph_id, other.created_at, other.revision) = ("graph_other", "2027-01-01T00:00:00Z", 2);
    other.lineage.coordinator_version = "2".to_owned();
    assert_eq!(built(&other).checksum, graph.checksum);
    let mut other = plan.clone();
    other.agents[2].role = "other";
    assert_ne!(built(&other).checksum, graph.checksum);
    let mut other = plan;
    other.commands[0].intent = "something else";
    assert_ne!(built(&other).checksum, graph.checksum);
}

/// The whole document of a small plan: a change of these bytes is a change of what has been frozen.
#[test]
fn the_bytes_of_a_final_graph_are_a_promise() {
    assert_snapshot!(finished(&everything()).checksum, @"b23a4eab0b377b99ed04396e8b54a18ef895dab94f2490a1f65ea16584b77f55");
}
