//! A rule as data, apart because reading, compiling and explaining all look at it and none of them owns it.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use crate::diagnostic::Place;
use crate::registry::{Lineage, Status};
use crate::vocabulary::{Decision, Risk, Stage};

use super::evidence::Evidence;
use super::language::Node;
use super::set::Set;
use super::subject::SubjectKind;

/// What a rule may be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ContentKind {
    /// A way of working, in phases.
    Workflow,
    /// Somebody who works.
    Agent,
    /// Something that can be planned.
    Command,
    /// What is allowed in a run.
    Policy,
    /// What was learned before.
    Memory,
    /// What is the case in a project.
    Fact,
    /// A rule.
    Rule,
    /// What an agent asks to do while it works.
    Act,
}

/// How much a rule weighs when it denies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Severity {
    /// It is recorded.
    Info,
    /// It is recorded and passes.
    Warn,
    /// It does not pass until it is mended.
    Error,
    /// It cannot pass.
    Block,
}

/// What a rule applies to; an empty set means any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Scope {
    /// The kinds of content.
    pub types: Set<ContentKind>,
    /// The risks.
    pub risks: Set<Risk>,
    /// The stages of work.
    pub stages: Set<Stage>,
}

impl Scope {
    /// Tells whether something of a kind can be in it. Acts have to be named: a rule that was written for plans must
    /// not come to judge agents at work because it names no type.
    pub fn is_about(self, kind: SubjectKind) -> bool {
        let is_any = self.types.is_empty() && kind != SubjectKind::Act;
        is_any || self.types.contains(kind.content())
    }

    /// Tells whether it is about acts and nothing else, so that no plan needs to know of the rule.
    pub fn is_only_acts(self) -> bool {
        self.types == Set::EMPTY.with(ContentKind::Act)
    }
}

/// What a rule says when its condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Then {
    /// The decision.
    pub decision: Decision,
    /// Why; never empty where something is denied or has to be reviewed.
    pub reason: String,
    /// What would change the decision.
    pub required_changes: Vec<String>,
}

/// A rule that a machine can decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name; rules are in the order of their ids.
    pub id: String,
    /// Its version.
    pub version: String,
    /// What it is called.
    pub title: String,
    /// Whether it is in use.
    pub status: Status,
    /// How much it weighs.
    pub severity: Severity,
    /// What it applies to.
    pub scope: Scope,
    /// When it holds.
    pub when: Node,
    /// What it says then.
    pub then: Then,
    /// What must be on record beside its verdict, as far as it is known.
    pub evidence_required: Set<Evidence>,
    /// What it demands beside that, which nothing can ever record.
    pub evidence_unknown: Vec<String>,
    /// Where it comes from.
    pub lineage: Lineage,
    /// Where its id stands.
    pub place: Place,
}
