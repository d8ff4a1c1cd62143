//! Whether a frozen plan may be delivered: it is frozen, people have approved it, and what it rests on has not moved.
//! Apart from the bridge, which only says what its tasks are.

use serde::Deserialize;

use super::again::Frozen;
use super::bundle::File;
use super::facts::FactPack;
use super::policy::Policy;
use super::reference::Reference;
use super::runs::{Kept, PlanRun, Runs};
use super::{Phase, bridge};
use crate::delivery::{Begin, FrozenRun, RoutedModel};
use crate::diagnostic::{self, Diagnostic, quoted};
use crate::digest::Digest;
use crate::graph::Graph;
use crate::intent::{self, Intent};
use crate::plan::{Plan, TaskId, pattern};
use crate::registry::{Item, Kind, Registry, Resolution};

/// A frozen plan, ready to be delivered.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// Its tasks.
    pub plan: Plan,
    /// Those that only verify.
    pub verifying: Vec<TaskId>,
    /// What the record says of where it came from.
    pub run: FrozenRun,
    /// What it was made from.
    pub frozen: Frozen,
}

/// What a plan rests on, as it is now.
pub struct Now<'n> {
    /// What may be named.
    pub registry: &'n Registry,
    /// The project's own policy.
    pub policy: &'n Policy,
    /// What that was when the run began, where the record says it; the plan may have been made under another one.
    pub policy_then: Option<Digest>,
    /// What is known of the project.
    pub facts: &'n FactPack,
}

impl Runs {
    /// The run of a name, if it is frozen and everything of it is approved; else everything that is missing.
    pub fn deliverable(&self, name: &str) -> Result<(&str, &PlanRun, Kept), Vec<Diagnostic>> {
        let (id, run) = self.find(name).map_err(|it| vec![it])?;
        let Some(kept) = run.kept.filter(|_| run.phase == Phase::Done) else {
            let message = format!("{id} is {}, and only what is frozen can be delivered", run.phase.label());
            let refused = Diagnostic::error(diagnostic::PLANNING_NOT_FROZEN, message);
            let waits = run.phase == Phase::AwaitingAnswers;
            return Err(vec![if waits {
                refused.with_help(format!(
                    "`provost show {id}` has its questions; answer with `provost answer {id} QUESTION=TEXT`"
                ))
            } else {
                refused
            }]);
        };
        let missing: Vec<Diagnostic> = run.unapproved().map(|gate| not_approved(id, gate)).collect();
        if missing.is_empty() { Ok((id, run, kept)) } else { Err(missing) }
    }
}

impl Runs {
    /// Whether a delivery that says which run it delivers may begin; one that says none is no matter of planning.
    pub(crate) fn may_begin(&self, begin: &Begin) -> Result<(), Diagnostic> {
        let Some(named) = &begin.warrant.run else { return Ok(()) };
        let first = |missing: Vec<Diagnostic>| {
            let bug = || Diagnostic::error(diagnostic::PROVOST_BUG, "a run is refused without a reason");
            missing.into_iter().next().unwrap_or_else(bug)
        };
        let (id, _, kept) = self.deliverable(&named.id).map_err(first)?;
        if kept.manifest == named.manifest {
            return Ok(());
        }
        let message = format!("{id} has another manifest on the record than the one to be delivered");
        Err(Diagnostic::error(diagnostic::RUN_DRIFTED, message))
    }
}

fn not_approved(id: &str, gate: &str) -> Diagnostic {
    let message = if gate == "rule" {
        format!("a rule wants a person to look at {id}, and nobody has approved it")
    } else {
        format!("nobody has approved the gate {} of {id}", quoted(gate))
    };
    let line = format!("provost approve {id} --gate {gate} --reason TEXT");
    Diagnostic::error(diagnostic::RUN_NOT_APPROVED, message)
        .with_help(format!("look at it with `provost show {id}`, then type `{line}`"))
}

impl Delivery {
    /// Makes tasks of the documents of a run that the record holds to be frozen.
    pub fn of(id: &str, kept: Kept, files: &[File]) -> Result<Delivery, Diagnostic> {
        let broken = |why: &str| {
            let message = format!("the documents of {id} cannot be used: {why}");
            Diagnostic::error(diagnostic::JOURNAL_ARTIFACT, message)
        };
        let frozen = Frozen::read(files).map_err(|error| broken(&error.to_string()))?;
        let bytes =
            |name: &str| files.iter().find(|file| file.name == name).map(|file| file.bytes.as_slice());
        let graph = bytes("graph.json").ok_or_else(|| broken("`graph.json` is missing"))?;
        let graph: Graph = serde_json::from_slice(graph).map_err(|error| broken(&error.to_string()))?;
        let intent = intent_of(&frozen).ok_or_else(|| broken("its intent is not one"))?;
        let (plan, verifying) = bridge::tasks(&frozen, &graph, &intent)?;
        let run = FrozenRun { id: id.to_owned(), manifest: kept.manifest, models: models(files) };
        Ok(Delivery { plan, verifying, run, frozen })
    }

    /// What has moved since the plan was frozen, a line each.
    pub fn drift(&self, now: &Now<'_>) -> Vec<String> {
        let mut lines = registry_drift(&self.frozen, now.registry);
        let moved = match now.policy_then {
            Some(then) => now.policy.digest().ok() != Some(then),
            None => self.frozen.inputs.policy != *now.policy,
        };
        if moved {
            lines.push("the policy of the project changed".to_owned());
        }
        lines.extend(file_drift(&self.frozen, now.facts));
        lines
    }
}

fn intent_of(frozen: &Frozen) -> Option<Intent> {
    intent::read(&frozen.inputs.intent).ok()?.intent
}

/// The model that the last round of planning chose for each role.
fn models(files: &[File]) -> Vec<RoutedModel> {
    #[derive(Deserialize)]
    struct Routed {
        routes: Vec<RoutedModel>,
    }
    let revision = |name: &str| match name.strip_prefix("routing.")? {
        "json" => Some(1),
        rest => rest.strip_suffix(".json")?.parse::<u32>().ok(),
    };
    let last = files.iter().filter_map(|file| Some((revision(&file.name)?, file))).max_by_key(|(at, _)| *at);
    let read = last.and_then(|(_, file)| serde_json::from_slice::<Routed>(&file.bytes).ok());
    read.map(|routed| routed.routes).unwrap_or_default()
}

/// Content that the plan names and that changed or went, and rules that it was not judged by.
fn registry_drift(frozen: &Frozen, now: &Registry) -> Vec<String> {
    let mut lines = Vec::new();
    for named in &frozen.manifest.registry_versions {
        let (kind, id) = (named.kind, quoted(&named.id));
        match now.resolve(named.kind, &named.id, None) {
            Resolution::Usable(item) if item.checksum == named.checksum => {}
            Resolution::Usable(item) if item.version != named.version => {
                lines.push(format!("the {kind} {id} is version {} and was {}", item.version, named.version));
            }
            Resolution::Usable(_) => lines.push(format!("the {kind} {id} changed")),
            Resolution::NotUsable(status) => lines.push(format!("the {kind} {id} is {status} now")),
            Resolution::Broken(_) => lines.push(format!("the {kind} {id} cannot be read any more")),
            Resolution::Unknown { .. } => lines.push(format!("the {kind} {id} is gone")),
        }
    }
    let judged: Vec<&Item> = frozen.inputs.registry.usable(Kind::Rule).collect();
    for rule in now.usable(Kind::Rule) {
        if !judged.iter().any(|old| old.id == rule.id) {
            lines.push(format!("the rule {} is new", quoted(&rule.id)));
        }
    }
    for rule in &judged {
        let is_named =
            frozen.manifest.registry_versions.iter().any(|it| it.kind == Kind::Rule && it.id == rule.id);
        let same = matches!(now.resolve(Kind::Rule, &rule.id, None), Resolution::Usable(it) if it.checksum == rule.checksum);
        if !is_named && !same {
            lines.push(format!("the rule {} changed or is gone", quoted(&rule.id)));
        }
    }
    lines.extend(
        now.broken_rules().map(|broken| format!("the rule file {} cannot be read", quoted(&broken.path))),
    );
    lines
}

/// Files that are targets or evidence and are not what they were.
fn file_drift(frozen: &Frozen, now: &FactPack) -> Vec<String> {
    let Some(intent) = intent_of(frozen) else { return Vec::new() };
    let references =
        intent.planned_commands.iter().flat_map(|it| &it.evidence_refs).chain(&intent.evidence_refs);
    let evidence = references.filter_map(|text| text.parse::<Reference>().ok()?.file().map(str::to_owned));
    let mut named: Vec<String> = intent.scope.targets.files.iter().cloned().chain(evidence).collect();
    named.sort();
    named.dedup();
    let (Some(before), Some(after)) =
        (frozen.inputs.facts.as_ref().and_then(|facts| facts.files.as_deref()), now.files.as_deref())
    else {
        // Facts that list no files were never about any.
        return Vec::new();
    };
    let digest = |files: &[super::facts::File], path: &str| -> Option<Digest> {
        let at = files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        files.get(at).map(|file| file.sha256)
    };
    let mut paths: Vec<&str> = before.iter().chain(after).map(|file| file.path.as_str()).collect();
    paths.retain(|path| named.iter().any(|name| pattern::matches(name, path)));
    paths.sort_unstable();
    paths.dedup();
    let line = |path: &&str| {
        let what = match (digest(before, path), digest(after, path)) {
            (Some(old), Some(new)) if old == new => return None,
            (Some(_), Some(_)) => "changed",
            (Some(_), None) => "is gone",
            (None, _) => "is new",
        };
        Some(format!("the file {} {what}", quoted(path)))
    };
    paths.iter().filter_map(line).collect()
}
