//! The tasks of a plan that a person wrote, judged: for the rules each is a command that writes. Apart from planning,
//! which judges what an intent names; the rules and what judges by them are the same.
//!
//! A written plan is its own registration and its own first evidence. Its files may be new, every task is reviewed and
//! verified before it lands, and landing as one commit is its way back.

use serde_json::json;

use super::decisions::{About, Sheet, rule_book};
use super::policy::Policy;
use crate::canonical;
use crate::diagnostic::{self, Diagnostic};
use crate::digest::Digest;
use crate::document::{self, Limits};
use crate::finding::Consequence;
use crate::plan::{Plan, Task};
use crate::registry::{Kind, Location, Registry};
use crate::rules::{
    Documents, Evidence, Judgement, Predicate as P, Predicates, RuleBook, Set, Subject, SubjectKind, Tri,
};
use crate::vocabulary::{Decision, Effect, Mode, Risk, Stage};

/// What a plan is judged with.
pub struct Court<'c> {
    /// The rules, and what else is registered.
    pub registry: &'c Registry,
    /// The policy in force.
    pub policy: &'c Policy,
    /// Whether a person has to approve every task.
    pub explicit: bool,
    /// The agent that implements.
    pub developer: &'c str,
}

/// What was decided on a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskVerdict {
    /// The task.
    pub id: String,
    /// What rules decide.
    pub decision: Decision,
    /// Why.
    pub reason: String,
    /// Why a person has to approve it first, where one has to.
    pub approval: Option<String>,
}

/// Whether there are rules to judge by.
pub fn has_rules(registry: &Registry) -> bool {
    registry.usable(Kind::Rule).next().is_some() || registry.broken_rules().next().is_some()
}

/// Judges every task, or says everything that forbids the plan.
pub fn judge(plan: &Plan, digest: Digest, court: &Court<'_>) -> Result<Vec<TaskVerdict>, Vec<Diagnostic>> {
    let (book, defects) = rule_book(court.registry);
    if !defects.is_empty() {
        return Err(defects.into_iter().map(|finding| finding.diagnostic).collect());
    }
    let mut sheet = Sheet::default();
    for task in &plan.tasks {
        let (about, judgement) = ask(&book, task, digest, court).map_err(|it| vec![it])?;
        sheet.push_task(&task.id.to_string(), &about, judgement);
    }
    // Nobody is asked for a way back: landing is one.
    let judged = sheet.judged(&book, false);
    let mut stops = sheet.findings(&book, &judged);
    if !stops.is_empty() {
        // The worst decides how the command ends, so it comes first.
        stops.sort_by_key(|finding| finding.consequence != Consequence::Aborted);
        return Err(stops.into_iter().map(|finding| finding.diagnostic).collect());
    }
    let verdict = |(task, ruled): (&Task, &super::decisions::Ruled)| TaskVerdict {
        id: task.id.to_string(),
        decision: ruled.decision,
        reason: ruled.reason.clone(),
        approval: approval(task, ruled.decision, &ruled.reason, court.explicit),
    };
    Ok(plan.tasks.iter().zip(&judged.commands).map(verdict).collect())
}

/// Why somebody has to approve a task before it begins; typing the command is enough for any other.
fn approval(task: &Task, decision: Decision, reason: &str, explicit: bool) -> Option<String> {
    if decision == Decision::RequireReview {
        Some(format!("a rule wants it reviewed: {reason}"))
    } else if task.risk >= Risk::High {
        Some(format!("its risk is {}", task.risk))
    } else {
        explicit.then(|| "the policy wants every plan approved".to_owned())
    }
}

fn ask(
    book: &RuleBook,
    task: &Task,
    digest: Digest,
    court: &Court<'_>,
) -> Result<(About, Judgement), Diagnostic> {
    let bug = |why: String| Diagnostic::error(diagnostic::PROVOST_BUG, why);
    let bytes = canonical::to_vec(&as_command(task, digest)).map_err(|error| bug(error.to_string()))?;
    let limits = Limits { bytes_max: u32::MAX, ..Limits::default() };
    let own = document::read("task.json", &bytes, &limits).map_err(|error| bug(error.to_string()))?;
    let raw = String::from_utf8_lossy(&bytes);
    let id = task.id.to_string();
    let about = About {
        risk: task.risk,
        stages: Set::EMPTY.with(Stage::Implementation),
        effects: vec![Effect::Write],
    };
    let judgement = book.judge_all(&Subject {
        kind: SubjectKind::Command,
        id: &id,
        risk: task.risk,
        stages: about.stages,
        effects: Set::EMPTY.with(Effect::Write),
        predicates: predicates(task, court),
        evidence: recorded(),
        fields: &Documents { own: &own.root, beyond: None, raw: Some(&raw) },
    });
    Ok((about, judgement))
}

/// A task as the command that rules look at.
fn as_command(task: &Task, digest: Digest) -> serde_json::Value {
    let reading = task.reading.iter().map(|reading| format!("scan://file/{}", reading.pattern));
    let evidence: Vec<String> =
        std::iter::once(format!("plan://{digest}#{}", task.id)).chain(reading).collect();
    let mut bounds = json!({ "max_commits": 1 });
    if let (false, Some(bounds)) = (task.files.is_empty(), bounds.as_object_mut()) {
        bounds.insert("max_files".to_owned(), task.files.len().into());
    }
    json!({
        "id": task.id,
        "type": "command",
        "title": task.title,
        "effects": [{ "scope": "repo", "kind": "write" }],
        "risk_level": task.risk,
        "evidence_refs": evidence,
        "lock_scope": { "mode": if task.files.is_empty() { "task" } else { "files" }, "paths": task.files },
        "resource_budget": bounds,
        "lineage": { "introduced_in": digest, "derived_from": null, "supersedes": [] },
    })
}

fn predicates(task: &Task, court: &Court<'_>) -> Predicates {
    let mut known = Predicates::default();
    for never in [
        P::LineageIncomplete,
        P::ContentReferenceNotInRegistry,
        P::ContentIdFabricated,
        P::CommandNotInScan,
        P::FabricatedReference,
        P::PathNotInFactpack,
        P::EvidenceRefsMissing,
        P::RollbackPlanMissing,
        P::AuditLogNotWritten,
        // Every task of a delivery passes a critic before it lands.
        P::StateNotRequiresReview,
    ] {
        known.set(never, false);
    }
    for always in [P::EffectKindIsWrite, P::DecisionIsKey, P::RuleEvaluated] {
        known.set(always, true);
    }
    known.set(P::RiskLevelHighOrCritical, task.risk >= Risk::High);
    known.set(P::TargetsFiles, !task.files.is_empty());
    // Without Files a task has the whole tree to itself, and says so.
    known.set(P::LockScopeMissing, false);
    // One commit for each task; the files are bounded where the plan names them.
    known.set(P::BudgetUnlimited, task.files.is_empty());
    known.set(P::ModeIsFullAuto, court.policy.mode == Mode::FullAuto);
    known.set(P::QuestionBudgetNotZero, court.policy.question_budget != Some(0));
    known.set(P::InferenceNotCloud, is_local(court));
    known
}

/// Whether the model of whoever implements is local; unknown where the catalogue does not say.
fn is_local(court: &Court<'_>) -> Tri {
    let models = court.registry.usable(Kind::Model).filter_map(|item| item.model());
    let mut own = models.filter(|model| model.agents.iter().any(|agent| agent == court.developer));
    own.next().map_or(Tri::Unknown, |model| Tri::from(model.location == Location::Local))
}

/// What is on record about every task; it explains and decides nothing.
fn recorded() -> Set<Evidence> {
    use Evidence as E;
    let on_record = [
        E::PlanMetadata,
        E::RiskAssessment,
        E::CommandEffects,
        E::EvidenceReferences,
        E::TargetFileList,
        E::LockScopeDeclaration,
        E::RollbackPlan,
        E::AuditLogEntry,
        E::EvaluationMetadata,
    ];
    on_record.into_iter().fold(Set::EMPTY, Set::with)
}
