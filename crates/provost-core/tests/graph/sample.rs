//! Outlines to start from, and graphs in few words.

use std::collections::BTreeSet;

use provost_core::digest::Digest;
use provost_core::graph::{
    self, Agent, Command, Edge, Graph, Lineage, Outline, Placeholder, RegistryVersion, Workflow,
};
use provost_core::registry::Kind;
use provost_core::vocabulary::{Decision, Effect, Mode, Risk, Stage};

/// A command that may be done and that nothing is known of but its effects.
pub(crate) fn command(id: &'static str, effects: &[Effect]) -> Command<'static> {
    Command {
        id,
        intent: "make it so",
        effects: effects.iter().copied().collect(),
        risk: Risk::Low,
        evidence_refs: vec!["scan://file/src/lib.rs"],
        decision: Decision::Allow,
        rule_refs: Vec::new(),
        reason: "",
        links: Vec::new(),
        recommended_roles: Vec::new(),
        files: Vec::new(),
    }
}

/// A command that waits for a decision.
pub(crate) fn judged(id: &'static str, effects: &[Effect], decision: Decision) -> Command<'static> {
    Command { decision, rule_refs: vec!["rule_r05"], reason: "it writes", ..command(id, effects) }
}

/// A workflow.
pub(crate) fn workflow(id: &'static str, stages: &[Stage]) -> Workflow<'static> {
    Workflow { id, stages: stages.to_vec(), reason: Some("it fits") }
}

/// An agent.
pub(crate) fn agent(
    id: &'static str,
    role: &'static str,
    responsibilities: &[&'static str],
) -> Agent<'static> {
    Agent { id, role, responsibilities: responsibilities.to_vec() }
}

/// A question about a command or the whole plan.
pub(crate) fn question(id: &'static str, about: Option<usize>) -> Placeholder<'static> {
    Placeholder { id, about, text: "which of the two?" }
}

/// An outline with one agent and nothing to review or to ask.
pub(crate) fn outline(
    workflows: Vec<Workflow<'static>>,
    commands: Vec<Command<'static>>,
) -> Outline<'static> {
    let version = |kind, id: &str| RegistryVersion {
        kind,
        id: id.to_owned(),
        version: "1.0.0".to_owned(),
        checksum: Digest::of(id.as_bytes()),
    };
    Outline {
        graph_id: "graph_sample",
        intent_id: "intent_sample",
        created_at: "2026-01-25T10:00:00Z",
        revision: 1,
        mode: Mode::Interactive,
        workflows,
        agents: vec![agent("engineer", "builder", &["writes code"])],
        commands,
        reviews: Vec::new(),
        questions: Vec::new(),
        lineage: Lineage {
            derived_from_intent: "intent_sample".to_owned(),
            intent_checksum: Digest::of(b"intent"),
            registry_versions: vec![
                version(Kind::Command, "b"),
                version(Kind::Workflow, "a"),
                version(Kind::Command, "b"),
            ],
            coordinator_version: "1".to_owned(),
        },
    }
}

/// A graph without any defect.
pub(crate) fn built(outline: &Outline<'_>) -> Graph {
    let graph = graph::build(outline).unwrap();
    assert_eq!(graph::defects(&graph), []);
    assert_eq!(graph::unmapped(outline, &graph), []);
    graph
}

/// The final graph of an outline, every question settled.
pub(crate) fn finished(outline: &Outline<'_>) -> Graph {
    let settled: BTreeSet<&str> = outline.questions.iter().map(|question| question.id).collect();
    let graph = graph::finalize(&built(outline), &settled).unwrap();
    assert_eq!(graph::defects(&graph), []);
    assert_eq!(graph::unmapped(outline, &graph), []);
    graph
}

/// The edges as lines: `phase_0001 -> action_0001 sequential`.
pub(crate) fn edges(graph: &Graph) -> String {
    let short = |id: &str| id.trim_start_matches("node_").to_owned();
    let line = |edge: &Edge| {
        let label = edge.label.as_ref().map(|label| format!(" ({label})")).unwrap_or_default();
        format!("{} -> {} {}{label}\n", short(&edge.from_node), short(&edge.to_node), edge.edge_type)
    };
    graph.edges.iter().map(line).collect()
}

/// The phase that an action stands in.
pub(crate) fn phase_of<'g>(graph: &'g Graph, command: &str) -> &'g str {
    let node = graph.nodes.iter().find(|node| node.label == command).unwrap();
    node.phase_ref.as_deref().unwrap()
}

/// The agent that a node is given to.
pub(crate) fn agent_of<'g>(graph: &'g Graph, node_id: &str) -> &'g str {
    let lane = graph.swimlanes.iter().find(|lane| lane.node_refs.iter().any(|node| node == node_id));
    &lane.unwrap().agent_id
}

/// A plan with everything in it once.
pub(crate) fn everything() -> Outline<'static> {
    use Effect::{Data, Deploy, Read, Write};
    use Stage::{Analysis, Implementation, Postmortem, Release, Review};
    let read = |id| Command { recommended_roles: vec!["Tech Writer"], ..command(id, &[Read]) };
    let mut outline = outline(
        vec![
            workflow("feature", &[Analysis, Implementation, Review, Release, Postmortem]),
            workflow("notes", &[Analysis]),
        ],
        vec![
            read("read_docs"),
            read("read_code"),
            Command { risk: Risk::High, ..judged("write_code", &[Write, Data], Decision::RequireReview) },
            judged("write_notes", &[Write], Decision::Warn),
            judged("drop_tables", &[Effect::Delete], Decision::Deny),
            Command { risk: Risk::Medium, ..command("ship", &[Deploy]) },
            Command { links: vec![("notes", "analysis")], ..command("look_again", &[Read]) },
        ],
    );
    outline.agents.push(agent("tech_writer", "writer", &["reviews texts"]));
    outline.agents.push(agent("idler", "none", &["waits"]));
    outline.reviews = vec![
        provost_core::vocabulary::ReviewCategory::Release,
        provost_core::vocabulary::ReviewCategory::Data,
    ];
    outline.questions =
        vec![question("q_0001", Some(2)), question("q_0002", None), question("q_0003", Some(4))];
    outline
}
