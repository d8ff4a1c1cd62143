//! `CONTEXT_BUILT`: memory, facts and policy put together, and every reference followed.

use std::collections::BTreeMap;

use serde::Serialize;
use strum::VariantNames;

use super::{Verdict, Walk};
use crate::diagnostic::{self, Diagnostic};
use crate::finding::{FailureType, Finding};
use crate::intent::Intent;
use crate::planning::memory::MemoryPack;
use crate::planning::policy::Effective;
use crate::planning::reference::{Known, Reference, Resolution};
use crate::planning::shelf::Unfit;
use crate::planning::tape::Guard;
use crate::planning::{RUN_ID, Trigger};
use crate::registry::{self, Kind};
use crate::schema::{Schema, choice, integer, list, object, optional, required, text};
use crate::vocabulary::{Mode, QuestionPolicy, Sensitivity};

#[derive(Serialize)]
struct Bundle<'b> {
    run_id: &'b str,
    intent_id: &'b str,
    memories: Vec<&'b str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<&'b str>,
    files: Option<usize>,
    limits: Limits,
    evidence: Vec<Followed<'b>>,
}

#[derive(Serialize)]
struct Limits {
    mode: Mode,
    question_budget: u32,
    question_policy: QuestionPolicy,
    max_cost_microusd: u64,
    sensitivity: Sensitivity,
}

#[derive(Serialize)]
struct Followed<'b> {
    reference: &'b str,
    resolution: &'static str,
}

impl Walk<'_> {
    pub(super) fn build_context(&mut self) -> Result<Verdict, Unfit> {
        let memory = self.inputs.memory.as_ref().map(|memory| memory.memories.len());
        let least = usize::try_from(self.inputs.policy.min_memories).unwrap_or(usize::MAX);
        let enough = memory.is_some_and(|count| count >= least);
        let facts = self.inputs.facts.is_some();
        let guards = vec![
            Guard::new(
                "memory_pack_available",
                enough,
                memory.map_or_else(|| "there is none".to_owned(), |count| format!("{count} memories")),
            ),
            Guard::new("factpack_available", facts, if facts { "there is one" } else { "there is none" }),
            Guard::new("policy_loaded", true, "its stricter limits are in force"),
        ];
        let mut findings = Vec::new();
        if !enough {
            let message = match memory {
                None => "there is no memory pack".to_owned(),
                Some(count) => format!("the memory pack has {count} memories, the policy wants {least}"),
            };
            let diagnostic = Diagnostic::error(diagnostic::CONTEXT_MEMORY, message);
            findings.push(
                Finding::blocked(diagnostic, FailureType::ConstraintViolation)
                    .shown_by(["memory://".to_owned()]),
            );
        }
        if !facts {
            let diagnostic =
                Diagnostic::error(diagnostic::CONTEXT_FACTS, "there are no facts about the project");
            findings.push(
                Finding::blocked(diagnostic, FailureType::ConstraintViolation)
                    .shown_by(["fact://".to_owned()]),
            );
        }
        if !findings.is_empty() {
            return Ok(Verdict::ended(Trigger::ContextUnavailable, guards, findings));
        }
        self.put_context()?;
        Ok(Verdict::new(Trigger::ContextAssembled, guards))
    }

    fn put_context(&mut self) -> Result<(), Unfit> {
        let Some((intent, effective)) = self.examined.intent.as_ref().zip(self.effective.as_ref()) else {
            return Ok(());
        };
        let mut references: BTreeMap<&str, &'static str> = BTreeMap::new();
        for reference in references_of(intent) {
            references.insert(reference, name(self.follow(reference)));
        }
        let facts = self.inputs.facts.as_ref();
        let bundle = Bundle {
            run_id: &self.run_id,
            intent_id: &self.examined.id,
            memories: self.inputs.memory.iter().flat_map(MemoryPack::ids).collect(),
            repository: facts
                .and_then(|facts| facts.repo_fingerprint.as_ref())
                .and_then(|it| it.git_commit.as_deref()),
            files: facts.and_then(|facts| facts.files.as_ref()).map(Vec::len),
            limits: limits(effective),
            evidence: references
                .into_iter()
                .map(|(reference, resolution)| Followed { reference, resolution })
                .collect(),
        };
        self.shelf.put("context.json", &SCHEMA, &bundle, &["facts.json", "memory.json", "policy.json"])
    }

    /// Whether a reference leads somewhere; one that cannot be read leads nowhere.
    pub(super) fn follow(&self, reference: &str) -> Resolution {
        reference.parse::<Reference>().map_or(Resolution::Unresolvable, |it| it.resolve(self))
    }
}

impl Known for Walk<'_> {
    fn file(&self, path: &str) -> bool {
        let Some(facts) = &self.inputs.facts else { return false };
        facts.has_file(path) == Some(true) || facts.evidence.iter().any(|it| it.source_file == path)
    }

    fn evidence(&self, id: &str) -> bool {
        self.inputs.facts.as_ref().is_some_and(|facts| facts.evidence.iter().any(|it| it.id == id))
    }

    fn registered(&self, folder: Option<&str>, id: &str, version: Option<&str>) -> bool {
        let kinds = [Kind::Workflow, Kind::Agent, Kind::Command, Kind::Rule, Kind::Expert, Kind::Model];
        let wanted = kinds.into_iter().filter(|kind| folder.is_none_or(|folder| folder == kind.folder()));
        wanted
            .map(|kind| self.inputs.registry.resolve(kind, id, version))
            .any(|found| matches!(found, registry::Resolution::Usable(_)))
    }

    fn memory(&self, id: &str) -> bool {
        self.inputs.memory.as_ref().is_some_and(|memory| memory.has(id))
    }
}

/// Every reference of an intent.
pub(super) fn references_of(intent: &Intent) -> impl Iterator<Item = &str> {
    let commands = intent.planned_commands.iter().flat_map(|command| &command.evidence_refs);
    intent.evidence_refs.iter().chain(commands).map(String::as_str)
}

fn limits(effective: &Effective) -> Limits {
    Limits {
        mode: effective.mode,
        question_budget: effective.question_budget,
        question_policy: effective.question_policy,
        max_cost_microusd: effective.max_cost_microusd,
        sensitivity: effective.sensitivity,
    }
}

const fn name(resolution: Resolution) -> &'static str {
    match resolution {
        Resolution::Resolved => "resolved",
        Resolution::Unresolved => "unresolved",
        Resolution::Unresolvable => "unresolvable",
    }
}

/// The shape of `context.json`.
pub(crate) const SCHEMA: Schema = Schema {
    name: "context_bundle",
    version: "1.0.0",
    title: "What planning knew",
    root: object(&[
        required("run_id", RUN_ID, "the run"),
        required("intent_id", text(1, 256), "the intent"),
        required("memories", list(&text(1, 120), 0, 1_000), "the memories, by id"),
        optional("repository", text(1, 120), "the commit that was scanned"),
        required(
            "files",
            crate::schema::Shape::Nullable(&integer(0, 10_000_000)),
            "how many files are known; null where none were listed",
        ),
        required(
            "limits",
            object(&[
                required("mode", choice(<Mode as VariantNames>::VARIANTS), "how much may be asked"),
                required("question_budget", integer(0, 100_000), "how many questions"),
                required("question_policy", choice(<QuestionPolicy as VariantNames>::VARIANTS), "which"),
                required("max_cost_microusd", integer(0, 9_007_199_254_740_991), "how much it may cost"),
                required("sensitivity", choice(<Sensitivity as VariantNames>::VARIANTS), "how public it is"),
            ]),
            "the stricter of intent and policy",
        ),
        required(
            "evidence",
            list(
                &object(&[
                    required("reference", text(1, 512), "the reference"),
                    required(
                        "resolution",
                        choice(&["resolved", "unresolved", "unresolvable"]),
                        "whether it leads somewhere",
                    ),
                ]),
                0,
                3_000,
            ),
            "every reference of the intent",
        ),
    ]),
};
