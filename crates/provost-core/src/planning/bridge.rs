//! A frozen plan as tasks: what is delivered is exactly what was frozen. Apart because delivery knows tasks and planning
//! knows graphs, and this is the only place that knows both.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::again::Frozen;
use crate::diagnostic::{self, Diagnostic};
use crate::graph::{self, Graph, Node, NodeKind};
use crate::intent::{Intent, LockMode};
use crate::plan::{self, Plan};
use crate::registry::{Command, Kind, Registry, Resolution};

/// The tasks of a frozen plan.
pub fn tasks(frozen: &Frozen, graph: &Graph, intent: &Intent) -> Result<Plan, Diagnostic> {
    let order = graph::topological_order(graph).map_err(|cycle| refused(&cycle.to_string()))?;
    let bridge = Bridge { graph, intent, registry: &frozen.inputs.registry };
    let writing: Vec<&Node> = order.iter().copied().filter(|node| writes(node)).collect();
    let Some(last) = writing.last() else {
        let message = "nothing in the plan changes anything, so there is nothing to deliver";
        return Err(Diagnostic::error(diagnostic::PLANNING_NOTHING_TO_DELIVER, message));
    };
    let ids: BTreeMap<&str, String> =
        writing.iter().map(|node| (node.node_id.as_str(), task_id(node))).collect();
    let before = bridge.nearest_before(&order);
    let tasks: Vec<Value> =
        writing.iter().map(|node| bridge.task(node, &ids, &before, node.node_id == last.node_id)).collect();
    let document = json!({
        "title": one_line(&intent.title),
        "overview": intent.objective.goal,
        "tasks": tasks,
    });
    let bytes = serde_json::to_vec(&document).unwrap_or_default();
    let read = plan::read("plan.json", &bytes).map_err(|defects| refused(&defects.to_string()))?;
    Ok(read.plan)
}

struct Bridge<'b> {
    graph: &'b Graph,
    intent: &'b Intent,
    registry: &'b Registry,
}

/// The actions that a node follows, through whatever stands between.
#[derive(Clone, Default)]
struct Before<'g> {
    /// Those that change something.
    writing: BTreeSet<&'g str>,
    /// Those that only look, with nothing that changes something between.
    reading: BTreeSet<&'g str>,
}

impl<'b> Bridge<'b> {
    /// For each node the nearest actions before it; gates, decisions and phases are walked through.
    fn nearest_before(&self, order: &[&'b Node]) -> BTreeMap<&'b str, Before<'b>> {
        let mut into: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        // What a decision point leads to when it says no is not what the work waits for.
        for edge in self.graph.edges.iter().filter(|edge| edge.edge_type != graph::EdgeKind::Fallback) {
            into.entry(&edge.to_node).or_default().push(&edge.from_node);
        }
        let nodes: BTreeMap<&str, &'b Node> =
            order.iter().map(|node| (node.node_id.as_str(), *node)).collect();
        let mut all: BTreeMap<&'b str, Before<'b>> = BTreeMap::new();
        for node in order {
            let mut own = Before::default();
            for from in into.get(node.node_id.as_str()).into_iter().flatten() {
                let Some(source) = nodes.get(from) else { continue };
                let further = all.get(from).cloned().unwrap_or_default();
                if writes(source) {
                    own.writing.insert(&source.node_id);
                } else {
                    own.writing.extend(further.writing);
                    own.reading.extend(further.reading);
                    if source.node_type == NodeKind::ActionProposal {
                        own.reading.insert(&source.node_id);
                    }
                }
            }
            all.insert(&node.node_id, own);
        }
        all
    }

    fn task(
        &self,
        node: &Node,
        ids: &BTreeMap<&str, String>,
        before: &BTreeMap<&str, Before<'_>>,
        last: bool,
    ) -> Value {
        let command = self.command(node);
        let own = before.get(node.node_id.as_str()).cloned().unwrap_or_default();
        let mut criteria: Vec<String> = command.map(acceptance).unwrap_or_default();
        if last {
            criteria.extend(self.intent.objective.success_criteria.iter().map(|text| one_line(text)));
        }
        if criteria.is_empty() {
            criteria.push(format!(
                "`{}` is done: {}",
                node.command_ref.as_deref().unwrap_or(&node.label),
                one_line(&node.label)
            ));
        }
        criteria.dedup();
        let looked = own.reading.iter().filter_map(|id| self.graph.node(id));
        let reading: Vec<Value> = looked
            .flat_map(|looked| {
                looked
                    .metadata
                    .files
                    .iter()
                    .map(|file| json!({ "pattern": file, "note": one_line(&looked.label) }))
            })
            .chain(node.metadata.files.iter().map(|file| json!({ "pattern": file })))
            .collect();
        json!({
            "id": ids.get(node.node_id.as_str()),
            "title": one_line(&node.label),
            "work": self.work(node, command, &own),
            "criteria": criteria,
            "blocked_by": own.writing.iter().filter_map(|id| ids.get(id)).collect::<Vec<_>>(),
            "reading": reading,
            "files": self.files(),
            "risk": node.risk_level,
        })
    }

    fn command(&self, node: &Node) -> Option<&'b Command> {
        match self.registry.resolve(Kind::Command, node.command_ref.as_deref()?, None) {
            Resolution::Usable(item) => item.command(),
            _ => None,
        }
    }

    fn work(&self, node: &Node, command: Option<&Command>, own: &Before<'_>) -> String {
        let mut work = self.planned(node).unwrap_or(&node.label).to_owned();
        let mut add = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                work.extend(["\n\n", title, ":\n"]);
                work.extend(lines.iter().flat_map(|line| ["\n- ", line]));
            }
        };
        add("Goal of the whole plan", vec![one_line(&self.intent.objective.goal)]);
        add("Not wanted", self.intent.objective.non_goals.iter().map(|text| one_line(text)).collect());
        if let Some(command) = command {
            add(
                "What this kind of work is",
                [one_line(&command.description)].into_iter().filter(|it| !it.is_empty()).collect(),
            );
            add("What it needs", command.inputs.iter().map(slot).collect());
            add("What it leaves", command.outputs.iter().map(slot).collect());
        }
        let looked = own.reading.iter().filter_map(|id| self.graph.node(id));
        add("Look at first", looked.map(|node| one_line(&node.label)).collect());
        work
    }

    fn planned(&self, node: &Node) -> Option<&'b str> {
        let position = usize::try_from(node.metadata.position?).ok()?;
        Some(&self.intent.planned_commands.get(position.checked_sub(1)?)?.intent)
    }

    fn files(&self) -> &'b [String] {
        let lock = &self.intent.constraints.lock_scope;
        if lock.mode == LockMode::Files && !lock.paths.is_empty() {
            &lock.paths
        } else {
            &self.intent.scope.targets.files
        }
    }
}

fn writes(node: &Node) -> bool {
    node.node_type == NodeKind::ActionProposal && node.effects.iter().flatten().any(|effect| effect.writes())
}

/// The name of a node's task: the place of its command in the plan, and the command.
fn task_id(node: &Node) -> String {
    let position = node.metadata.position.unwrap_or(0);
    let name = node.command_ref.as_deref().unwrap_or("task").trim_start_matches("cmd_");
    let parts: Vec<&str> = name.split('_').filter(|part| !part.is_empty()).collect();
    let id: String = format!("{position}-{}", parts.join("-")).chars().take(60).collect();
    id.trim_end_matches('-').to_owned()
}

fn acceptance(command: &Command) -> Vec<String> {
    if !command.acceptance.is_empty() {
        return command.acceptance.iter().map(|text| one_line(text)).collect();
    }
    command.outputs.iter().map(|output| format!("`{}` is there", slot(output))).collect()
}

fn slot(slot: &crate::registry::Slot) -> String {
    slot.description
        .as_deref()
        .map_or_else(|| slot.name.clone(), |text| format!("{}: {}", slot.name, one_line(text)))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn refused(why: &str) -> Diagnostic {
    Diagnostic::error(diagnostic::PROVOST_BUG, format!("the frozen plan does not become tasks: {why}"))
}
