//! The end of a run, whichever it is: tape, audit, summary and manifest are closed. Apart from the states because every
//! one of them can end a run, and because what closes a frozen plan is examined like everything else of it.

use serde::Serialize;

use super::{NoRun, Walk};
use crate::canonical::{self, checksum};
use crate::digest::Digest;
use crate::graph::NodeKind;
use crate::intent;
use crate::planning::audit::{self, Audit, Noted};
use crate::planning::failure::{self, Failure};
use crate::planning::manifest::{Contents, IntentChecksum, Manifest};
use crate::planning::questions_pack::QuestionPack;
use crate::planning::shelf::Unfit;
use crate::planning::summary::{self, Summary};
use crate::planning::tape::Tape;
use crate::planning::{Phase, Trigger, bundle, facts, manifest, markdown, memory, policy, tape};
use crate::registry::{Lock, SNAPSHOT};

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

/// What closes a run.
struct Closed {
    manifest: Manifest,
    bytes: Vec<u8>,
}

/// A run as it was before it was called frozen.
pub(super) struct Unfrozen {
    tape: Tape,
    audit: Audit,
    shelved: usize,
}

impl Walk<'_> {
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
        self.shelf.input("registry.json", SNAPSHOT.name, SNAPSHOT.version, registry, digest);
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

    /// Closes the run. What closes a frozen plan is examined like every document before it: where it is unfit, nothing is
    /// frozen and the run ends at a red line instead.
    pub(super) fn close(mut self) -> Result<Run, NoRun> {
        let closed = match self.closing() {
            Err(NoRun::Unfit(unfit)) if self.phase == Phase::Done => {
                self.thaw(&unfit);
                self.closing()?
            }
            closed => closed?,
        };
        let steps = self.steps();
        let papers = self.shelf.into_papers();
        let mut files: Vec<bundle::File> = markdown::all(&papers);
        files.extend(papers.into_iter().map(|paper| bundle::File { name: paper.file, bytes: paper.bytes }));
        files.push(bundle::File { name: manifest::FILE.to_owned(), bytes: closed.bytes });
        files.sort_by(|one, other| one.name.cmp(&other.name));
        let waits = self.phase == Phase::AwaitingAnswers;
        Ok(Run {
            run_id: self.run_id,
            intent_id: self.examined.id.clone(),
            state: self.phase,
            steps,
            failure: self.failure,
            questions: self.pack.filter(|_| waits),
            manifest: closed.manifest,
            files,
        })
    }

    /// Closes tape, audit and manifest.
    fn closing(&mut self) -> Result<Closed, NoRun> {
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
        let declared =
            self.inputs.intent.root.get("audit").and_then(|it| it.get("checksum")).and_then(|it| it.as_str());
        let manifest = Manifest::new(Contents {
            run_id: &self.run_id,
            intent_id: &self.examined.id,
            final_state: self.phase,
            supersedes: self.inputs.supersedes.as_deref(),
            intent_checksum: IntentChecksum {
                declared: declared.unwrap_or_default().chars().take(256).collect(),
                profile: self.examined.sealed.map(|it| it.to_string()),
            },
            papers: self.shelf.since(0),
            registry_versions: self.registry_versions(),
            audit_head,
        })?;
        let bytes = canonical::to_vec(&manifest)?;
        self.shelf.examine(manifest::FILE, &manifest::SCHEMA, &bytes).map_err(NoRun::Unfit)?;
        Ok(Closed { manifest, bytes })
    }

    /// Keeps what is needed to take the last step back.
    pub(super) fn unfrozen(&self) -> Unfrozen {
        Unfrozen { tape: self.tape.clone(), audit: self.audit.clone(), shelved: self.shelf.len() }
    }

    /// Takes the last step back, and takes the row of an unfit document instead.
    fn thaw(&mut self, unfit: &Unfit) {
        if let Some(Unfrozen { tape, audit, shelved }) = self.unfrozen.take() {
            (self.tape, self.audit, self.phase) = (tape, audit, Phase::FrozenOutputs);
            self.shelf.truncate(shelved);
        }
        let verdict = super::defective(unfit);
        self.failure = Failure::of(&verdict.findings, self.phase);
        self.leave(verdict.on, verdict.guards, Vec::new());
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
}

#[derive(Serialize)]
struct Failed<'a> {
    run_id: &'a str,
    intent_id: &'a str,
    #[serde(flatten)]
    failure: &'a Failure,
}
