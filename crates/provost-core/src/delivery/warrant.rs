//! By what right a delivery was begun: the frozen plan that it delivers, who approved it and what was accepted. Apart
//! because no later decision looks at it; it is kept to be shown.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;

/// The most lines of one list; details of a record are bounded.
const LINES_MAX: usize = 40;

/// The most characters of one line.
const LINE_MAX: usize = 160;

/// By what right a delivery was begun.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warrant {
    /// The planning run that it delivers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<FrozenRun>,
    /// Who approved tasks that wait for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<Consent>,
    /// Who accepted that the plan's inputs have moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<Consent>,
}

/// A planning run that is delivered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrozenRun {
    /// Its id.
    pub id: String,
    /// The digest of its manifest.
    pub manifest: Digest,
    /// The model that was chosen for each role.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<RoutedModel>,
}

/// The model that was chosen for a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoutedModel {
    /// The role.
    pub role: String,
    /// The model.
    pub model: String,
}

/// Somebody's yes to something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    /// Who.
    pub by: String,
    /// The digest of the plan that was looked at.
    pub digest: Digest,
    /// To what, a line each.
    pub to: Vec<String>,
}

impl Warrant {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Consent {
    /// A yes to lines, of which as many are kept as a record holds.
    pub fn new(by: &str, digest: Digest, to: &[String]) -> Consent {
        let line = |text: &String| text.chars().take(LINE_MAX).collect();
        let mut kept: Vec<String> = to.iter().take(LINES_MAX).map(line).collect();
        if to.len() > LINES_MAX {
            kept.push(format!("and {} more", to.len() - LINES_MAX));
        }
        Consent { by: by.chars().take(LINE_MAX).collect(), digest, to: kept }
    }
}
