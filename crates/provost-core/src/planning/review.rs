//! What a reviewer needs to know before work begins: what changes, what it rests on, who has to look, and the way back.
//! Apart because it only puts together what was decided, so that reading it is reading the plan.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::action::Action;
use super::open::covers;
use super::policy::Effective;
use super::risk::{self, Assessment};
use crate::diagnostic::{self, Diagnostic};
use crate::finding::{FailureType, Finding};
use crate::graph::{Graph, NodeKind};
use crate::intent::{Intent, LockMode};
use crate::schema::{Schema, Shape, choice, integer, list, object, required, text};
use crate::vocabulary::{Decision, Effect, ReviewCategory, Risk};

/// What a reviewer needs to know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewPack {
    /// The graph that is reviewed.
    pub graph_id: String,
    /// What it is for.
    pub plan_summary: PlanSummary,
    /// The files that change.
    pub planned_changes: Vec<PlannedChange>,
    /// How much changes.
    pub change_impact: Impact,
    /// What somebody has to look at.
    pub review_gates: Vec<ReviewGate>,
    /// How much is at stake.
    pub risk_assessment: Assessment,
    /// How many commands and workflows got which verdict.
    pub rule_decisions: Vec<Verdicts>,
    /// What somebody should know.
    pub warnings: Vec<String>,
    /// The way back, step by step.
    pub rollback_guide: Vec<String>,
    /// How large it is.
    pub estimate: Estimate,
}

/// What a plan is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlanSummary {
    /// The goal.
    pub objective: String,
    /// How it is reached.
    pub approach: String,
    /// What could go wrong.
    pub risks: Vec<String>,
}

/// A file that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedChange {
    /// The file.
    pub path: String,
    /// What happens to it, as far as is known.
    pub planned_action: &'static str,
    /// What says so.
    pub evidence_refs: Vec<String>,
}

/// How much changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Impact {
    /// Files.
    pub estimated_files: u32,
    /// Commits.
    pub estimated_commits: u32,
    /// Areas, as the intent names them.
    pub areas: Vec<String>,
    /// Modules, as the intent names them.
    pub modules: Vec<String>,
    /// How it was estimated.
    pub basis: &'static str,
}

/// What somebody has to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReviewGate {
    /// Its category, or `rule` where a rule wants it.
    pub category: String,
    /// Its nodes in the graph.
    pub node_ids: Vec<String>,
    /// What to look for.
    pub criteria: Vec<String>,
}

/// How many commands and workflows got a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Verdicts {
    /// The verdict.
    pub decision: Decision,
    /// How many commands.
    pub commands: u32,
    /// How many workflows.
    pub workflows: u32,
}

/// How large a plan is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Estimate {
    /// From 0 to 100.
    pub complexity_score: u8,
    /// In words.
    pub duration_range: &'static str,
}

/// What a review is made from.
pub struct Material<'m> {
    /// The intent.
    pub intent: &'m Intent,
    /// Its commands.
    pub actions: &'m [Action<'m>],
    /// What rules say of each.
    pub decisions: &'m [Decision],
    /// What rules say of each workflow.
    pub workflows: &'m [Decision],
    /// The graph, final.
    pub graph: &'m Graph,
    /// How much is at stake.
    pub risk: &'m Assessment,
    /// The limits in force.
    pub policy: &'m Effective,
    /// What somebody should know.
    pub warnings: Vec<String>,
    /// How to go back, as somebody answered.
    pub rollback: Option<&'m str>,
}

/// Puts the review together.
pub fn build(material: Material<'_>) -> ReviewPack {
    let Material { intent, actions, decisions, workflows, graph, risk, policy, warnings, rollback } =
        material;
    let changes = planned_changes(intent, actions);
    let phases = graph.nodes.iter().filter(|node| node.node_type == NodeKind::Phase).count();
    ReviewPack {
        graph_id: graph.graph_id.clone(),
        plan_summary: PlanSummary {
            objective: intent.objective.goal.clone(),
            approach: format!(
                "{} commands in {phases} phases of {} workflows",
                actions.len(),
                intent.selected_workflows.len()
            ),
            risks: intent.risk.drivers.clone(),
        },
        change_impact: impact(intent, &changes, policy),
        planned_changes: changes,
        review_gates: gates(graph),
        risk_assessment: risk.clone(),
        rule_decisions: verdicts(decisions, workflows),
        warnings,
        rollback_guide: rollback_guide(actions, risk, rollback),
        estimate: estimate(graph),
    }
}

/// What is larger than it may be.
pub fn over_budget(intent: &Intent, impact: &Impact, policy: &Effective) -> Vec<Finding> {
    let mut over = Vec::new();
    let mut compare = |what: &str, estimated: u32, most: u32| {
        if estimated > most {
            let message = format!("the plan changes {estimated} {what}, the budget is {most}");
            let finding = Finding::blocked(
                Diagnostic::error(diagnostic::REVIEW_BUDGET, message),
                FailureType::ConstraintViolation,
            );
            over.push(finding.shown_by([format!("intent://budgets/max_{what}")]));
        }
    };
    compare("files", impact.estimated_files, intent.budgets.max_files);
    compare("commits", impact.estimated_commits, intent.budgets.max_commits);
    if impact.estimated_files > BULK && !policy.allow_bulk {
        let message = format!(
            "the plan changes {} files at once and the policy forbids bulk changes",
            impact.estimated_files
        );
        let finding = Finding::blocked(
            Diagnostic::error(diagnostic::REVIEW_BUDGET, message),
            FailureType::PolicyViolation,
        );
        over.push(finding.shown_by(["policy://constraints/allow_bulk_changes".to_owned()]));
    }
    over
}

/// A required review that no gate stands for. No document leads here, because a graph has a gate for every category and
/// a review that a rule wants has a category; a plan that nobody would look at is not frozen all the same.
pub fn uncovered(
    wanted: &BTreeSet<ReviewCategory>,
    decisions: &[Verdicts],
    gates: &[ReviewGate],
) -> Option<String> {
    let stands = |category: &ReviewCategory| gates.iter().any(|gate| gate.category == category.to_string());
    if let Some(category) = wanted.iter().find(|category| !stands(category)) {
        return Some(format!("the review of {category} has no gate in the plan"));
    }
    let reviewed =
        |it: &Verdicts| it.decision == Decision::RequireReview && (it.commands > 0 || it.workflows > 0);
    (decisions.iter().any(reviewed) && gates.is_empty())
        .then(|| "a rule wants a review and the plan has no gate".to_owned())
}

/// From how many files on a change is one in bulk.
const BULK: u32 = 50;

fn planned_changes(intent: &Intent, actions: &[Action<'_>]) -> Vec<PlannedChange> {
    let mut changes: BTreeMap<&str, (bool, BTreeSet<String>)> = BTreeMap::new();
    let writing = || actions.iter().filter(|action| action.writes());
    if writing().next().is_none() {
        return Vec::new();
    }
    let lock = &intent.constraints.lock_scope;
    // What is not locked is not written; whether that is meant was asked.
    let written = |file: &&String| lock.mode != LockMode::Files || covers(&lock.paths, file);
    for file in intent.scope.targets.files.iter().filter(written) {
        changes.entry(file).or_default().1.insert("intent://scope/targets/files".to_owned());
    }
    for action in writing() {
        for file in action.files() {
            let change = changes.entry(file).or_default();
            change.0 |= action.effects.contains(&Effect::Delete);
            change.1.insert(format!("intent://planned_commands/{}", action.index));
        }
    }
    let changes = changes.into_iter();
    changes
        .map(|(path, (deleted, refs))| PlannedChange {
            path: path.to_owned(),
            planned_action: if deleted { "delete" } else { "unknown" },
            evidence_refs: refs.into_iter().collect(),
        })
        .collect()
}

fn impact(intent: &Intent, changes: &[PlannedChange], policy: &Effective) -> Impact {
    let mut parts: BTreeMap<&str, u32> = BTreeMap::new();
    for change in changes {
        let part = change.path.split('/').next().unwrap_or_default();
        *parts.entry(part).or_default() += 1;
    }
    let per_commit = policy.max_files_per_commit.max(1);
    Impact {
        estimated_files: u32::try_from(changes.len()).unwrap_or(u32::MAX),
        estimated_commits: parts.values().map(|files| files.div_ceil(per_commit)).sum(),
        areas: intent.scope.targets.areas.clone(),
        modules: intent.scope.targets.modules.clone(),
        basis: "files: targets and scanned files of writing commands; commits: one for each top folder, split by the policy's files per commit",
    }
}

fn gates(graph: &Graph) -> Vec<ReviewGate> {
    let mut gates: BTreeMap<String, ReviewGate> = BTreeMap::new();
    for node in graph.nodes.iter().filter(|node| node.node_type == NodeKind::ReviewGate) {
        let category = node.metadata.category.map_or_else(|| "rule".to_owned(), |it| it.to_string());
        let gate = gates.entry(category.clone()).or_insert_with(|| ReviewGate {
            category,
            node_ids: Vec::new(),
            criteria: Vec::new(),
        });
        gate.node_ids.push(node.node_id.clone());
        for criterion in node.review_criteria.iter().flatten() {
            if !gate.criteria.contains(criterion) {
                gate.criteria.push(criterion.clone());
            }
        }
    }
    gates.into_values().collect()
}

fn verdicts(decisions: &[Decision], workflows: &[Decision]) -> Vec<Verdicts> {
    let all = [Decision::Allow, Decision::Warn, Decision::RequireReview, Decision::Deny];
    let count = |among: &[Decision], decision: Decision| {
        u32::try_from(among.iter().filter(|it| **it == decision).count()).unwrap_or(u32::MAX)
    };
    all.into_iter()
        .map(|decision| Verdicts {
            decision,
            commands: count(decisions, decision),
            workflows: count(workflows, decision),
        })
        .collect()
}

fn rollback_guide(actions: &[Action<'_>], risk: &Assessment, rollback: Option<&str>) -> Vec<String> {
    if actions.iter().all(|action| !action.writes()) {
        return Vec::new();
    }
    let back = |action: &&Action<'_>| {
        let id = &action.planned.command_id;
        id.contains("rollback") || id.contains("revert")
    };
    let planned =
        actions.iter().filter(back).map(|action| format!("planned: `{}`", action.planned.command_id));
    let mut guide: Vec<String> =
        rollback.map(|text| format!("as answered: {text}")).into_iter().chain(planned).collect();
    guide.push(
        "every task lands as one commit: revert the commits of the delivery in reverse order".to_owned(),
    );
    if risk.overall >= Risk::High {
        guide.push("run the project's checks on the reverted tree before anybody builds on it".to_owned());
    }
    guide
}

fn estimate(graph: &Graph) -> Estimate {
    let actions = graph.nodes.iter().filter(|node| node.node_type == NodeKind::ActionProposal).count();
    let size = graph.nodes.len() / 2 + actions;
    Estimate {
        complexity_score: u8::try_from(size.min(100)).unwrap_or(100),
        duration_range: match actions {
            0..=2 => "quick",
            3..=10 => "moderate",
            11..=30 => "thorough",
            _ => "extended",
        },
    }
}

const TEXTS: Shape = list(&text(1, 4_000), 0, 1_000);
const COUNT: Shape = integer(0, 1_000_000);

/// The shape of `review.json`.
pub const SCHEMA: Schema = Schema {
    name: "coordinator_review_pack",
    version: "1.1.0",
    title: "What a reviewer needs to know before work begins",
    root: object(&[
        required("run_id", super::RUN_ID, "the run"),
        required("intent_id", text(1, 256), "the intent"),
        required("graph_id", text(1, 80), "the graph that is reviewed"),
        required(
            "plan_summary",
            object(&[
                required("objective", text(1, 4_000), "the goal"),
                required("approach", text(1, 1_000), "how it is reached"),
                required("risks", TEXTS, "what could go wrong"),
            ]),
            "what it is for",
        ),
        required(
            "planned_changes",
            list(
                &object(&[
                    required("path", text(1, 512), "the file"),
                    required(
                        "planned_action",
                        choice(&["add", "modify", "delete", "unknown"]),
                        "what happens to it",
                    ),
                    required("evidence_refs", TEXTS, "what says so"),
                ]),
                0,
                3_000,
            ),
            "the files that change",
        ),
        required(
            "change_impact",
            object(&[
                required("estimated_files", COUNT, "files"),
                required("estimated_commits", COUNT, "commits"),
                required("areas", TEXTS, "areas, as the intent names them"),
                required("modules", TEXTS, "modules, as the intent names them"),
                required("basis", text(1, 1_000), "how it was estimated"),
            ]),
            "how much changes",
        ),
        required(
            "review_gates",
            list(
                &object(&[
                    required("category", text(1, 80), "its category, or `rule`"),
                    required("node_ids", TEXTS, "its nodes in the graph"),
                    required("criteria", TEXTS, "what to look for"),
                ]),
                0,
                200,
            ),
            "what somebody has to look at",
        ),
        required("risk_assessment", risk::ASSESSMENT, "how much is at stake"),
        required(
            "rule_decisions",
            list(
                &object(&[
                    required("decision", super::DECISION, "the verdict"),
                    required("commands", COUNT, "how many commands got it"),
                    required("workflows", COUNT, "how many workflows got it"),
                ]),
                4,
                4,
            ),
            "how many commands and workflows got which verdict",
        ),
        required("warnings", TEXTS, "what somebody should know"),
        required("rollback_guide", TEXTS, "the way back"),
        required(
            "estimate",
            object(&[
                required("complexity_score", integer(0, 100), "from 0 to 100"),
                required(
                    "duration_range",
                    choice(&["quick", "moderate", "thorough", "extended"]),
                    "in words",
                ),
            ]),
            "how large it is",
        ),
    ]),
};

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(category: &str) -> ReviewGate {
        ReviewGate { category: category.to_owned(), node_ids: Vec::new(), criteria: Vec::new() }
    }

    #[test]
    fn a_review_without_a_gate_is_noticed() {
        let none = verdicts(&[Decision::Allow], &[Decision::Warn]);
        let command = verdicts(&[Decision::RequireReview], &[]);
        let workflow = verdicts(&[], &[Decision::RequireReview]);
        let data = BTreeSet::from([ReviewCategory::Data]);
        let nobody = BTreeSet::new();
        assert_eq!(uncovered(&nobody, &none, &[]), None);
        assert_eq!(uncovered(&data, &none, &[gate("data")]), None);
        assert!(uncovered(&data, &none, &[gate("cost")]).is_some_and(|it| it.contains("data")));
        for decided in [command, workflow] {
            assert!(uncovered(&nobody, &decided, &[]).is_some_and(|it| it.contains("a rule")));
            assert_eq!(uncovered(&nobody, &decided, &[gate("cost")]), None);
        }
    }
}
