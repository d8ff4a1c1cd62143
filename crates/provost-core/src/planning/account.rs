//! A run as its own documents tell it, for people: where it rests, what is asked, what rules said, who has to look.
//! Apart from planning because a front shows a plan that was made now and one that was kept in the same way.

use serde::{Deserialize, Serialize};

use super::Phase;
use super::bundle::File;
use super::failure::Failure;
use super::files::{Files, NotFrozen};
use super::manifest::{self, Manifest};
use super::questions_pack::QuestionPack;
use crate::graph::{Graph, RegistryVersion};
use crate::rules::{Outcome, Ranges, Severity};
use crate::vocabulary::{Decision, Effect, Risk};

/// The category of the gate that a rule wants, where the intent names none.
const BY_RULE: &str = "rule";

/// A run, read from its documents.
#[derive(Clone, Debug)]
pub struct Account {
    /// The manifest.
    pub manifest: Manifest,
    /// What the intent is called, where it could be read.
    pub title: Option<String>,
    /// How much is at stake, where that was assessed.
    pub risk: Option<Risk>,
    /// Why it ended without a plan.
    pub failure: Option<Failure>,
    /// What is asked, while the run waits.
    pub questions: Option<QuestionPack>,
    /// The plan, or its last draft.
    pub graph: Option<Graph>,
    /// What has to be approved.
    pub gates: Vec<Gate>,
    /// What rules said last.
    pub decisions: Option<Decisions>,
}

/// Something that a person has to look at before work begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    /// Its category.
    pub category: String,
    /// What to look for.
    #[serde(default)]
    pub criteria: Vec<String>,
}

/// What rules said of every subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decisions {
    /// The rules, in the order that positions count in.
    pub rules: Vec<RegistryVersion>,
    /// Rules about content that is never a subject.
    pub not_applicable: Ranges,
    /// What was judged.
    pub subjects: Vec<Subject>,
}

/// What rules said of one subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// A command or a workflow.
    pub subject: String,
    /// Its id.
    pub id: String,
    /// Its place among the planned commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// What is at stake.
    pub risk_level: Risk,
    /// What it does to the world.
    pub effects: Vec<Effect>,
    /// What rules together decide.
    pub decision: Decision,
    /// What that comes to.
    pub outcome: Outcome,
    /// Whether a denial is put off until somebody answers.
    pub deferred: bool,
    /// Why.
    pub reason: String,
    /// The rules that fired.
    pub fired: Vec<Fired>,
    /// The rules that lack a fact.
    pub undecided: Vec<Undecided>,
    /// Rules that lack a fact and could not stop it.
    pub unknown_noted: Ranges,
    /// Rules about something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_in_scope: Option<Ranges>,
    /// Rules whose condition does not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_met: Option<Ranges>,
}

/// A rule that fired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fired {
    /// The rule.
    pub rule_id: String,
    /// What it says.
    pub decision: Decision,
    /// What that comes to.
    pub outcome: Outcome,
    /// How much it weighs.
    pub severity: Severity,
    /// Why.
    pub reason: String,
    /// What would change it.
    pub required_changes: Vec<String>,
    /// The conditions that made it fire, with their values.
    pub because: Vec<String>,
    /// What it demands and is on record.
    pub recorded: Vec<String>,
    /// What it demands and is not.
    pub absent: Vec<String>,
}

/// A rule that lacks a fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undecided {
    /// The rule.
    pub rule_id: String,
    /// The conditions that are unknown.
    pub unknown: Vec<String>,
}

#[derive(Deserialize)]
struct Summary {
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    overall_risk: Option<Risk>,
}

#[derive(Deserialize)]
struct Review {
    review_gates: Vec<Gate>,
    rule_decisions: Vec<Counted>,
}

#[derive(Deserialize)]
struct Counted {
    decision: Decision,
    commands: u32,
    /// Left out by earlier versions of the planner.
    #[serde(default)]
    workflows: u32,
}

impl Account {
    /// Reads a run from its documents; nothing is verified.
    pub fn read(files: &[File]) -> Result<Account, NotFrozen> {
        let papers = Files(files);
        let manifest: Manifest = papers.needed(manifest::FILE)?;
        let summary: Option<Summary> = papers.own("summary.json")?;
        let graph = match papers.own("graph.json")? {
            Some(graph) => Some(graph),
            None => papers.last("graph.draft")?,
        };
        let waits = manifest.final_state == Phase::AwaitingAnswers;
        let review: Option<Review> = papers.own("review.json")?;
        Ok(Account {
            title: summary.as_ref().and_then(|it| it.title.clone()),
            risk: summary.and_then(|it| it.overall_risk),
            failure: papers.own("failure.json")?,
            questions: if waits { papers.last("questions")? } else { None },
            graph,
            gates: review.map(gates).unwrap_or_default(),
            decisions: papers.last("decisions")?,
            manifest,
        })
    }

    /// Where the run rests.
    pub const fn state(&self) -> Phase {
        self.manifest.final_state
    }
}

/// The gates of the review, and one for what a rule wants somebody to look at.
fn gates(review: Review) -> Vec<Gate> {
    let mut gates = review.review_gates;
    let counted = |it: &Counted| it.commands > 0 || it.workflows > 0;
    let wanted = review.rule_decisions.iter().any(|it| it.decision == Decision::RequireReview && counted(it));
    if wanted && gates.iter().all(|gate| gate.category != BY_RULE) {
        gates.push(Gate { category: BY_RULE.to_owned(), criteria: Vec::new() });
    }
    gates
}
