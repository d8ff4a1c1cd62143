//! Each rule by which a graph is built, as the smallest plan that shows it.

use insta::assert_snapshot;
use provost_core::graph::{self, Assignment, Basis, Command, NodeKind, Refused};
use provost_core::vocabulary::Effect::{Configure, Data, Delete, Deploy, Network, Read, Security, Write};
use provost_core::vocabulary::Stage::{
    Analysis, Design, Implementation, Operations, Postmortem, Release, Review, Setup, Validation,
};
use provost_core::vocabulary::{Decision, ReviewCategory, Stage};
use strum::VariantArray as _;

use crate::sample::{agent, agent_of, built, command, edges, judged, outline, phase_of, question, workflow};

#[test]
fn phases_are_a_chain_and_workflows_stand_beside_each_other() {
    let graph = built(&outline(
        vec![
            workflow("one", &[Setup, Analysis, Analysis]),
            workflow("two", &[Design, Review]),
            workflow("one", &[Analysis, Release]),
            workflow("none", &[]),
        ],
        vec![],
    ));
    let labels: Vec<_> = graph.nodes.iter().map(|node| &*node.label).collect();
    assert_eq!(labels, ["one: setup", "one: analysis", "one: release", "two: design", "two: review"]);
    assert_snapshot!(edges(&graph), @"
    phase_0001 -> phase_0002 sequential
    phase_0002 -> phase_0003 sequential
    phase_0004 -> phase_0005 sequential
    ");
}

#[test]
fn commands_stand_in_their_phase_in_the_order_of_the_plan() {
    let graph = built(&outline(
        vec![workflow("one", &[Analysis, Implementation])],
        vec![command("b", &[Write]), command("a", &[Read]), command("b", &[Write])],
    ));
    assert_snapshot!(edges(&graph), @"
    phase_0001 -> action_0002 sequential
    action_0002 -> phase_0002 sequential
    phase_0002 -> action_0001 sequential
    action_0001 -> action_0003 sequential
    ");
}

#[test]
fn a_link_decides_the_phase_if_workflow_and_stage_are_both_selected() {
    let linked = |links| Command { links, ..command("it", &[Write]) };
    let place = |links| {
        let flows = vec![workflow("one", &[Design, Implementation]), workflow("two", &[Validation])];
        let graph = built(&outline(flows, vec![linked(links)]));
        let why = graph.nodes.iter().find_map(|node| node.metadata.placement).unwrap();
        (phase_of(&graph, "it").to_owned(), why.basis, why.candidates)
    };
    assert_eq!(place(vec![("two", "validation")]), ("two/validation".to_owned(), Basis::Link, 1));
    assert_eq!(place(vec![("one", "design")]), ("one/design".to_owned(), Basis::Link, 1));
    let effect = ("one/implementation".to_owned(), Basis::Effect, 1);
    assert_eq!(place(vec![("two", "design"), ("three", "design"), ("two", "code_creation")]), effect);
    // Of several stages of one workflow the strongest effect prefers its own.
    let both = vec![("one", "implementation"), ("one", "design"), ("two", "validation")];
    assert_eq!(place(both), ("one/implementation".to_owned(), Basis::Link, 3));
}

#[test]
fn the_strongest_effect_decides_the_phase() {
    for (effects, stage) in [
        (vec![Read], Analysis),
        (vec![Read, Network], Implementation),
        (vec![Security], Implementation),
        (vec![Data], Implementation),
        (vec![Configure, Read], Implementation),
        (vec![Write], Implementation),
        (vec![Delete], Implementation),
        (vec![Read, Write, Delete, Deploy, Data], Release),
    ] {
        let graph = built(&outline(vec![workflow("w", Stage::VARIANTS)], vec![command("it", &effects)]));
        assert_eq!(phase_of(&graph, "it"), format!("w/{stage}"), "{effects:?}");
    }
}

#[test]
fn what_fits_no_phase_stands_in_the_last_one_before_review() {
    let place = |flows: &[&[Stage]]| {
        let names = ["one", "two"];
        let flows = flows.iter().zip(names).map(|(stages, id)| workflow(id, stages)).collect();
        let graph = built(&outline(flows, vec![command("it", &[Deploy])]));
        let why = graph.nodes.iter().find_map(|node| node.metadata.placement).unwrap();
        assert_eq!((why.basis, why.effect, why.candidates), (Basis::BeforeReview, Some(Deploy), 0));
        phase_of(&graph, "it").to_owned()
    };
    assert_eq!(place(&[&[Setup, Design, Review, Operations]]), "one/design");
    assert_eq!(place(&[&[Setup, Validation, Operations]]), "one/validation");
    assert_eq!(place(&[&[Review, Operations], &[Setup, Analysis]]), "two/analysis");
    assert_eq!(place(&[&[Review], &[Operations]]), "one/review");
}

#[test]
fn neighbours_that_only_read_are_parallel() {
    let graph = built(&outline(
        vec![workflow("w", &[Implementation])],
        vec![
            command("a", &[Read]),
            judged("no", &[Write], Decision::Deny),
            judged("b", &[Read], Decision::Warn),
            command("c", &[Write]),
            command("d", &[Read]),
            command("e", &[Read, Network]),
        ],
    ));
    assert_snapshot!(edges(&graph), @"
    phase_0001 -> action_0001 parallel
    phase_0001 -> decision_0003 parallel
    decision_0003 -> action_0003 conditional (noted)
    action_0001 -> action_0004 sequential
    action_0003 -> action_0004 sequential
    action_0004 -> action_0005 sequential
    action_0005 -> action_0006 sequential
    ");
}

#[test]
fn what_needs_a_decision_waits_for_it_and_has_a_way_around() {
    let graph = built(&outline(
        vec![workflow("w", &[Implementation, Validation])],
        vec![
            judged("a", &[Write], Decision::RequireReview),
            judged("b", &[Write], Decision::Warn),
            judged("c", &[Write], Decision::RequireReview),
        ],
    ));
    assert_snapshot!(edges(&graph), @"
    phase_0001 -> decision_0001 sequential
    decision_0001 -> action_0001 conditional (approved)
    action_0001 -> decision_0002 sequential
    decision_0001 -> decision_0002 fallback (declined)
    decision_0002 -> action_0002 conditional (noted)
    action_0002 -> decision_0003 sequential
    decision_0003 -> action_0003 conditional (approved)
    action_0003 -> phase_0002 sequential
    decision_0003 -> phase_0002 fallback (declined)
    ");
    let conditions: Vec<_> = graph.edges.iter().filter_map(|edge| edge.condition.as_deref()).collect();
    assert_snapshot!(conditions.join("\n"), @"
    a person has approved `a`
    a person has declined `a`
    a person has been told what the rules warn of in `b`
    a person has approved `c`
    a person has declined `c`
    ");
}

#[test]
fn a_last_decision_has_no_way_around_because_nothing_comes_after_it() {
    let plan = vec![judged("a", &[Write], Decision::RequireReview)];
    assert_snapshot!(edges(&built(&outline(vec![workflow("w", &[Implementation])], plan))), @"
    phase_0001 -> decision_0001 sequential
    decision_0001 -> action_0001 conditional (approved)
    ");
}

#[test]
fn what_is_denied_is_named_and_has_no_action() {
    let graph = built(&outline(
        vec![workflow("w", &[Implementation])],
        vec![judged("no", &[Write], Decision::Deny), command("yes", &[Write])],
    ));
    let actions: Vec<_> =
        graph.nodes.iter().filter(|node| node.node_type == NodeKind::ActionProposal).collect();
    assert_eq!(actions.iter().map(|node| &*node.node_id).collect::<Vec<_>>(), ["node_action_0002"]);
    let denied = &graph.metadata.denied[0];
    assert_eq!((denied.position, &*denied.command_ref, &*denied.reason), (1, "no", "it writes"));
    assert_eq!(denied.rule_refs, ["rule_r05"]);
}

#[test]
fn a_gate_stands_after_the_last_action_that_it_concerns() {
    let mut plan = outline(
        vec![workflow("w", &[Analysis, Implementation, Validation])],
        vec![command("a", &[Data]), command("b", &[Write]), command("c", &[Data]), command("d", &[Write])],
    );
    plan.reviews = vec![ReviewCategory::Data, ReviewCategory::Data];
    let graph = built(&plan);
    assert_snapshot!(edges(&graph), @"
    phase_0001 -> phase_0002 sequential
    phase_0002 -> action_0001 sequential
    action_0001 -> action_0002 sequential
    action_0002 -> action_0003 sequential
    action_0003 -> gate_0001 sequential
    gate_0001 -> action_0004 conditional (passed)
    action_0004 -> phase_0003 sequential
    ");
    let gate = graph.node("node_gate_0001").unwrap();
    assert_eq!(gate.metadata.concerns, ["node_action_0001", "node_action_0003"]);
    assert_eq!(gate.phase_ref.as_deref(), Some("w/implementation"));
}

#[test]
fn a_gate_never_stands_after_what_deploys() {
    let gated = |stages: &[Stage], commands| {
        let mut plan = outline(vec![workflow("w", stages)], commands);
        plan.reviews = vec![ReviewCategory::Release];
        edges(&built(&plan))
    };
    assert_snapshot!(gated(&[Implementation, Release], vec![command("a", &[Write]), command("b", &[Deploy])]), @"
    phase_0001 -> action_0001 sequential
    action_0001 -> gate_0001 sequential
    gate_0001 -> phase_0002 conditional (passed)
    phase_0002 -> action_0002 sequential
    ");
    assert_snapshot!(gated(&[Validation], vec![command("a", &[Write]), command("b", &[Deploy])]), @"
    phase_0001 -> action_0001 sequential
    action_0001 -> gate_0001 sequential
    gate_0001 -> action_0002 conditional (passed)
    ");
    assert_snapshot!(gated(&[Release], vec![command("b", &[Deploy])]), @"
    gate_0001 -> phase_0001 conditional (passed)
    phase_0001 -> action_0001 sequential
    ");
}

#[test]
fn a_category_that_concerns_nothing_has_a_gate_all_the_same() {
    let gated = |flows: Vec<_>| {
        let mut plan = outline(flows, vec![command("a", &[Read])]);
        plan.reviews = vec![ReviewCategory::Cost, ReviewCategory::Security];
        edges(&built(&plan))
    };
    assert_snapshot!(gated(vec![workflow("one", &[Analysis]), workflow("two", &[Setup, Release])]), @"
    phase_0001 -> action_0001 sequential
    phase_0002 -> gate_0001 sequential
    gate_0001 -> gate_0002 conditional (passed)
    gate_0002 -> phase_0003 conditional (passed)
    ");
    assert_snapshot!(gated(vec![workflow("one", &[Analysis]), workflow("two", &[Setup])]), @"
    phase_0001 -> action_0001 sequential
    action_0001 -> gate_0001 sequential
    gate_0001 -> gate_0002 conditional (passed)
    ");
}

#[test]
fn a_failed_review_leads_to_the_postmortem_unless_that_is_next() {
    let gated = |stages: &[Stage]| {
        let mut plan = outline(vec![workflow("w", stages)], vec![command("a", &[Data])]);
        plan.reviews = vec![ReviewCategory::Data];
        edges(&built(&plan))
    };
    assert_snapshot!(gated(&[Implementation, Operations, Postmortem]), @"
    phase_0001 -> action_0001 sequential
    action_0001 -> gate_0001 sequential
    gate_0001 -> phase_0002 conditional (passed)
    phase_0002 -> phase_0003 sequential
    gate_0001 -> phase_0003 fallback (not passed)
    ");
    assert_snapshot!(gated(&[Implementation, Postmortem]), @"
    phase_0001 -> action_0001 sequential
    action_0001 -> gate_0001 sequential
    gate_0001 -> phase_0002 conditional (passed)
    ");
}

#[test]
fn each_workflow_that_a_category_concerns_has_its_gate() {
    let linked = |id, flow| Command { links: vec![(flow, "implementation")], ..command(id, &[Data]) };
    let mut plan = outline(
        vec![
            workflow("one", &[Implementation]),
            workflow("two", &[Implementation]),
            workflow("three", &[Setup]),
        ],
        vec![linked("a", "one"), linked("b", "two")],
    );
    plan.reviews = vec![ReviewCategory::Data];
    assert_snapshot!(edges(&built(&plan)), @"
    phase_0001 -> action_0001 sequential
    action_0001 -> gate_0001 sequential
    phase_0002 -> action_0002 sequential
    action_0002 -> gate_0002 sequential
    ");
}

#[test]
fn a_later_workflow_waits_for_a_shared_command() {
    let links = vec![("two", "validation"), ("two", "release"), ("one", "implementation")];
    let shared = Command { links, ..judged("shared", &[Write], Decision::RequireReview) };
    let flows = vec![workflow("one", &[Implementation]), workflow("two", &[Setup, Validation, Release])];
    let graph = built(&outline(flows, vec![shared]));
    assert_snapshot!(edges(&graph), @"
    phase_0001 -> decision_0001 sequential
    decision_0001 -> action_0001 conditional (approved)
    phase_0002 -> phase_0003 sequential
    action_0001 -> phase_0003 sequential
    decision_0001 -> phase_0003 fallback (declined)
    phase_0003 -> phase_0004 sequential
    ");
}

#[test]
fn questions_stand_before_what_waits_for_them() {
    let mut plan = outline(
        vec![workflow("one", &[Implementation]), workflow("two", &[Setup])],
        vec![
            judged("a", &[Write], Decision::RequireReview),
            judged("no", &[Write], Decision::Deny),
            command("b", &[Write]),
        ],
    );
    plan.questions = vec![
        question("q_plan", None),
        question("q_a", Some(0)),
        question("q_no", Some(1)),
        question("q_b1", Some(2)),
        question("q_b2", Some(2)),
    ];
    let graph = built(&plan);
    assert_snapshot!(edges(&graph), @"
    question_0001 -> question_0003 conditional (answered)
    question_0003 -> phase_0001 conditional (answered)
    phase_0001 -> question_0002 sequential
    question_0002 -> decision_0001 conditional (answered)
    decision_0001 -> action_0001 conditional (approved)
    action_0001 -> question_0004 sequential
    decision_0001 -> question_0004 fallback (declined)
    question_0004 -> question_0005 conditional (answered)
    question_0005 -> action_0003 conditional (answered)
    question_0001 -> phase_0002 conditional (answered)
    ");
    let affected: Vec<_> =
        graph::affected(&graph, "node_question_0004").iter().map(|node| &*node.node_id).collect();
    assert_eq!(affected, ["node_question_0005", "node_action_0003"]);
    assert_eq!(graph::affected(&graph, "nothing").len(), 0);
}

#[test]
fn a_lane_follows_roles_then_responsibilities_then_the_first_agent() {
    let recommended = |roles| Command { recommended_roles: roles, ..command("it", &[Write]) };
    let given = |roles, stage| {
        let mut plan = outline(vec![workflow("w", &[stage, Review])], vec![recommended(roles)]);
        plan.agents = vec![
            agent("first", "tester", &["answers the phone"]),
            agent("qa_engineer", "builder", &["runs all TESTS", "validation of releases"]),
            agent("tester", "second", &["the release, and the review"]),
        ];
        let graph = built(&plan);
        let why = graph.nodes.iter().find_map(|node| node.metadata.assignment).unwrap();
        // The phase follows its first action, the phase without one the responsibilities.
        assert_eq!(agent_of(&graph, "node_phase_0001"), agent_of(&graph, "node_action_0001"));
        assert_eq!(agent_of(&graph, "node_phase_0002"), "tester");
        (agent_of(&graph, "node_action_0001").to_owned(), why)
    };
    let role = |id: &str| (id.to_owned(), Assignment::Role);
    assert_eq!(given(vec!["nobody", "QA Engineer", "first"], Implementation), role("qa_engineer"));
    assert_eq!(given(vec!["builder"], Implementation), role("qa_engineer"));
    assert_eq!(given(vec!["tester"], Implementation), role("tester"), "an id before a role");
    assert_eq!(given(vec![], Validation), ("qa_engineer".to_owned(), Assignment::Responsibility));
    assert_eq!(given(vec!["nobody"], Implementation), ("first".to_owned(), Assignment::First));
}

#[test]
fn every_agent_has_a_lane_even_with_nothing_to_do() {
    let mut plan = outline(vec![workflow("w", &[Implementation])], vec![]);
    plan.agents.push(agent("idler", "none", &[]));
    let graph = built(&plan);
    assert_eq!(graph.swimlanes.len(), 2);
    assert_eq!(graph.idle().map(|lane| &*lane.swimlane_id).collect::<Vec<_>>(), ["swimlane_0002"]);
}

#[test]
fn a_graph_that_is_too_large_is_refused_with_its_size() {
    const NAMES: [&str; 18] =
        ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r"];
    let flows =
        |count: usize| NAMES.iter().take(count).map(|id| workflow(id, Stage::VARIANTS)).collect::<Vec<_>>();
    let commands = |count| vec![command("it", &[Write]); count];
    let refused = |flows, commands| graph::build(&outline(flows, commands)).unwrap_err();
    assert_eq!(refused(flows(18), commands(134)), Refused::TooManyNodes { count: 296 });
    assert_eq!(built(&outline(flows(13), commands(83))).nodes.len(), 200);
    let one_more = refused(flows(13), commands(84));
    assert_snapshot!(one_more, @"the graph would have 201 nodes, and 200 are allowed: select fewer workflows, phases or commands");
}

#[test]
fn an_outline_without_the_least_that_it_needs_is_refused() {
    let refused = |plan| graph::build(&plan).unwrap_err().to_string();
    assert_snapshot!(refused(outline(vec![workflow("w", &[])], vec![])), @"no workflow with a phase is selected: select at least one");
    let mut plan = outline(vec![workflow("w", &[Setup])], vec![]);
    plan.agents.clear();
    assert_snapshot!(refused(plan), @"no agent is selected: select at least one");
    let mut plan = outline(vec![workflow("w", &[Setup])], vec![command("a", &[Read])]);
    plan.questions = vec![question("q_0001", Some(1))];
    assert_snapshot!(refused(plan), @"the question `q_0001` is about the command at index 1, and there are 1");
}

#[test]
fn long_texts_are_cut_and_the_cut_is_shown() {
    let long: &'static str = Box::leak("ä".repeat(3_000).into_boxed_str());
    let it = Command { intent: long, reason: long, ..judged(long, &[Write], Decision::RequireReview) };
    let mut plan = outline(vec![workflow("w", &[Implementation, Review])], vec![it]);
    plan.questions = vec![provost_core::graph::Placeholder { id: long, about: Some(0), text: long }];
    let graph = built(&plan);
    for node in &graph.nodes {
        assert!(node.label.chars().count() <= 160);
        assert!(node.description.iter().all(|text| text.chars().count() <= 1_000));
    }
    assert!(graph.edges.iter().flat_map(|edge| &edge.condition).all(|text| text.chars().count() <= 500));
    assert!(graph.node("node_question_0001").unwrap().label.ends_with("ä…"));
}

#[test]
fn the_lineage_lists_each_item_once_in_order() {
    let graph = built(&outline(vec![workflow("w", &[Setup])], vec![]));
    let ids: Vec<_> = graph.lineage.registry_versions.iter().map(|item| &*item.id).collect();
    assert_eq!(ids, ["a", "b"]);
}
