//! Checksums that documents carry of themselves, apart because a document from elsewhere may have been sealed by
//! another spelling than ours, and which one it was is worth recording.

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray};

use super::spelled::{Gaps, Numbers, Order, Own, Spelling, Text};
use crate::digest::Digest;
use crate::document::Value;

/// How the bytes under a checksum are made; the order is that in which they are tried.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Display,
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Profile {
    /// Ours: RFC 8785, the checksum's own entry removed.
    Jcs,
    /// As Python's `json.dumps` with sorted keys writes it: a blank behind commas and colons, everything but ASCII
    /// escaped; the checksum blanked.
    PyDefaultBlank,
    /// The same without the blanks between values.
    PyCompactAsciiBlank,
}

/// RFC 8785.
const JCS: Spelling =
    Spelling { gaps: Gaps::None, text: Text::Utf8, numbers: Numbers::Shortest, order: Order::Utf16 };

/// What Python writes with sorted keys and nothing else said.
const PYTHON: Spelling =
    Spelling { gaps: Gaps::Blank, text: Text::Ascii, numbers: Numbers::AsSpelled, order: Order::CodePoint };

/// The checksum of a document whose own is, or will be, at a path such as `["audit", "checksum"]`.
///
/// Numbers are taken as they are spelled where the profile is not ours: their writer spelled them from the same
/// values. A blanked checksum is one that is there; a document without it is taken as it stands.
pub fn of(document: &Value, own: &[&str], profile: Profile) -> Digest {
    let bytes = match profile {
        Profile::Jcs => JCS.write(document, Own::Removed(own)),
        Profile::PyDefaultBlank => PYTHON.write(document, Own::Blank(own)),
        Profile::PyCompactAsciiBlank => {
            Spelling { gaps: Gaps::None, ..PYTHON }.write(document, Own::Blank(own))
        }
    };
    Digest::of(&bytes)
}

/// The first profile by which a document has the checksum that it declares.
pub fn matching(document: &Value, own: &[&str], declared: &Digest) -> Option<Profile> {
    Profile::VARIANTS.iter().copied().find(|profile| of(document, own, *profile) == *declared)
}

/// A document on one line, keys in our order and numbers as their author spelled them.
///
/// For copies that are kept: every checksum of the document can still be verified from them.
pub fn spelled(document: &Value) -> Vec<u8> {
    Spelling { numbers: Numbers::AsSpelled, ..JCS }.write(document, Own::Kept)
}
