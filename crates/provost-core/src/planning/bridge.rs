//! A frozen plan as tasks: what is delivered is exactly what was frozen. Apart because delivery knows tasks and planning
//! knows graphs, and this is the only place that knows both.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::again::Frozen;
use crate::diagnostic::{self, Diagnostic};
use crate::graph::{self, Graph, Node, NodeKind};
use crate::intent::{Intent, LockMode};
use crate::plan::{self, Plan, TaskId};
use crate::registry::{Command, Kind, Registry, Resolution, Slot};

/// The tasks of a frozen plan, and those of them that only verify.
pub fn tasks(frozen: &Frozen, graph: &Graph, intent: &Intent) -> Result<(Plan, Vec<TaskId>), Diagnostic> {
    let order = graph::topological_order(graph).map_err(|cycle| refused(&cycle.to_string()))?;
    let bridge = Bridge { graph, intent, registry: &frozen.inputs.registry };
    let writing: Vec<&Node> = order.iter().copied().filter(|node| writes(node)).collect();
    if writing.is_empty() {
        let message = "nothing in the plan changes anything, so there is nothing to deliver";
        return Err(Diagnostic::error(diagnostic::PLANNING_NOTHING_TO_DELIVER, message));
    }
    let ids: BTreeMap<&str, String> =
        writing.iter().map(|node| (node.node_id.as_str(), task_id(node))).collect();
    let before = bridge.nearest_before(&order);
    let awaited: BTreeSet<&str> = writing
        .iter()
        .filter_map(|node| before.get(node.node_id.as_str()))
        .flat_map(|own| own.writing.iter().copied())
        .collect();
    let ends: Vec<&Node> =
        writing.iter().copied().filter(|node| !awaited.contains(node.node_id.as_str())).collect();
    // One task that comes after all others can meet what the whole is measured by; of several none can.
    let closing = if let [only] = ends.as_slice() { Some(only.node_id.as_str()) } else { None };
    let afterwards = Bridge::afterwards(&order, &before);
    let mut tasks: Vec<Value> = Vec::new();
    for node in &writing {
        let looked = afterwards.get(node.node_id.as_str()).map(Vec::as_slice).unwrap_or_default();
        let place = Place { ids: &ids, before: &before, last: closing == Some(&node.node_id), looked };
        tasks.push(bridge.task(node, &place));
    }
    if closing.is_none() {
        tasks.push(bridge.closing(&ends, &ids));
    }
    let document = json!({
        "title": one_line(&intent.title),
        "overview": intent.objective.goal,
        "tasks": tasks,
    });
    let bytes = serde_json::to_vec(&document).unwrap_or_default();
    let read = plan::read("plan.json", &bytes).map_err(|defects| refused(&defects.to_string()))?;
    let is_closing = |id: &&TaskId| id.to_string() == CLOSING;
    let verifying = read.plan.tasks.iter().map(|task| &task.id).filter(is_closing).cloned().collect();
    Ok((read.plan, verifying))
}

/// The name of the task that verifies the whole; those of others begin with a number.
const CLOSING: &str = "verify-the-whole";

/// The most characters of a task's title; the whole of it is its work.
const TITLE_MAX: usize = 120;

/// Where a task stands among the others.
struct Place<'p> {
    ids: &'p BTreeMap<&'p str, String>,
    before: &'p BTreeMap<&'p str, Before<'p>>,
    /// Whether it comes after all others.
    last: bool,
    /// What is looked at once it is done.
    looked: &'p [&'p Node],
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

    /// What only looks and comes after a task with no other task behind it: nobody reads it first, so the task says it.
    fn afterwards(
        order: &[&'b Node],
        before: &BTreeMap<&'b str, Before<'b>>,
    ) -> BTreeMap<&'b str, Vec<&'b Node>> {
        let read_first: BTreeSet<&str> = order
            .iter()
            .filter(|node| writes(node))
            .filter_map(|node| before.get(node.node_id.as_str()))
            .flat_map(|own| own.reading.iter().copied())
            .collect();
        let mut all: BTreeMap<&str, Vec<&Node>> = BTreeMap::new();
        let looks = |node: &&&Node| node.node_type == NodeKind::ActionProposal && !writes(node);
        for node in order.iter().filter(looks).filter(|node| !read_first.contains(node.node_id.as_str())) {
            let own = before.get(node.node_id.as_str()).into_iter().flat_map(|own| own.writing.iter());
            own.for_each(|id| all.entry(id).or_default().push(node));
        }
        all
    }

    fn task(&self, node: &Node, place: &Place<'_>) -> Value {
        let command = self.command(node);
        let own = place.before.get(node.node_id.as_str()).cloned().unwrap_or_default();
        let mut criteria: Vec<String> = command.map(acceptance).unwrap_or_default();
        if place.last {
            criteria.extend(self.success());
        }
        if criteria.is_empty() {
            let name = node.command_ref.as_deref().unwrap_or(&node.label);
            criteria.push(format!("`{name}` is done: {}", self.said(node)));
        }
        let mut seen = BTreeSet::new();
        criteria.retain(|text| seen.insert(text.clone()));
        let looked = own.reading.iter().filter_map(|id| self.graph.node(id));
        let noted = looked
            .flat_map(|node| node.metadata.files.iter().map(|file| (file.as_str(), Some(self.said(node)))));
        let mut seen = BTreeSet::new();
        let reading: Vec<Value> = noted
            .chain(node.metadata.files.iter().map(|file| (file.as_str(), None)))
            .filter(|(file, _)| seen.insert(*file))
            .map(|(file, note)| {
                note.map_or_else(
                    || json!({ "pattern": file }),
                    |note| json!({ "pattern": file, "note": note }),
                )
            })
            .collect();
        json!({
            "id": place.ids.get(node.node_id.as_str()),
            "title": self.said(node).chars().take(TITLE_MAX).collect::<String>(),
            "work": self.work(node, command, &own, place.looked),
            "criteria": criteria,
            "blocked_by": own.writing.iter().filter_map(|id| place.ids.get(id)).collect::<Vec<_>>(),
            "reading": reading,
            "files": self.files(),
            "risk": node.risk_level.unwrap_or_default(),
        })
    }

    /// The task that comes after several that nothing waits for, and sees whether they amount to what was wanted.
    fn closing(&self, ends: &[&Node], ids: &BTreeMap<&str, String>) -> Value {
        json!({
            "id": CLOSING,
            "title": "Verify the whole",
            "work": format!("See whether the tasks before amount to the goal: {}", one_line(&self.intent.objective.goal)),
            "criteria": self.success().collect::<Vec<_>>(),
            "blocked_by": ends.iter().filter_map(|node| ids.get(node.node_id.as_str())).collect::<Vec<_>>(),
            "risk": "low",
        })
    }

    fn success(&self) -> impl Iterator<Item = String> {
        self.intent.objective.success_criteria.iter().map(|text| one_line(text))
    }

    fn command(&self, node: &Node) -> Option<&'b Command> {
        match self.registry.resolve(Kind::Command, node.command_ref.as_deref()?, None) {
            Resolution::Usable(item) => item.command(),
            _ => None,
        }
    }

    fn work(&self, node: &Node, command: Option<&Command>, own: &Before<'_>, after: &[&Node]) -> String {
        let mut work = self.planned(node).unwrap_or(&node.label).to_owned();
        let mut add = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                let _ = write!(work, "\n\n{title}:\n");
                for line in lines {
                    let _ = write!(work, "\n- {line}");
                }
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
        add("Look at first", looked.map(|node| self.said(node)).collect());
        add("Looked at afterwards", after.iter().map(|node| self.said(node)).collect());
        work
    }

    /// What a node is for, in the words of the intent.
    fn said(&self, node: &Node) -> String {
        one_line(self.planned(node).unwrap_or(&node.label))
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
    let output = |output: &Slot| match output.description.as_deref().map(one_line) {
        Some(text) if !text.is_empty() => format!("`{}` is there: {text}", output.name),
        _ => format!("`{}` is there", output.name),
    };
    command.outputs.iter().map(output).collect()
}

fn slot(slot: &Slot) -> String {
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
