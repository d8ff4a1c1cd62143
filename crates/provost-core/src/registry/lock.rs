//! Versions that somebody relies on, held against what is there. Apart because an intent names no versions: they
//! come from a file beside it, or from a reference that carries one.

use std::fmt;
use std::str::FromStr as _;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use super::content::{Kind, Status};
use super::snapshot::{Item, Registry, Resolution};
use crate::canonical;
use crate::diagnostic::{self, quoted};
use crate::digest::Digest;
use crate::document::{Document, Mismatch, Unreadable, from_value};
use crate::schema::{Pattern, Schema, Shape, choice, list, matching, object, required, text};

/// The name of the form.
const FORM: &str = "provost/registry-lock/1";

/// The most pins of a file.
const PINS_MAX: u32 = 100_000;

/// What a lock file has to look like.
pub const LOCK: Schema = Schema {
    name: "registry_lock",
    version: "1.0.0",
    title: "versions of registry content that a plan relies on",
    root: object(&[
        required("schema", Shape::Exactly(FORM), "the name of the form"),
        required("items", list(&PIN, 0, PINS_MAX), "the pins"),
    ]),
};

const PIN: Shape = object(&[
    required("kind", choice(<Kind as VariantNames>::VARIANTS), "what it is"),
    required("id", text(1, 200), "its id"),
    required("version", matching(Pattern::Semver), "the version"),
    required("checksum", matching(Pattern::Sha256), "the digest of its document"),
]);

/// Pins, by kind and id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    // INVARIANT: sorted, and no kind and id twice.
    pins: Vec<Pin>,
}

/// A version that somebody relies on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pin {
    /// What it is; a short reference does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Its id.
    pub id: String,
    /// The version.
    pub version: String,
    /// The digest of its document; only a file has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checksum: Option<Digest>,
}

/// A pin that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drift {
    /// The pin.
    pub pin: Pin,
    /// What is there instead.
    pub found: Found,
}

/// What is there instead of what a pin names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A file that cannot be used.
    Broken,
    /// That version, which may not be used.
    NotUsable(Status),
    /// Another version.
    Version(String),
    /// That version, with another content.
    Content(Digest),
}

#[derive(Serialize, Deserialize)]
struct File<P> {
    schema: String,
    items: P,
}

impl Lock {
    /// The pins of all that may be used.
    pub fn of(registry: &Registry) -> Self {
        let usable = registry.items().iter().filter(|item| item.status.is_usable());
        let pin = |item: &Item| Pin {
            kind: Some(item.kind),
            id: item.id.clone(),
            version: item.version.clone(),
            checksum: Some(item.checksum),
        };
        let mut pins: Vec<Pin> = usable.map(pin).collect();
        pins.sort();
        Self { pins }
    }

    /// Reads a lock file, or says everything that is wrong with it.
    pub fn read(document: &Document) -> Result<Self, Unreadable> {
        LOCK.check(document)?;
        let file: File<Vec<Pin>> = from_value(&document.root).map_err(|mismatch: Mismatch| {
            let at = mismatch.span().unwrap_or(document.root.span);
            Unreadable::of(document.error(diagnostic::SCHEMA_WRONG_TYPE, at, mismatch.to_string()))
        })?;
        let mut pins = file.items;
        pins.sort();
        let same = |[one, other]: &[Pin; 2]| (one.kind, &one.id) == (other.kind, &other.id);
        if let Some([pin, _]) = pins.array_windows().find(|pair| same(pair)) {
            let message = format!("{} is pinned twice", quoted(&pin.id));
            return Err(Unreadable::of(document.error(
                diagnostic::REGISTRY_RIVALS,
                document.root.span,
                message,
            )));
        }
        Ok(Self { pins })
    }

    /// The file's text; always the same for the same pins.
    pub fn text(&self) -> String {
        let file = File { schema: FORM.to_owned(), items: &self.pins };
        // Plain data without maps: it can be written.
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The pins, by kind and id.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// The digest of the pins.
    pub fn digest(&self) -> Digest {
        // Text and digests alone, so it always has a canonical form.
        canonical::digest(&self.pins).unwrap_or(Digest::ZERO)
    }
}

impl Pin {
    /// The pin that a reference carries: `registry://KIND/ID@VERSION`, or `registry:ID:VERSION`.
    pub fn of_reference(reference: &str) -> Option<Self> {
        let rest = reference.strip_prefix("registry:")?;
        let (kind, id, version) = match rest.strip_prefix("//") {
            Some(rest) => {
                let (kind, rest) = rest.split_once('/')?;
                let (id, version) = rest.split('#').next()?.rsplit_once('@')?;
                (Some(kind_named(kind)?), id, version)
            }
            None => rest.rsplit_once(':').map(|(id, version)| (None, id, version))?,
        };
        let is_whole = !id.is_empty() && Pattern::Semver.matches(version);
        is_whole.then(|| Self { kind, id: id.to_owned(), version: version.to_owned(), checksum: None })
    }

    /// What is there instead of what is pinned, if it is something else.
    pub fn drift(&self, registry: &Registry) -> Option<Drift> {
        let kinds = <Kind as VariantArray>::VARIANTS
            .iter()
            .copied()
            .filter(|kind| self.kind.is_none_or(|own| own == *kind));
        let mut best = None;
        for kind in kinds {
            let found = match registry.resolve(kind, &self.id, Some(&self.version)) {
                Resolution::Usable(item) => match self.checksum {
                    Some(checksum) if checksum != item.checksum => Found::Content(item.checksum),
                    _ => return None,
                },
                Resolution::NotUsable(status) => Found::NotUsable(status),
                Resolution::Broken(_) => Found::Broken,
                Resolution::Unknown { nearest: Some(item) } if item.id == self.id => {
                    Found::Version(item.version.clone())
                }
                Resolution::Unknown { .. } => Found::Nothing,
            };
            // A reference that names no kind means whichever has that name.
            if best.is_none() || best == Some(Found::Nothing) {
                best = Some(found);
            }
        }
        best.map(|found| Drift { pin: self.clone(), found })
    }
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pin { kind, id, version, .. } = &self.pin;
        match kind {
            Some(kind) => write!(f, "the {kind} {} is pinned to {version}, ", quoted(id))?,
            None => write!(f, "{} is pinned to {version}, ", quoted(id))?,
        }
        match &self.found {
            Found::Nothing => f.write_str("and is not in the registry"),
            Found::Broken => f.write_str("and its file cannot be used"),
            Found::NotUsable(status) => write!(f, "which is {status}"),
            Found::Version(found) => write!(f, "and the registry has {found}"),
            Found::Content(_) => f.write_str("and that version has changed since"),
        }
    }
}

/// A kind by its name or by that of its folder.
fn kind_named(name: &str) -> Option<Kind> {
    Kind::from_str(name)
        .ok()
        .or_else(|| <Kind as VariantArray>::VARIANTS.iter().copied().find(|kind| kind.folder() == name))
}
