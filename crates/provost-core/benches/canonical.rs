//! What canonical bytes cost beside SHA-256 of the same bytes; fails when a target is missed.
#![expect(clippy::struct_field_names, reason = "the names are those of real documents")]
#![expect(clippy::print_stdout, reason = "a bench reports to whoever runs it")]
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a bench needs a clock; core has none"
)]

use std::error::Error;
use std::hint::black_box;
use std::process::ExitCode;

use provost_core::canonical;
use provost_core::digest::Digest;
use provost_core::document::{self, Limits};
use serde::Serialize;

#[expect(dead_code, reason = "other benches count, this one only compares")]
mod ratio;

use ratio::{Target, compare, report, time};

/// A graph like the ones that planning freezes, with its fields in reading order and not in key order.
#[derive(Serialize)]
struct Graph {
    schema_version: &'static str,
    graph_id: String,
    intent_id: String,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    lineage: Lineage,
}

#[derive(Serialize)]
struct Node {
    node_id: String,
    node_type: NodeType,
    title: String,
    description: String,
    command: Option<String>,
    risk: Risk,
    effects: Vec<Effect>,
    evidence_refs: Vec<String>,
    attempts_max: u32,
    timeout_s: u64,
    parallel: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum NodeType {
    Phase,
    Action,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Risk {
    Low,
    High,
}

#[derive(Serialize)]
struct Effect {
    kind: &'static str,
    scope: String,
    description: Option<String>,
}

#[derive(Serialize)]
struct Edge {
    from: String,
    to: String,
    kind: &'static str,
    reason: Option<String>,
}

#[derive(Serialize)]
struct Lineage {
    derived_from: Vec<Digest>,
    planner_version: u32,
}

fn node(number: u32) -> Node {
    Node {
        node_id: format!("node-{number:04}"),
        node_type: if number.is_multiple_of(5) { NodeType::Phase } else { NodeType::Action },
        title: format!("Step {number}: read the files that the intent names"),
        description: format!(
            "Looks at what step {number} may touch, says \"why\" in one line,\nand records what it found as evidence."
        ),
        command: (!number.is_multiple_of(5)).then(|| format!("repo.read_files.{number}")),
        risk: if number.is_multiple_of(7) { Risk::High } else { Risk::Low },
        effects: vec![Effect { kind: "read", scope: format!("src/part_{number}"), description: None }],
        evidence_refs: vec![format!("scan://file/src/part_{number}/lib.rs"), "doc://readme".to_owned()],
        attempts_max: 3,
        timeout_s: 600 + u64::from(number),
        parallel: number.is_multiple_of(2),
    }
}

fn edge(number: u32) -> Edge {
    Edge {
        from: format!("node-{number:04}"),
        to: format!("node-{:04}", number + 1),
        kind: "sequential",
        reason: number.is_multiple_of(3).then(|| "writes what the next one reads".to_owned()),
    }
}

fn graph() -> Graph {
    Graph {
        schema_version: "0.9.2",
        graph_id: "graph-17".to_owned(),
        intent_id: "intent-4".to_owned(),
        nodes: (0..100).map(node).collect(),
        edges: (0..99).map(edge).collect(),
        lineage: Lineage {
            derived_from: (0..20_u8).map(|byte| Digest::of(&[byte])).collect(),
            planner_version: 3,
        },
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let graph = graph();
    let bytes = canonical::to_vec(&graph)?;
    let document = document::read("graph.json", &bytes, &Limits::default())?;
    let floor = || time(20, || Digest::of(black_box(&bytes)));
    let typed = || time(20, || canonical::digest(black_box(&graph)));
    let read = || time(20, || canonical::digest(black_box(&document.root)));
    Ok(report(&[
        compare("canonical bytes and digest of 50 KB, typed", Target::Times(3.5), 301, floor, typed),
        compare("canonical bytes and digest of 50 KB, read", Target::Times(8.0), 301, floor, read),
    ]))
}
