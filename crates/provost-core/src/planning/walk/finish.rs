//! From `GRAPH_FINALIZED` to the end: answers become part of the graph, the review is put together, documents are frozen,
//! and whatever the end, tape, audit and manifest are closed.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{NoRun, Verdict, Walk};
use crate::canonical::{self, checksum};
use crate::diagnostic::{self, Diagnostic};
use crate::digest::Digest;
use crate::finding::{FailureType, Finding};
use crate::graph::{self, NodeKind, RegistryVersion};
use crate::intent::{self, Intent};
use crate::planning::audit::{self, Noted};
use crate::planning::failure::{self, Failure};
use crate::planning::manifest::{Contents, IntentChecksum, Manifest};
use crate::planning::policy::Effective;
use crate::planning::questions_pack::QuestionPack;
use crate::planning::review::{self, Material, ReviewPack};
use crate::planning::shelf::{Paper, Unfit};
use crate::planning::summary::{self, Summary};
use crate::planning::tape::{ChoiceInputs, ChoiceType, Decided, Guard};
use crate::planning::{Phase, Trigger, bundle, facts, manifest, markdown, memory, policy, risk, tape};
use crate::registry::{Kind, Lock};
use crate::vocabulary::Decision;

/// A run that came to rest.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its id.
    pub run_id: String,
    /// The intent's id.
    pub intent_id: String,
    /// Where it came to rest.
    pub state: Phase,
    /// The verdicts that led there.
    pub steps: Vec<Trigger>,
    /// Why it ended without a plan.
    pub failure: Option<Failure>,
    /// What is asked.
    pub questions: Option<QuestionPack>,
    /// The manifest.
    pub manifest: Manifest,
    /// Every file, the manifest among them.
    pub files: Vec<bundle::File>,
}

impl Run {
    /// All files in one piece.
    pub fn bundle(&self) -> Vec<u8> {
        bundle::write(&self.files)
    }

    /// The bytes of a file.
    pub fn file(&self, name: &str) -> Option<&[u8]> {
        self.files.iter().find(|file| file.name == name).map(|file| file.bytes.as_slice())
    }
}

impl<'w> Walk<'w> {
    pub(super) fn finalize_graph(&mut self) -> Result<Verdict, Unfit> {
        let Some((intent, effective)) = self.bound() else { return Ok(super::unbound()) };
        let settled: Vec<String> =
            self.pack.iter().flat_map(|pack| &pack.questions).map(|it| it.question_id.clone()).collect();
        if self.answered.withdrawn {
            return Ok(incomplete("the plan was withdrawn by an answer", "intent://planned_commands"));
        }
        if !settled.is_empty() {
            self.judge_answers(intent);
        }
        let all_dropped = !self.actions.is_empty() && self.decisions().iter().all(|it| *it == Decision::Deny);
        if all_dropped {
            return Ok(incomplete("every command was left out by an answer", "intent://planned_commands"));
        }
        // Answers may have changed decisions, so the draft is made once more before its questions are taken out.
        let names: BTreeSet<&str> = settled.iter().map(String::as_str).collect();
        let last = self
            .graph_of(intent, &effective)
            .map_err(|it| Unfit { file: "graph.json".to_owned(), why: it.diagnostic.message })?;
        let done = match graph::finalize(&last, &names) {
            Ok(done) => done,
            Err(unfinished) => return Ok(incomplete(&unfinished.to_string(), "run://graph.json")),
        };
        let defects = graph::defects(&done);
        let placeholders = done.nodes.iter().filter(|node| node.node_type == NodeKind::Question).count();
        let guards = vec![
            Guard::new(
                "graph_complete",
                defects.is_empty(),
                defects.first().map_or_else(|| "proven".to_owned(), ToString::to_string),
            ),
            Guard::new(
                "no_placeholders",
                placeholders == 0,
                format!("{placeholders} questions are left in it"),
            ),
        ];
        self.shelf.put(
            "graph.json",
            &graph::SCHEMA,
            &done,
            &[&format!("graph.draft.{}.json", self.revision)],
        )?;
        self.graph = Some(done);
        if defects.is_empty() && placeholders == 0 {
            return Ok(Verdict::new(Trigger::GraphCompleted, guards));
        }
        let mut verdict = incomplete("the graph is not complete", "run://graph.json");
        verdict.guards = guards;
        Ok(verdict)
    }

    /// Says how answers changed decisions and risk.
    fn judge_answers(&mut self, intent: &Intent) {
        let decisions = self.decisions();
        let before = self.risk.as_ref().map(|it| it.overall);
        let assessment = risk::assess(intent, &self.actions, &decisions);
        self.tape.decide(Decided {
            about: ChoiceType::RiskAssessment,
            rationale: "answers are part of the plan now".to_owned(),
            outcome: format!(
                "{} before, {} after",
                before.map_or_else(String::new, |it| it.to_string()),
                assessment.overall
            ),
            inputs: ChoiceInputs {
                evidence_refs: vec![format!("run://answers.{}.json", self.round)],
                rule_refs: Vec::new(),
            },
            alternatives: Vec::new(),
        });
        // Monotone: an answer never lowers what was found.
        let overall = before.map_or(assessment.overall, |before| before.max(assessment.overall));
        self.risk = Some(risk::Assessment { overall, ..assessment });
    }

    pub(super) fn build_review(&mut self) -> Result<Verdict, Unfit> {
        let Some((intent, effective)) = self.bound() else { return Ok(super::unbound()) };
        let Some((graph, assessment)) = self.graph.as_ref().zip(self.risk.as_ref()) else {
            return Ok(super::unbound());
        };
        let decisions = self.decisions();
        let pack = review::build(Material {
            intent,
            actions: &self.actions,
            decisions: &decisions,
            graph,
            risk: assessment,
            policy: &effective,
            warnings: self.warnings.clone(),
            rollback: self.answered.rollback.as_deref(),
        });
        let over = review::over_budget(intent, &pack.change_impact, &effective);
        let uncovered = self.uncovered(intent, &pack, &decisions);
        let paper = Reviewed { run_id: &self.run_id, intent_id: &intent.id, pack: &pack };
        self.shelf.put(
            "review.json",
            &review::SCHEMA,
            &paper,
            &["graph.json", &self.numbered("risk"), &self.numbered("decisions")],
        )?;
        let guards = vec![
            Guard::new(
                "requires_review_satisfied",
                uncovered.is_none(),
                uncovered.clone().unwrap_or_else(|| "every review has its gate".to_owned()),
            ),
            Guard::new(
                "budgets_hold",
                over.is_empty(),
                format!(
                    "{} files, {} commits",
                    pack.change_impact.estimated_files, pack.change_impact.estimated_commits
                ),
            ),
            Guard::new(
                "risk_justified",
                true,
                format!("{} factors, each with what it rests on", pack.risk_assessment.factors.len()),
            ),
        ];
        if !over.is_empty() {
            return Ok(Verdict::ended(Trigger::BudgetViolated, guards, over));
        }
        if let Some(message) = uncovered {
            let diagnostic = Diagnostic::error(diagnostic::REVIEW_UNCOVERED, message);
            let finding = Finding::blocked(diagnostic, FailureType::ConstraintViolation)
                .shown_by(["intent://risk/requires_review".to_owned()]);
            return Ok(Verdict::ended(Trigger::ReviewUncovered, guards, vec![finding]));
        }
        Ok(Verdict::new(Trigger::ReviewPackReady, guards))
    }

    /// A required review that no gate stands for.
    fn uncovered(&self, intent: &Intent, pack: &ReviewPack, decisions: &[Decision]) -> Option<String> {
        let wanted = intent.risk.requires_review.iter().chain(&self.answered.categories);
        let mut missing = wanted
            .filter(|category| !pack.review_gates.iter().any(|gate| gate.category == category.to_string()));
        if let Some(category) = missing.next() {
            return Some(format!("the review of {category} has no gate in the plan"));
        }
        let reviewed = decisions.contains(&Decision::RequireReview);
        (reviewed && pack.review_gates.is_empty())
            .then(|| "a rule wants a review and the plan has no gate".to_owned())
    }

    pub(super) fn freeze(&self) -> Verdict {
        let hold = self.shelf.since(0).iter().all(|paper| Digest::of(&paper.bytes) == paper.checksum);
        let dangling = self.dangling();
        let guards = vec![
            Guard::new("checksums_valid", hold, "every document was hashed again"),
            Guard::new(
                "lineage_complete",
                dangling.is_none(),
                dangling.clone().unwrap_or_else(|| "every id is in the snapshot".to_owned()),
            ),
            Guard::new("schemas_satisfied", true, "every document was checked when it was made"),
        ];
        if hold && dangling.is_none() {
            return Verdict::new(Trigger::OutputsFrozen, guards);
        }
        let message =
            dangling.unwrap_or_else(|| "a document changed between making and freezing it".to_owned());
        let diagnostic = Diagnostic::error(diagnostic::FREEZE_FAILED, message);
        let finding = Finding::blocked(diagnostic, FailureType::ConstraintViolation)
            .shown_by(["run://manifest.json".to_owned()]);
        Verdict::ended(Trigger::FreezeFailed, guards, vec![finding])
    }

    /// A reference of the graph to registry content that the snapshot does not have.
    fn dangling(&self) -> Option<String> {
        let nodes = self.graph.iter().flat_map(|graph| &graph.nodes);
        let mut references = nodes.flat_map(|node| node.evidence_refs.iter().flatten());
        let lost = references.find(|reference| {
            reference.starts_with("registry:")
                && self.follow(reference) != crate::planning::reference::Resolution::Resolved
        })?;
        Some(format!("`{lost}` is in the plan and names nothing in the registry"))
    }

    /// Puts copies of everything that went in on the shelf.
    pub(super) fn shelve_inputs(&mut self) -> Result<(), NoRun> {
        let inputs = self.inputs;
        let intent = checksum::spelled(&inputs.intent.root);
        let digest = Digest::of(&intent);
        self.shelf.input("intent.json", intent::SCHEMA.name, intent::SCHEMA.version, intent, digest);
        let policy = canonical::to_vec(&inputs.policy)?;
        let digest = Digest::of(&policy);
        self.shelf.input("policy.json", policy::SCHEMA.name, policy::SCHEMA.version, policy, digest);
        let lock = Lock::of(&inputs.registry).text().into_bytes();
        let digest = Digest::of(&lock);
        self.shelf.input("registry.lock.json", "registry_lock", "1.0.0", lock, digest);
        let registry = inputs.registry.frozen()?;
        let digest = Digest::of(&registry);
        self.shelf.input("registry.json", "registry_snapshot", "1.0.0", registry, digest);
        if let Some(pins) = &inputs.pins {
            let pins = pins.text().into_bytes();
            let digest = Digest::of(&pins);
            self.shelf.input("pins.json", "registry_lock", "1.0.0", pins, digest);
        }
        if let Some(facts) = &inputs.facts {
            let bytes = canonical::to_vec(&facts.timeless())?;
            self.shelf.input(
                "facts.json",
                facts::SCHEMA.name,
                facts::SCHEMA.version,
                bytes,
                facts.content_digest(),
            );
        }
        if let Some(memory) = &inputs.memory {
            let bytes = canonical::to_vec(memory)?;
            self.shelf.input(
                "memory.json",
                memory::PACK.name,
                memory::PACK.version,
                bytes,
                memory.content_digest(),
            );
        }
        Ok(())
    }

    /// Closes tape, audit and manifest.
    pub(super) fn close(mut self) -> Result<Run, NoRun> {
        self.put_failure();
        let noted = match &self.failure {
            Some(failure) => {
                Noted::RunFailed { final_state: failure.final_state, code: failure.code.clone() }
            }
            None => Noted::RunCompleted { final_state: self.phase },
        };
        self.note(noted);
        self.tape.close(self.failure.as_ref());
        let summary = self.summary();
        self.shelf.put("summary.json", &summary::SCHEMA, &summary, &["tape.json"]).map_err(NoRun::Unfit)?;
        let tape = canonical::to_vec(&self.tape)?;
        let content = canonical::digest(&self.tape.timeless())?;
        self.shelf.put_bytes("tape.json", &tape::SCHEMA, tape, content, &[]).map_err(NoRun::Unfit)?;
        let (lines, audit_head) = self.audit.lines()?;
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            self.shelf.examine("audit.jsonl", &audit::SCHEMA, line).map_err(NoRun::Unfit)?;
        }
        let timeless = self.audit.timeless()?;
        self.shelf.input("audit.jsonl", audit::SCHEMA.name, audit::SCHEMA.version, lines, timeless);
        let registry_versions = self.registry_versions();
        let declared =
            self.inputs.intent.root.get("audit").and_then(|it| it.get("checksum")).and_then(|it| it.as_str());
        let intent_checksum = IntentChecksum {
            declared: declared.unwrap_or_default().chars().take(256).collect(),
            profile: self.examined.sealed.map(|it| it.to_string()),
        };
        let steps = self.steps();
        let papers: Vec<Paper> = self.shelf.into_papers();
        let manifest = Manifest::new(Contents {
            run_id: &self.run_id,
            intent_id: &self.examined.id,
            final_state: self.phase,
            supersedes: self.inputs.supersedes.as_deref(),
            intent_checksum,
            papers: &papers,
            registry_versions,
            audit_head,
        })?;
        let mut files: Vec<bundle::File> = markdown::all(&papers);
        files.extend(papers.into_iter().map(|paper| bundle::File { name: paper.file, bytes: paper.bytes }));
        files.push(bundle::File { name: manifest::FILE.to_owned(), bytes: canonical::to_vec(&manifest)? });
        files.sort_by(|one, other| one.name.cmp(&other.name));
        let waits = self.phase == Phase::AwaitingAnswers;
        Ok(Run {
            run_id: self.run_id,
            intent_id: self.examined.id.clone(),
            state: self.phase,
            steps,
            failure: self.failure,
            questions: self.pack.filter(|_| waits),
            manifest,
            files,
        })
    }

    fn steps(&self) -> Vec<Trigger> {
        self.tape.states.iter().skip(1).filter_map(|step| step.trigger.parse().ok()).collect()
    }

    fn put_failure(&mut self) {
        let Some(failure) = self.failure.clone() else { return };
        let paper = Failed { run_id: &self.run_id, intent_id: &self.examined.id, failure: &failure };
        // Whatever ended the run is said; if even that is unfit, the tape still has it.
        let _said = self.shelf.put("failure.json", &failure::SCHEMA, &paper, &["intent.json"]);
    }

    fn summary(&self) -> Summary {
        let graph = self.graph.as_ref();
        let count = |kind: NodeKind| {
            graph.map_or(0, |graph| graph.nodes.iter().filter(|node| node.node_type == kind).count())
        };
        Summary {
            run_id: self.run_id.clone(),
            intent_id: self.examined.id.clone(),
            title: self.examined.intent.as_ref().map(|intent| intent.title.clone()),
            final_state: self.phase,
            overall_risk: self.risk.as_ref().map(|it| it.overall),
            nodes: graph.map_or(0, |graph| graph.nodes.len()),
            actions: count(NodeKind::ActionProposal),
            review_gates: count(NodeKind::ReviewGate),
            open_questions: if self.phase == Phase::AwaitingAnswers { self.asked.len() } else { 0 },
            failure_code: self.failure.as_ref().map(|failure| failure.code.clone()),
        }
    }

    /// The registry content that the run rests on: what the intent names, and every rule in force.
    pub(super) fn registry_versions(&self) -> Vec<RegistryVersion> {
        let rules = self.inputs.registry.usable(Kind::Rule);
        let mut all: Vec<RegistryVersion> =
            self.used().into_iter().chain(rules).map(super::precheck::version_of).collect();
        all.sort();
        all.dedup();
        all
    }

    pub(super) fn intent_digest(&self) -> Digest {
        Digest::of(&checksum::spelled(&self.inputs.intent.root))
    }

    /// The intent and the limits in force; both are there once the intent has passed.
    pub(super) fn bound(&self) -> Option<(&'w Intent, Effective)> {
        Some((self.examined.intent.as_ref()?, self.effective.clone()?))
    }
}

#[derive(Serialize)]
struct Reviewed<'a> {
    run_id: &'a str,
    intent_id: &'a str,
    #[serde(flatten)]
    pack: &'a ReviewPack,
}

#[derive(Serialize)]
struct Failed<'a> {
    run_id: &'a str,
    intent_id: &'a str,
    #[serde(flatten)]
    failure: &'a Failure,
}

fn incomplete(message: &str, evidence: &str) -> Verdict {
    let diagnostic = Diagnostic::error(diagnostic::GRAPH_INCOMPLETE, message);
    let finding =
        Finding::blocked(diagnostic, FailureType::ConstraintViolation).shown_by([evidence.to_owned()]);
    let guard = Guard::new("graph_complete", false, message);
    Verdict::ended(Trigger::GraphIncomplete, vec![guard], vec![finding])
}
