//! A first intent for a goal: a function of the goal, the registry, the facts and a few choices, so that the same wish
//! in the same project always gives the same document. Apart from reading, because what is made here is read like any
//! other intent before anybody sees it.

mod choose;
mod words;

use serde::Serialize;
use serde_json::{Value, json};
use strum::VariantArray as _;

use super::{SCHEMA, read, seal};
use crate::diagnostic::{self, Diagnostic, quoted};
use crate::digest::Digest;
use crate::document::{self, Limits};
use crate::finding::Consequence;
use crate::graph;
use crate::plan::{pattern, repository_path};
use crate::planning::facts::FactPack;
use crate::planning::reference::Reference;
use crate::registry::Registry;
use crate::time::Timestamp;
use crate::vocabulary::{Effect, ReviewCategory, Risk};
use choose::{Choice, Chosen};

/// From how many files on patterns stand for them.
const LISTED_MAX: usize = 40;

/// What somebody wants.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'w> {
    /// What shall be the case.
    pub goal: &'w str,
    /// What it is called; else the goal says.
    pub title: Option<&'w str>,
    /// The workflow to follow; else the goal decides.
    pub workflow: Option<&'w str>,
    /// Paths and patterns of files that may change.
    pub files: &'w [String],
    /// Who wants it.
    pub by: &'w str,
    /// When.
    pub at: Timestamp,
}

/// An intent, sealed, and how it came about.
#[derive(Clone, Debug, Serialize)]
pub struct Drafted {
    /// Its id.
    pub id: String,
    /// The workflow.
    pub workflow: String,
    /// Why this one.
    pub reason: String,
    /// The commands, in order.
    pub commands: Vec<String>,
    /// The files that may change; none where that is not said.
    pub files: Vec<String>,
    /// What somebody should know.
    pub notes: Vec<String>,
    /// The document.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// Writes a first intent, or says why there can be none.
pub fn draft(wish: &Wish<'_>, registry: &Registry, facts: &FactPack) -> Result<Drafted, Vec<Diagnostic>> {
    let choice = choose::choose(wish, registry).map_err(|it| vec![it])?;
    let area = Area::of(wish, facts).map_err(|it| vec![it])?;
    let id = id(wish.goal);
    let value = document(&id, wish, &choice, &area, facts);
    let bytes = checked(&value)?;
    let mut notes = choice.notes.clone();
    notes.extend(area.notes.clone());
    Ok(Drafted {
        id,
        workflow: choice.workflow.id.clone(),
        reason: choice.reason.clone(),
        commands: choice.commands.iter().map(|chosen| chosen.item.id.clone()).collect(),
        files: area.locked,
        notes,
        bytes,
    })
}

/// The document, sealed, unless planning would refuse it at once.
fn checked(value: &Value) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let read_back = |bytes: &[u8]| document::read("the intent", bytes, &Limits::default());
    let unsealed = read_back(value.to_string().as_bytes()).map_err(|it| it.defects)?;
    SCHEMA.check(&unsealed).map_err(|it| it.defects.into_iter().map(placeless).collect::<Vec<_>>())?;
    let bug = |why: String| vec![Diagnostic::error(diagnostic::PROVOST_BUG, why)];
    let bytes = seal(&unsealed.root).map_err(|error| bug(error.to_string()))?;
    let sealed = read_back(&bytes).map_err(|it| it.defects)?;
    let examined = read(&sealed).map_err(|it| vec![it])?;
    let stops = examined.findings.into_iter().filter(|finding| finding.consequence != Consequence::Noted);
    let stops: Vec<Diagnostic> = stops.map(|finding| placeless(finding.diagnostic)).collect();
    if stops.is_empty() { Ok(bytes) } else { Err(stops) }
}

/// There is no file yet that a place could be in.
fn placeless(diagnostic: Diagnostic) -> Diagnostic {
    Diagnostic { place: None, ..diagnostic }
}

/// Where the change happens.
struct Area {
    /// Files that are there and may change.
    targets: Vec<String>,
    /// What may be written.
    locked: Vec<String>,
    notes: Vec<String>,
}

impl Area {
    fn of(wish: &Wish<'_>, facts: &FactPack) -> Result<Area, Diagnostic> {
        let known = || facts.files.iter().flatten().map(|file| file.path.as_str());
        let named: Vec<String> = if wish.files.is_empty() {
            // A path in the goal is as good as one beside it, if there is such a file.
            let said = wish
                .goal
                .split_whitespace()
                .map(|word| word.trim_matches(|it: char| !it.is_alphanumeric() && it != '/'));
            said.filter(|word| known().any(|path| path == *word)).map(str::to_owned).collect()
        } else {
            let spelled = |text: &String| {
                let refused = |why| {
                    Diagnostic::error(diagnostic::INTENT_PATH, format!("the path {} {why}", quoted(text)))
                };
                repository_path(text).map_err(refused)
            };
            wish.files.iter().map(spelled).collect::<Result<_, _>>()?
        };
        let mut area = Area { targets: Vec::new(), locked: Vec::new(), notes: Vec::new() };
        for wanted in &named {
            let found: Vec<String> =
                known().filter(|path| pattern::matches(wanted, path)).map(str::to_owned).collect();
            if found.is_empty() || found.len() > LISTED_MAX {
                area.locked.push(wanted.clone());
            } else {
                area.locked.extend(found.iter().cloned());
            }
            if found.is_empty() {
                area.notes
                    .push(format!("nothing tracked matches {}; what it names may be new", quoted(wanted)));
            }
            area.targets.extend(found);
        }
        for list in [&mut area.targets, &mut area.locked] {
            list.sort();
            list.dedup();
        }
        if area.targets.len() > LISTED_MAX {
            area.targets.clear();
        }
        if area.locked.is_empty() {
            area.notes
                .push("no files are named, so tasks may write anywhere; `--files` says where".to_owned());
        }
        Ok(area)
    }
}

fn document(id: &str, wish: &Wish<'_>, choice: &Choice<'_>, area: &Area, facts: &FactPack) -> Value {
    let goal = wish.goal.trim();
    let evidence = evidence(area, facts);
    let effects: Vec<Effect> =
        choice.commands.iter().flat_map(|chosen| chosen.effects.iter().copied()).collect();
    let (overall, drivers) = stakes(choice);
    let files = u32::try_from(area.targets.len()).unwrap_or(u32::MAX).saturating_mul(2).clamp(20, 500);
    let lock = if area.locked.is_empty() { "task" } else { "files" };
    json!({
        "id": id,
        "type": "execution_intent",
        "title": wish.title.map_or_else(|| shortened(goal, 160), str::to_owned),
        "version": "1.0.0",
        "status": "proposed",
        "created_at": wish.at.to_string(),
        "lineage": { "introduced_in": "1.0.0", "derived_from": [], "supersedes": [] },
        "scope": {
            "project_id": facts.project_id,
            "repo_root": facts.repo_root,
            "targets": { "files": area.targets, "modules": [], "areas": [] },
        },
        "objective": { "goal": goal, "success_criteria": [shortened(goal, 300)], "non_goals": [] },
        "selected_workflows": [{
            "workflow_id": choice.workflow.id,
            "phases": choice.stages,
            "reason": shortened(&choice.reason, 800),
        }],
        "selected_agents": choice.agents.iter().map(|(item, responsibilities)| json!({
            "agent_id": item.id,
            "role": shortened(&item.id.replace('_', " "), 80),
            "responsibilities": responsibilities,
        })).collect::<Vec<_>>(),
        "planned_commands": choice.commands.iter().map(|chosen| json!({
            "command_id": chosen.item.id,
            "intent": shortened(&format!("{}: {goal}", chosen.title()), 800),
            "effects": chosen.effects,
            "risk_level": chosen.risk(),
            "evidence_refs": evidence.iter().take(30).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "interaction": { "mode": "interactive", "question_budget": 10, "question_policy": "conceptual_only" },
        "risk": { "overall": overall, "drivers": drivers, "requires_review": reviews(&effects) },
        "budgets": { "max_files": files, "max_commits": 10, "max_tokens": 500_000, "max_cost_usd": 10 },
        "evidence_refs": evidence,
        "constraints": {
            "execution": "forbidden",
            "no_fabrication": true,
            "registry_only": true,
            "lock_scope": { "mode": lock, "paths": area.locked },
        },
        "audit": { "created_by": shortened(wish.by, 128), "source": "human", "checksum": Digest::ZERO },
    })
}

/// References that lead somewhere: the files, the page that says what the project is, else the first fact.
fn evidence(area: &Area, facts: &FactPack) -> Vec<String> {
    let files = area.targets.iter().map(|path| format!("scan://file/{path}"));
    let readme = facts.has_file("README.md").filter(|there| *there).map(|_| "doc://README.md".to_owned());
    let is_one =
        |text: &String| text.parse::<Reference>().is_ok_and(|reference| reference.fragment.is_none());
    let mut evidence: Vec<String> = files.chain(readme).filter(is_one).collect();
    if evidence.is_empty() {
        evidence.extend(facts.evidence.first().map(|first| format!("fact://{}", first.id)));
    }
    evidence
}

/// The most that the registry says of any command, and why.
fn stakes(choice: &Choice<'_>) -> (Risk, Vec<String>) {
    let overall = choice.commands.iter().map(Chosen::risk).max().unwrap_or(Risk::Low);
    let drivers = choice.commands.iter().filter(|chosen| chosen.risk() == overall);
    let drivers = drivers.map(|chosen| format!("the registry says that `{}` is {overall}", chosen.item.id));
    (overall, drivers.take(20).collect())
}

/// What somebody has to look at; whatever is written is looked at by somebody.
fn reviews(effects: &[Effect]) -> Vec<ReviewCategory> {
    // Cost and compliance concern much and are asked for by people, not guessed.
    let asked = [
        ReviewCategory::Security,
        ReviewCategory::Data,
        ReviewCategory::Release,
        ReviewCategory::Architecture,
    ];
    let known = ReviewCategory::VARIANTS.iter().copied().filter(|category| asked.contains(category));
    known.filter(|category| effects.iter().any(|effect| graph::concerns(*category, *effect))).collect()
}

/// What the intent is known by: the words of its goal, or the goal's digest where it has none that fit.
fn id(goal: &str) -> String {
    let plain: String =
        goal.to_lowercase().chars().map(|it| if it.is_ascii_alphanumeric() { it } else { ' ' }).collect();
    let mut slug = String::new();
    for word in plain.split_whitespace() {
        if slug.len() + word.len() >= 48 {
            break;
        }
        if !slug.is_empty() {
            slug.push('_');
        }
        slug.push_str(word);
    }
    if slug.len() < 6 {
        let digest = Digest::of(goal.as_bytes()).to_string();
        slug = format!("goal_{}", digest.get(..12).unwrap_or(&digest));
    }
    format!("intent_{slug}")
}

/// One line of at most so many characters.
fn shortened(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let kept: String = line.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}
