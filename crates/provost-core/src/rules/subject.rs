//! What is judged, apart because whoever plans makes it and rules know nothing else of the plan.

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray};

use crate::document::Value;
use crate::vocabulary::{Effect, Risk, Stage};

use super::evidence::Evidence;
use super::predicate::Predicates;
use super::rule::ContentKind;
use super::set::Set;

/// What can be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SubjectKind {
    /// A workflow that was selected.
    Workflow,
    /// A command that is planned.
    Command,
    /// What an agent asks to do while it works.
    Act,
}

impl SubjectKind {
    /// What plans are made of.
    pub const PLANNED: [Self; 2] = [Self::Workflow, Self::Command];

    /// What it is as content.
    pub const fn content(self) -> ContentKind {
        match self {
            Self::Workflow => ContentKind::Workflow,
            Self::Command => ContentKind::Command,
            Self::Act => ContentKind::Act,
        }
    }
}

/// One thing that rules are asked about.
#[derive(Clone, Copy)]
pub struct Subject<'s> {
    /// What it is.
    pub kind: SubjectKind,
    /// Its name.
    pub id: &'s str,
    /// Its effective risk.
    pub risk: Risk,
    /// The stages of work that it was placed in.
    pub stages: Set<Stage>,
    /// What it does to the world.
    pub effects: Set<Effect>,
    /// What is known of the named facts.
    pub predicates: Predicates,
    /// What is on record about it.
    pub evidence: Set<Evidence>,
    /// Its fields.
    pub fields: &'s dyn Fields,
}

/// Where a subject's fields come from.
pub trait Fields {
    /// The value at keys joined by points; `null` is one.
    fn field(&self, dotted: &str) -> Option<&Value>;

    /// The canonical text of the subject's own document.
    fn raw(&self) -> Option<&str>;
}

/// The value at keys joined by points. Lists have no keys.
pub fn lookup<'v>(value: &'v Value, dotted: &str) -> Option<&'v Value> {
    dotted.split('.').try_fold(value, |value, key| value.get(key))
}

/// Fields of a subject's own document and, for names that it does not have, of another one.
#[derive(Clone, Copy, Debug)]
pub struct Documents<'v> {
    /// The subject's own.
    pub own: &'v Value,
    /// The one behind it.
    pub beyond: Option<&'v Value>,
    /// The canonical text of its own.
    pub raw: Option<&'v str>,
}

impl Fields for Documents<'_> {
    fn field(&self, dotted: &str) -> Option<&Value> {
        let (name, rest) = dotted.split_once('.').map_or((dotted, None), |(name, rest)| (name, Some(rest)));
        // The first name decides: half of a field in one document and half in the other would be neither's.
        let found = self.own.get(name).or_else(|| self.beyond?.get(name))?;
        rest.map_or(Some(found), |rest| lookup(found, rest))
    }

    fn raw(&self) -> Option<&str> {
        self.raw
    }
}
