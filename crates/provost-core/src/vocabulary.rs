//! The words that intents, registry content, rules and graphs share, apart because each of them is a closed list and
//! a word must mean the same wherever it is read.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

pub use crate::plan::Risk;

/// What an action does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Effect {
    /// Looks.
    Read,
    /// Changes files.
    Write,
    /// Talks to others.
    Network,
    /// Brings something to where people use it.
    Deploy,
    /// Takes something away.
    Delete,
    /// Changes how something behaves without changing its files.
    Configure,
    /// Touches what protects.
    Security,
    /// Touches what people keep.
    Data,
}

impl Effect {
    /// Whether it leaves something changed that a rule about writing means.
    pub const fn writes(self) -> bool {
        matches!(self, Effect::Write | Effect::Deploy | Effect::Delete | Effect::Configure)
    }
}

/// The generic part of a workflow that work belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Stage {
    /// What has to be in place first.
    Setup,
    /// What is the case.
    Analysis,
    /// What it shall be.
    Design,
    /// The change.
    Implementation,
    /// Whether it works.
    Validation,
    /// Whether it is good.
    Review,
    /// To where people use it.
    Release,
    /// In use.
    Operations,
    /// What was learned.
    Postmortem,
}

/// How much a run may ask people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Mode {
    /// Nothing. The order is that of strictness: the lesser of two modes asks less.
    FullAuto,
    /// Only what stops it.
    SemiAuto,
    /// Whatever helps.
    Interactive,
}

/// Which questions are worth asking; the lesser of two asks less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum QuestionPolicy {
    /// None.
    Never,
    /// Those without which there is no plan.
    BlockersOnly,
    /// Those about what is wanted, not about how to do it better.
    ConceptualOnly,
    /// All.
    All,
}

/// What somebody has to look at before work begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ReviewCategory {
    /// What protects.
    Security,
    /// What people keep.
    Data,
    /// To where people use it.
    Release,
    /// How it is built.
    Architecture,
    /// What it costs.
    Cost,
    /// What others demand.
    Compliance,
}

/// What a rule, or all rules together, say about something planned; the greater of two decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Decision {
    /// It may be.
    Allow,
    /// It may be, and somebody should know.
    Warn,
    /// It may be once a person has looked.
    RequireReview,
    /// It may not be.
    Deny,
}

/// How public what is worked on may become; the greater is the more sensitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[derive(Display, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Sensitivity {
    /// Everybody may see it.
    Public,
    /// Those who work here may.
    #[default]
    Internal,
    /// Those who need to may.
    Confidential,
    /// It may not leave the place.
    Restricted,
}
